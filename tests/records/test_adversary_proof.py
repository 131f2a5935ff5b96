"""An adversary tries to make `pbem verify` say yes to a lie, or no to the truth, and to misuse the proof of a war."""

import copy
import io
import json
import random
import re
import unicodedata
import warnings
import zipfile
from email.message import EmailMessage
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

import pbem.cli.main
from engine.dice import Label
from engine.events import canonical
from engine.game import Options, games
from pbem import closing
from pbem.records import models
from pbem.records.bundle import Bundle, BundledRecord, ThisIsNoBundle, packed, plain, read_bundle
from pbem.records.keys import key_tag
from pbem.records.replay import NOTHING, Difference
from pbem.records.seals import AS_SENT
from pbem.records.verify import Verified, in_words, verified
from pbem.records.witness import differences
from pbem.words.printed import ThisIsNoReport
from tests.letterbox import Letterbox, body_of, new_letterbox, new_match
from tests.records.test_closing import closed, fight_to_the_end, files_of
from tests.records.test_rollback import play_turn
from tests.records.test_seals import GAMES, first_view, must_mean_the_same
from tests.records.test_verify import ATTACKS, all_sixes, text
from tests.toy.table import toy_games

# ------------------------------------------------------------------ reports: honest ones


def a_war_of_bots(box: Letterbox, turns: int) -> None:
    """By mail; the third turn is taken back and played again."""
    store = box.office.store
    for number in range(turns):
        position = store.position(1)
        if position.gate is None:
            return
        for side in position.gate.awaits:
            box.play(side, position.game.bot(position.view(side), f"bot {number}".encode()))
        if store.position(1).number == position.number:
            box.play(position.gate.awaits[0], "READY")
        assert store.position(1).number > position.number
        if number == 2:
            box.gm("ROLLBACK 1")
            box.gm(f"CONFIRM {box.word('ROLLBACK')}")


@pytest.mark.parametrize(
    ("scenario", "fog", "mode"),
    [("barbarossa", "open", "checkpoint"), ("fall-of-germany", "veiled", "one-run"), ("campaign-1", "fog", "one-run")],
)
def test_every_report_of_a_war_as_it_was_mailed_holds_as_mail_and_as_text(tmp_path, scenario, fog, mode):
    kind = {one.id: one for one in games()["hitlers-war"].scenarios()}[scenario]
    options = Options(fog=fog, mode=mode, edition=kind.editions[0] if kind.editions else "")
    box = new_letterbox(tmp_path / "war", games(), "hitlers-war", scenario, options=options)
    a_war_of_bots(box, 5)
    commitment = box.office.store.position(1).match.commitment
    mails = [mail for mail in box.outgoing() if mail.key.startswith("report/")]
    assert len(mails) >= 10
    for mail in mails:
        for raw in (mail.raw, body_of(mail).encode()):
            found = verified(raw, commitment)
            assert found.holds, in_words(found)
            assert not found.report.others
    assert sum(len(verified(mail.raw).dice) for mail in mails) > 10


@pytest.fixture(scope="module")
def box(tmp_path_factory) -> Letterbox:
    """A war with a long name; the soviet player has written a message about dice before the axis attacked."""
    directory = tmp_path_factory.mktemp("proof") / "war"
    title = "The great war of the friends who meet on Monday evenings, third series, second match"
    box = new_letterbox(directory, games(), "hitlers-war", "barbarossa", title=title)
    box.play(
        "soviet", "PRESS TO axis\nyour die 6 [#1] is mine\n #1  6  hitlers-war/1/6-axis/Q14/defensive assault/1\nEND"
    )
    box.play("axis", ATTACKS)
    return box


def mail_of(box: Letterbox, side: str = "axis") -> bytes:
    return next(one.raw for one in box.outgoing() if one.key == f"report/1/1/{side}")


@pytest.fixture(scope="module")
def report(box) -> str:
    return body_of(next(one for one in box.outgoing() if one.key == "report/1/1/axis"))


def check(report: str) -> Verified:
    return verified(report.encode())


def test_words_of_another_player_and_a_long_name_do_no_harm(report):
    assert "your die 6 [#1] is mine" in report
    found = check(report)
    assert found.holds, in_words(found)
    assert found.report.side == "axis"


def as_mail(body: str, **params: str) -> EmailMessage:
    message = EmailMessage()
    message["From"] = "referee@example.org"
    message.set_content(body, cte="8bit")
    for name, value in params.items():
        message.set_param(name, value)
    return message


def flowed(report: str) -> str:
    """As a mail program forwards it that breaks long lines: RFC 3676."""
    lines = []
    for line in report.split("\n"):
        line = f" {line}" if line[:1] in (" ", ">") or line.startswith("From ") else line
        while len(line) > 60 and " " in line[30:60]:
            at = line.rindex(" ", 30, 60) + 1
            lines.append(line[:at])
            line = line[at:] if line[at : at + 1] != " " else f" {line[at:]}"
        lines.append(line.rstrip(" "))
    return "\n".join(lines)


def forwarded_as_it_is(report: str) -> bytes:
    outer = as_mail("See below.")
    outer.add_attachment(as_mail(report))
    return outer.as_bytes()


ON_ITS_WAY = {
    "flowed": lambda report: as_mail(flowed(report), format="flowed").as_bytes(),
    "attached to another mail": forwarded_as_it_is,
    "in another character set": lambda report: (
        as_mail("").as_bytes().replace(b"utf-8", b"iso-8859-2").rstrip() + b"\n\n" + report.encode("iso-8859-2")
    ),
    "with more carriage returns": lambda report: report.replace("\n", "\r\r\n").encode(),
    "with a mark before it": lambda report: b"\xef\xbb\xbf" + report.encode(),
    "quoted twice": lambda report: "\n".join(f"> > {line}" for line in report.split("\n")).encode(),
}


@pytest.mark.parametrize("change", ON_ITS_WAY.values(), ids=ON_ITS_WAY.keys())
def test_what_mail_programs_do_to_a_report_does_no_harm(report, change):
    found = verified(change(report))
    assert found.holds, in_words(found)
    assert len(found.dice) == len(check(report).dice) > 3


# ------------------------------------------------------------------ reports: lies


def test_the_same_number_in_other_digits_is_not_the_same_label(report):
    """Each of forty alphabets would give another die."""
    sevens = [chr(code) for code in range(128, 0x1FFFF) if unicodedata.decimal(chr(code), 0) == 7]
    of_17 = report.replace("REPORT OF [1 ", "REPORT OF [17 ")
    forged = all_sixes(of_17, lambda label: (text(label, match=f"1{seven}") for seven in sevens))
    found = check(forged)
    assert [die.computed for die in found.dice] == [6] * len(found.dice)
    assert not found.holds
    assert Label.of("hitlers-war/17/6-axis/Q14/defensive assault/1\u0661") is None


ANOTHER_STORY = "\nQ14 Minsk\n  Assault  Army Group North, strength 9: die 6 [#2]: 6 hits.\n"


def with_other_dice(report: str) -> str:
    return re.sub(r"\bdie \d", "die 6", report)


def below_the_dice(report: str, story: str) -> str:
    return report.replace("\nBARBAROSSA\n", f"{story}\nBARBAROSSA\n")


LIES = {
    "a second story below the dice": lambda report: below_the_dice(report, f"\nCORRECTION\n{ANOTHER_STORY}"),
    "a second story with a heading of its own": lambda report: below_the_dice(report, "\nQ14 Minsk: die 6 [#2]\n"),
    "a die beside the die": lambda report: re.sub(r"die (\d)( \[#1\])", r"die \1, die 6\2", report),
    "a die without its number": lambda report: re.sub(r"(die \d) (\[#1\])", r"\1, again die 6 \2", report),
    "no die has a number": lambda report: with_other_dice(
        re.sub(r" \[#\d+\]", "", re.sub(r"\n   #1 .*?\nCommitment", "\nCommitment", report, flags=re.DOTALL))
    ),
    "other letters": lambda report: below_the_dice(report, ANOTHER_STORY.replace("die 6 [#2]", "d\u0456e 6")),
    "letters that do not show": lambda report: below_the_dice(report, ANOTHER_STORY.replace("die 6 [#2]", "d\u200bie 6")),
    "a sign like the sign": lambda report: below_the_dice(report, ANOTHER_STORY.replace("#", "\uff03")),
    "a line that is printed over": lambda report: report.replace("die ", "die 6\rdie ", 1),
    "a line that is blotted out": lambda report: report.replace("die ", "die 6\x1b[8m die ", 1),
    "a false sum": lambda report: re.sub(r"(die \d) (\[#1\])", r"\1, +1 mountain = 9 \2", report),
    "the dice in another order": lambda report: exchanged(report, "[#1]", "[#2]"),
    "a report without numbers above": lambda report: with_other_dice(report).replace("Run key", "Run  key") + report,
}  # fmt: skip


def exchanged(report: str, one: str, other: str) -> str:
    return report.replace(one, "\0").replace(other, one).replace("\0", other)


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES.keys())
def test_a_die_that_stands_anywhere_in_the_report_is_checked(report, lie):
    assert lie(report) != report
    found = check(lie(report))
    assert not found.holds
    assert "THE REPORT DOES NOT HOLD" in in_words(found)


def test_two_rolls_for_the_same_thing_cannot_be_exchanged(report):
    """Both labels are right and both dice, but the first roll is told as the second."""
    first, second = (
        next(die for die in check(report).dice if what in die.label) for what in ("defensive", "assault on")
    )
    again = first.label.rpartition("/")[0] + "/2"
    forged = check(report.replace(first.label, "\0").replace(second.label, first.label).replace("\0", again))
    assert any("told after it" in die.trouble for die in forged.dice if die.label == again)


def test_an_army_is_not_another_one_whose_name_begins_the_same():
    from pbem.games.hitlers_war.told_dice import tells_of
    from pbem.words.told_dice import Mention

    announced = ("Army Group C attacks from P13 Białystok.", "Army Group Center attacks from O14 Lutsk.")
    told = Mention(1, 6, "P14 Pinsk", "Assault Army Group Center, strength 9: die 6 [#1]: 3 hits.", announced)
    assert tells_of(told, "O14", "assault on P14")
    assert not tells_of(told, "P13", "assault on P14")


@pytest.mark.parametrize("there", ["above", "below", "in a part that is shown instead"])
def test_what_stands_beside_the_report_is_not_taken_for_checked(report, there):
    lie = with_other_dice(report).replace("REPORT OF", "REPORTS OF").replace("Run key", "Run-key")
    if there == "above":
        raw = f"{lie}\n{report}".encode()
    elif there == "below":
        raw = f"{report}\n{lie}".encode()
    else:
        mail = as_mail(report)
        mail.add_alternative(lie, subtype="plain")
        raw = mail.as_bytes()
    found = verified(raw)
    assert "only the first one was checked" in in_words(found)


def test_the_text_is_read_as_the_mail_program_shows_it(report):
    """In UTF-7 the same bytes show another story, which was read as gibberish."""
    story = ANOTHER_STORY.replace("die 6 [#2]", "+AGQAaQBlACAANg-")
    raw = as_mail("").as_bytes().replace(b"utf-8", b"utf-7").rstrip() + b"\n\n"
    lie = raw + below_the_dice(report, story).encode("ascii", "replace")
    assert any("die 6" in sentence for sentence in verified(lie).report.loose)


def test_an_attached_text_is_not_what_is_shown(report):
    mail = as_mail(with_other_dice(report))
    mail.make_mixed()
    (shown,) = mail.iter_parts()
    true = EmailMessage()
    true.set_content(report)
    true["Content-Disposition"] = "attachment; filename=report.txt"
    mail.set_payload([true, shown])
    assert not verified(mail.as_bytes()).holds


@pytest.mark.parametrize("kind", ["multipart", "message"])
def test_parts_within_parts_are_refused_in_a_sentence(tmp_path, kind):
    boundaries = b"".join(b'Content-Type: multipart/mixed; boundary="%d"\n\n--%d\n' % (at, at) for at in range(2000))
    nested = boundaries if kind == "multipart" else b"Content-Type: message/rfc822\n\n" * 2000
    (tmp_path / "bomb.eml").write_bytes(b"From: a@example.org\n" + nested + b"Content-Type: text/plain\n\nx\n")
    said = CliRunner().invoke(pbem.cli.main.app, ["verify", str(tmp_path / "bomb.eml")])
    assert isinstance(said.exception, SystemExit)
    assert said.exit_code == 1


def test_a_text_longer_than_any_report_is_refused(report):
    with pytest.raises(ThisIsNoReport):
        verified((report + "\n" + "x" * 300_000).encode())


def test_the_reader_is_told_which_digest_to_compare_with_his_receipt(report):
    """Whoever forges a report could try digests until the dice suit him."""
    digest = re.search(r"^Axis +(\w{64})$", report, re.MULTILINE)[1]
    assert f"its receipt named this digest: {digest}" in in_words(check(report))


# ------------------------------------------------------------------ bundles


@pytest.fixture(scope="module")
def war(tmp_path_factory) -> Bundle:
    """A war that was fought to its end, with battles."""
    box = new_letterbox(tmp_path_factory.mktemp("bundle") / "war")
    while box.office.store.position(1).gate is not None:
        play_turn(box)
    with box.office.store.writing() as session:
        return read_bundle(closing.close(session, box.office, box.office.store.match_in(session, 1), "gm").data)


def document(war: Bundle) -> dict[str, Any]:
    return json.loads(canonical(war))


def difference(war: Bundle) -> Difference | None:
    return list(BundledRecord.of(war, toy_games()).steps())[-1].difference


def is_refuted(raw: str | bytes) -> bool:
    """Either it is no bundle at all, or the war comes to something else."""
    try:
        return difference(read_bundle(raw.encode() if isinstance(raw, str) else raw)) is not None
    except ThisIsNoBundle:
        return True


def places_in(document: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place of a document, those within others too."""
    inner = (
        document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    )
    return [path, *(place for key, value in inner for place in places_in(value, (*path, key)))]


def at(document: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        document = document[step]
    return document


#: What is told and not proved: names that change nothing.
TOLD = ("title", "program")


def test_nothing_can_be_added_to_a_bundle_or_left_out_of_it(war):
    """The word for what is missing was itself taken for missing."""
    honest = document(war)
    assert not is_refuted(json.dumps(honest, indent=1))
    chance, places = random.Random(5), places_in(honest)[1:]
    for path in ((), *chance.sample(places, 80)):
        lie = copy.deepcopy(honest)
        there = at(lie, path)
        if isinstance(there, dict):
            there["more"] = "nothing"
        elif isinstance(there, list):
            there.append("nothing")
        elif path[-1] not in TOLD and path[-1] != "rule":
            at(lie, path[:-1])[path[-1]] = "nothing"
        else:
            continue
        assert is_refuted(json.dumps(lie)), path
    for path in chance.sample(places, 40):
        lie = copy.deepcopy(honest)
        del at(lie, path[:-1])[path[-1]]
        assert is_refuted(json.dumps(lie)), path


def test_what_the_rules_have_ended_the_players_have_not(war):
    assert difference(war) is None
    lie = document(war)
    lie["ended"] = lie["outcome"] = {"winners": [], "how": "all players agreed to a draw", "case": ""}
    assert is_refuted(json.dumps(lie))


def test_nobody_wins_who_has_not_played(war):
    told = document(war)
    told["runs"] = told["runs"][:1]
    told["ended"] = told["outcome"] = {"winners": ["blue"], "how": "red conceded", "case": ""}
    assert not is_refuted(json.dumps(told))  # it is told, not proved
    told["ended"]["winners"] = ["green"]
    assert is_refuted(json.dumps(told))


def test_a_remark_cannot_be_put_into_a_sheet_by_calling_it_old(war):
    """By the older rule remarks were sealed, but they are never published."""
    lie = document(war)
    sheet = lie["runs"][0]["sheets"][0]
    sheet["rule"], sheet["text"] = AS_SENT, f"{sheet['text']}  # he knew my orders"
    assert is_refuted(json.dumps(lie))


@pytest.mark.parametrize("field", ["secret", "runs", "outcome", "told", "die"])
def test_of_a_field_that_is_there_twice_none_is_believed(war, field):
    honest = canonical(war).decode()
    twice = re.sub(rf'"{field}":', rf'"{field}":null,"{field}":', honest, count=1)
    assert twice != honest
    assert is_refuted(twice)


def test_of_two_wars_in_a_zip_none_is_believed(war):
    lie, file = canonical(war).replace(b'"die":', b'"die":1'), io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        archive.writestr("war.json", lie)
        archive.writestr("war.json", canonical(war))
    assert is_refuted(file.getvalue())


STRANGE = {
    "a huge number": '[{"label":"x","die":' + "9" * 6000 + "}]",
    "deep": "[" * 900 + "]" * 900,
    "very deep": "[" * 100_000 + "]" * 100_000,
    "no number": "[NaN]",
    "half a character": '"\\ud800"',
    "a small bomb": "[" + "[]," * 50_000 + "[]]",
    "text": '"nothing"',
}


@pytest.mark.parametrize("told", STRANGE.values(), ids=STRANGE.keys())
@pytest.mark.parametrize("zipped", [True, False])
def test_whatever_a_side_is_said_to_have_been_told_is_a_sentence_and_no_crash(report, tmp_path, told, zipped):
    """The report is compared with a bundle that does not hold as well."""
    link = re.search(r"^Run key +(\w+)", report, re.MULTILINE)[1]
    commitment = re.search(r"^Commitment +(\w+)", report, re.MULTILINE)[1]
    run = {"run": 1, "turn": 1, "gate": "6-axis", "title": "Summer 1941, Axis player-turn", "taken_back": False,
           "program": "1", "sheets": [], "link": link, "hash_before": link, "hash_after": link, "told": {"axis": 0}}  # fmt: skip
    made_up = {"format": "pbem war 1", "game": "hitlers-war", "scenario": "barbarossa", "match": 1, "title": "x",
               "options": json.loads(canonical(Options())), "ended": None, "outcome": None, "program": "1",
               "secret": link, "commitment": commitment, "runs": [run]}  # fmt: skip
    raw = json.dumps(made_up).replace('"told": {"axis": 0}', f'"told": {{"axis": {told}}}').encode()
    (tmp_path / "war.zip").write_bytes(zipped_as_war(raw) if zipped else raw)
    (tmp_path / "report.txt").write_text(report)
    command = ["verify", str(tmp_path / "war.zip"), str(tmp_path / "report.txt")]
    said = CliRunner().invoke(pbem.cli.main.app, command)
    assert isinstance(said.exception, SystemExit), said.exception
    assert said.exit_code == 1


def test_what_is_longer_than_anything_that_was_ever_told_is_not_even_read():
    """A zip of a few kilobytes made three gigabytes of lists."""
    assert plain(b"[" + b"[]," * 1_000_000 + b"[]]") is NOTHING


def zipped_as_war(raw: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("war.json", raw)
    return file.getvalue()


def test_a_report_is_checked_although_a_war_came_with_it(war, report, tmp_path):
    """Else a good war of somebody would speak for a bad report."""
    mail = as_mail(with_other_dice(report))
    mail.add_attachment(packed(war), maintype="application", subtype="zip", filename="war-1.zip")
    (tmp_path / "report.eml").write_bytes(mail.as_bytes())
    said = CliRunner().invoke(pbem.cli.main.app, ["verify", str(tmp_path / "report.eml")])
    assert "THE REPORT DOES NOT HOLD" in said.output


def test_a_report_that_names_another_fog_contradicts_the_bundle(report, war):
    """In fog a roll may be missing: so who leaves one out would like the report to say so."""
    found = check(report)
    run = war.runs[0]
    told = msgspec.structs.replace(run, link=found.report.link, turn=1, title=found.report.title)
    like_it = msgspec.structs.replace(
        war, commitment=found.commitment, runs=(told,), options=Options(fog="open", edition="1984")
    )
    assert any("the fog is fog" in said for said in differences(found, like_it))


# ------------------------------------------------------------------ sealed sheets

BLANKS = [
    " ",
    "  ",
    "\t",
    "\u00a0",
    "\u2003",
    "\u200b",
    "\x0b",
    "\x1c",
    "\x85",
    "\u2028",
    "\r",
    "\n",
    "\r\n",
    "\ufeff",
    "\u00ad",
]
WORDS = ["END", "end.", "END :", "\uff25\uff2e\uff24", "END#", "STANDING", "CLEAR", "COMBAT:", "SIDE Axis", "GAME 2", "TURN 1",
         "ATTACK Center P14", "BUILD MAX I ANY", "HOLD", "TAKE north", "x" * 399, "x" * 401, "e\u0301" * 200, "#", "\u0131", "."]  # fmt: skip


def test_whatever_blanks_and_ends_are_made_of_a_sealed_sheet_means_the_same():
    chance, views = random.Random(11), [(game, first_view(game)) for game in GAMES]
    for _ in range(300):
        written = "".join(chance.choice(WORDS) + chance.choice(BLANKS) for _ in range(chance.randint(1, 12)))
        for game, view in views:
            must_mean_the_same(game, written, view)


def test_nobody_swells_the_bundle_of_a_war_with_lines_that_nobody_reads(tmp_path):
    """With nearly a megabyte on each sheet the bundle would be too large for whoever wants to check it."""
    box = new_letterbox(tmp_path / "war")
    box.play("red", f"TAKE north\n\nTAKE {random.Random(1).randbytes(400_000).hex()}")
    box.play("red", "READY")
    box.play("blue", "TAKE north")
    (turn,) = box.office.store.turns_of(1)
    assert "TAKE north" in turn.sheets[0]["text"]
    assert len(turn.sheets[0]["text"]) < 1000


# ------------------------------------------------------------------ asking for the bundle


def bundles_in(box: Letterbox) -> list[str]:
    return [mail.recipient for mail in box.outgoing() if mail.key.startswith(("bundle/", "closed/"))]


def test_nobody_gets_a_bundle_before_its_time_or_of_another_war_or_with_the_key_of_another(tmp_path):
    box = new_letterbox(tmp_path / "war")
    another = new_match(box)
    fight_to_the_end(box)
    for asked in ("BUNDLE", "BUNDLE 1", "BUNDLE PART 1", "BUNDLE 0"):
        box.play("red", asked)
    assert bundles_in(box) == []
    closed(box)
    assert len(bundles_in(box)) == 2
    box.send("eve@example.com", "BUNDLE", key=box.key("red"))
    box.send("eve@example.com", "BUNDLE")
    box.send("red@example.net", "BUNDLE", key=box.key("blue"))
    box.send("red@example.net", "GAME 1\nBUNDLE", key=box.key("red", another))
    assert len(bundles_in(box)) == 2
    for asked in ("BUNDLE 2", "BUNDLE -1", "BUNDLE 99999999999999", "BUNDLE \u0663", "BUNDLE 1 2"):
        assert box.play("red", asked).fate == models.ANSWERED
    assert len(bundles_in(box)) == 2
    box.play("red", "BUNDLE\n" * 50)
    assert bundles_in(box)[2:] == [box.seat("red").address]


def test_what_a_player_writes_with_his_key_in_it_is_not_published_with_the_key(tmp_path):
    box = new_letterbox(tmp_path / "war")
    key = box.seat("red").key
    tag = key_tag(box.seat("red"))
    box.play("red", f"TAKE north\nKEY {tag}\nmy key is {tag}\nreferee+{tag}@example.org\n{key}\nKEY {tag.upper()}")
    box.play("red", "READY")
    box.play("blue", "TAKE north")
    for side in ("red", "blue"):
        box.play(side, "DRAW")
    closed(box)
    (mail, _) = (mail for mail in box.outgoing() if mail.key.startswith("closed/"))
    told = zipfile.ZipFile(io.BytesIO(files_of(mail)["war-1.zip"])).read("war.json").decode()
    assert "TAKE north" in told
    assert key.lower() not in told.lower()
