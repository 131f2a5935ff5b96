"""Which data directory a command works in, whose it is, and how a new one is made."""

import os
import pwd
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from pbem.records.marks import mark_in, write_in_private
from pbem.records.place import DATABASE, ThereIsNoDatabaseHere, database_in
from pbem.refusal import Refusal

if TYPE_CHECKING:
    from pbem.settings import Settings


class RootWouldLeaveFilesBehind(Refusal):
    pass


def data_directory(named: Path | None) -> Path:
    """The directory that was named, else the current one if it holds a database, or did once, else the user's."""
    if named is not None:
        return named.expanduser()
    from platformdirs import user_data_path

    tried = [Path.cwd(), user_data_path("pbem")]
    for directory in tried:
        if os.path.isfile(database_in(directory)) or os.path.isfile(mark_in(directory)):
            return directory
    raise ThereIsNoDatabaseHere(
        f"there is no {DATABASE} in {' nor in '.join(map(str, tried))}, and no directory was named",
        "Make one with: pbem init DIR; then name it with -C DIR or in the variable PBEM_DIR.",
    )


# ------------------------------------------------------------------ whose it is


def must_not_be_root_in(directory: Path, context: typer.Context) -> None:
    """What root makes in the directory of somebody else, such as a log of SQLite, that one could never write again."""
    if os.geteuid() != 0 or not directory.is_dir():
        return
    owner = directory.stat().st_uid
    if owner != 0:
        name = _name_of(owner)
        raise RootWouldLeaveFilesBehind(
            f"{directory} belongs to {name}, and you are root: files would be left in it that {name} cannot write",
            f"Say it as {name}: {_said_as(name, directory, context)}",
        )


def _name_of(user: int) -> str:
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return f"#{user}"


def _said_as(name: str, directory: Path, context: typer.Context) -> str:
    """The same command as it has to be typed; every Debian has runuser, and not every one has sudo."""
    switch = ["runuser", "-u", name, "--"] if shutil.which("runuser") else ["sudo", "-u", name]
    program = sys.argv[0] if Path(sys.argv[0]).name == "pbem" else "pbem"
    command = str(context.info_name)
    words = sys.argv[sys.argv.index(command) :] if command in sys.argv else [command]
    where = [] if command == "init" else ["-C", str(directory)]
    return shlex.join([*switch, program, *where, *words])


# ------------------------------------------------------------------ a new one


def make_directory(directory: Path) -> None:
    """Settings, Maildir, database and mark, in this order: cut off anywhere, it is finished by doing it again.

    Once there is a database it needs no more: what is missing then, the first command and the first pass make up for.
    """
    from pbem.intake.mailbox import take_maildir
    from pbem.mail.maildir import make_maildir
    from pbem.post.office import Office
    from pbem.records.database import cannot_be_written, must_hold_no_database
    from pbem.records.store import create_store, open_store
    from pbem.settings import load_settings

    must_hold_no_database(directory)
    try:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        _write_settings(directory)
        settings = load_settings(directory)
        maildir = _own_maildir(directory, settings)
        if maildir is not None:
            make_maildir(maildir)
    except OSError as error:
        raise cannot_be_written(directory, error.strerror) from error
    create_store(directory)
    store = open_store(directory)
    if maildir is not None:
        take_maildir(Office(store, settings, store.clock), maildir)
    store.engine.dispose()


def _write_settings(directory: Path) -> None:
    """The defaults with comments, for the GM alone. What is there already is left as it is."""
    from pbem.settings import SETTINGS, default_settings_text

    path = directory / SETTINGS
    if not path.exists() or not path.stat().st_size:
        write_in_private(path, default_settings_text())


def _own_maildir(directory: Path, settings: "Settings") -> Path | None:
    """One in this directory. That of a mail server is not ours to make."""
    from pbem.mail.inbox import lies_in
    from pbem.settings import MaildirIn

    inbox = settings.inbox
    if isinstance(inbox, MaildirIn) and lies_in(directory, inbox.path):
        return inbox.path
    return None
