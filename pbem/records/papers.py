"""The papers of an installation: who it is, its own secret, and the mailbox it reads.

Identity and secret were drawn when the tables were made, by `migrations/versions/0006_trust.py`.
"""

from sqlmodel import Session

from pbem.records import models
from pbem.refusal import Refusal

IDENTITY = "identity"
#: Message-IDs come from it, so that nobody else can name a mail of ours that he did not get.
MAIL_SECRET = "mail secret"
#: Which mailbox was read last, and whether another one answers in its place.
MAILBOX = "mailbox"
#: Said once the identity lies beside the database too: from then on it must lie there.
LAID_DOWN = "laid down"
#: The held letters that the GM has not been told of yet, and when he was told of others.
HELD_LETTERS, HELD_LETTERS_TOLD = "held letters", "held letters told"


class TheMailSecretIsMissing(Refusal):
    pass


def paper(session: Session, name: str) -> str:
    """What is written there; empty if nothing is."""
    found = session.get(models.Paper, name)
    return found.value if found is not None else ""


def write_paper(session: Session, name: str, value: str) -> None:
    session.merge(models.Paper(name=name, value=value))


def mail_secret(session: Session) -> str:
    """Without it no mail is written: anybody could name it, and report that it came back."""
    secret = paper(session, MAIL_SECRET)
    if not secret:
        raise TheMailSecretIsMissing(
            "the secret that names our mail is not in the database", "Put a backup copy of the database in its place."
        )
    return secret
