"""Whether the sender's provider vouches for a letter: by what our own mail server found, or by checking it ourselves.

Asked for only where the GM requires it (`trust.require: dkim`). It comes on top of key and address, never in place
of them.
"""

import logging
from collections.abc import Callable

import authres
import dkim

from pbem.letters import Letter
from pbem.settings import Trust

#: Asks for a TXT record of the DNS by its name; None if there is none.
LookUp = Callable[..., bytes | None]

MOST_SIGNATURES = 5
_quiet = logging.getLogger("pbem.dkim")


def txt_record(name: bytes | str, timeout: float = 5) -> bytes | None:
    """The real DNS."""
    found: bytes | None = dkim.get_txt(name, timeout)
    return found


def is_vouched_for(trust: Trust, mail: Letter, raw: bytes, look_up: LookUp = txt_record) -> bool:
    """Whether a signature of the domain in the From address is good."""
    domain = mail.sender.rpartition("@")[2].lower()
    if not domain:
        return False
    return our_server_says_so(trust.authserv_id, mail.auth_results, domain) or is_signed_by(raw, domain, look_up)


def our_server_says_so(authserv_id: str, results: tuple[str, ...], domain: str) -> bool:
    """Only the topmost header of our own server counts: what stands below may have come with the letter."""
    if not authserv_id:
        return False
    for header in results:
        try:
            found = authres.parse_value(header)
        except Exception:  # a header of a stranger can be anything
            continue
        if (found.authserv_id or "").lower() == authserv_id.lower():
            return any(_passed(result, domain) for result in found.results)
    return False


def _passed(result: authres.core.AuthenticationResult, domain: str) -> bool:
    if result.method != "dkim" or result.result != "pass":
        return False
    named = {one.name: one.value for one in result.properties if one.type == "header"}
    signer = named.get("d") or str(named.get("i", "")).rpartition("@")[2]
    return is_aligned(str(signer), domain)


def is_signed_by(raw: bytes, domain: str, look_up: LookUp = txt_record) -> bool:
    """Whether one of the letter's own DKIM signatures is good and of this domain."""
    try:
        checked = dkim.DKIM(raw, logger=_quiet)
        count = sum(name.lower() == b"dkim-signature" for name, _ in checked.headers)
        return any(_is_good(raw, number, domain, look_up) for number in range(min(count, MOST_SIGNATURES)))
    except Exception:  # dkimpy raises on damaged letters in many ways; none of them is a good signature
        return False


def _is_good(raw: bytes, number: int, domain: str, look_up: LookUp) -> bool:
    checked = dkim.DKIM(raw, logger=_quiet)
    try:
        good = checked.verify(idx=number, dnsfunc=look_up)
    except Exception:
        return False
    signer = checked.domain.decode("ascii", "replace") if checked.domain else ""
    return bool(good) and is_aligned(signer, domain) and b"from" in _signed_headers(checked)


def _signed_headers(checked: dkim.DKIM) -> set[bytes]:
    return {name.lower() for name, _ in checked.signed_headers or ()}


def is_aligned(signer: str, domain: str) -> bool:
    """The same domain, or one above or below the other."""
    one, other = signer.lower().rstrip("."), domain.lower().rstrip(".")
    if "." not in one or "." not in other:
        return bool(one) and one == other
    return one == other or one.endswith(f".{other}") or other.endswith(f".{one}")
