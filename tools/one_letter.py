"""One letter from the mailbox to everything it causes: the sheet that completes a gate, its receipt, the turn and all
reports, stored, drawn and laid down. For the bench, and for the walk of a letter.

It runs with the program of an earlier commit too, so that the two can be compared: what has moved between them is
looked for in both places.
"""

import json
import os
import sys
import tempfile
import time
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any

#: What the Axis orders in the summer of 1941.
SHEET = """\
TURN Summer 1941 SIDE Axis
ATTACK North R13 ASSAULT ADVANCE
ATTACK Fourth P14 ASSAULT NOADVANCE
ATTACK Center P14 ADVANCE IF RANGE>=2
ATTACK South N14 ASSAULT ADVANCE
ATTACK Rumania M15 ADVANCE
LOSSES ALL TYPES I,M
EXPLOIT Center P15 Q15 STOP-IF RANGE<2
EXPLOIT South N15
BUILD 1M P10 NEW West
BUILD MAX I ANY
STANDING DEFEND ALL HOLD
"""
PLAYERS = {"axis": "axis@example.org", "soviet": "soviet@example.net"}
SECRET = b"the dice of letters on the bench"
WARM_UPS, LETTERS = 2, 6


def either(name: str, *modules: str) -> Any:
    """The thing of this name, from the module that has it in this program."""
    for module in modules:
        try:
            return getattr(import_module(module), name)
        except (ImportError, AttributeError):
            continue
    raise ImportError(f"{name} is in none of {', '.join(modules)}")


class Mailroom:
    """A data directory with wars that wait for a letter of the Axis."""

    def __init__(self, directory: Path, wars: int) -> None:
        from pbem.records.store import create_store, open_store
        from pbem.settings import Settings, settings_below

        create_store(directory)
        store = open_store(directory)
        settings = settings_below(directory, Settings())
        self.office: Any = either("Office", "pbem.post.office", "pbem.intake.office")(store, settings, store.clock)
        from pbem.intake.mailbox import take_maildir

        take_maildir(self.office, self.inbox)
        for _ in range(wars):
            self._begin_a_war()
        self.duty = self._referee()
        assert self.duty.one_pass(), "the welcomes leave"

    @property
    def inbox(self) -> Path:
        path: Path = self.office.settings.inbox.path
        return path

    def _begin_a_war(self) -> None:
        from engine.game import Options
        from pbem.records.matches import SeatTaken

        try:
            begin = {"begin": either("begins_by_mail", "pbem.referee")(self.office)}
        except ImportError:
            begin = {"office": self.office}
        seats = [SeatTaken(side, address) for side, address in PLAYERS.items()]
        self.office.store.new_match("hitlers-war", "barbarossa", seats, Options(fog="fog"), secret=SECRET, **begin)

    def _referee(self) -> Any:
        from pbem.service.daemon import Duty
        from pbem.service.logs import log_to

        return Duty(self.office, log_to(StringIO()))

    def welcomes(self) -> list[bytes]:
        """Those of the Axis, one a war."""
        lying = (self.office.settings.outbox.path / PLAYERS["axis"] / "new").iterdir()
        found = [path.read_bytes() for path in lying]
        return sorted(found, key=_subject)

    def drop(self, welcome: bytes, number: int, sheet: str = SHEET) -> None:
        """The answer of the Axis, with its orders, lies in the mailbox."""
        from pbem.mail.maildir import deliver

        letter = EmailMessage()
        letter["From"], letter["To"] = PLAYERS["axis"], "referee@example.org"
        letter["Subject"] = f"Re: {_subject(welcome)}"
        letter["Message-ID"] = f"<{number}@example.org>"
        letter.set_content(sheet)
        deliver(self.inbox, letter.as_bytes(), f"{number:03}.bench")

    def settle(self) -> None:
        """One pass of the referee, with everything the letter causes."""
        assert self.duty.one_pass(), "a pass goes well"

    def turns(self) -> int:
        return sum(match.gate_number for match in self.office.store.matches())


def _subject(raw: bytes) -> str:
    head = raw.partition(b"\n\n")[0]
    return str(message_from_bytes(head, policy=default)["Subject"])


def processor_of_a_letter(directory: Path) -> float:
    """Milliseconds a letter, the first ones left out, which also fill what is kept in mind."""
    room = Mailroom(directory, WARM_UPS + LETTERS)
    welcomes = room.welcomes()
    assert len(welcomes) == WARM_UPS + LETTERS, "every war has its welcome"
    took = 0.0
    for number, welcome in enumerate(welcomes):
        room.drop(welcome, number)
        began = time.process_time()
        room.settle()
        took += time.process_time() - began if number >= WARM_UPS else 0.0
    assert room.turns() == len(welcomes), "every letter has brought its turn"
    return took * 1000 / LETTERS


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="pbem-letter-", dir="/tmp") as folder:
        took = processor_of_a_letter(Path(folder) / "war")
    json.dump({"one letter, with all it causes": took}, sys.stdout)
    sys.stdout.flush()
    os._exit(0)  # what was opened here ends with the process


if __name__ == "__main__":
    main()
