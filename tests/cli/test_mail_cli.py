"""The GM's commands around the mail: what they show, what they change, and that they show no key."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from typer.testing import CliRunner

import pbem.cli.main
from pbem.mail.correspondents import drop_into
from pbem.records import models
from pbem.records.store import open_store
from tests.crashing import letter
from tests.toy.table import toy_games

SEATS = ("--seat", "red=Rosa <red@example.org>", "--seat", "blue=blue@example.net")


class Table:
    def __init__(self, directory) -> None:
        self.directory = directory

    def __call__(self, *words: object, ok: int = 0) -> str:
        result = CliRunner().invoke(pbem.cli.main.app, ["-C", str(self.directory), *map(str, words)])
        assert result.exit_code == ok, result.output
        assert result.exception is None or isinstance(result.exception, SystemExit), result.output
        return result.output

    def json(self, *words: object):
        return json.loads(self(*words, "--json"))

    @property
    def store(self):
        return open_store(self.directory, toy_games())

    def keys(self) -> dict[str, str]:
        return {seat.side: seat.key for seat in self.store.seats_of(1)}

    def write(self, side: str, text: str, number: int = 1) -> None:
        """A letter of a player arrives."""
        address = {"red": "red@example.org", "blue": "blue@example.net"}[side]
        raw = letter(number, side, f"1-{side}-{self.keys()[side]}", text).replace(
            f"From: {side}@example.org".encode(), f"From: {address}".encode()
        )
        drop_into(self.directory / "mail" / "in", raw, f"{number}.test")


@pytest.fixture
def gm(tmp_path, monkeypatch) -> Table:
    monkeypatch.delenv("PBEM_DIR", raising=False)
    monkeypatch.setattr(pbem.cli.main, "known_games", toy_games)
    table = Table(tmp_path / "wars")
    table("init", table.directory)
    settings = table.directory / "settings.yaml"
    settings.write_text(settings.read_text().replace("gm: [] ", "gm: [gm@example.org] "))
    table("new", "two-hills", "at-once", *SEATS, "--hours", 48, "--settle", 0)
    return table


def test_a_turn_by_mail_from_the_command_line(gm):
    gm.write("red", "HOLD")
    gm.write("blue", "HOLD", 2)
    said = gm("tick")
    assert '"letters were read" count=2 turns_run=1' in said
    assert '"mail went out" sent=6' in said  # two welcomes, receipts and reports
    assert gm("tick") == ""
    assert gm("outbox") == "No mail waits, and none has failed.\n"
    assert {mail["kind"] for mail in gm.json("outbox", "--all")} == {"welcome", "receipt", "report"}


def test_with_cron_a_turn_is_run_by_the_first_tick_after_its_sheets_have_settled(gm):
    with gm.store.writing() as session:
        session.get_one(models.Match, 1).settle_minutes = 30
    gm.write("red", "HOLD")
    gm.write("blue", "HOLD", 2)
    assert '"letters were read" count=2 turns_run=0' in gm("tick")
    (facts,) = gm.json("status")
    settles = datetime.fromisoformat(facts["settles"])
    assert facts["awaited"][1]["arrived"] is not None
    assert settles.strftime("Runs %Y-%m-%d %H:%M UTC, 30 minutes after the last sheet") in gm("status")
    assert gm("tick", "--now", settles - timedelta(seconds=1)) == ""
    assert '"match 1: ran 1-red-blue"' in gm("tick", "--now", settles + timedelta(minutes=4))
    assert gm.json("status")[0]["settles"] is None


def test_letters_are_listed_with_their_fates_and_without_keys(gm):
    assert "No letter has come yet." in gm("letters")
    gm.write("red", "HOLD")
    drop_into(gm.directory / "mail" / "in", letter(2, "eve", f"1-red-{gm.keys()['red']}", "HOLD"), "2.test")
    gm("tick")
    said = gm("letters")
    assert "accepted  match 1 red" in said
    assert "held" in said
    assert gm("letters", "--held").count("from eve@") == 1
    assert [one["fate"] for one in gm.json("letters")] == [models.ACCEPTED, models.HELD]
    shown = gm("letters", "--show", 1)
    assert "From: red@example.org" in shown
    for text in (said, shown, gm("letters", "--json"), gm("outbox", "--all"), gm("deadline")):
        assert not any(key in text for key in gm.keys().values())
    assert "there is no letter 99" in gm("letters", "--show", 99, ok=1)


def test_a_held_letter_can_be_read_again(gm):
    drop_into(gm.directory / "mail" / "in", letter(2, "eve", f"1-red-{gm.keys()['red']}", "HOLD"), "2.test")
    gm("tick")
    assert "is read again with the next pass" in gm("letters", "--again", 1)
    gm("tick")
    assert [one["fate"] for one in gm.json("letters")] == [models.HELD]
    gm.write("red", "HOLD", 3)
    gm("tick")
    assert "has its fate already: it was accepted" in gm("letters", "--again", 2, ok=1)


def test_what_failed_is_shown_and_can_be_tried_again(gm):
    out = gm.directory / "mail" / "out"
    out.parent.mkdir(exist_ok=True)
    out.write_text("a file where a directory should be")
    assert "later=2" in gm("tick", ok=1)
    said = gm("outbox")
    assert said.count("1 tried: ") == 2
    assert "next try" in said
    out.unlink()
    assert "2 mails will be tried again" in gm("outbox", "--retry", 0)
    assert "sent=2" in gm("tick")
    assert "no mail 1 waits or has failed" in gm("outbox", "--retry", 1, ok=1)
    assert gm("outbox", "--failed") == "No mail waits, and none has failed.\n"


def test_deadlines_are_listed_with_who_is_awaited(gm):
    gm.write("red", "HOLD")
    gm("tick")
    said = gm("deadline")
    assert "(2 days after each turn, grace 12 hours)" in said
    assert "red: has sent a sheet" in said
    assert "blue: is awaited" in said
    (facts,) = gm.json("deadline", 1)
    assert [seat["has_sent"] for seat in facts["seats"]] == [True, False]


def test_a_new_clock_keeps_the_grace_and_the_grace_keeps_the_clock(gm):
    assert "(3 days after each turn, grace 12 hours)" in gm("deadline", 1, "--hours", 72)
    before = gm.store.position(1).match.deadline
    assert "(3 days after each turn, grace 6 hours)" in gm("deadline", 1, "--grace", 6)
    assert gm.store.position(1).match.deadline == before
    assert "(3 days after each turn)" in gm("deadline", 1, "--grace", 0)


def test_what_no_deadline_can_be_is_refused(gm):
    """A turn is not run over the players' heads by a slip of the pen."""
    before = gm.store.position(1).match
    said = gm("deadline", 1, "2020-11-22T20:00+01:00", ok=1)
    assert "2020-11-22 19:00 UTC has passed" in said
    assert "pbem process 1 --without-missing" in said
    assert "a match has one clock" in gm("deadline", 1, "--hours", 72, "--none", ok=2)
    assert "there is no match 9" in gm("deadline", 9, ok=1)
    after = gm.store.position(1).match
    assert (after.deadline, after.clock) == (before.deadline, before.clock)


def test_a_deadline_is_set_and_a_clock_is_given(gm):
    at = (datetime.now(UTC) + timedelta(days=3)).replace(microsecond=0)
    assert at.strftime("%Y-%m-%d %H:%M UTC") in gm("deadline", 1, at.isoformat())
    assert gm.store.position(1).match.deadline == at
    said = gm("deadline", 1, "--weekly", "Sun 20:00", "--zone", "Europe/Berlin", "--grace", 6)
    assert "Sun 20:00 (Europe/Berlin)" in said
    match = gm.store.position(1).match
    assert match.clock == {"weekly": ["Sun 20:00"], "zone": "Europe/Berlin", "grace": 6}
    assert match.deadline > datetime.now(UTC)
    assert "has no deadline now" in gm("deadline", 1, "--none")
    assert "'Sun 25:00' is not a time of the week" in gm("deadline", 1, "--weekly", "Sun 25:00", ok=1)
    assert "is not a time such as" in gm("deadline", 1, "tomorrow", ok=2)
    assert "there is no match 9" in gm("extend", 9, 24, ok=1)
    assert "has no deadline that could be moved" in gm("extend", 1, 24, ok=1)


def test_more_time(gm):
    before = gm.store.position(1).match.deadline
    gm("extend", 1, 24)
    assert gm.store.position(1).match.deadline == before + timedelta(days=1)
    assert [one["kind"] for one in gm.json("outbox")][-2:] == ["notice", "notice"]


def test_pause_and_resume(gm):
    assert "Match 1 is paused. It goes on with: pbem resume 1" in gm("pause", 1)
    assert "paused already" in gm("pause", 1)
    assert ", paused" in gm("deadline")
    gm.write("red", "HOLD")
    gm.write("blue", "HOLD", 2)
    assert "turns_run=0" in gm("tick")
    assert "Match 1 goes on. Deadline:" in gm("resume", 1)
    assert "was not paused" in gm("resume", 1)
    assert "match 1: ran" in gm("tick")


def test_a_frozen_match_is_thawed(gm, monkeypatch):
    game = type(toy_games()["two-hills"])
    with monkeypatch.context() as broken:
        broken.setattr(game, "run", lambda *_: 1 / 0)
        gm.write("red", "HOLD")
        gm.write("blue", "HOLD", 2)
        gm("tick")
        assert ", frozen" in gm("deadline")
        assert "pbem thaw 1" in gm("process", 1, ok=1)
        assert "failed again and is frozen again" in gm("thaw", 1, ok=1)
    assert "is thawed. Ran:" in gm("thaw", 1)
    assert "is not frozen" in gm("thaw", 1, ok=1)
    assert "replays exactly" in gm("replay", 1)


def test_somebody_else_takes_a_seat(gm):
    old = gm.keys()["blue"]
    assert "blue in match 1 is played by carla@example.org now" in gm("replace", 1, "blue", "Carla <carla@example.org>")
    assert gm.keys()["blue"] != old
    gm("tick")
    written = [one for one in gm.json("outbox", "--all") if one["recipient"] == "carla@example.org"]
    assert [one["kind"] for one in written] == ["welcome"]
    assert "has no side 'green'" in gm("replace", 1, "green", "carla@example.org", ok=1)
    assert "does not look like a mail address" in gm("replace", 1, "blue", "carla", ok=2)


def test_a_bot_takes_a_seat(gm):
    assert "the random player" in gm("replace", 1, "blue", "bot")
    gm.write("red", "HOLD")
    assert "turns_run=1" in gm("tick")
    assert "the seat is bot" in gm("deadline", 1)


def test_a_turn_run_at_the_keyboard_is_reported_by_mail(gm):
    gm("process", 1, "--without-missing")
    gm("tick")
    assert [one["side"] for one in gm.json("outbox", "--all") if one["kind"] == "report"] == ["red", "blue"]


def test_status_shows_the_deadline_of_every_match_that_goes_on(gm):
    deadline = gm.store.position(1).match.deadline
    assert f"   Deadline {deadline:%Y-%m-%d %H:%M} UTC\n" in gm("status")
    (facts,) = gm.json("status")
    assert datetime.fromisoformat(facts["deadline"]) == deadline
    assert (facts["paused"], facts["frozen"]) == (False, False)
    gm("pause", 1)
    assert "Paused: no deadline passes" in gm("status")
    gm("resume", 1)
    gm("deadline", 1, "--none")
    assert "No deadline" in gm("status")
