"""`pbem case`: run case files and say what differs. This is how disputes about a rule are settled."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import yaml

from pbem.games.tools import Judge, Verdict

LISTS = ("examples", "derived", "cases")
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class CaseFileCannotBeRead(ValueError):
    pass


def cases_in(path: Path) -> list[Mapping[str, Any]]:
    """The cases of a file: all entries of its lists `examples`, `derived` and `cases`."""
    try:
        document = yaml.load(path.read_text(encoding="utf-8"), Loader=_LOADER)  # noqa: S506, a safe loader
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as fault:
        raise CaseFileCannotBeRead(f"{path}: {fault}") from fault
    if not isinstance(document, Mapping) or not any(name in document for name in LISTS):
        raise CaseFileCannotBeRead(f"{path}: it has none of the lists {', '.join(LISTS)}")
    for name in LISTS:
        if not isinstance(document.get(name) or [], list):
            raise CaseFileCannotBeRead(f"{path}: {name} is not a list")
    return [_well_formed(path, case) for name in LISTS for case in document.get(name) or ()]


def _well_formed(path: Path, case: Any) -> Mapping[str, Any]:
    if not isinstance(case, Mapping) or "id" not in case:
        raise CaseFileCannotBeRead(f"{path}: every case is a mapping with an id; {str(case)[:60]!r} is not")
    return case


def verdicts_of(judge: Judge, paths: Iterable[Path]) -> Iterator[Verdict]:
    for path in paths:
        for case in cases_in(path):
            yield from judge(case)


def run_case_files(judge: Judge, paths: list[Path], json: bool = False) -> int:
    """Print every verdict and the count. Returns the exit status: 1 if a case failed, 2 if a file cannot be read."""
    try:
        verdicts = list(verdicts_of(judge, paths))
    except CaseFileCannotBeRead as fault:
        print(f"pbem case: {fault}", file=sys.stderr)
        return 2
    print(_as_json(verdicts) if json else _as_text(verdicts))
    return int(any(verdict.status == "failed" for verdict in verdicts))


def _count(verdicts: list[Verdict], status: str) -> int:
    return sum(verdict.status == status for verdict in verdicts)


def _as_json(verdicts: list[Verdict]) -> str:
    counts = {status.replace(" ", "_"): _count(verdicts, status) for status in ("passed", "failed", "not yet")}
    document = {"verdicts": verdicts, **counts}
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode()


def _as_text(verdicts: list[Verdict]) -> str:
    lines = []
    for verdict in verdicts:
        edition = f" ({verdict.edition})" if verdict.edition else ""
        lines.append(f"{verdict.status:7} {verdict.id}{edition}  {verdict.title}")
        lines += [f"          {difference}" for difference in verdict.differences]
    not_yet = _count(verdicts, "not yet")
    if not_yet:
        lines.append(f"{not_yet} of a rules level that is not played yet")
    lines.append(f"{_count(verdicts, 'passed')} passed, {_count(verdicts, 'failed')} failed")
    return "\n".join(lines)
