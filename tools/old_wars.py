"""Keeps wars of an earlier program for the tests: `python -m tools.old_wars COMMIT`.

The program of that commit plays a war of each scenario to its middle, by mail (`tests/old-wars/played_by_mail.py`).
What it leaves is packed into `tests/old-wars/wars.tar.xz`, without the text of mails that have left; `wars.yaml` beside
it has the hash of every position, and of those that the earlier program reaches when it goes on.
"""

import sqlite3
import sys
import tarfile
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import yaml

from tools.trees import ROOT, commit_named, python_in, tree_of

FOLDER = ROOT / "tests" / "old-wars"
PLAYED_BY_MAIL = FOLDER / "played_by_mail.py"
PACKED, FACTS = FOLDER / "wars.tar.xz", FOLDER / "wars.yaml"
MOST_BYTES = 1_500_000
COMMENT = """\
# Made by `python -m tools.old_wars`: the hash of each position of the wars in wars.tar.xz, from the set-up on,
# and under `goes_on` that of the position after one turn more. It changes only if the rules do, and then on purpose.
"""

#: Runs a command of pbem.
Pbem = Callable[..., object]


def main(commit: str) -> None:
    commit = commit_named(commit)
    with tree_of(commit) as tree, tempfile.TemporaryDirectory(prefix="pbem-old-wars-", dir="/tmp") as folder:
        wars, copy = Path(folder) / "wars", Path(folder) / "copy"
        now = python_in(tree, [str(PLAYED_BY_MAIL), str(wars)]).strip()
        leave_out_what_was_sent(wars / "pbem.sqlite")
        pack(wars)
        facts = {"commit": commit, "now": now, "positions": hashes_in(wars)}
        unpack(copy)
        go_on(lambda *words: python_in(tree, ["-m", "pbem", "-C", str(copy), *words]), now)
        facts["goes_on"] = {match: hashes[-1] for match, hashes in hashes_in(copy).items()}
        FACTS.write_text(COMMENT + yaml.safe_dump(facts, sort_keys=False), encoding="utf-8")
    print(
        f"{PACKED.relative_to(ROOT)}: {PACKED.stat().st_size // 1000} KB. Look at: git diff {FACTS.relative_to(ROOT)}"
    )


def leave_out_what_was_sent(database: Path) -> None:
    """Nobody asks for the text of a mail that has left; its head stays."""
    with closing(sqlite3.connect(database)) as connection:
        sent = connection.execute("SELECT id, raw FROM outgoing WHERE state = 'sent'").fetchall()
        heads = [(raw.split(b"\r\n\r\n")[0].split(b"\n\n")[0] + b"\r\n\r\n", number) for number, raw in sent]
        connection.executemany("UPDATE outgoing SET raw = ? WHERE id = ?", heads)
        connection.commit()
        connection.execute("VACUUM")


def pack(directory: Path) -> None:
    with tarfile.open(PACKED, "w:xz", preset=9) as packed:
        packed.add(directory, ".")
    assert PACKED.stat().st_size <= MOST_BYTES, f"{PACKED} is too large for a repository"


def unpack(directory: Path) -> None:
    """A copy of the old wars, as their GM would have it on his disk."""
    with tarfile.open(PACKED) as packed:
        packed.extractall(directory, filter="data")


def facts() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(FACTS.read_text(encoding="utf-8"))
    return found


def hashes_in(directory: Path) -> dict[int, list[str]]:
    """The hash of every position of every match, in the order they were reached."""
    with closing(sqlite3.connect(directory / "pbem.sqlite")) as connection:
        rows = connection.execute("SELECT match_id, hash FROM snapshots ORDER BY match_id, run").fetchall()
    return {match: [hash_ for at, hash_ in rows if at == match] for match in sorted({match for match, _ in rows})}


def go_on(pbem: Pbem, now: str) -> None:
    """One turn more of every war: the GM runs two of them, and the third is run for the letter in the mailbox."""
    pbem("process", "1", "--without-missing")
    pbem("process", "2", "--without-missing")
    pbem("tick", "--now", now)


if __name__ == "__main__":
    main(sys.argv[1])
