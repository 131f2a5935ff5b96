"""Taking a letter apart into orders and commands."""

import pytest

from pbem.commands.table import COMMANDS
from pbem.desk.requests import requests_in
from tests.toy.two_hills import LANGUAGE

# ------------------------------------------------------------------ taking a letter apart


def requests(text: str) -> list[tuple[str, str, tuple[str, ...]]]:
    found = requests_in(text.splitlines(), COMMANDS, LANGUAGE.beginnings)
    return [(one.word, one.rest, one.lines) for one in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HELP", [("HELP", "", ())]),
        ("help attack", [("HELP", "attack", ())]),
        ("Status:\n", [("STATUS", "", ())]),
        ("TAKE north", [("ORDERS", "", ("TAKE north",))]),
        ("ORDERS\nTAKE north\n\n# why\nHOLD", [("ORDERS", "", ("TAKE north", "", "# why", "HOLD"))]),
        ("CHECK\nTAKE north", [("CHECK", "", ("TAKE north",))]),
        ("ORDERS NONE", [("ORDERS", "", ("# no orders",))]),
        ("# no orders", [("ORDERS", "", ("# no orders",))]),
        ("# a remark and nothing else", []),
        ("TAEK north", [("ORDERS", "", ("TAEK north",))]),
        ("TAKE north\nREADY", [("READY", "", ()), ("ORDERS", "", ("TAKE north",))]),
        ("STANDING", [("STANDING", "", ())]),
        ("STANDING HOLD", [("ORDERS", "", ("STANDING HOLD",))]),
        ("STANDING\nHOLD", [("ORDERS", "", ("STANDING", "HOLD"))]),
        ("CANCEL", [("CANCEL", "", ())]),
        ("CANCEL STANDING HOLD\nTAKE north", [("ORDERS", "", ("CANCEL STANDING HOLD", "TAKE north"))]),
        (
            "PRESS TO blue\nTAKE north!\nHELP\nEND\nSTATUS",
            [("PRESS", "TO blue", ("TAKE north!", "HELP")), ("STATUS", "", ())],
        ),
        ("TAKE north\nEND\nRESIGN", [("ORDERS", "", ("TAKE north",))]),
        ("Wait, I have a question about the weather", []),
        ("Ready or not, here I come", []),
        ("Draw your own conclusions", []),
        ("Resign yourself to it", []),
        ("KEY", [("KEY", "", ())]),
        ("KEY 17-axis-abcdefghijkmnpqrstuv", []),
        ("KEY 17-axis-abcdefghijkmnpqrstuv\nTAKE north", [("ORDERS", "", ("TAKE north",))]),
        ("TAKE north {17-axis-abcdefghijkmnpqrstuv}", [("ORDERS", "", ("TAKE north [key]",))]),
        ("{17-axis-abcdefghijkmnpqrstuv}\nHELP", [("HELP", "", ())]),
        ("Hello referee,\nSTATUS\nthank you", [("STATUS", "", ())]),
        ("", []),
    ],
)
def test_a_letter_is_taken_apart(text, expected):
    assert requests(text) == expected
