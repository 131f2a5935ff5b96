"""A mail has the bytes that Python's own library writes."""

from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP, Policy

import pytest

from pbem.mail.composing import TRAVELLING, as_bytes

SUBJECTS = ("Summer 1941", "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich", "long " * 40)
TEXTS = (
    "",
    "One line.\n",
    "No end",
    "\n\nFrom here\r\n.\r\nand\rthere\n\n",
    "ä\n" * 3,
    "wide " * 300 + "\n",
    "\x0b\x0c\x1c\x85\u2028 none of which ends a line\n",
)


def written(policy: Policy, subject: str, text: str) -> EmailMessage:
    message = EmailMessage(policy=policy)
    message["From"] = Address("The Referee", addr_spec="referee@example.org")
    message["To"] = "axis@example.org"
    message["Subject"] = subject
    message["Message-ID"] = "<1@example.org>"
    message["References"] = " ".join(f"<{number}{'x' * 40}@example.org>" for number in range(5))
    message.set_content(text)
    message.make_alternative()
    page = EmailMessage(policy=policy)
    page.set_content(f"<p>{text}</p>", "html")
    message.attach(page)
    page.add_related(b"picture", "image", "png", cid="<a@b>", filename="map.png", disposition="inline")
    message.add_attachment(b"{}" * 900, maintype="application", subtype="json", filename="view.json")
    message.add_attachment(b"plain\r\nlines\n", maintype="text", subtype="plain", filename="Stärke.txt", cte="7bit")
    for number, part in enumerate(message.walk()):
        if part.is_multipart():
            part.set_boundary(f"boundary-{number}")
    return message


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("subject", SUBJECTS)
def test_the_bytes_are_those_of_python(subject: str, text: str) -> None:
    expected = written(SMTP, subject, text).as_bytes()
    assert [as_bytes(written(TRAVELLING, subject, text)) for _ in range(2)] == [expected] * 2


def test_headers_that_look_alike_are_not_mixed_up() -> None:
    mails = [EmailMessage(policy=TRAVELLING) for _ in range(2)]
    mails[0]["To"], mails[1]["Subject"] = "a@example.org", "a@example.org"
    assert mails[0]["To"].addresses[0].domain == "example.org"
    assert not hasattr(mails[1]["Subject"], "addresses")
    assert as_bytes(mails[0]) == b"To: a@example.org\r\n\r\n"


def test_a_header_that_would_be_two_is_refused() -> None:
    with pytest.raises(ValueError, match="linefeed"):
        EmailMessage(policy=TRAVELLING)["Subject"] = "one\r\nBcc: all@example.org"
