"""Whether a tick has anything to do: seen at a glance, by SQLite and the file system alone.

Cron calls every few minutes, and most of the time no letter has come, nothing is due and nothing waits to be sent. To
find that out takes no game, no table in Python and no word. A glance asks more than it need: whatever is not just as
it should be, or might be due, is left to the whole tick, which looks closely and says what is wrong. What is seen here
is one moment of the database, and the two pulses that a quiet tick leaves are written in the same transaction.
"""

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pbem.clock.pulses import MAILBOX_READ, STRANGERS_FORGOTTEN, TICK, is_plausible
from pbem.mail.inbox import name_of_mailbox
from pbem.mail.maildir import entries, is_maildir
from pbem.records.marks import read_mark
from pbem.records.migrations import newest_revision
from pbem.records.place import PATIENCE_IN_SECONDS, PRAGMAS, WRITE_AHEAD, database_in
from pbem.refusal import Refusal
from pbem.service.lock import only_one
from pbem.settings import MaildirIn, Settings, SmtpOut, load_settings, password_of
from pbem.settings_file import Remark

#: A deadline that is nearer than this, or than the longest lead of a reminder, is looked at closely.
HOLD = timedelta(hours=24)
#: As SQLAlchemy writes a moment into SQLite.
_WRITTEN = "%Y-%m-%d %H:%M:%S.%f"

#: Each finds something to do. A match that is paused or frozen counts as if it were not.
ERRANDS = (
    "SELECT 1 FROM letters WHERE fate = 'arrived' OR NOT filed",
    "SELECT 1 FROM papers WHERE name = 'held letters' AND value != ''",
    "SELECT 1 FROM outgoing WHERE state = 'to send' AND (next_try <= :now OR expires <= :now)",
    "SELECT 1 FROM sketches JOIN outgoing ON outgoing.id = outgoing_id WHERE state NOT IN ('to send', 'failed')",
    "SELECT 1 FROM matches WHERE status = 'running' AND deadline <= :horizon",
    "SELECT 1 FROM matches JOIN seats ON match_id = matches.id WHERE status = 'running' AND seats.state = 'bot'",
    "SELECT 1 FROM matches JOIN sheets ON match_id = matches.id WHERE status = 'running' AND sheets.state = 'waiting'",
    "SELECT 1 FROM matches WHERE status = 'over' AND closed IS NULL AND over_since <= :ended",
)


def nothing_to_do(directory: Path, now: datetime, remark: Remark) -> bool:
    """Then it is noted that the clock was looked at and the mailbox read, as the whole tick would have done."""
    try:
        settings = load_settings(directory, remark)
        _must_be_able_to_send(settings)
        return _glance(directory, settings, now)
    except (Refusal, OSError, sqlite3.Error, ValueError, KeyError):
        return False


def _must_be_able_to_send(settings: Settings) -> None:
    if isinstance(settings.outbox, SmtpOut) and settings.outbox.user:
        password_of(settings.outbox)


def _glance(directory: Path, settings: Settings, now: datetime) -> bool:
    with closing(_connected(directory)) as database:
        database.execute("BEGIN IMMEDIATE")
        quiet = (
            _is_up_to_date(database)
            and _know_each_other(database, directory, settings)
            and _has_no_letters(settings)
            and _beats_as_ever(database, settings, now)
            and not _has_errands(database, settings, now)
        )
        if quiet:
            with only_one(directory, "tick"):
                _beat(database, now)
    return quiet


def _connected(directory: Path) -> sqlite3.Connection:
    """To a database that is there: nothing is made, and nothing is written into one that is not as it should be."""
    path = f"{database_in(directory).absolute().as_uri()}?mode=rw"
    database = sqlite3.connect(path, timeout=PATIENCE_IN_SECONDS, isolation_level=None, uri=True)
    for pragma in PRAGMAS:
        if pragma != WRITE_AHEAD:
            database.execute(f"PRAGMA {pragma}")
    return database


def _beat(database: sqlite3.Connection, now: datetime) -> None:
    for name in (MAILBOX_READ, TICK):
        database.execute("UPDATE pulses SET at = ?, detail = '' WHERE name = ?", (_written(now), name))
    database.execute("COMMIT")


def _is_up_to_date(database: sqlite3.Connection) -> bool:
    return database.execute("SELECT version_num FROM alembic_version").fetchall() == [(newest_revision(),)]


def _know_each_other(database: sqlite3.Connection, directory: Path, settings: Settings) -> bool:
    """The directory and the Maildir bear the mark of the database, and it knows both."""
    inbox = settings.inbox
    if not isinstance(inbox, MaildirIn) or not is_maildir(inbox.path):
        return False
    papers = dict(database.execute("SELECT name, value FROM papers"))
    identity = papers["identity"]
    known = {"name": name_of_mailbox(settings, directory), "number": identity, "stranger": ""}
    return (
        bool(identity and papers["laid down"])
        and json.loads(papers["mailbox"]) == known
        and read_mark(directory) == read_mark(inbox.path) == identity
    )


def _has_no_letters(settings: Settings) -> bool:
    assert isinstance(settings.inbox, MaildirIn), "no other mailbox is known at a glance"
    return not any(entry.counts for entry in entries(settings.inbox.path))


def _beats_as_ever(database: sqlite3.Connection, settings: Settings, now: datetime) -> bool:
    """The clock goes as it should, as far as is known; any other pulse says that something is the matter with it."""
    pulses = {name: _read(at) for name, at in database.execute("SELECT name, at FROM pulses")}
    forgotten = pulses.pop(STRANGERS_FORGOTTEN, None)
    if settings.limits.keep_strangers_days and (forgotten is None or forgotten.date() != now.astimezone(UTC).date()):
        return False
    return pulses.keys() == {TICK, MAILBOX_READ} and is_plausible(now - pulses[TICK])


def _has_errands(database: sqlite3.Connection, settings: Settings, now: datetime) -> bool:
    lead = database.execute("SELECT max(lead_hours) FROM seats").fetchone()[0] or 0
    moments = {
        "now": _written(now),
        "horizon": _written(now + max(HOLD, timedelta(hours=lead))),
        "ended": _written(now - timedelta(hours=settings.clock.close_hours)),
    }
    return any(database.execute(f"{errand} LIMIT 1", moments).fetchone() for errand in ERRANDS)


def _written(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime(_WRITTEN)


def _read(moment: str) -> datetime:
    return datetime.strptime(moment, _WRITTEN).replace(tzinfo=UTC)
