"""Looking into a mail that is finished: its text, and its page with the pictures."""

import base64
import email
from email.message import EmailMessage
from email.policy import default


def parsed(raw: bytes) -> EmailMessage:
    message = email.message_from_bytes(raw, policy=default)
    assert isinstance(message, EmailMessage)
    return message


def text_in(message: EmailMessage) -> str:
    body = message.get_body(("plain",))
    return str(body.get_content()).replace("\r\n", "\n") if body is not None else ""


def page_of(message: EmailMessage) -> str:
    """The HTML of a mail with its pictures inside it, as a file that a browser can open."""
    body = message.get_body(("html",))
    page = str(body.get_content()) if body is not None else ""
    for part in message.walk():
        if part["Content-ID"]:
            data = part.get_payload(decode=True)
            assert isinstance(data, bytes), "a picture has no parts"
            cid = f"cid:{str(part['Content-ID']).strip('<>')}"
            page = page.replace(cid, f"data:{part.get_content_type()};base64,{base64.b64encode(data).decode()}")
    return page
