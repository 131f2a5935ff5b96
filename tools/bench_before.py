"""This program beside that of an earlier commit, in one run and alternately: `make bench BEFORE=9b5beeb`.

Each side runs its own benchmarks; only what both measure under the same name is compared. The letter and the start are
measured by this program's scripts on both sides. Of several goes the best counts, since the others were disturbed:
a machine that is shared needs more of them (`ARGS="--goes 6"`), and what seems too slow another look (`--only`).
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).parent.parent
GOES = 3
STARTS = 4
#: No more than so many times what it took before; of what matters most, less.
AIM = 1.1
AIMS = {
    "one letter, with all it causes": 0.75,
    "start: pbem --version": 1 / 3,
    "start: pbem --version, memory": 0.5,
    "start: pbem tick, idle": 0.5,
}
#: `map, drawn and encoded     12.3 ms`, or so many a second.
MEASURE = re.compile(r"(?P<name>\S.*?)\s{2,}(?P<number>[\d.]+)(?P<unit> ms| MB| a second|)(?![\w.])")

Figures = dict[str, float]


def main() -> None:
    words = argparse.ArgumentParser(description="Compare the speed with that of an earlier commit.")
    words.add_argument("commit")
    words.add_argument("--only", choices=MEASURES, action="append", help="Measure nothing else; may be repeated.")
    words.add_argument("--goes", type=int, default=GOES, help=f"How often each side is measured ({GOES}).")
    asked = words.parse_args()
    with worktree_of(asked.commit) as before:
        sides: dict[Path, Figures] = {before: {}, HERE: {}}
        for _ in range(asked.goes):
            for tree, figures in sides.items():
                for name in asked.only or MEASURES:
                    keep_the_best(figures, MEASURES[name](tree))
        print(table(asked.commit, sides[before], sides[HERE]))


def keep_the_best(figures: Figures, found: Figures) -> None:
    for name, figure in found.items():
        figures[name] = min(figure, figures.get(name, figure))


@contextmanager
def worktree_of(commit: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="pbem-before-", dir="/tmp") as folder:
        tree = Path(folder) / "tree"
        git = ["git", "-C", str(HERE), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", str(tree), commit], check=True)
        try:
            yield tree
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=True)


# ------------------------------------------------------------------ what is measured


def python(tree: Path, *words: str) -> str:
    """What a program of that tree prints, run with the libraries of this one."""
    done = subprocess.run(
        [sys.executable, *words], cwd=tree, env=_of(tree), stdout=subprocess.PIPE, check=True, text=True
    )
    return done.stdout


def _of(tree: Path) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(tree)}


def bench(tree: Path) -> Figures:
    """The benchmarks of that tree, as they print themselves: milliseconds and megabytes."""
    module = "tools.bench" if (tree / "tools" / "bench.py").exists() else "pbem.workshop.bench"
    return dict(read_figures(python(tree, "-m", module)))


def read_figures(printed: str) -> Iterator[tuple[str, float]]:
    """Of each line the first figure; what is done a second becomes the milliseconds it takes."""
    for line in printed.splitlines():
        if found := MEASURE.match(line):
            name, number, unit = found["name"], float(found["number"]), found["unit"]
            if unit in (" ms", " MB"):
                yield name, number
            elif "a second" in name + unit:
                yield name.replace(" a second", "") + ", each", 1000 / number


def letter(tree: Path) -> Figures:
    figures: Figures = json.loads(python(tree, str(HERE / "tools" / "one_letter.py")))
    return figures


def start(tree: Path) -> Figures:
    """Processor's milliseconds, and megabytes, of a command that has nothing to do."""
    with tempfile.TemporaryDirectory(prefix="pbem-start-", dir="/tmp") as folder:
        pbem = (sys.executable, "-m", "pbem", "-C", folder)
        for words in (
            ("init", folder),
            ("new", "hitlers-war", "barbarossa", "--seat", "axis=a@example.org", "--seat", "soviet=b@example.net"),
            ("tick",),
        ):
            subprocess.run([*pbem, *words], cwd=tree, env=_of(tree), check=True, capture_output=True)
        figures: Figures = {}
        for name, command in (("--version", ("--version",)), ("tick, idle", ("tick",))):
            for _ in range(STARTS):
                processor, memory = cost_of([*pbem, *command], tree)
                found = {f"start: pbem {name}": processor, f"start: pbem {name}, memory": memory}
                keep_the_best(figures, found)
        return figures


def cost_of(command: list[str], tree: Path) -> tuple[float, float]:
    process = subprocess.Popen(command, cwd=tree, env=_of(tree), stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    assert status == 0, f"{' '.join(command)} went wrong"
    return (used.ru_utime + used.ru_stime) * 1000, used.ru_maxrss / 1000


MEASURES: Mapping[str, Callable[[Path], Figures]] = {"start": start, "letter": letter, "bench": bench}


# ------------------------------------------------------------------ what is said


def table(commit: str, before: Figures, now: Figures) -> str:
    """Both figures in milliseconds (of memory in megabytes), their ratio, and whether it is within the aim."""
    common = [name for name in now if name in before and before[name] > 0]
    width = max(len(name) for name in common)
    lines = [f"{'':{width}} {commit[:10]:>10} {'now':>10}  ratio    aim"]
    for name in common:
        ratio, aim = now[name] / before[name], AIMS.get(name, AIM)
        verdict = "" if ratio <= aim else "  too slow"
        lines.append(f"{name:{width}} {before[name]:10.2f} {now[name]:10.2f} {ratio:6.2f} {aim:6.2f}{verdict}")
    missed = sum("too slow" in line for line in lines)
    return "\n".join([*lines, f"{len(common) - missed} of {len(common)} are within the aim."])


if __name__ == "__main__":
    main()
