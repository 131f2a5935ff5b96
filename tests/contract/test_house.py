"""Every game is played wholly by mail: a listing, a small game with a box of its own, and Hitler's War, by the same steps.

What a step asserts holds for whoever plays whatever game. What only one game has stands in its line of HOUSE.
"""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import pytest
from PIL import Image
from typer.testing import CliRunner

import pbem.cli.main
from engine.game import games
from pbem.games import box_of
from pbem.mail.finished import parsed
from pbem.records import models
from pbem.records.replay import replay
from pbem.words import manual, rulebook
from tests.letterbox import Letterbox, body_of, confirmed, message_of, new_letterbox
from tests.postal import GM, look, send
from tests.reading import flat
from tests.toy.house import TOYS, register


@dataclass(frozen=True)
class Entry:
    """A game of the house, and how its words look. `gates` is how many are fought; 0 plays the war to its end.

    `case` is a case and what RULES says of it, `attack` a sheet of a side that has odds; pictures are those of a report.
    """

    game: str
    scenario: str
    mistyped: str
    meant: str
    attack: str
    verb: str
    about_verb: str
    case: tuple[str, str] = ("", "")
    gates: int = 0
    pictures: tuple[str, ...] = ("map.png", "sheet.png")
    orders_picture: tuple[str, ...] = ("orders.png",)
    part: str = ""


HOUSE = (
    Entry(
        "two-hills",
        "at-once",
        mistyped="TAEK north",
        meant="TAKE",
        attack="TAKE north",
        verb="HOLD",
        about_verb="",
        pictures=(),
        orders_picture=(),
    ),
    Entry(
        "round-island",
        "three-moons",
        mistyped="MARHC 2 0401 0502",
        meant="MARCH",
        attack="MARCH 3 0401 0502",
        verb="MARCH",
        about_verb="sends three spears",
        case=("RI-4.4", "With 51 or more the attacker wins."),
        part="0102 Cinder",
    ),
    Entry(
        "hitlers-war",
        "barbarossa",
        mistyped="ATACK Center P14 ADVANCE",
        meant="ATTACK",
        attack="ATTACK Center P14 ASSAULT ADVANCE",
        verb="ATTACK",
        about_verb="ATTACK",
        case=("HW-8.3", "One hex at a time, and it must touch"),
        gates=2,
        part="Q16 Smolensk",
    ),
)


@dataclass
class War:
    """A match of a game with its letterbox, and the mails that were looked at."""

    entry: Entry
    box: Letterbox
    directory: Path
    reports: dict[str, bytes] = field(default_factory=dict)

    @property
    def position(self):
        return self.box.office.store.position(1)

    @property
    def sides(self) -> tuple[str, ...]:
        return tuple(seat.side for seat in self.box.office.store.seats_of(1))

    def bots_sheet(self, side: str, key: str = "") -> str:
        position = self.position
        return position.game.bot(position.view(side), f"{key} {position.match.gate_number}".encode())

    def play(self, key: str = "") -> None:
        """A gate by letters of whoever is awaited."""
        before = self.position.match.gate_number
        for side in self.position.open_gate.awaits:
            assert self.box.play(side, self.bots_sheet(side, key)).fate == models.ACCEPTED
        assert self.position.match.gate_number == before + 1

    def post(self) -> list[models.Outgoing]:
        """The mail leaves. All that was written since the last look."""
        send(self.box.office)
        return self.box.new_mail()

    def cli(self, *words: object) -> tuple[int, str]:
        said = CliRunner().invoke(pbem.cli.main.app, ["-C", str(self.box.office.store.directory), *map(str, words)])
        return said.exit_code, said.output

    def delivered(self) -> Iterator[bytes]:
        """Every mail as it has left, with its pictures."""
        for path in sorted((self.directory / "out").rglob("*")):
            if path.is_file():
                yield path.read_bytes()


@pytest.fixture(params=HOUSE, ids=[entry.game for entry in HOUSE])
def war(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> War:
    register(monkeypatch)
    directory = tmp_path / "war"
    return War(request.param, new_letterbox(directory, games(), request.param.game, request.param.scenario), directory)


def test_a_war_is_played_wholly_by_mail(war):
    they_are_welcomed(war)
    they_ask(war)
    a_mistyped_line_is_answered(war)
    a_receipt_tells_odds_and_shows_the_orders(war)
    turns_are_reported(war, 2)
    a_turn_is_taken_back_and_the_war_goes_on(war)
    it_comes_to_its_end(war)
    it_is_closed_and_its_bundle_holds(war)
    nothing_went_wrong(war)


def test_a_war_is_begun_from_the_command_line(war):
    """As a GM does it: the game is listed, and the welcomes are written."""
    code, said = war.cli("games")
    assert (code, war.position.game.title in said) == (0, True)
    seats = [word for side in war.sides for word in ("--seat", f"{side}={side}@example.org")]
    code, said = war.cli("new", war.entry.game, war.entry.scenario, *seats)
    assert code == 0, said
    welcomes = [mail for mail in war.box.outgoing() if (mail.match_id, mail.kind) == (2, "welcome")]
    assert [mail.side for mail in welcomes] == list(war.sides)
    for mail in welcomes:
        assert flat(box_of(war.position.game).sight("fog")) in flat(body_of(mail))
    code, said = war.cli("show", 2, "--as", war.sides[0])
    assert (code, flat(shown_to(war, war.sides[0]))[:60] in flat(said)) == (0, True), said


# ------------------------------------------------------------------ the steps


def they_are_welcomed(war: War) -> None:
    send(war.box.office)
    written = [mail for mail in war.box.outgoing() if mail.kind == "welcome"]
    assert [mail.side for mail in written] == list(war.sides)
    for mail in written:
        assert "welcome to" in mail.subject
        assert flat(shown_to(war, mail.side))[:60] in flat(body_of(mail))
        assert {"view.json", "orders.txt"} <= names_in(message_of(mail))
    for raw in (raw for raw in war.delivered() if b"welcome" in raw):
        assert_pictures(raw, war.entry.pictures)


def shown_to(war: War, side: str) -> str:
    return box_of(war.position.game).position(war.position.view(side))


def they_ask(war: War) -> None:
    first, entry = war.sides[0], war.entry
    told = war.box.answer(first, "HELP")
    assert re.search(rf"^ *{entry.verb}\b", told, re.MULTILINE)
    speaks_of_no_other_game(war, [told, *(war.box.answer(first, f"HELP {topic}") for topic in help_topics(war))])
    if entry.about_verb:
        assert entry.about_verb in flat(war.box.answer(first, f"HELP {entry.verb}"))
    for lesson in rulebook.lessons(box_of(war.position.game).docs):
        assert f"HELP {lesson.upper()} (" in flat(told), "HELP says what a newcomer may ask for"
        assert f"{lesson} (" in flat(war.box.answer(first, f"HELP {lesson}"))
    case, words = entry.case
    if case:
        assert words in flat(war.box.answer(first, f"RULES {case}"))
    assert war.position.open_gate.title in flat(war.box.answer(first, "STATUS"))
    for question in ("MAP", "SHEET", "SHOW"):
        assert war.box.answer(first, question).strip(), question
    they_ask_for_a_part_of_the_map(war)
    assert "No turn has been run yet" in flat(war.box.answer(first, "REPORT"))
    war.post()


def they_ask_for_a_part_of_the_map(war: War) -> None:
    """By its id and by its name; a name that there is none of is answered with what would work."""
    first, (named, *name) = war.sides[0], war.entry.part.split() or ["anywhere"]
    if not name:
        assert flat(war.box.answer(first, "MAP")) in flat(war.box.answer(first, f"MAP {named}"))
        return
    told = [war.box.answer(first, f"MAP {way}") for way in (named, *name)]
    assert told[0] == told[1] != war.box.answer(first, "MAP")
    assert "he map has no 'Nowhere'" in flat(war.box.answer(first, "MAP Nowhere"))


def help_topics(war: War) -> list[str]:
    listed = manual.topics(box_of(war.position.game).docs)
    assert "Sending orders" in listed, "how one talks to the referee is told in every game"
    return listed


def speaks_of_no_other_game(war: War, answers: list[str]) -> None:
    """The sides of the toys have everyday names, which anybody may use."""
    for other in games().values():
        if other.id != war.position.game.id and not isinstance(other, TOYS):
            sides = {side for one in other.scenarios() for side in one.sides} - set(war.sides)
            names = [other.title, *(one.title for one in other.scenarios()), *sides]
            named = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b", re.IGNORECASE)
            assert [found[0] for text in answers for found in named.finditer(text)] == []


def a_mistyped_line_is_answered(war: War) -> None:
    side = war.position.open_gate.awaits[0]
    said = flat(war.box.answer(side, f"{war.entry.mistyped}\n"))
    assert "unreadable" in said
    assert war.entry.mistyped in said
    assert war.entry.meant in said
    assert war.position.match.gate_number == 0
    war.post()


def a_receipt_tells_odds_and_shows_the_orders(war: War) -> None:
    side = war.position.open_gate.awaits[0]
    war.box.play(side, f"CHECK\n{war.entry.attack}\n")
    (receipt,) = war.post()
    assert "ODDS" in body_of(receipt)
    assert re.search(r"\d%", body_of(receipt))
    (raw,) = [raw for raw in war.delivered() if receipt.message_id.encode() in raw]
    assert_pictures(raw, war.entry.orders_picture)


def turns_are_reported(war: War, turns: int) -> None:
    for _ in range(turns):
        war.play()
        mails = [mail for mail in war.post() if mail.kind == "report"]
        assert [mail.side for mail in mails] == list(war.sides)
        for mail in mails:
            read_the_report(war, mail)


def read_the_report(war: War, mail: models.Outgoing) -> None:
    """As the player does: the words, the pictures, the file for programs, and the proof."""
    assert "WHAT YOU ORDERED" in body_of(mail) or mail.side not in asked_last(war)
    message = message_of(mail)
    view = msgspec.json.decode(attached(message, "view.json"))
    assert (view["game"], view["side"], view["view"]["side"]) == (war.entry.game, mail.side, mail.side)
    (raw,) = [raw for raw in war.delivered() if mail.message_id.encode() in raw and b"multipart" in raw]
    assert_pictures(raw, war.entry.pictures)
    path = war.directory / f"report-{mail.id}.eml"
    path.write_bytes(raw)
    code, said = war.cli("verify", path)
    assert (code, "The report holds." in said) == (0, True), said
    war.reports[mail.key] = raw


def asked_last(war: War) -> tuple[str, ...]:
    turn = war.box.office.store.turns_of(1)[-1]
    return tuple(sheet["side"] for sheet in turn.sheets if sheet["text"])


def a_turn_is_taken_back_and_the_war_goes_on(war: War) -> None:
    before = war.position
    assert confirmed(war.box, "ROLLBACK 1").fate == models.ACCEPTED
    assert war.position.match.gate_number == before.match.gate_number - 1
    told = [mail for mail in war.post() if "taken back" in mail.subject]
    assert {mail.side for mail in told} == set(war.sides)
    war.play("another way")
    for mail in war.post():
        if mail.kind == "report":
            read_the_report(war, mail)
    assert war.position.open_gate.title == before.open_gate.title
    assert "REPORT OF" in war.box.answer(war.sides[0], "REPORT")
    war.post()


def it_comes_to_its_end(war: War) -> None:
    while war.position.gate is not None and (not war.entry.gates or war.position.match.gate_number < war.entry.gates):
        turns_are_reported(war, 1)
    if war.position.gate is not None:
        for side in war.sides:
            war.box.play(side, "DRAW")
    assert war.position.match.status == models.OVER
    assert war.position.outcome is not None
    assert not [step.difference for step in replay(war.box.office.store, 1) if step.difference]
    war.post()


def it_is_closed_and_its_bundle_holds(war: War) -> None:
    war.box.watch.forward(hours=49)
    assert look(war.box.office) == ["match 1: closed, its bundle goes to the players"]
    mails = [mail for mail in war.post() if mail.key.startswith("closed/")]
    assert [mail.side for mail in mails] == list(war.sides)
    bundle = war.directory / "war.zip"
    bundle.write_bytes(attached(message_of(mails[0]), "war-1.zip"))
    paths = [war.directory / f"again-{number}.eml" for number in range(len(war.reports))]
    for path, raw in zip(paths, war.reports.values(), strict=True):
        path.write_bytes(raw)
    code, said = war.cli("verify", bundle, *paths)
    assert (code, "The war holds." in said) == (0, True), said
    assert said.count("holds and agrees with the bundle") == len(paths) > 4


def nothing_went_wrong(war: War) -> None:
    """No picture was left out and no word replaced by the listing: the GM would have been told."""
    told = [mail.subject for mail in war.box.outgoing() if mail.recipient == GM]
    assert not [subject for subject in told if "failed" in subject or "picture" in subject], told
    assert {mail.state for mail in war.box.outgoing()} == {models.SENT}
    assert {letter.fate for letter in war.box.letters()} <= {models.ACCEPTED, models.ANSWERED}


# ------------------------------------------------------------------ what is in a mail


def names_in(message) -> set[str]:
    return {part.get_filename() for part in message.iter_attachments()}


def attached(message, name: str) -> bytes:
    return next(part.get_payload(decode=True) for part in message.iter_attachments() if part.get_filename() == name)


def assert_pictures(raw: bytes, names: tuple[str, ...]) -> None:
    """Each is a picture, stands in the page and has an alt text."""
    message = parsed(raw)
    parts = [part for part in message.walk() if part.get_content_type() == "image/png"]
    assert len(parts) == len(names)
    for part in parts:
        assert min(Image.open(io.BytesIO(part.get_payload(decode=True))).size) > 100
    body = message.get_body(("html",))
    assert body is not None
    shown = re.findall(r'<img src="cid:[^"]+"[^>]* alt="([^"]*)"', body.get_content())
    assert len(shown) == len(names)
    assert all(len(alt) > 20 for alt in shown)
