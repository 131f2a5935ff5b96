"""Writing mail: everything the referee sends is composed here, into the outbox, in the commit of what it announces.

A mail is finished when it is written, but for its pictures: they take their time, so what they are drawn from is
written beside it, and `pbem/post/studio.py` puts them in before it leaves. The Message-ID comes from the key, so a
mail that had to be sent twice is recognisable, and one that was written before is not written again. It comes from a
secret of the installation too: only who has got a mail can name it, so nobody else can report that it came back.
"""

import base64
import hashlib
import hmac
import re
from binascii import b2a_qp
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Protocol

from markupsafe import Markup
from sqlalchemy import Connection, Table, bindparam, select, update
from sqlmodel import Session

from engine.game import Side
from pbem.mail.composing import TRAVELLING, as_bytes
from pbem.mail.returns import return_tag
from pbem.post.sketches import Sketch
from pbem.records import models
from pbem.records.keys import KeyedSeat, gm_tag, key_tag
from pbem.words.looks import PLAIN, Style
from pbem.words.pages import EMPTY, page, prose

_OUTBOX: Table = models.Outgoing.__table__  # type: ignore[attr-defined]
_WRITTEN = select(_OUTBOX.c.id).where(_OUTBOX.c.key == bindparam("mail_key"))
_ID_OF = select(_OUTBOX.c.message_id).where(_OUTBOX.c.key == bindparam("mail_key"))
_OVERTAKE = (
    update(_OUTBOX)
    .where(_OUTBOX.c.topic == bindparam("mail_topic"), _OUTBOX.c.state == models.TO_SEND)
    .values(state=models.OVERTAKEN)
)
_INSERT = _OUTBOX.insert()
_SKETCH = models.Sketch.__table__.insert()  # type: ignore[attr-defined]

FORM_BEGINS = "----- order form: edit between these lines and send back -----"
FORM_ENDS = "----- end of the order form -----"


class NamedMatch(Protocol):
    """What a mail says about the match it belongs to."""

    @property
    def id(self) -> int | None: ...
    @property
    def title(self) -> str: ...
    @property
    def game(self) -> str: ...


@dataclass(frozen=True)
class Sender:
    """Who the referee is in the mail: his name and address, and whether the address takes a key after a plus.

    `secret` is known to this installation alone.
    """

    name: str
    address: str
    plus_addressing: bool = False
    secret: str = field(default="", repr=False)

    @property
    def domain(self) -> str:
        return self.address.rpartition("@")[2] or "localhost"

    def reply_address(self, seat: KeyedSeat | None, gm_key: str = "") -> str:
        if not self.plus_addressing or (seat is None and not gm_key):
            return self.address
        mailbox, _, domain = self.address.rpartition("@")
        shown = f"gm.{gm_key}" if seat is None else f"{seat.match_id}.{seat.side}.{seat.key}"
        return f"{mailbox}+{shown}@{domain}"

    def return_address(self, number: int) -> str:
        """Where a report goes that this mail was not delivered: names the mail where that is possible."""
        if not self.plus_addressing:
            return self.address
        mailbox, _, domain = self.address.rpartition("@")
        return f"{mailbox}+{return_tag(self.secret, number)}@{domain}"

    def message_id(self, key: str) -> str:
        proof = hmac.digest(self.secret.encode(), key.encode(), "sha256").hex()
        return f"<{proof[:40]}@{self.domain}>"

    def thread_of(self, match_id: int, side: Side) -> str:
        """The root of the one thread that a seat has in its match: the id of its welcome."""
        return self.message_id(_welcome_key(match_id, side))


def _welcome_key(match_id: int, side: Side) -> str:
    return f"welcome/{match_id}/{side}"


@dataclass(frozen=True)
class Attachment:
    name: str
    kind: str  # such as text/plain or image/png
    data: bytes
    parameters: Mapping[str, str] = field(default_factory=dict)  # of the kind, such as method=PUBLISH


@dataclass(frozen=True)
class Mail:
    """What to say and to whom. `key` names the mail once and for all."""

    key: str
    kind: str
    recipient: str
    subject: str
    text: str
    match: NamedMatch | None = None
    seat: KeyedSeat | None = None  # whose own mail this is; his key may stand in it
    gm_key: str = ""  # of the GM whom it goes to; the office fills it in
    body: Markup = EMPTY  # what fills the HTML page; if empty, the text does
    sketch: Sketch | None = None  # its pictures, which the body shows as cid:<name>
    attachments: Sequence[Attachment] = field(default_factory=tuple)
    style: Style = PLAIN  # of the game it is about; the office fills it in
    only_text: bool = False  # no HTML beside it
    topic: str = ""
    expires: datetime | None = None
    answers: models.Letter | None = None


def write(session: Session, sender: Sender, mail: Mail, now: datetime, rank: int = models.FOR_STRANGERS) -> bool:
    """Put a mail into the outbox. False if it was written before, in another life of this process perhaps.

    A newer mail on the same topic takes the place of an older one that has not left yet. `rank` says who is served
    first.
    """
    connection = session.connection()
    if connection.execute(_WRITTEN, {"mail_key": mail.key}).first() is not None:
        return False
    if mail.topic:
        connection.execute(_OVERTAKE, {"mail_topic": mail.topic})
    subject = subject_of(mail)
    outgoing = {
        "key": mail.key,
        "kind": mail.kind,
        "topic": mail.topic,
        "match_id": mail.match.id if mail.match else None,
        "side": mail.seat.side if mail.seat else "",
        "recipient": mail.recipient,
        "message_id": sender.message_id(mail.key),
        "subject": subject.removesuffix(_key_behind(mail)),
        "raw": compose(sender, mail, subject, now, _thread_on_file(connection, mail)),
        "letter_id": mail.answers.id if mail.answers else None,
        "created": now,
        "expires": mail.expires,
        "state": models.TO_SEND,
        "rank": rank,
        "attempts": 0,
        "next_try": now,
        "trouble": "",
    }
    (number,) = connection.execute(_INSERT, outgoing).inserted_primary_key or (None,)
    if mail.sketch is not None:
        connection.execute(_SKETCH, {"outgoing_id": number, "source": mail.sketch.encoded()})
    return True


def _thread_on_file(connection: Connection, mail: Mail) -> str:
    """The id of the seat's welcome as it was sent: a war that began under an older version keeps its thread."""
    if mail.match is None or mail.match.id is None or mail.seat is None:
        return ""
    key = _welcome_key(mail.match.id, mail.seat.side)
    return str(connection.execute(_ID_OF, {"mail_key": key}).scalar() or "")


def subject_of(mail: Mail) -> str:
    """The subject as it is sent: with the match before it, and the key of a seat or a GM behind it.

    The outbox keeps it without the key, for whoever looks there.
    """
    return tagged(mail.subject, mail.match, mail.seat, mail.gm_key)


def tagged(subject: str, match: NamedMatch | None, seat: KeyedSeat | None, gm_key: str = "") -> str:
    """A subject by which a letter is known: to which match it belongs, and who may write it."""
    tag = f"[{match.id} {match.title}] " if match else ""
    return f"{tag}{' '.join(subject.split())}{_key_of(seat, gm_key)}"


def _key_behind(mail: Mail) -> str:
    return _key_of(mail.seat, mail.gm_key)


def _key_of(seat: KeyedSeat | None, gm_key: str) -> str:
    if seat is not None:
        return f" {{{key_tag(seat)}}}" if seat.key else ""
    return f" {{{gm_tag(gm_key)}}}" if gm_key else ""


# ------------------------------------------------------------------ composing

#: How Python folds a header that fits on the second line but not on the first; many programs show a blank before it.
_EMPTY_FIRST_LINE = re.compile(rb"^(Subject:)\r\n ", re.MULTILINE)
#: A Message-ID of somebody else that may stand in a header of ours. Python decodes what looks like an encoded word,
#: and what comes out of that may be the end of a line and a header of his own.
_PLAIN_ID = re.compile(r"<(?![^>]{0,300}=\?)[!-;=?-~]{1,300}>")


def compose(sender: Sender, mail: Mail, subject: str, now: datetime, thread: str = "") -> bytes:
    """The finished bytes: text that stands on its own, beside it the same as HTML with its pictures, then files.

    All marks inside it come from its Message-ID, so nobody can write text that passes for one of them.
    """
    message_id = sender.message_id(mail.key)
    message = EmailMessage(policy=TRAVELLING)
    message["From"] = Address(sender.name, addr_spec=sender.address)
    message["To"] = mail.recipient
    message["Reply-To"] = sender.reply_address(mail.seat, mail.gm_key)
    message["Subject"] = subject
    message["Date"] = format_datetime(now)
    message["Message-ID"] = message_id
    _thread(message, sender, mail, thread)
    message["Auto-Submitted"] = "auto-replied" if mail.answers is not None else "auto-generated"
    message["X-Auto-Response-Suppress"] = "All"
    _fill(message, mail, message_id)
    _fix_boundaries(message, message_id)
    head, between, body = as_bytes(message).partition(b"\r\n\r\n")
    _must_be_our_headers(message, head)
    return _EMPTY_FIRST_LINE.sub(rb"\1 ", head) + between + body


def _must_be_our_headers(message: EmailMessage, head: bytes) -> None:
    """Nothing that somebody else wrote has become a header, or the end of them."""
    names = [line.partition(b":")[0].decode("latin-1") for line in head.splitlines() if line[:1] not in b" \t"]
    if names != message.keys():
        raise ValueError("a header of this mail would be read as several")


def _thread(message: EmailMessage, sender: Sender, mail: Mail, thread: str) -> None:
    references = []
    if mail.match is not None and mail.match.id is not None and mail.seat is not None:
        references.append(thread or sender.thread_of(mail.match.id, mail.seat.side))
    if mail.answers is not None and _PLAIN_ID.fullmatch(mail.answers.message_id):
        message["In-Reply-To"] = mail.answers.message_id
        references.append(mail.answers.message_id)
    references = [one for one in dict.fromkeys(references) if one != message["Message-ID"]]
    if references:
        message["References"] = " ".join(references)


def _fill(message: EmailMessage, mail: Mail, message_id: str) -> None:
    _set_text(message, mail.text)
    if not mail.only_text:
        _add_page(message, mail, message_id)
    for part in mail.attachments:
        main, _, sub = part.kind.partition("/")
        message.add_attachment(
            part.data, maintype=main, subtype=sub, filename=part.name, cte=_encoding_of(part), params=part.parameters
        )


def _add_page(message: EmailMessage, mail: Mail, message_id: str) -> None:
    message.make_alternative()
    html = EmailMessage(policy=TRAVELLING)
    _set_text(html, _html(mail, message_id), "html")
    message.attach(html)
    for name in _pictures(mail):
        stand_in, cid = _stand_in(message_id, name), f"<{_cid(message_id, name)}>"
        html.add_related(stand_in, "image", "png", cid=cid, filename=name, disposition="inline")


def _html(mail: Mail, message_id: str) -> str:
    war = f"{mail.match.title} · game {mail.match.id}" if mail.match else ""
    html = page(mail.subject, mail.body or prose(mail.text), war, mail.seat.side if mail.seat else "", mail.style)
    for name in _pictures(mail):
        html = html.replace(f'"cid:{name}"', f'"cid:{_cid(message_id, name)}"')
    return html


# ------------------------------------------------------------------ pictures

#: So many characters stand on a line of base64.
_LINE = 76


def _pictures(mail: Mail) -> list[str]:
    return [picture.name for picture in mail.sketch.pictures] if mail.sketch else []


def _cid(message_id: str, name: str) -> str:
    """Different in every mail: some programs take a picture of another mail of the thread for the same."""
    return f"{hashlib.sha256(f'{message_id}/{name}'.encode()).hexdigest()[:24]}@pictures"


def _stand_in(known_by: str, name: str) -> bytes:
    """What stands in a mail where its picture will be: one line when encoded, found nowhere else."""
    return b"picture " + hashlib.sha256(f"picture/{known_by}/{name}".encode()).digest()


def with_pictures(raw: bytes, known_by: Sequence[str], pictures: Mapping[str, bytes]) -> bytes:
    """The mail with its pictures in place. It is known by its Message-ID, one of an older version by its key."""
    for name, png in pictures.items():
        lines = _armoured(png)
        marks = [base64.b64encode(_stand_in(one, name)) for one in known_by]
        raw = raw.replace(next((mark for mark in marks if mark in raw), marks[0]), lines, 1)
    return raw


def _armoured(png: bytes) -> bytes:
    """As `base64.encodebytes` does it line by line, at once."""
    code = base64.b64encode(png)
    return b"\r\n".join(code[start : start + _LINE] for start in range(0, len(code), _LINE))


def _set_text(message: EmailMessage, text: str, subtype: str = "plain") -> None:
    """As `set_content` does it, but armoured by the fast encoder."""
    if subtype == "plain" and text.isascii():
        message.set_content(text)
        return
    message["Content-Type"] = f'text/{subtype}; charset="utf-8"'
    message["Content-Transfer-Encoding"] = "quoted-printable"
    if subtype == "plain":
        message["MIME-Version"] = "1.0"
    message.set_payload(b2a_qp(text.encode(), istext=True).decode("ascii"))


def _encoding_of(part: Attachment) -> str:
    """An enclosed mail goes as it is where it can, as RFC 2046 wants it; everything else is armoured."""
    plain = part.data.isascii() and all(len(line) < 998 for line in part.data.splitlines())
    return "7bit" if part.kind == "message/rfc822" and plain else "base64"


def _fix_boundaries(message: EmailMessage, message_id: str) -> None:
    """The same mail has the same bytes, whoever composes it and whenever."""
    digest = hashlib.sha256(f"boundary/{message_id}".encode()).hexdigest()[:32]
    for number, part in enumerate(message.walk()):
        if part.is_multipart():
            part.set_boundary(f"{digest}-{number}")
