"""The keys of the GMs, one for each of their addresses.

A key stands in the subject of every mail to its address, and nowhere else. Who sends it back from there is the GM; an
address alone anybody can write into a From.
"""

import hmac
from collections.abc import Iterable
from datetime import datetime

from sqlmodel import Session

from pbem.letters.addresses import folded
from pbem.records import models
from pbem.records.keys import new_key


def key_of_gm(session: Session, address: str, now: datetime) -> models.GmKey:
    """The key of a GM's address, made when it is first needed."""
    found = session.get(models.GmKey, folded(address))
    return found if found is not None else renewed_key(session, address, now)


def renewed_key(session: Session, address: str, now: datetime) -> models.GmKey:
    """A new key; one that there was before counts no more."""
    made = session.merge(models.GmKey(address=folded(address), key=new_key(), since=now))
    session.flush()
    return made


def is_key_of_gm(session: Session, address: str, shown: Iterable[str]) -> bool:
    """Whether one of the keys in a letter is that of this GM. Compared in constant time."""
    known = session.get(models.GmKey, folded(address))
    return known is not None and any(hmac.compare_digest(one.encode(), known.key.encode()) for one in shown)
