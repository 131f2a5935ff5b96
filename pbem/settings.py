"""The settings of a data directory: `settings.yaml`, checked as a whole before anything is done with it.

What it does not say has a default, but a file that is missing or empty is refused: nobody wanted the defaults then.
Passwords never stand in it; `password_of` fetches one at the moment a server asks for it.
"""

import os
import re
import ssl
import stat
from collections.abc import Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Literal, TypeVar
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Meta, Struct

from pbem import shipped
from pbem.refusal import Refusal
from pbem.settings_file import DoesNotFit, Remark, read_settings

SETTINGS = "settings.yaml"
#: What once was a setting, and what came of it. It may stand in the file for ever.
RETIRED = {
    "limits.letter_lines": "limits.letter_kilobytes alone says how long a letter may be",
    "clock.reminders_hours": "clock.reminder_hours says, with one number, when players are reminded",
}
#: Where systemd lays down what a unit names with LoadCredential.
CREDENTIALS = "CREDENTIALS_DIRECTORY"

#: No turn is held longer by a sheet that has come: a week.
MOST_MINUTES = 7 * 24 * 60

Section = TypeVar("Section", bound=Struct)

Tls = Literal["implicit", "starttls", "none"]
Port = Annotated[int, Meta(ge=1, le=65535, description="a port number from 1 to 65535")]
Seconds = Annotated[float, Meta(gt=0, le=3600, description="seconds, more than 0 and at most 3600")]
Hours = Annotated[float, Meta(gt=0, le=24 * 366, description="hours, more than 0")]
HoursOrNone = Annotated[float, Meta(ge=0, le=24 * 366, description="hours, 0 or more")]
Minutes = Annotated[int, Meta(ge=0, le=MOST_MINUTES, description="whole minutes, from 0 to 10080")]
Count = Annotated[int, Meta(ge=1, description="a whole number, 1 or more")]
CountOrNone = Annotated[int, Meta(ge=0, description="a whole number, 0 or more")]
Address = Annotated[
    str,
    Meta(
        pattern=r"\A[^\s@<>,;:\"()\[\]]+@[^\s@<>,;:\"()\[\]]+\Z",
        description="a bare mail address such as referee@example.org",
    ),
]
Name = Annotated[str, Meta(pattern=r"\A[^\r\n]*\Z", description="words on one line")]
FolderName = Annotated[str, Meta(pattern=r"\A[^./\s:][^./\r\n:]*\Z", description="a name without dots and slashes")]
Words = Annotated[str, Meta(pattern=r"\A[^\r\n]+\Z", description="words on one line, not empty")]


class ThereIsNoPassword(Refusal):
    pass


class ThePasswordIsOpenToOthers(Refusal):
    pass


class TheCertificatesCannotBeRead(Refusal):
    pass


# ------------------------------------------------------------------ the sections


def is_loopback(host: str) -> bool:
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.rstrip(".").lower() == "localhost"


def check_folders(*names: str) -> None:
    if len({name.lower() for name in names}) < len(names):
        raise DoesNotFit("inbox.processed", "is the name of another folder", "Give three folders three names.")


class Referee(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How the referee signs, and who the game masters are."""

    name: Name = "The Referee"
    address: Address = "referee@example.org"
    gm: Annotated[tuple[Address, ...], Meta(description="a list of mail addresses: [gm@example.org]")] = ()
    plus_addressing: bool = False
    footer: Annotated[
        str, Meta(max_length=500, description="a line or two without web addresses, at most 500 characters")
    ] = ""

    def __post_init__(self) -> None:
        if re.search(r"://|\bwww\.", self.footer, re.IGNORECASE):
            raise DoesNotFit(
                "referee.footer", "holds a web address", "Leave it out: it makes mail look like advertising."
            )

    @property
    def domain(self) -> str:
        return self.address.rpartition("@")[2]


class Account(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A server, and who we are there. A password is not part of it."""

    host: Annotated[str, Meta(pattern=r"\A[^\s/@]+\Z", description="the name of a server, mail.example.org")]
    port: Port | None = None
    user: Name = ""
    password_file: Path | None = None
    tls: Tls = "implicit"
    insecure: bool = False
    ca_file: Path | None = None
    timeout: Seconds = 30.0

    def check_tls(self, section: str, port: int, instead: int) -> None:
        if self.tls == "none" and not self.insecure and not is_loopback(self.host):
            raise DoesNotFit(
                f"{section}.tls",
                f"is none, which would let everybody on the way to {self.host} read the password and all mail",
                "Say tls: implicit or tls: starttls; on a network that is yours alone you may add insecure: true.",
            )
        if self.tls == "starttls" and self.port == port:
            raise DoesNotFit(
                f"{section}.tls",
                f"is starttls, but port {port} speaks TLS from the first byte",
                f"Say tls: implicit, or port: {instead}.",
            )

    @property
    def door(self) -> str:
        return f"{self.host} port {self.port_number}"

    @property
    def port_number(self) -> int:
        raise NotImplementedError

    @property
    def variable(self) -> str:
        raise NotImplementedError


class MaildirIn(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind", tag="maildir"):
    """Letters are delivered into a Maildir on this machine."""

    path: Path = Path("mail/in")
    processed: FolderName = "Processed"
    held: FolderName = "Held"

    def __post_init__(self) -> None:
        check_folders("INBOX", self.processed, self.held)


class ImapIn(Account, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind", tag="imap"):
    """Letters are fetched from an account at a mail provider."""

    folder: Words = "INBOX"
    processed: Words = "Processed"
    held: Words = "Held"
    idle: bool = True
    poll_seconds: Seconds = 60.0

    def __post_init__(self) -> None:
        self.check_tls("inbox", 993, instead=143)
        if not self.user:
            raise DoesNotFit("inbox.user", "is missing", "Give it the name of the account.")
        check_folders(self.folder, self.processed, self.held)

    @property
    def port_number(self) -> int:
        return self.port or (993 if self.tls == "implicit" else 143)

    @property
    def variable(self) -> str:
        return "PBEM_IMAP_PASSWORD"


class MaildirOut(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind", tag="maildir"):
    """Mail is laid down in a Maildir a recipient, and another program may carry it on."""

    path: Path = Path("mail/out")


class SmtpOut(Account, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind", tag="smtp"):
    """Mail is handed to a server that delivers it."""

    most_per_minute: Count = 60
    most_per_day: CountOrNone = 0  # any number

    def __post_init__(self) -> None:
        self.check_tls("outbox", 465, instead=587)

    @property
    def port_number(self) -> int:
        return self.port or {"implicit": 465, "starttls": 587, "none": 25}[self.tls]

    @property
    def variable(self) -> str:
        return "PBEM_SMTP_PASSWORD"


class Trust(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a letter must prove beyond the key of its seat and its sender's address."""

    require: Literal["none", "dkim"] = "none"
    alignment: Literal["strict", "relaxed"] = "relaxed"
    authserv_id: Annotated[str, Meta(pattern=r"\A[^\s;]*\Z", description="the name your mail server signs with")] = ""


class Limits(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How much of anything is taken, so that no one can drown the others."""

    letter_kilobytes: Annotated[int, Meta(ge=16, le=65536, description="kilobytes, from 16 to 65536")] = 2048
    letters_a_day: Count = 100
    press_a_day: CountOrNone = 20
    press_characters: Count = 10_000
    answers_to_strangers_a_day: CountOrNone = 3
    answers_to_strangers_in_all_a_day: CountOrNone = 30
    attachment_kilobytes: Annotated[int, Meta(ge=16, le=65536, description="kilobytes, from 16 to 65536")] = 5120
    keep_strangers_days: CountOrNone = 90

    @property
    def letter_bytes(self) -> int:
        return self.letter_kilobytes * 1024


class Clock(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The pace of a new match; each match may have its own."""

    hours_per_turn: Hours = 168.0
    grace_hours: HoursOrNone = 12.0
    settle_minutes: Minutes = 0  # as it always was; a new file says more
    reminder_hours: Annotated[int, Meta(ge=0, le=336, description="whole hours, from 0 to 336")] = 24
    close_hours: HoursOrNone = 48.0
    time_zone: Annotated[str, Meta(description="a name such as Europe/Berlin or UTC")] = "UTC"

    def __post_init__(self) -> None:
        try:
            ZoneInfo(self.time_zone)
        except (OSError, ValueError, KeyError) as error:
            raise DoesNotFit(
                "clock.time_zone",
                f"is {self.time_zone!r}, which is not a time zone",
                "Give it a name such as Europe/Berlin, America/New_York or UTC.",
            ) from error

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)


class Settings(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    referee: Referee = Referee()
    inbox: MaildirIn | ImapIn = MaildirIn()
    outbox: MaildirOut | SmtpOut = MaildirOut()
    trust: Trust = Trust()
    limits: Limits = Limits()
    clock: Clock = Clock()


# ------------------------------------------------------------------ the file


def load_settings(directory: Path, remark: Remark = lambda _: None) -> Settings:
    """What `settings.yaml` in a data directory says, its paths made absolute; what is out of use is remarked on."""
    return settings_below(directory, read_settings(directory / SETTINGS, Settings, RETIRED, remark))


def settings_below(directory: Path, settings: Settings) -> Settings:
    """Paths are meant from the data directory, wherever the program is started."""
    return msgspec.structs.replace(
        settings,
        inbox=_below(directory, settings.inbox),
        outbox=_below(directory, settings.outbox),
    )


def default_settings_text() -> str:
    """A settings.yaml that says, with comments, what is true of all that is left out, but for sheets that settle."""
    return (shipped.folder("templates") / SETTINGS).read_text(encoding="utf-8")


def _below(directory: Path, section: Section) -> Section:
    given = {name: getattr(section, name) for name in section.__struct_fields__}
    paths = {
        name: Path(os.path.abspath(directory / value.expanduser()))
        for name, value in given.items()
        if isinstance(value, Path)
    }
    return msgspec.structs.replace(section, **paths)


# ------------------------------------------------------------------ what a connection needs


def tls_context(account: ImapIn | SmtpOut) -> ssl.SSLContext:
    """Trusts what this machine trusts, or only what `ca_file` holds."""
    try:
        return ssl.create_default_context(cafile=account.ca_file)
    except OSError as error:  # an ssl.SSLError is one too
        raise TheCertificatesCannotBeRead(
            f"the certificates in {account.ca_file} cannot be read ({error})",
            "ca_file must name a file in PEM format; left out, the certificates of this machine are used.",
        ) from error


def password_of(account: ImapIn | SmtpOut, environ: Mapping[str, str] = os.environ) -> str:
    """Asked for whenever a connection is made, so that a changed password needs no restart."""
    if account.password_file is not None:
        path, given = _laid_down(account.password_file, environ)
        return _one_line(_read_secret(path, in_private=not given), f"the password file {path}")
    password = environ.get(account.variable, "")
    if not password:
        raise ThereIsNoPassword(
            f"there is no password for {account.user} at {account.host}",
            f"Set the variable {account.variable}, or name a file that holds it as password_file in {SETTINGS}.",
        )
    return _one_line(password, f"the variable {account.variable}")


def _laid_down(path: Path, environ: Mapping[str, str]) -> tuple[Path, bool]:
    """Where a password lies, and whether systemd gave it: then it has seen to who may read it, whatever the mode says.

    A file that is not there may be a credential of that name.
    """
    if not environ.get(CREDENTIALS):
        return path, False
    credentials = Path(environ[CREDENTIALS])
    if not os.path.exists(path) and os.path.isfile(credentials / path.name):
        path = credentials / path.name
    return path, path.resolve().is_relative_to(credentials.resolve())


def _read_secret(path: Path, *, in_private: bool) -> str:
    try:
        with path.open(encoding="utf-8") as file:
            mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
            if in_private and mode & 0o077:
                raise ThePasswordIsOpenToOthers(
                    f"{path} holds a password, and others on this machine can get at it (mode {mode:o})",
                    f"Close it with: chmod 600 {path}",
                )
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        said = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise ThereIsNoPassword(
            f"the password file {path} cannot be read ({said})", "Look at its name and its owner."
        ) from error


def _one_line(text: str, where: str) -> str:
    password = text.rstrip("\r\n")
    if not password or not password.isprintable():
        raise ThereIsNoPassword(f"{where} does not hold one line with a password", "Write nothing else into it.")
    return password
