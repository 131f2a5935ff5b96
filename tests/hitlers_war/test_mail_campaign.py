"""The wars of three sides by mail: a whole campaign, the deployment before the Fall of Germany, and the surrender terms."""

from collections import Counter
from pathlib import Path

import msgspec
import pytest
from sqlmodel import delete, update

from engine.game import Options, state_hash
from engine.grand_strategy.state import State
from engine.hitlers_war.europe import europe
from pbem.mail.correspondents import Correspondent, drop_into, mailbox_contents
from pbem.mail.finished import page_of, parsed, text_in
from pbem.mail.inbox import open_inbox
from pbem.mail.maildir import entries
from pbem.post.post import FORM_BEGINS, FORM_ENDS
from pbem.records import models
from pbem.records.replay import replay
from pbem.service.daemon import Signals, read_letters
from tests.letterbox import Letterbox, new_letterbox
from tests.overseas import GAME, position, put
from tests.postal import GM, look, mails, send, text_of

SIDES = ("axis", "soviet", "allies")


def new_war(directory: Path, scenario: str, **options: object) -> Letterbox:
    return new_letterbox(directory, {GAME.id: GAME}, GAME.id, scenario, options=Options(**options))


class UnsentReader(Correspondent):
    """Reads his mail where the referee has written it, before it is sent: no picture has to be drawn for that."""

    box: Letterbox

    def newest(self):
        return parsed(mails(self.box.office, to=self.address)[-1].raw)


class Table:
    """Random players in front of their mailboxes, and the referee's Maildir between them."""

    def __init__(self, box: Letterbox) -> None:
        self.box, self.letters = box, 0
        self.inbox = box.office.settings.inbox.path
        self.players = {side: self._player(box.seat(side)) for side in SIDES}

    def _player(self, seat: models.Seat) -> UnsentReader:
        player = UnsentReader(seat.name, seat.address, Path())
        player.box = self.box
        return player

    def write(self, side: str, text: str) -> None:
        self.letters += 1
        drop_into(self.inbox, self.players[side].reply(text, self.box.office.clock()), f"{self.letters:04}.war")

    def read(self) -> None:
        inbox = open_inbox(self.box.office.settings)
        try:
            read_letters(self.box.office, inbox, Signals())
        finally:
            inbox.close()

    def gate(self) -> str:
        gate = self.box.office.store.position(1).gate
        return gate.id if gate else ""

    def orders(self, side: str) -> str:
        position = self.box.office.store.position(1)
        return GAME.bot(position.view(side), f"{self.letters} {side}".encode())

    def play_gate(self) -> None:
        """Whoever is awaited sends a sheet; now and then somebody else leaves standing orders before that."""
        gate = self.box.office.store.position(1).open_gate
        if self.letters % 4 == 0:
            self.write(gate.also_heard[0], self.orders(gate.also_heard[0]))
        self.write(gate.awaits[0], self.orders(gate.awaits[0]))
        self.box.watch.forward(hours=5)
        self.read()
        assert self.gate() != gate.id, "a sheet without a bad line runs the turn"


def report_to(box: Letterbox, side: str) -> str:
    """The newest report of a side."""
    return " ".join(text_of(mails(box.office, kind="report", to=f"{side}@")[-1]).split())


def the_deadline_passes(box: Letterbox) -> None:
    """All mail has been delivered meanwhile: who could not be reached would be waited for."""
    with box.office.store.writing() as session:
        session.exec(update(models.Outgoing).values(state=models.SENT))
    box.watch.forward(hours=169)
    look(box.office)


# ------------------------------------------------------------------ a whole campaign


def test_a_campaign_of_three_sides_is_played_to_its_end_by_mail(tmp_path):
    """From the first letter to the last report; mail is sent, and pictures drawn, after the first turn only."""
    campaign = Table(new_war(tmp_path / "war", "campaign-1", fog="fog"))
    campaign.play_gate()
    send(campaign.box.office)
    while campaign.gate():
        campaign.play_gate()
    all_turns_were_played(campaign)
    it_replays_to_the_same_hashes(campaign)
    every_letter_has_one_fate(campaign)
    no_line_was_refused(campaign)
    every_letter_was_answered_and_every_turn_reported(campaign)
    the_first_mail_was_delivered_once_with_its_pictures(campaign)


def all_turns_were_played(campaign: Table) -> None:
    store = campaign.box.office.store
    assert store.position(1).match.status == models.OVER
    gates = [turn.gate_id for turn in store.turns_of(1)]
    turns = [gate for gate in gates if gate.split("-")[1:] in ([side] for side in SIDES)]
    assert turns == [f"{turn}-{side}" for turn in range(1, 19) for side in SIDES]  # HW-18.4


def it_replays_to_the_same_hashes(campaign: Table) -> None:
    store = campaign.box.office.store
    assert [step.difference for step in replay(store, 1)] == [None] * (len(store.turns_of(1)) + 1)


def every_letter_has_one_fate(campaign: Table) -> None:
    letters = campaign.box.letters()
    assert Counter(letter.fate for letter in letters) == {models.ACCEPTED: campaign.letters}
    assert all(letter.filed for letter in letters)
    assert list(entries(campaign.inbox)) == []
    assert len(list(entries(campaign.inbox / ".Processed"))) == campaign.letters


def no_line_was_refused(campaign: Table) -> None:
    refused = [one for sheet in campaign.box.sheets() for one in sheet.findings if one["kind"] != "note"]
    assert refused == []


def every_letter_was_answered_and_every_turn_reported(campaign: Table) -> None:
    office = campaign.box.office
    assert len(mails(office, kind="receipt")) == campaign.letters
    turns = len(office.store.turns_of(1))
    assert Counter(mail.side for mail in mails(office, kind="report")) == dict.fromkeys(SIDES, turns)
    assert mails(office, to=GM)[-1].subject.endswith("is over"), "the GM hears of the end"


def the_first_mail_was_delivered_once_with_its_pictures(campaign: Table) -> None:
    office = campaign.box.office
    sent = mails(office, state=models.SENT)
    delivered = [mail for box in office.settings.outbox.path.iterdir() for mail in mailbox_contents(box)]
    assert sorted(str(mail["Message-ID"]) for mail in delivered) == sorted(mail.message_id for mail in sent)
    reports = [
        mail for mail in delivered if mail["Message-ID"] in {one.message_id for one in sent if one.kind == "report"}
    ]
    assert len(reports) == len(SIDES)
    assert all(any(part.get_content_maintype() == "image" for part in mail.walk()) for mail in reports)
    assert all("Soviet" in text_in(mail) for mail in reports), "whose turn comes next"


# ------------------------------------------------------------------ the Fall of Germany


def deployed(table: Table, side: str) -> dict[str, int]:
    """Points on the map by type."""
    armies = table.box.office.store.position(1).view(None).armies.values()
    return dict(sum((Counter(army.points) for army in armies if army.side == side), Counter()))


def test_three_deployments_by_mail_and_the_first_turn(tmp_path):
    table = Table(new_war(tmp_path / "war", "fall-of-germany", fog="open"))
    store = table.box.office.store
    for side in SIDES:
        assert table.gate().endswith(f"-{side}-deployment")  # HW-16.1, in the order of play
        pool = store.position(1).view(side).pool
        table.write(side, f"READY\n{table.orders(side)}")  # the random player leaves a rest to the referee
        table.read()
        assert deployed(table, side) == pool, "all of it stands on the map"
    assert table.gate() == f"{store.position(1).view(None).turn}-axis"
    table.write("axis", table.orders("axis"))
    table.read()
    assert table.gate().endswith("-soviet")
    assert replay(store, 1)[-1].difference is None


def test_a_part_of_a_deployment_waits_for_the_deadline(tmp_path):
    table = Table(new_war(tmp_path / "war", "fall-of-germany"))
    table.write("axis", "DEPLOY North Q13 5I 2M\n")
    table.read()
    assert table.gate().endswith("-axis-deployment")
    assert "It looks unfinished" in text_of(mails(table.box.office, kind="receipt")[-1])


def test_who_misses_the_deadline_is_deployed_by_the_referee(tmp_path):
    table = Table(new_war(tmp_path / "war", "fall-of-germany", fog="open"))
    pool = table.box.office.store.position(1).view("axis").pool
    the_deadline_passes(table.box)
    assert table.gate().endswith("-soviet-deployment")
    assert deployed(table, "axis") == pool  # D-01: the whole pool, by default
    told = report_to(table.box, "axis")
    assert "DEPLOY" in told or "deployed" in told
    assert "missed a deadline" in [entry.act for entry in table.box.ledger()]


# ------------------------------------------------------------------ surrender terms


def soviets_beaten() -> State:
    """HW-21.3: all three Soviet capitals are Axis, and hardly anything is left."""
    state = position("campaign-1", "axis", 9)
    for place in europe().of_country("Soviet Union"):
        if place not in ("Q14", "SIBERIA"):
            state.ground[place].owner = "axis"
    put(state, "NORTH", "Q13", inf=5)
    put(state, "BALTIC", "Q14", inf=5)
    return state


def lay_out(box: Letterbox, state: State) -> None:
    """Put a position on the table in place of the first one."""
    encoded = GAME.encode(state)
    with box.office.store.writing() as session:
        session.exec(delete(models.Snapshot))
        match = box.office.store.match_in(session, 1)
        match.options = msgspec.to_builtins(state.options)
        session.add(models.Snapshot(match_id=1, run=0, state=encoded, hash=state_hash(encoded)))
        session.add(match)


@pytest.fixture
def asked(tmp_path) -> Table:
    """The Axis has sent its sheet, and the run has stopped to ask whether it accepts."""
    table = Table(new_war(tmp_path / "war", "campaign-1", fog="open"))
    lay_out(table.box, soviets_beaten())
    table.write("axis", "BUILD MAX I ANY")
    table.read()
    assert table.gate() == "9-axis-terms"
    return table


def test_the_axis_is_asked_for_terms_by_mail(asked):
    told = report_to(asked.box, "axis")
    assert "SURRENDER-TERMS ACCEPT" in told
    assert "Axis answer to the Soviet terms. Your orders are awaited." in " ".join(told.split())
    assert "# accepts too." in told  # D-41: what it means, and what silence means
    assert "SURRENDER-TERMS" not in report_to(asked.box, "allies"), "the others have nothing to answer"


@pytest.mark.parametrize(("answer", "terms"), [("ACCEPT", "accepted"), ("REFUSE", "refused")])
def test_the_answer_comes_by_mail_and_everybody_hears_of_it(asked, answer, terms):
    asked.write("axis", f"SURRENDER-TERMS {answer}")
    asked.read()
    position = asked.box.office.store.position(1)
    assert (asked.gate(), position.view(None).terms) == ("9-soviet", terms)
    assert [letter.fate for letter in asked.box.letters()] == [models.ACCEPTED] * 2
    assert len(mails(asked.box.office, kind="report")) == 2 * len(SIDES)


def test_terms_that_nobody_answers_are_accepted_at_the_deadline(asked):
    the_deadline_passes(asked.box)
    position = asked.box.office.store.position(1)
    assert (asked.gate(), position.view(None).terms) == ("9-soviet", "accepted")  # D-41
    assert "STANDING SURRENDER-TERMS REFUSE" in report_to(asked.box, "axis")


# ------------------------------------------------------------------ drawn orders


def test_a_receipt_tells_its_picture_in_words(tmp_path: Path) -> None:
    box = new_war(tmp_path / "war", "campaign-1", fog="fog")
    box.play("axis", "VIOLATE Poland\nDISMANTLE FORT N9\nSTANDING GIFT Rumania L14 Rumania")
    (receipt,) = mails(box.office, kind="receipt")
    page = page_of(parsed(receipt.raw))
    assert "Poland is to be violated: N13 Lwów, O13 Kraków" in page
    assert "Forts given up: N9 Stuttgart." in page
    assert "If Rumania joins you, its forces, 2I 1M, appear in L14 Bucharest as Rumanian Army." in page


def test_a_sheet_that_was_turned_away_as_a_whole_is_not_drawn(tmp_path: Path) -> None:
    box = new_war(tmp_path / "war", "campaign-1", fog="fog")
    box.play("axis", "GAME 99\nVIOLATE Poland")
    (receipt,) = mails(box.office, kind="receipt")
    assert "NOT KEPT" in receipt.subject
    assert "to be violated" not in page_of(parsed(receipt.raw))
    assert "orders.png" not in page_of(parsed(receipt.raw))


# ------------------------------------------------------------------ the order form


def form_of(table: Table, side: str) -> list[str]:
    text = text_of(mails(table.box.office, to=side)[-1])
    return text[text.index(FORM_BEGINS) : text.index(FORM_ENDS)].splitlines()


def test_the_order_form_tells_what_one_has_to_look_up(tmp_path):
    """So that a phone is enough; and no line of it is broken on the way."""
    table = Table(new_war(tmp_path / "war", "fall-of-germany"))
    before = form_of(table, "axis")
    assert "# Your pool: 29I 14M. A hex holds ten points, its fort included." in before
    assert "# Your armies: OKW, North, Center, South, West, A, B, C, 4th, PZAA," in before
    assert any(line.startswith("# Your forts: 3 in K10 Rome (2), 1 in N9 Stuttgart (2)") for line in before)
    for side in SIDES:
        table.write(side, f"READY\n{table.orders(side)}")
        table.read()
    later = form_of(table, "axis")
    assert "# To spend: 30, if nothing changes." in later
    assert "# By sea, points a turn: Baltic 1." in later
    assert any(line.startswith("# Free counters: ") for line in later)
    for line in (*before, *later):
        assert len(line) <= 72
