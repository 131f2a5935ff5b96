"""The tables. What has been written down is not edited: a JSON column is only ever set as a whole.

The types are those SQLite and PostgreSQL share. SQLModel does not validate table classes, so `store.py` does.
"""

from datetime import UTC, datetime
from typing import Any, ClassVar

from sqlalchemy import JSON, CheckConstraint, DateTime, Index, LargeBinary, MetaData, Text, UniqueConstraint, text
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field, SQLModel

#: Every constraint has a name, so that a migration can change it.
NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}

RUNNING = "running"
OVER = "over"

#: What can become of a letter. One that has arrived has been stored and nothing else yet.
ARRIVED = "arrived"
ACCEPTED = "accepted"  # it changed something: a sheet, a setting, a vote
ANSWERED = "answered"  # it asked, or was refused with a reason
HELD = "held"  # it waits for the GM
DROPPED = "dropped"  # automatic mail, a loop, a duplicate, a bounce that was recorded
FATES = (ACCEPTED, ANSWERED, HELD, DROPPED)

#: What can become of a mail that goes out.
TO_SEND = "to send"
SENT = "sent"
OVERTAKEN = "overtaken"  # a newer one on the same topic was written before this one left
EXPIRED = "expired"
FAILED = "failed"

#: Whose mail leaves first.
FOR_PLAYERS, FOR_GMS, FOR_STRANGERS = range(3)

#: Who sits on a seat.
TAKEN = "taken"
OPEN = "open"
BOT = "bot"

WAITING = "waiting"
SEALED = "sealed"
SUPERSEDED = "superseded"
TAKEN_BACK = "taken back"  # with its turn, or because the game went back to before it was sent


class TheTimeHasNoZone(ValueError):
    pass


class Moment(TypeDecorator[datetime]):
    """A point in time, kept in UTC. SQLite drops the zone, so it is put back when read."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise TheTimeHasNoZone(f"{value.isoformat()} has no time zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        moment: datetime = value
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


class Bytes(TypeDecorator[bytes]):
    """Bytes. SQLite gives back text where somebody has put text by hand, which then shall differ, not crash."""

    impl = LargeBinary
    cache_ok = True

    def process_result_value(self, value: Any, dialect: Dialect) -> bytes | None:
        return value.encode() if isinstance(value, str) else value


class Table(SQLModel):
    metadata: ClassVar[MetaData] = MetaData(naming_convention=NAMES)


class Match(Table, table=True):
    """One war between seats. `secret` makes the dice; it is never shown while the war goes on."""

    __tablename__ = "matches"
    __table_args__ = {"sqlite_autoincrement": True}  # a number is never given to a second match

    id: int | None = Field(default=None, primary_key=True)
    game: str
    scenario: str
    title: str
    options: dict[str, Any] = Field(sa_type=JSON)
    status: str = RUNNING
    secret: bytes = Field(sa_type=Bytes, repr=False)
    commitment: str
    gate_number: int = 0  # how many turns count that have been run
    created: datetime = Field(sa_type=Moment)
    clock: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)  # how deadlines are set; empty for none
    deadline: datetime | None = Field(default=None, sa_type=Moment)  # of the open gate
    paused: bool = False
    frozen: str = ""  # the gate whose run failed: its sheets may not change until it has been run
    over_since: datetime | None = Field(default=None, sa_type=Moment)  # when the war ended, while it is over
    closed: datetime | None = Field(default=None, sa_type=Moment)  # when its secret and sealed sheets were published
    settle_minutes: int = 0  # so long the last sheet that was awaited lies before the turn is run


class Seat(Table, table=True):
    """Who plays a side. `key` proves it together with the address, and stands in nobody else's mail."""

    __tablename__ = "seats"
    __table_args__ = (UniqueConstraint("match_id", "side"),)

    id: int | None = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="matches.id")
    side: str
    address: str
    name: str = ""
    key: str = Field(default="", repr=False)
    state: str = TAKEN
    zone: str = ""  # the time zone the player reads clocks in
    lead_hours: int = 24  # how long before a deadline he wants to be reminded; 0 for never
    ready_gate: str = ""  # the gate he wants to be run early
    wait_gate: str = ""  # the gate he does not want to be run before its deadline
    absent_from: datetime | None = Field(default=None, sa_type=Moment)
    absent_to: datetime | None = Field(default=None, sa_type=Moment)
    misses: int = 0  # deadlines missed since his last sheet
    bounces: bool = False  # mail to him comes back
    bot: str = ""  # how well the program plays that holds the seat; empty for the first level there is
    settle_ready: bool = False  # no sheet of his is final before he says READY


class Sheet(Table, table=True):
    """Orders as they were sent, and what was found. Of a side the newest sheet waits at a gate."""

    __tablename__ = "sheets"
    __table_args__ = (
        CheckConstraint("state IN ('waiting', 'sealed', 'superseded', 'taken back')", name="state"),
        Index("ix_sheets_match_id_gate_id", "match_id", "gate_id"),
        Index(
            "uq_sheets_counting",
            "match_id",
            "gate_id",
            "side",
            unique=True,
            sqlite_where=text("state NOT IN ('superseded', 'taken back')"),
            postgresql_where=text("state NOT IN ('superseded', 'taken back')"),
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="matches.id")
    side: str
    gate_id: str
    text: str = Field(sa_type=Text)
    findings: list[dict[str, Any]] = Field(sa_type=JSON)
    arrived: datetime = Field(sa_type=Moment)
    state: str = WAITING
    digest: str
    understood: dict[str, str] | None = Field(default=None, sa_type=JSON(none_as_null=True))  # exactly, by line number


class Turn(Table, table=True):
    """One run of the engine: what went in, the dice link it used, and what came out.

    Every run has a number of its own, and that is the link of the dice chain it reveals. `number` says which turn of
    the game it is; when turns are taken back and played again, several runs have the same, and one of them counts.
    """

    __tablename__ = "turns"
    __table_args__ = (
        Index(
            "uq_turns_counting",
            "match_id",
            "number",
            unique=True,
            sqlite_where=text("taken_back IS NULL"),
            postgresql_where=text("taken_back IS NULL"),
        ),
    )

    match_id: int = Field(primary_key=True, foreign_key="matches.id")
    run: int = Field(primary_key=True)
    number: int
    gate_id: str
    title: str
    sheets: list[dict[str, Any]] = Field(sa_type=JSON)
    link: str
    hash_before: str
    hash_after: str
    events: bytes = Field(sa_type=Bytes)
    ran_at: datetime = Field(sa_type=Moment)
    program: str
    rules: int = 1  # the number that the rules of the game had
    taken_back: datetime | None = Field(default=None, sa_type=Moment)
    taken_back_by: str = ""
    taken_back_for: str = Field(default="", sa_type=Text)


class Snapshot(Table, table=True):
    """The position after a run; run 0 is the set-up. `pbem/records/snapshots.py` packs and unpacks it.

    `base` is the run against whose position it is packed, its own if by itself; none if it is not packed.
    """

    __tablename__ = "snapshots"

    match_id: int = Field(primary_key=True, foreign_key="matches.id")
    run: int = Field(primary_key=True)
    state: bytes = Field(sa_type=Bytes)
    hash: str
    base: int | None = None


class Ledger(Table, table=True):
    """What the GM and the referee did, in the order they did it."""

    __tablename__ = "ledger"

    id: int | None = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="matches.id", index=True)
    at: datetime = Field(sa_type=Moment)
    who: str
    act: str
    detail: str = Field(default="", sa_type=Text)


class Letter(Table, table=True):
    """A mail that came in: its bytes first, then the one thing that became of it.

    `history` has what had become of a letter that was held and then read again; it is set as a whole, never edited.
    """

    __tablename__ = "letters"
    __table_args__ = (
        CheckConstraint("fate IN ('arrived', 'accepted', 'answered', 'held', 'dropped')", name="fate"),
        UniqueConstraint("place", "raw_digest"),
    )

    id: int | None = Field(default=None, primary_key=True)
    place: str  # where the mailbox keeps it
    raw: bytes = Field(sa_type=Bytes, repr=False)
    raw_digest: str
    arrived: datetime = Field(sa_type=Moment)
    message_id: str = Field(default="", index=True)
    digest: str = Field(default="", index=True)  # of what it says, to know a copy without Message-ID
    sender: str = ""
    subject: str = ""
    match_id: int | None = Field(default=None, foreign_key="matches.id")
    side: str = ""
    fate: str = Field(default=ARRIVED, index=True)
    reason: str = Field(default="", sa_type=Text)
    settled: datetime | None = Field(default=None, sa_type=Moment)
    filed: bool = False  # the mailbox has moved it out of the way
    meant_for: str = ""  # the side it seemed to come from, which it could not prove
    proved: bool = False  # its writer has shown the key of his seat, or the GM's, or the GM vouches for it
    released_to: int | None = Field(default=None, foreign_key="seats.id")  # the seat the GM vouches for
    history: list[dict[str, Any]] = Field(default_factory=list, sa_type=JSON)


class Outgoing(Table, table=True):
    """A mail to be sent, written in the same commit as what it announces. `key` says what it is, once and for all."""

    __tablename__ = "outgoing"
    __table_args__ = (
        CheckConstraint("state IN ('to send', 'sent', 'overtaken', 'expired', 'failed')", name="state"),
        UniqueConstraint("key"),
        UniqueConstraint("message_id"),
        Index("ix_outgoing_state_rank", "state", "rank"),
    )

    id: int | None = Field(default=None, primary_key=True)
    key: str
    kind: str  # welcome, receipt, reminder, report, press, question, notice, refusal
    topic: str = Field(default="", index=True)  # a newer mail on the same topic overtakes an unsent older one
    match_id: int | None = Field(default=None, foreign_key="matches.id")
    side: str = ""
    recipient: str
    message_id: str
    subject: str
    raw: bytes = Field(sa_type=Bytes, repr=False)
    letter_id: int | None = Field(default=None, foreign_key="letters.id")  # what it answers
    created: datetime = Field(sa_type=Moment)
    expires: datetime | None = Field(default=None, sa_type=Moment)
    state: str = Field(default=TO_SEND, index=True)
    rank: int = FOR_PLAYERS  # who is served first
    attempts: int = 0
    next_try: datetime = Field(sa_type=Moment)
    sent: datetime | None = Field(default=None, sa_type=Moment, index=True)
    trouble: str = Field(default="", sa_type=Text)


class Sketch(Table, table=True):
    """What the pictures of an outgoing mail are drawn from; gone when it has left."""

    __tablename__ = "sketches"

    outgoing_id: int = Field(primary_key=True, foreign_key="outgoing.id")
    source: bytes = Field(sa_type=Bytes, repr=False)


#: Begins the act of a word that votes for something.
VOTE = "vote "


class Word(Table, table=True):
    """A one-time word: what a player or GM asked for and has to confirm with a second mail."""

    __tablename__ = "words"

    id: int | None = Field(default=None, primary_key=True)
    word: str = Field(unique=True, repr=False)
    match_id: int = Field(foreign_key="matches.id")
    side: str  # empty for the GM
    act: str
    argument: str = ""
    expires: datetime = Field(sa_type=Moment)
    used: datetime | None = Field(default=None, sa_type=Moment)


class Pulse(Table, table=True):
    """When something last went well: the mailbox was read, the clock was looked at."""

    __tablename__ = "pulses"

    name: str = Field(primary_key=True)
    at: datetime = Field(sa_type=Moment)
    detail: str = ""


class Bounce(Table, table=True):
    """A proved report that a mail of ours was not delivered. So many of them mark a seat; writing to us clears it."""

    __tablename__ = "bounces"

    id: int | None = Field(default=None, primary_key=True)
    outgoing_id: int = Field(foreign_key="outgoing.id", unique=True)
    match_id: int | None = Field(default=None, foreign_key="matches.id")
    side: str = ""
    recipient: str = Field(index=True)
    at: datetime = Field(sa_type=Moment)
    reason: str = Field(default="", sa_type=Text)


class Paper(Table, table=True):
    """What this installation knows about itself: who it is, its own secret, the mailbox it reads."""

    __tablename__ = "papers"

    name: str = Field(primary_key=True)
    value: str = Field(sa_type=Text, repr=False)


class GmKey(Table, table=True):
    """What proves, together with his address, that a letter is a GM's."""

    __tablename__ = "gm_keys"

    address: str = Field(primary_key=True)
    key: str = Field(repr=False)
    since: datetime = Field(sa_type=Moment)
