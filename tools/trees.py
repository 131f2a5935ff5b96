"""The program of another commit, laid out beside this one so that both can be run."""

import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@contextmanager
def tree_of(commit: str) -> Iterator[Path]:
    """The files of a commit in a folder of their own; nothing in the repository changes."""
    archive = subprocess.run(["git", "-C", str(ROOT), "archive", commit], check=True, capture_output=True)
    with tempfile.TemporaryDirectory(prefix="pbem-tree-", dir="/tmp") as folder:
        with tarfile.open(fileobj=BytesIO(archive.stdout)) as files:
            files.extractall(folder, filter="data")
        yield Path(folder)


def python_in(tree: Path, arguments: Sequence[str], **environment: str) -> str:
    """What Python prints when the packages of a tree are the ones it imports."""
    settings = {**os.environ, "PYTHONPATH": str(tree), **environment}
    run = subprocess.run(
        [sys.executable, *arguments], cwd=tree, env=settings, check=False, capture_output=True, text=True
    )
    if run.returncode:
        raise RuntimeError(f"python {' '.join(arguments)} failed in {tree}:\n{run.stdout}{run.stderr}")
    return run.stdout


def commit_named(name: str) -> str:
    """The full name of a commit."""
    found = subprocess.run(["git", "-C", str(ROOT), "rev-parse", f"{name}^{{commit}}"], check=True, capture_output=True)
    return found.stdout.decode().strip()
