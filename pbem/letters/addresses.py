"""What a mail address looks like, and when two are the same.

Only A to Z have a small letter here. By the rules of Unicode 'ſ' is a way to write 's', but mail to `boriſ@` does not
reach `boris@`.
"""

import re
from string import ascii_lowercase, ascii_uppercase

_SMALL = str.maketrans(ascii_uppercase, ascii_lowercase)
#: Nothing that a header or a mail server would read more into than an address.
PLAUSIBLE_ADDRESS = re.compile(r"(?!.*=\?)[^@\s<>()\[\]\\,;:\"]{1,64}@[^@\s<>()\[\]\\,;:\"]{1,255}")


def folded(address: str) -> str:
    """An address as it is compared and counted."""
    return address.strip(" ").translate(_SMALL)


def same_address(one: str, other: str) -> bool:
    """Capitals do not matter; an empty address is nobody's."""
    return bool(folded(one)) and folded(one) == folded(other)


def mailbox_of(address: str) -> str:
    """Whose mailbox an address leads to: at most providers mail to `victim+anything@` reaches `victim@`."""
    local, at, domain = folded(address).rpartition("@")
    return f"{local.partition('+')[0] or local}{at}{domain}"
