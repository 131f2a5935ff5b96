"""Which part of a domain name belongs to one owner, by the Public Suffix List that ships with the program.

`mail.example.co.uk` is a part of `example.co.uk`, and `co.uk` is nobody's. Both sections of the list count, as they do
for DMARC (RFC 7489, 3.2): whoever rents `alice.github.io` is not `bob.github.io`.
"""

from functools import cache

from engine.load import load_text

Labels = tuple[str, ...]

#: Characters of a name in the DNS.
LONGEST = 253


def same_domain(one: str, other: str) -> bool:
    labels = _labels(one)
    return bool(labels) and labels == _labels(other)


def same_owner(one: str, other: str) -> bool:
    """Whether both are the same domain, or parts of one that can be owned."""
    return same_domain(one, other) or _owned(_labels(one)) == _owned(_labels(other)) != ()


def owned_domain(domain: str) -> str:
    """The organisational domain: a public suffix and the one label before it. Empty for a suffix itself."""
    return ".".join(_owned(_labels(domain)))


def _owned(labels: Labels) -> Labels:
    length = _length_of_suffix(labels) + 1
    return labels[-length:] if len(labels) >= length else ()


def _length_of_suffix(labels: Labels) -> int:
    """An exception (`!www.ck`) goes before all other rules, then the longest rule counts; where none fits, it is one
    label."""
    rules = _rules()
    tails = [labels[start:] for start in range(len(labels))]  # the longest first
    for tail in tails:
        if ("!", *tail) in rules:
            return len(tail) - 1
        if tail in rules or ("*", *tail[1:]) in rules:
            return len(tail)
    return 1


@cache
def _rules() -> frozenset[Labels]:
    """Every rule as its labels; an exception has its `!` as a label of its own."""
    lines = map(str.strip, load_text("mail", "public_suffix_list.dat").splitlines())
    rules = [line.split()[0] for line in lines if line and not line.startswith("//")]
    return frozenset(("!", *_labels(rule[1:])) if rule.startswith("!") else _labels(rule) for rule in rules)


def _labels(domain: str) -> Labels:
    """In small ASCII letters, as the DNS knows it. What cannot be a domain has none."""
    try:
        labels = tuple(_in_ascii(label) for label in domain[: LONGEST + 1].removesuffix(".").split("."))
    except UnicodeError:
        return ()
    return labels if all(labels) and len(domain) <= LONGEST else ()


def _in_ascii(label: str) -> str:
    """Some characters turn into a dot on the way: such a label would be two."""
    written = (label if label.isascii() else label.encode("idna").decode("ascii")).lower()
    return "" if "." in written else written
