"""Where a signature is required: what the sender's provider has not signed whole is nobody's, whoever says otherwise."""

import base64
import dataclasses

import dkim
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from sqlmodel import select

from pbem.intake.domains import owned_domain, same_domain, same_owner
from pbem.intake.trust import alignment, is_vouched_for, our_server_says_so
from pbem.letters import Letter
from pbem.records import models
from pbem.settings import Trust
from tests.letterbox import Letterbox, new_letterbox, settings_for

RSA = rsa.generate_private_key(public_exponent=65537, key_size=2048)
PRIVATE = RSA.private_bytes(
    serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
)
PUBLIC = RSA.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
RECORD = b"v=DKIM1; k=rsa; p=" + base64.b64encode(PUBLIC)
SIGNED = (b"from", b"to", b"subject", b"date")
OURS = "mx.example.org"


def dns(name, timeout=5) -> bytes | None:
    """Every domain has the same key."""
    asked = name.decode() if isinstance(name, bytes) else name
    return RECORD if asked.startswith("s1._domainkey.") else None


def nobody_is_asked(*_, **__) -> None:
    raise AssertionError("nobody was to be asked")


def signed(raw: bytes, domain: str = "example.net", headers: tuple[bytes, ...] = SIGNED, **how: object) -> bytes:
    return dkim.sign(raw, b"s1", domain.encode(), PRIVATE, include_headers=list(headers), **how) + raw


def trusting(tmp_path, look_up=dns, **trust: str) -> Letterbox:
    settings = settings_for(tmp_path, trust=Trust(require="dkim", **trust))
    box = new_letterbox(tmp_path / "war", settings=settings)
    return dataclasses.replace(box, office=dataclasses.replace(box.office, look_up=look_up))


@pytest.fixture
def box(tmp_path) -> Letterbox:
    return trusting(tmp_path)


def letter_of_red(box: Letterbox, text: str = "TAKE north", sender: str = "red@example.net", **headers: str) -> bytes:
    return box.compose(sender, text, key=box.key("red"), **headers)


# ------------------------------------------------------------------ signatures


def test_where_it_is_required_a_letter_must_be_signed(box):
    letter = box.bring(letter_of_red(box))
    assert (letter.fate, "DKIM" in letter.reason) == (models.HELD, True)
    assert box.sheets() == []
    assert box.bring(signed(letter_of_red(box))).fate == models.ACCEPTED


def test_a_signature_must_fit_the_letter_and_the_domain(box):
    assert box.bring(signed(letter_of_red(box)).replace(b"TAKE north", b"TAKE south")).fate == models.HELD
    assert box.bring(signed(letter_of_red(box), "example.com")).fate == models.HELD
    assert box.sheets() == []


def test_what_stands_below_the_signed_part_of_a_letter_is_nobodys(box):
    """With `l=` a stranger may add what he likes to a letter that was signed, and the signature stays good."""
    raw = signed(letter_of_red(box, "TAKE north"), length=True) + b"TAKE south\r\n"
    assert dkim.verify(raw, dnsfunc=dns)
    assert box.bring(raw).fate == models.HELD
    assert box.bring(signed(letter_of_red(box), length=True)).fate == models.HELD


@pytest.mark.parametrize("left_out", [b"subject", b"date", b"to"])
def test_who_wrote_it_and_the_line_with_the_key_must_be_signed(box, left_out):
    raw = signed(letter_of_red(box), headers=tuple(name for name in SIGNED if name != left_out))
    assert dkim.verify(raw, dnsfunc=dns)
    assert box.bring(raw).fate == (models.HELD if left_out == b"subject" else models.ACCEPTED)


@pytest.mark.parametrize("again", [b"Subject: orders\r\n", b"From: red@example.net\r\n", b"from: red@example.net\r\n"])
def test_a_second_from_or_subject_makes_the_signature_worthless(box, again):
    """A signature covers one of them, and the reader may look at the other."""
    assert box.bring(again + signed(letter_of_red(box))).fate == models.HELD
    below = signed(letter_of_red(box)).replace(b"\r\n\r\n", b"\r\n" + again + b"\r\n", 1)
    assert box.bring(below).fate == models.HELD
    assert box.bring(signed(again + letter_of_red(box), headers=(*SIGNED, b"subject", b"from"))).fate == models.HELD


def test_a_letter_without_a_subject_is_not_signed_whole(box):
    raw = letter_of_red(box, f"TAKE north\nKEY {box.key('red')}")
    start = raw.index(b"Subject:")
    assert box.bring(signed(raw[:start] + raw[raw.index(b"\r\n", start) + 2 :])).fate == models.HELD


def test_a_head_that_ends_at_two_places_is_nobodys(box):
    """Red's domain signs the letter of his neighbour, who has hidden another head in one of his headers."""
    hidden = f"From: red@example.net\rSubject: orders {{{box.key('red')}}}\r\rTAKE north\r\r"
    forged = b"X: \r" + hidden.encode() + b"\r\n" + signed(box.compose("neighbour@example.net", "hello"))
    assert dkim.verify(forged, dnsfunc=dns)
    assert box.bring(forged).sender == "red@example.net"
    assert box.sheets() == []


def test_what_only_sha1_signs_is_not_signed(box):
    raw = signed(letter_of_red(box), signature_algorithm=b"rsa-sha1")
    assert dkim.verify(raw, dnsfunc=dns)
    assert box.bring(raw).fate == models.HELD


def test_the_signature_of_a_list_above_it_does_no_harm(box):
    """Who passes a letter on unchanged signs it as well."""
    assert box.bring(signed(signed(letter_of_red(box)), "lists.example.com")).fate == models.ACCEPTED


def test_dns_is_asked_only_about_people_we_know_and_only_for_their_domain(tmp_path):
    asked = []
    box = trusting(tmp_path, lambda name, timeout=5: asked.append(name))
    box.bring(signed(box.compose("who@example.net", "HELP")))
    box.bring(signed(letter_of_red(box), "evil.example"))
    assert asked == []
    box.bring(signed(letter_of_red(box)))
    assert asked


def test_a_letter_without_an_address_is_vouched_for_by_nobody():
    assert not is_vouched_for(Trust(require="dkim"), Letter(), b"", dns)


def test_damaged_signatures_do_no_harm(box):
    raw = signed(letter_of_red(box))
    for old, new in ((b"v=1", b"v=9"), (b"b=", b"b=!!"), (b"a=rsa-sha256", b"a=rot13"), (b"s=s1", b""), (b";", b";;")):
        damaged = raw.replace(old, new, 1)
        assert box.bring(damaged).fate in (models.HELD, models.DROPPED)
    assert box.sheets() == []


def test_blanks_at_the_end_of_a_line_are_not_signed_and_cost_nothing(box):
    """Where the signature is `relaxed`, as almost all are."""
    raw = signed(letter_of_red(box), canonicalize=(b"relaxed", b"relaxed"))
    padded = raw.replace(b"TAKE north\r\n", b"TAKE north" + b" " * 100_000 + b"\r\n")
    assert box.bring(padded).fate == models.ACCEPTED


# ------------------------------------------------------------------ what our own server found


def found(box: Letterbox, *results: str, **how: object) -> bytes:
    """A letter of red with what is said about it, topmost first; its signature cannot be checked any more."""
    raw = signed(letter_of_red(box), **how).replace(b" bh=", b" bh=AAAA", 1)
    return "".join(f"Authentication-Results: {one}\r\n" for one in results).encode() + raw


GOOD = f"{OURS}; dkim=pass header.d=example.net header.s=s1; spf=pass smtp.mailfrom=example.net"


@pytest.mark.parametrize(
    "result",
    [
        GOOD,
        f"{OURS};\r\n dkim=pass (2048-bit key) header.d=example.net header.i=@example.net header.b=Ab/c",
        f"{OURS.upper()}; dkim=pass header.i=@example.net",
        f"{OURS} 1; dkim=fail header.d=example.net; dkim=pass header.d=mail.example.net",
    ],
)
def test_what_our_own_server_found_is_believed(tmp_path, result):
    box = trusting(tmp_path, nobody_is_asked, authserv_id=OURS)
    assert box.bring(found(box, result)).fate == models.ACCEPTED
    assert box.bring(found(box, "mx.other.example; dkim=fail", result), "again").fate != models.HELD


@pytest.mark.parametrize(
    "claimed",
    [
        "mx.evil.example; dkim=pass header.d=example.net",
        f"{OURS}; dkim=fail header.d=example.net",
        f"{OURS}; dkim=none",
        f"{OURS}; dkim=pass header.d=evil.example",
        f"{OURS}; dkim=pass header.d=net",
        f"{OURS}; dkim=pass",
        f"{OURS}; spf=pass smtp.mailfrom=example.net",
        f"{OURS}; none",
        f"{OURS}",
        f'"{OURS}"; dkim=pass header.d=example.net',
        f"{OURS}; dkim=pass header.d=example.net; dkim=",
        "rubbish (((",
    ],
)
def test_what_others_found_or_nobody_can_read_is_not_believed(tmp_path, claimed):
    box = trusting(tmp_path, lambda *_, **__: None, authserv_id=OURS)
    assert box.bring(found(box, claimed)).fate == models.HELD
    assert box.bring(found(box)).fate == models.HELD
    assert box.sheets() == []


@pytest.mark.parametrize("ours", [f"{OURS}; dkim=fail header.d=example.net", f"{OURS}; none", f"{OURS}; (damaged"])
def test_below_the_finding_of_our_server_stands_what_came_with_the_letter(tmp_path, ours):
    box = trusting(tmp_path, lambda *_, **__: None, authserv_id=OURS)
    assert box.bring(found(box, ours, GOOD)).fate == models.HELD


def test_without_its_name_no_server_is_believed():
    aligned = alignment(Trust(), "example.net")
    assert our_server_says_so(OURS, (GOOD,), aligned)
    assert not our_server_says_so("", (GOOD,), aligned)
    assert not our_server_says_so(OURS, (), aligned)


@pytest.mark.parametrize(
    "how",
    [
        {"length": True},
        {"headers": (b"from", b"to")},
        {"domain": "example.com"},
    ],
)
def test_our_server_does_not_say_what_was_signed_so_the_letter_must(tmp_path, how):
    box = trusting(tmp_path, lambda *_, **__: None, authserv_id=OURS)
    assert box.bring(found(box, GOOD, **how)).fate == models.HELD


def test_every_signature_that_our_server_can_have_meant_must_cover_the_letter(tmp_path):
    box = trusting(tmp_path, lambda *_, **__: None, authserv_id=OURS)
    partly = signed(letter_of_red(box), length=True)
    raw = f"Authentication-Results: {GOOD}\r\n".encode() + signed(partly + b"TAKE south\r\n").replace(
        b"bh=", b"bh=A", 1
    )
    assert box.bring(raw).fate == models.HELD


@pytest.mark.parametrize("again", ["Subject: x", "From: red@example.net"])
def test_nor_does_it_say_which_from_or_subject_it_has_seen(tmp_path, again):
    box = trusting(tmp_path, nobody_is_asked, authserv_id=OURS)
    assert box.bring(again.encode() + b"\r\n" + found(box, GOOD)).fate == models.HELD


# ------------------------------------------------------------------ whose domain it is


def test_the_domain_of_strangers_signs_for_nobody(tmp_path):
    """`co.uk` was once taken for `example.co.uk`, and so was everybody's at `github.io`."""
    box = trusting(tmp_path)
    with box.office.store.writing() as session:
        for seat in session.exec(select(models.Seat)):
            seat.address = f"{seat.side}@example.co.uk"
            session.add(seat)
    for domain, fate in (("co.uk", models.HELD), ("evil.co.uk", models.HELD), ("mail.example.co.uk", models.ACCEPTED)):
        assert box.bring(signed(letter_of_red(box, sender="red@example.co.uk"), domain)).fate == fate


@pytest.mark.parametrize(
    ("signer", "strict", "relaxed"),
    [
        ("example.net", True, True),
        ("EXAMPLE.net.", True, True),
        ("mail.example.net", False, True),
        ("other.part.of.example.net", False, True),
        ("net", False, False),
        ("evilexample.net", False, False),
        ("", False, False),
    ],
)
def test_strict_is_the_same_domain_and_relaxed_the_same_owner(signer, strict, relaxed):
    assert alignment(Trust(alignment="strict"), "example.net")(signer) == strict
    assert alignment(Trust(), "example.net")(signer) == relaxed


def test_strict_alignment_holds_what_relaxed_takes(tmp_path):
    strict, relaxed = trusting(tmp_path / "1", alignment="strict"), trusting(tmp_path / "2")
    assert strict.bring(signed(letter_of_red(strict), "mail.example.net")).fate == models.HELD
    assert relaxed.bring(signed(letter_of_red(relaxed), "mail.example.net")).fate == models.ACCEPTED
    assert strict.bring(signed(letter_of_red(strict))).fate == models.ACCEPTED


@pytest.mark.parametrize(
    ("domain", "owned"),
    [
        ("example.com", "example.com"),
        ("WwW.example.COM", "example.com"),
        ("com", ""),
        ("a.b.example.co.uk", "example.co.uk"),
        ("co.uk", ""),
        ("www.city.kobe.jp", "city.kobe.jp"),  # an exception to *.kobe.jp
        ("c.kobe.jp", ""),
        ("a.b.c.kobe.jp", "b.c.kobe.jp"),
        ("www.www.ck", "www.ck"),
        ("a.b.test.ck", "b.test.ck"),
        ("alice.github.io", "alice.github.io"),  # from the private section
        ("github.io", ""),
        ("b.example.example", "example.example"),  # no rule
        ("shishi.公司.cn", "shishi.xn--55qx5d.cn"),
        ("www.xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"),
        (".com", ""),
        ("a..example.com", ""),
        ("x。example.com", ""),  # a dot in disguise
        ("", ""),
        (("a." * 200) + "com", ""),
    ],
)
def test_who_owns_a_domain_stands_in_the_public_suffix_list(domain, owned):
    assert owned_domain(domain) == owned


def test_two_suffixes_have_no_owner_in_common():
    assert same_domain("co.uk", "CO.UK.")
    assert same_owner("co.uk", "co.uk")
    assert not same_owner("co.uk", "org.uk")
    assert not same_owner("", "")
