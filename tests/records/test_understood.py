"""A sheet that waits says to the program that runs it what it said to the one that took it in."""

from pathlib import Path

import pytest

from engine.game import Game
from engine.orders import Line
from pbem import closing, referee
from pbem.records import models
from pbem.records.bundle import BundledRecord, read_bundle
from pbem.records.replay import replay
from pbem.records.seals import NO_ORDERS, digest_of, without_remarks
from pbem.records.understood import could_be_sealed, exact, understood_in
from tests.contract.test_contract import WARS, positions
from tests.letterbox import Letterbox, body_of, new_letterbox
from tests.postal import open_office
from tests.reading import flat
from tests.records.test_store import sql
from tests.toy.newer import WithoutHeadings, WithWords
from tests.toy.table import SECRET
from tests.toy.two_hills import Hold, Take, TwoHills

GRABS = WithWords({"GRAB north": "TAKE north", "PUSH": "STANDING TAKE south"})


def letterbox(directory: Path, game: Game) -> Letterbox:
    return new_letterbox(directory / "war", {game.id: game})


def upgraded(box: Letterbox, game: Game) -> Letterbox:
    """The same directory with another program."""
    office = open_office(box.office.store.directory, box.watch, {game.id: game}, box.office.settings)
    return Letterbox(office, box.watch, written=box.written, places=box.places)


def take(box: Letterbox, side: str, sheet: str) -> None:
    assert box.office.store.take_sheet(1, side, sheet).kept


def run(box: Letterbox) -> models.Turn | None:
    """As at the deadline; None if it fails."""
    with box.office.store.writing() as session:
        found = referee.run_or_freeze(session, box.office, box.office.store.match_in(session, 1))
    return found.turn if found else None


def run_after_upgrade(directory: Path, before: Game, after: Game, sheet: str) -> tuple[Letterbox, models.Turn]:
    """Both send their sheets, the program is changed, and the turn is run."""
    box = letterbox(directory, before)
    take(box, "red", sheet)
    take(box, "blue", "HOLD")
    box = upgraded(box, after)
    turn = run(box)
    assert turn is not None
    return box, turn


# ------------------------------------------------------------------ what is kept


def test_every_order_of_a_sheet_is_kept_in_its_exact_form(tmp_path):
    box = letterbox(tmp_path, GRABS)
    take(box, "red", "# now\n grab  NORTH\nGRAB north # so\nPUSH")
    assert [sheet.understood for sheet in box.sheets()] == [{"3": "TAKE north", "4": "STANDING TAKE south"}]


def test_an_order_is_written_so_that_it_stands_wherever_it_is_read():
    assert exact(Line(1, "hold on", Hold())) == "HOLD"
    assert exact(Line(1, "hold on", Take("south"), standing=True)) == "STANDING TAKE south"


# ------------------------------------------------------------------ what is sealed

CHANGES = {
    "a line that was none is one now": (TwoHills(), GRABS, "GRAB north\nHOLD", "\nHOLD"),
    "a standing order that was none": (TwoHills(), GRABS, "PUSH\nTAKE north", "\nTAKE north"),
    "a line is none any more": (GRABS, TwoHills(), "GRAB north", "TAKE north"),
    "a standing order is none any more": (GRABS, TwoHills(), "PUSH\nHOLD", "STANDING TAKE south\nHOLD"),
    "a line is another one": (GRABS, WithWords({"GRAB north": "TAKE south"}, 3), "GRAB north", "TAKE north"),
    "the heading is of another kind": (TwoHills(), WithoutHeadings(), "FOR red 1\nTAKE north", "\nTAKE north"),
}


@pytest.mark.parametrize(("before", "after", "sheet", "sealed"), CHANGES.values(), ids=CHANGES.keys())
def test_a_line_that_would_be_read_otherwise_is_sealed_as_it_was_understood(tmp_path, before, after, sheet, sealed):
    box, turn = run_after_upgrade(tmp_path, before, after, sheet)
    red = turn.sheets[0]
    assert red["text"] == sealed
    assert red["digest"] == digest_of(SECRET, "1-red-blue", "red", sealed)
    assert box.sheets()[0].text == sheet, "what was sent stays on file"
    read = after.parse(sealed, after.view(after.setup("at-once", box.office.store.position(1).options), "red", "fog"))
    assert understood_in(read) == box.sheets()[0].understood
    assert [step.difference for step in replay(box.office.store, 1)] == [None, None]


def test_what_was_no_order_is_not_carried_out(tmp_path):
    box, _ = run_after_upgrade(tmp_path, TwoHills(), GRABS, "GRAB north\nHOLD")
    assert box.office.store.state_of(1).owner == {}


def test_what_was_an_order_is_carried_out(tmp_path):
    box, _ = run_after_upgrade(tmp_path, GRABS, TwoHills(), "GRAB north\nPUSH")
    assert box.office.store.state_of(1).owner == {"north": "red"}
    assert box.office.store.state_of(1).standing["red"] == Take("south")


def test_a_sheet_that_is_read_as_it_was_is_sealed_as_it_was_sent(tmp_path):
    box, turn = run_after_upgrade(tmp_path, TwoHills(), GRABS, "# mine\n take  north\nnonsense")
    assert turn.sheets[0]["text"] == "\ntake north\nnonsense"
    assert turn.sheets[0]["digest"] == box.sheets()[0].digest


def test_a_sheet_of_which_nobody_noted_how_it_was_understood_is_read_as_it_is_now(tmp_path):
    box = letterbox(tmp_path, TwoHills())
    take(box, "red", "GRAB north\nHOLD")
    take(box, "blue", "HOLD")
    sql(box.office.store, "UPDATE sheets SET understood = NULL")
    turn = run(upgraded(box, GRABS))
    assert turn.sheets[0]["text"] == "GRAB north\nHOLD"


def test_a_turn_is_frozen_rather_than_run_with_other_orders(tmp_path):
    box = letterbox(tmp_path, TwoHills())
    for side in ("red", "blue"):
        take(box, side, "TAKE north")
    box = upgraded(box, WithWords({"TAKE north": "TAKE south"}))
    assert run(box) is None
    assert box.office.store.position(1).match.frozen == "1-red-blue"
    assert any("TheSheetIsReadOtherwise" in body_of(mail) for mail in box.new_mail("gm@"))


# ------------------------------------------------------------------ what is told and proved


def test_the_player_is_told_that_his_digest_is_another_and_nobody_else(tmp_path):
    box, _ = run_after_upgrade(tmp_path, GRABS, TwoHills(), "GRAB north")
    reports = {mail.side: flat(body_of(mail)) for mail in box.outgoing() if mail.kind == "report"}
    assert "its digest below is not the one on the receipt" in reports["red"]
    assert "TAKE north" in reports["red"]
    assert "on the receipt" not in reports["blue"]


def test_the_war_goes_on_and_its_bundle_holds_after_the_upgrade(tmp_path):
    box, _ = run_after_upgrade(tmp_path, TwoHills(), GRABS, "GRAB north\nTAKE south")
    while box.office.store.position(1).gate is not None:
        take(box, "red", "HOLD")
        take(box, "blue", "HOLD")
        run(box)
    assert all(step.difference is None for step in replay(box.office.store, 1))
    with box.office.store.writing() as session:
        package = closing.close(session, box.office, box.office.store.match_in(session, 1), "gm")
    steps = list(BundledRecord.of(read_bundle(package.data), {GRABS.id: GRABS}).steps())
    assert [step.difference for step in steps] == [None] * 5


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE sheets SET understood = '{\"1\": \"TAKE south\"}' WHERE side = 'red'",
        "UPDATE sheets SET understood = NULL WHERE side = 'red'",
        "UPDATE sheets SET text = 'TAKE south' WHERE side = 'red'",
        "UPDATE sheets SET digest = (SELECT digest FROM sheets WHERE side = 'blue') WHERE side = 'red'",
    ],
)
def test_what_was_noted_cannot_be_changed_afterwards(tmp_path, statement):
    box, _ = run_after_upgrade(tmp_path, GRABS, TwoHills(), "GRAB north")
    sql(box.office.store, statement)
    assert "sheet 1 of red" in replay(box.office.store, 1)[-1].difference.what


@pytest.mark.parametrize(
    ("sealed", "could"),
    [
        ("grab it\n\nHOLD", True),
        ("TAKE north\n\nHOLD", True),
        ("TAKE north\nnonsense\nHOLD", True),
        ("TAKE south\n\nHOLD", False),
        ("\n\nHOLD", False),
        ("TAKE north\n\nHOLD\nHOLD", False),
        (NO_ORDERS, False),
    ],
)
def test_of_a_sheet_only_lines_that_were_no_orders_can_be_missing(sealed, could):
    sent = without_remarks("grab it\nnonsense # or not\nHOLD")
    assert could_be_sealed(sealed, sent, {"1": "TAKE north", "3": "HOLD"}) is could


@pytest.mark.parametrize(("game", "scenario"), WARS, ids=[f"{game.id} {scenario.id}" for game, scenario in WARS])
def test_in_every_game_an_order_in_its_exact_form_is_the_same_order(game, scenario):
    """Whatever section and heading it stood under."""
    for number, state in enumerate(positions(game, scenario)[:-1][:12]):
        side = game.gate(state).awaits[0]
        view = game.view(state, side, "fog")
        sheet = game.parse(game.bot(view, f"sheet {number}".encode()), view, "1")
        lines = {line.number: exact(line) for line in sheet.lines}
        text = "\n".join(lines.get(number, "") for number in range(1, max(lines, default=0) + 1))
        again = game.parse(text, view, "1")
        assert understood_in(again) == understood_in(sheet)
        assert [(line.order, line.standing) for line in again.lines] == [
            (line.order, line.standing) for line in sheet.lines
        ]
