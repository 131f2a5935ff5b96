"""When two mail addresses are the same.

Only A to Z have a small letter here. By the rules of Unicode 'ſ' is a way to write 's', but mail to `boriſ@` does not
reach `boris@`.
"""

from string import ascii_lowercase, ascii_uppercase

_SMALL = str.maketrans(ascii_uppercase, ascii_lowercase)


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
