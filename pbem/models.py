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

WAITING = "waiting"
SEALED = "sealed"
SUPERSEDED = "superseded"


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
    gate_number: int = 0
    created: datetime = Field(sa_type=Moment)


class Seat(Table, table=True):
    """Who plays a side."""

    __tablename__ = "seats"
    __table_args__ = (UniqueConstraint("match_id", "side"),)

    id: int | None = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="matches.id")
    side: str
    address: str
    name: str = ""


class Sheet(Table, table=True):
    """Orders as they were sent, and what was found. Of a side the newest sheet waits at a gate."""

    __tablename__ = "sheets"
    __table_args__ = (
        CheckConstraint("state IN ('waiting', 'sealed', 'superseded')", name="state"),
        Index("ix_sheets_match_id_gate_id", "match_id", "gate_id"),
        Index(
            "uq_sheets_counting",
            "match_id",
            "gate_id",
            "side",
            unique=True,
            sqlite_where=text("state != 'superseded'"),
            postgresql_where=text("state != 'superseded'"),
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


class Turn(Table, table=True):
    """One run of the engine: what went in, the dice link it used, and what came out."""

    __tablename__ = "turns"

    match_id: int = Field(primary_key=True, foreign_key="matches.id")
    number: int = Field(primary_key=True)
    gate_id: str
    title: str
    sheets: list[dict[str, Any]] = Field(sa_type=JSON)
    link: str
    hash_before: str
    hash_after: str
    events: bytes = Field(sa_type=Bytes)
    ran_at: datetime = Field(sa_type=Moment)
    program: str


class Snapshot(Table, table=True):
    """The position after a run; number 0 is the set-up."""

    __tablename__ = "snapshots"

    match_id: int = Field(primary_key=True, foreign_key="matches.id")
    number: int = Field(primary_key=True)
    state: bytes = Field(sa_type=Bytes)
    hash: str


class Ledger(Table, table=True):
    """What the GM and the referee did, in the order they did it."""

    __tablename__ = "ledger"

    id: int | None = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="matches.id", index=True)
    at: datetime = Field(sa_type=Moment)
    who: str
    act: str
    detail: str = Field(default="", sa_type=Text)
