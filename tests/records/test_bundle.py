"""The bundle of a war proves what it says: played again it agrees in everything, and whatever is changed is found."""

import io
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from typer.testing import CliRunner

import pbem.cli.main
from engine.events import canonical
from engine.game import games
from pbem import closing
from pbem.records import models
from pbem.records.bundle import NAME, Bundle, BundledRecord, ThisIsNoBundle, packed, parts_of, read_bundle
from pbem.records.replay import Difference, replay
from pbem.records.seals import AS_SENT, digest_of
from tests.letterbox import Letterbox, body_of, new_letterbox
from tests.records.test_rollback import play_turn, take_back
from tests.records.test_verify import ATTACKS, FORGERIES, all_sixes
from tests.the_project import ROOT
from tests.toy.table import SECRET, toy_games
from tests.toy.variants import ByHundreds

DOCS = ROOT / "docs"


def bundle_of(box: Letterbox) -> Bundle:
    with box.office.store.writing() as session:
        match = box.office.store.match_in(session, 1)
        return read_bundle(closing.close(session, box.office, match, "gm").data)


@pytest.fixture(scope="module")
def war(tmp_path_factory) -> Bundle:
    """A war with battles, one turn of which was taken back and played again."""
    box = new_letterbox(tmp_path_factory.mktemp("bundle") / "war")
    play_turn(box)
    play_turn(box)
    take_back(box)
    while box.office.store.position(1).gate is not None:
        play_turn(box)
    return bundle_of(box)


def first_difference(bundle: Bundle) -> Difference | None:
    return list(BundledRecord.of(bundle, toy_games()).steps())[-1].difference


def document(bundle: Bundle) -> dict[str, Any]:
    return json.loads(canonical(bundle))


def changed(bundle: Bundle, change: Callable[[dict[str, Any]], object]) -> Bundle:
    plain = document(bundle)
    change(plain)
    return read_bundle(json.dumps(plain).encode())


# ------------------------------------------------------------------ a war


def test_a_war_played_again_from_its_bundle_agrees_in_everything(war):
    steps = list(BundledRecord.of(war, toy_games()).steps())
    assert [step.difference for step in steps] == [None] * (len(war.runs) + 1)
    assert [step.taken_back for step in steps].count(True) == 1
    assert b'"die":' in bytes(war.runs[0].told["red"])


def test_a_war_with_dice_of_a_hundred_sides_is_proved_like_any_other(tmp_path):
    hundreds = {"two-hills": ByHundreds()}
    box = new_letterbox(tmp_path / "war", hundreds)
    while box.office.store.position(1).gate is not None:
        play_turn(box)
    assert all(step.difference is None for step in replay(box.office.store, 1))
    bundle = bundle_of(box)
    assert re.search(
        r'"die":\d\d,"label":"two-hills/1/1-red-blue/north/red/1:d100"', bytes(bundle.runs[0].told["red"]).decode()
    )
    assert all(step.difference is None for step in BundledRecord.of(bundle, hundreds).steps())
    lied = changed(bundle, lambda war: set_dice(war, 73))
    assert list(BundledRecord.of(lied, hundreds).steps())[-1].difference.what.startswith("what blue was told")


def flip(text: str) -> str:
    return ("0" if text[0] != "0" else "1") + text[1:]


def set_in(*path: Any, to: Any = None) -> Callable[[dict[str, Any]], None]:
    """Change one place of a document: to a value, or a hash to another one."""

    def change(document: Any) -> None:
        for step in path[:-1]:
            document = document[step]
        document[path[-1]] = flip(document[path[-1]]) if to is None else to

    return change


LIES: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "the secret": (set_in("secret"), "the dice commitment"),
    "the commitment": (set_in("commitment"), "the dice commitment"),
    "the key of a run": (set_in("runs", 1, "link"), "the dice link"),
    "orders": (set_in("runs", 0, "sheets", 0, "text", to="HOLD"), "the digest of red's sheet"),
    "orders that came": (set_in("runs", 0, "sheets", 0, "text", to=None), "the digest of red's sheet"),
    "orders with a remark": (lambda war: add_to_orders(war, "# by the GM"), "the digest of red's sheet"),
    "orders beyond the last line": (
        lambda war: add_to_orders(war, before="\n" * 1000),
        "the sealed text of red's sheet",
    ),
    "a digest": (set_in("runs", 0, "sheets", 1, "digest"), "the digest of blue's sheet"),
    "a salt": (set_in("runs", 0, "sheets", 1, "salt"), "the salt of blue's sheet"),
    "a rule": (set_in("runs", 0, "sheets", 1, "rule", to=7), "the rule by which blue's sheet was sealed"),
    "who sent what": (lambda war: war["runs"][0]["sheets"].reverse(), "the sides with sealed sheets"),
    "a side": (lambda war: war["runs"][0]["sheets"].pop(), "the sides with sealed sheets"),
    "the position before": (set_in("runs", 1, "hash_before"), "the hash before"),
    "the position after": (set_in("runs", 1, "hash_after"), "the hash after"),
    "the gate": (set_in("runs", 1, "gate", to="3-red-blue"), "the gate"),
    "the title": (set_in("runs", 1, "title", to="Turn 9"), "the title of the gate"),
    "what red was told": (lambda war: war["runs"][0]["told"]["red"].pop(), "what red was told"),
    "a die that was told": (lambda war: set_dice(war, 6), "what blue was told"),
    "what blue was not told": (lambda war: war["runs"][0]["told"].pop("blue"), "the sides that were told"),
    "a run that is left out": (lambda war: war["runs"].pop(1), "the number of the run"),
    "the last run left out": (lambda war: war["runs"].pop(), "the status of the match"),
    "a run more": (lambda war: war["runs"].append(war["runs"][-1]), "whether the turn counts"),
    "a turn that was taken back": (set_in("runs", 1, "taken_back", to=False), "whether the turn counts"),
    "a turn that counts": (set_in("runs", 0, "taken_back", to=True), "the turns that count"),
    "the number of a turn": (set_in("runs", 0, "turn", to=3), "the number of the turn"),
    "who won": (set_in("outcome", "how", to="by luck"), "the outcome"),
    "how it ended": (set_in("ended", to={"winners": ["red"], "how": "by luck", "case": ""}), "the outcome"),
    "the number of the match": (set_in("match", to=2), ""),
    "the options": (set_in("options", "fog", to="open"), ""),
    "the scenario": (set_in("scenario", to="by-turns"), ""),
}


def add_to_orders(war: dict[str, Any], behind: str = "", before: str = "") -> None:
    sheet = war["runs"][0]["sheets"][0]
    sheet["text"] = before + sheet["text"] + behind


def set_dice(war: dict[str, Any], die: int) -> None:
    told = war["runs"][0]["told"]
    told["blue"] = json.loads(re.sub(r'"die": \d+', f'"die": {die}', json.dumps(told["blue"])))


@pytest.mark.parametrize(("lie", "found"), LIES.values(), ids=LIES.keys())
def test_whatever_is_changed_is_found_and_named(war, lie, found):
    told = changed(war, lie)
    assert told != war
    difference = first_difference(told)
    assert difference is not None
    assert found in difference.what


def test_a_war_that_is_made_up_as_a_whole_is_told_by_its_commitment(war, tmp_path, monkeypatch):
    """It agrees with itself; but the players have had the commitment of the real one from the beginning."""
    box = new_letterbox(tmp_path / "other", secret=bytes(32))
    while box.office.store.position(1).gate is not None:
        play_turn(box)
    made_up = bundle_of(box)
    assert first_difference(made_up) is None
    (tmp_path / NAME).write_bytes(canonical(made_up))
    assert verify(monkeypatch, tmp_path / NAME).exit_code == 0
    said = verify(monkeypatch, tmp_path / NAME, "--commitment", war.commitment)
    assert said.exit_code == 1
    assert "It is NOT the one you gave" in said.output
    assert "THE WAR DOES NOT HOLD" in said.output


def test_sheets_of_the_older_rule_are_published_without_their_remarks_and_their_digests_taken_as_told(
    tmp_path, monkeypatch
):
    box = new_letterbox(tmp_path / "war")
    box.play("red", "TAKE north  # as always")
    older = digest_of(SECRET, "1-red-blue", "red", "TAKE north  # as always", AS_SENT)
    with box.office.store.writing() as session:
        session.connection().exec_driver_sql(
            "UPDATE sheets SET digest = ?, text = ?", (older, "TAKE north  # as always")
        )
    box.play("blue", "TAKE north")
    with box.office.store.writing() as session:
        turn = session.get(models.Turn, (1, 1))
        turn.sheets = [{key: value for key, value in one.items() if key != "rule"} for one in turn.sheets]
        session.add(turn)
    while box.office.store.position(1).gate is not None:
        play_turn(box)
    bundle = bundle_of(box)
    assert "as always" not in canonical(bundle).decode()
    record = BundledRecord.of(bundle, toy_games())
    assert [step.difference for step in record.steps()] == [None] * (len(bundle.runs) + 1)
    assert record.as_told == [(1, "red")]  # blue's has no remark, so its digest is checked
    lie = changed(bundle, set_in("runs", 0, "sheets", 0, "digest"))
    assert first_difference(lie) is not None  # the dice follow from the digests, and so do the positions
    (tmp_path / NAME).write_bytes(canonical(bundle))
    said = verify(monkeypatch, tmp_path)
    assert said.exit_code == 0
    assert "turn 1 red" in said.output
    assert said.output.endswith("The war holds, but these digests could not be checked: 1 of sheets with remarks.\n")


# ------------------------------------------------------------------ the file


def test_the_same_war_is_the_same_file(war):
    assert packed(war) == packed(read_bundle(packed(war)))
    archive = zipfile.ZipFile(io.BytesIO(packed(war)))
    assert [(entry.filename, entry.date_time[0]) for entry in archive.infolist()] == [(NAME, 1980)]


def test_the_parts_are_the_whole_again(war):
    data = packed(war)
    parts = parts_of(data, 1000)
    assert len(parts) == -(-len(data) // 1000) > 1
    assert b"".join(parts) == data


def zipped(name: str, text: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, text)
    return file.getvalue()


NO_BUNDLES = {
    "nothing": b"",
    "no JSON": b"{",
    "a list": b"[]",
    "another format": b'{"format": "pbem war 99"}',
    "an empty document": b"{}",
    "deep": b'{"format": ' + b"[" * 100_000,
    "half a zip": zipped(NAME, b"{}")[:40],
    "a zip of something else": zipped("other.json", b"{}"),
    "a bomb": zipped(NAME, b" " * 1_000_000),
    "not UTF-8": b'{"format": "\xff"}',
}


@pytest.mark.parametrize("raw", NO_BUNDLES.values(), ids=NO_BUNDLES.keys())
def test_what_is_no_bundle_is_refused(raw, monkeypatch):
    monkeypatch.setattr("pbem.records.bundle.LONGEST", 100_000)
    with pytest.raises(ThisIsNoBundle):
        read_bundle(raw)


@pytest.mark.parametrize(
    ("path", "value"),
    [(("game",), "chess"), (("scenario",), "x"), (("match",), 0), (("secret",), "x"), (("runs",), 1), (("more",), 1)],
)
def test_a_bundle_of_something_else_is_refused(war, path, value):
    plain = document(war)
    set_in(*path, to=value)(plain)
    with pytest.raises(ThisIsNoBundle):
        BundledRecord.of(read_bundle(json.dumps(plain).encode()), toy_games())


def test_a_sheet_that_the_engine_stumbles_over_is_a_difference_and_no_crash(war, monkeypatch):
    monkeypatch.setattr("tests.toy.two_hills.TwoHills.run", lambda *_: 1 / 0)
    assert "the run" in first_difference(war).what


# ------------------------------------------------------------------ at the command line


def verify(monkeypatch, *words: object, games=toy_games):
    monkeypatch.setattr(pbem.cli.main, "known_games", games)
    return CliRunner().invoke(pbem.cli.main.app, ["verify", *map(str, words)])


def test_a_bundle_is_taken_as_zip_as_json_as_folder_and_as_the_mail_that_brought_it(war, tmp_path, monkeypatch):
    (tmp_path / "war-1.zip").write_bytes(packed(war))
    (tmp_path / NAME).write_text(json.dumps(document(war), indent=2))
    (tmp_path / "closed.eml").write_bytes(mail_with(packed(war)))
    for path in (tmp_path / "war-1.zip", tmp_path / NAME, tmp_path, tmp_path / "closed.eml"):
        said = verify(monkeypatch, path, "--commitment", war.commitment)
        assert said.exit_code == 0, said.output
        assert said.output.endswith("The war holds.\n")
        assert f"{len(war.runs)} of {len(war.runs)}" in said.output
    facts = json.loads(verify(monkeypatch, tmp_path, "--json").output)
    assert (facts["holds"], facts["match"], len(facts["steps"])) == (True, 1, len(war.runs) + 1)


def mail_with(data: bytes) -> bytes:
    from email.message import EmailMessage

    message = EmailMessage()
    message["From"] = "referee@example.org"
    message.set_content("The war is closed.")
    message.add_attachment(data, maintype="application", subtype="zip", filename="war-1.zip")
    return message.as_bytes()


def test_the_first_difference_is_named(war, tmp_path, monkeypatch):
    older = changed(war, set_in("runs", 1, "program", to="0.0.1"))
    (tmp_path / NAME).write_bytes(canonical(changed(older, set_in("runs", 1, "hash_after"))))
    said = verify(monkeypatch, tmp_path)
    assert said.exit_code == 1
    assert "The first difference: turn 2, the hash after:" in said.output
    assert "The turn was run by pbem 0.0.1" in said.output
    assert "THE WAR DOES NOT HOLD" in said.output


def test_bundles_of_two_wars_are_not_mixed(war, tmp_path, monkeypatch):
    for name in ("one.json", "two.json"):
        (tmp_path / name).write_bytes(canonical(war))
    said = verify(monkeypatch, tmp_path / "one.json", tmp_path / "two.json")
    assert said.exit_code == 1
    assert "one war at a time" in said.output


# ------------------------------------------------------------------ reports as witnesses


@pytest.fixture(scope="module")
def barbarossa(tmp_path_factory) -> tuple[Letterbox, Bundle]:
    """The axis has attacked, the soviet player has given up, and the war was closed."""
    box = new_letterbox(tmp_path_factory.mktemp("witness") / "war", games(), "hitlers-war", "barbarossa")
    box.play("axis", ATTACKS)
    box.play("soviet", "CONCEDE")
    box.play("soviet", f"CONFIRM {box.word('CONCEDE')}")
    return box, bundle_of(box)


def report(box: Letterbox, side: str) -> str:
    return body_of(next(mail for mail in box.outgoing() if mail.key == f"report/1/1/{side}"))


def test_the_reports_of_a_war_agree_with_its_bundle(barbarossa, tmp_path, monkeypatch):
    box, bundle = barbarossa
    (tmp_path / "war-1.zip").write_bytes(packed(bundle))
    for side in ("axis", "soviet"):
        (tmp_path / f"{side}.txt").write_text(report(box, side))
    said = verify(monkeypatch, tmp_path / "war-1.zip", tmp_path / "axis.txt", tmp_path / "soviet.txt", games=games)
    assert said.exit_code == 0, said.output
    assert said.output.count("holds and agrees with the bundle.") == 2
    assert "That the players ended it so is told, not proved." in said.output


def a_die_less(text: str) -> str:
    """The last roll was left out, in the list and in the diary."""
    last = re.findall(r"^ *#(\d+) +\d +\S.*\n", text, re.MULTILINE)[-1]
    without = re.sub(rf"^ *#{last} +\d +\S.*\n", "", text, flags=re.MULTILINE)
    return re.sub(rf"; die \d[^\[]*\[#{last}\]|die \d[^\[]*\[#{last}\]", "", without)


SAID_OTHERWISE = {
    "a roll left out": ("axis", a_die_less, "has left a die out"),
    "rolls renamed": ("soviet", lambda text: all_sixes(text, FORGERIES["a count that was skipped"]), "was not rolled"),
    "another turn": (
        "axis",
        lambda text: text.replace("Summer 1941, Axis player-turn\nRun", "Winter 1941\nRun"),
        "Winter",
    ),
    "another match": ("axis", lambda text: text.replace("REPORT OF [1 ", "REPORT OF [2 "), "of match 2"),
}


@pytest.mark.parametrize(("side", "lie", "found"), SAID_OTHERWISE.values(), ids=SAID_OTHERWISE.keys())
def test_what_a_report_alone_cannot_prove_the_bundle_does(barbarossa, tmp_path, monkeypatch, side, lie, found):
    box, bundle = barbarossa
    honest = report(box, side)
    (tmp_path / "war-1.zip").write_bytes(packed(bundle))
    (tmp_path / "report.txt").write_text(lie(honest))
    assert lie(honest) != honest
    said = verify(monkeypatch, tmp_path / "war-1.zip", tmp_path / "report.txt", games=games)
    assert said.exit_code == 1
    assert "IT DOES NOT AGREE WITH THE BUNDLE" in said.output
    assert found in said.output


# ------------------------------------------------------------------ without this program


def test_the_check_by_hand_in_the_handbook_needs_nothing_but_python(barbarossa, tmp_path):
    """docs/fairness.md has a program of a few lines; it says the same, and finds a changed order."""
    (script,) = re.findall(r"```python\n(.*?)```", (DOCS / "fairness.md").read_text(encoding="utf-8"), re.DOTALL)
    assert "import pbem" not in script
    _, bundle = barbarossa
    (tmp_path / "check.py").write_text(script)
    (tmp_path / NAME).write_bytes(canonical(bundle))
    command = [sys.executable, "-I", "check.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    dice = len(re.findall(r'"label":', bytes(bundle.runs[0].told["axis"]).decode()))
    assert f"{dice} dice" in done.stdout
    lie = changed(bundle, set_in("runs", 0, "sheets", 0, "text", to="HOLD"))
    (tmp_path / NAME).write_bytes(canonical(lie))
    failed = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert failed.returncode != 0
