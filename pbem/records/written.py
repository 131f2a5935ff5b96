"""Mails by the names they were written under: what was said already, and how often."""

from sqlalchemy import ColumnElement, and_, bindparam, func
from sqlmodel import Session, col, select

from pbem.records import models

_WRITTEN_UNDER = (
    select(func.count())
    .select_from(models.Outgoing)
    .where(col(models.Outgoing.key) >= bindparam("prefix"), col(models.Outgoing.key) < bindparam("after"))
)


def keys_under(session: Session, prefix: str) -> list[str]:
    """The keys of the mails written under a name such as `answer/17/axis/2026-11-16/`; found by the index."""
    return list(session.exec(select(models.Outgoing.key).where(under(prefix))))


def numbered(session: Session, prefix: str) -> list[tuple[int, str]]:
    """The same with the numbers of the mails, the oldest first."""
    found = session.exec(select(models.Outgoing.id, models.Outgoing.key).where(under(prefix)))
    return sorted((number or 0, key) for number, key in found)


def under(prefix: str) -> ColumnElement[bool]:
    """Which mails were written under a name."""
    return and_(col(models.Outgoing.key) >= prefix, col(models.Outgoing.key) < after(prefix))


def count_written(session: Session, prefix: str) -> int:
    """How many mails were written under a name."""
    return session.exec(_WRITTEN_UNDER, params={"prefix": prefix, "after": after(prefix)}).one()


def after(prefix: str) -> str:
    """The first text behind all that begin with a prefix."""
    return prefix[:-1] + chr(ord(prefix[-1]) + 1)
