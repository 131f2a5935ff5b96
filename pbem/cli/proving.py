"""Proof: checking a report or a whole war, and publishing a war that is over."""

import email
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from pbem import closing, referee
from pbem.cli.at_hand import office_for
from pbem.cli.mail import AsJson, MatchNumber, changing, say_that_mail_waits
from pbem.cli.mending import Yes, ask
from pbem.records.bundle import NAME, Bundle, BundledRecord, ThisIsNoBundle, read_bundle
from pbem.records.replay import Replayed
from pbem.records.verify import Verified, each_verified, in_words
from pbem.records.witness import differences
from pbem.refusal import Refusal
from pbem.screens import console, proof
from pbem.screens.console import Facts, as_json
from pbem.words.printed import is_report
from pbem.words.wording import visible

proving_app = typer.Typer()

#: In bytes; a report with its pictures and the bundle of a war are far below it.
LONGEST_FILE = 50_000_000
_PART = re.compile(r"(.+\.zip)\.(\d{3})")

Say = Callable[[str], None]


# ------------------------------------------------------------------ verify


@proving_app.command(epilog="Example: pbem verify war-17.zip report.eml   (- reads what is typed in)")
def verify(
    paths: Annotated[
        list[Path],
        typer.Argument(metavar="PATH...", help="Reports: saved mails, or their text. Or the bundle of a war."),
    ],
    commitment: Annotated[
        str, typer.Option(metavar="HEX", help="The commitment in your welcome, to compare it with what is checked.")
    ] = "",
    as_json_: AsJson = False,
) -> None:
    """Check the dice of reports, or play a closed war again. It needs nothing else: any player can do it.

    The bundle of a war is its zip, all parts of it, the mail that brought it, or war.json; reports beside it are
    compared with it. Exit code 1 says that something does not hold.
    """
    say: Say = _silence if as_json_ else typer.echo
    files = _joined(paths)
    bundles = {name: bundle for name, raw in files.items() if (bundle := _bundle_in(raw)) is not None}
    if len(bundles) > 1:
        raise Refusal(f"{' and '.join(bundles)} are bundles of several wars", "Check one war at a time.")
    bundle = next(iter(bundles.values()), None)
    found = [_play_again(bundle, commitment, say)] if bundle is not None else []
    for name, raw in files.items():
        if name not in bundles:
            found += _check_reports(name, raw, commitment, bundle, say)
    if as_json_:
        typer.echo(as_json(found[0] if len(found) == 1 else found))
    if not all(facts["holds"] for facts in found):
        raise typer.Exit(1)


def _silence(line: str) -> None:
    pass


def _check_reports(name: str, raw: bytes, commitment: str, bundle: Bundle | None, say: Say) -> list[Facts]:
    """A report tells of one turn, or of several one after the other, each with its own key and dice."""
    turns = each_verified(raw, commitment)
    facts = []
    for found in turns:
        if len(turns) > 1 and bundle is None:
            say(f"Turn {found.turn}, {visible(found.report.title)}:")
        facts.append(_check_report(name, found, bundle, say))
    return facts


def _check_report(name: str, found: Verified, bundle: Bundle | None, say: Say) -> Facts:
    facts = console.verified_facts(found)
    if bundle is None:
        say(in_words(found))
        return facts
    differing = list(differences(found, bundle))
    for line in proof.beside_the_bundle(name, found, differing):
        say(line)
    return {**facts, "holds": found.holds and not differing, "differs_from_the_bundle": differing}


def _play_again(bundle: Bundle, commitment: str, say: Say) -> Facts:
    """Every step is said when it is done: a long war takes a while."""
    from pbem.cli.main import known_games

    expected, record = commitment.strip().lower(), BundledRecord.of(bundle, known_games())
    for line in proof.beginning(bundle, expected):
        say(line)
    steps: list[Replayed] = []
    for step in record.steps():
        say(proof.step_line(len(steps), len(bundle.runs), step))
        steps.append(step)
    for line in proof.ending(record, steps, expected, version("pbem")):
        say(line)
    return {
        "holds": proof.war_holds(bundle, steps[-1], expected),
        "match": bundle.match,
        "commitment": bundle.commitment,
        "steps": [console.step_facts(step) for step in steps],
        "digests_as_told": record.as_told,
    }


# ------------------------------------------------------------------ files


def _joined(paths: list[Path]) -> dict[str, bytes]:
    """What to check, by name: files, the bundle in a folder, and bundles that came in parts."""
    files: dict[str, bytes] = {}
    parts: dict[str, dict[int, bytes]] = {}
    for path in paths:
        raw = bytes_of(path / NAME if path.is_dir() else path, "report or bundle", LONGEST_FILE)
        if part := _PART.fullmatch(str(path)):
            parts.setdefault(part[1], {})[int(part[2])] = raw
        else:
            files[str(path)] = raw
    return files | {whole: _put_together(whole, pieces) for whole, pieces in parts.items()}


def _put_together(whole: str, pieces: dict[int, bytes]) -> bytes:
    missing = [f"{whole}.{number:03}" for number in range(1, max(pieces) + 1) if number not in pieces]
    if missing:
        raise ThisIsNoBundle(f"{' and '.join(missing)} is missing", f"Name all parts: pbem verify {whole}.*")
    return b"".join(pieces[number] for number in sorted(pieces))


def _bundle_in(raw: bytes) -> Bundle | None:
    """The bundle that a file is, or that a saved mail brought; None if there is none in it.

    A report is checked as one, whatever came with it.
    """
    if raw.startswith(b"PK") or raw.lstrip()[:1] == b"{":
        return read_bundle(raw)
    return None if is_report(raw) else next(map(read_bundle, _attached(raw)), None)


def _attached(raw: bytes) -> Iterator[bytes]:
    for part in email.message_from_bytes(raw).walk():
        data = part.get_payload(decode=True) if part.get_content_type() == "application/zip" else None
        if isinstance(data, bytes):
            yield data


def bytes_of(file: Path, what: str, most: int) -> bytes:
    """A file that a command was told to read; - is standard input."""
    try:
        with nullcontext(sys.stdin.buffer) if str(file) == "-" else file.open("rb") as source:
            raw = source.read(most + 1)
    except OSError as error:
        raise Refusal(f"{file} cannot be read ({error.strerror})", f"Name the file with the {what}, or -.") from None
    if len(raw) > most:
        raise Refusal(f"{file} is longer than any {what}", "Is it the right file?")
    return raw


# ------------------------------------------------------------------ close, bundle


@proving_app.command(epilog="Example: pbem close 1")
def close(context: typer.Context, match: MatchNumber, yes: Yes = False, as_json_: AsJson = False) -> None:
    """Close a war that is over: publish its secret and all sheets, so that every player can check it.

    It is done by itself some time after the end (close_hours in the settings). Afterwards no turn can be taken back.
    """
    office = office_for(context)
    with office.store.reading() as session:
        seen = office.store.match_in(session, match)
        closing.must_be_ready(seen)
    if not yes:
        ask(
            f"Match {match}, {seen.title}: publish its secret and all sheets, so that nothing can be taken back. Do it?"
        )
    with changing(context, match) as (session, office, found):
        package = closing.close(session, office, found, referee.GM)
    if as_json_:
        facts = {"match": match, "closed": found.closed, "bytes": package.size, "parts": len(package.files)}
        typer.echo(as_json(facts))
        return
    typer.echo(f"Done: match {match} is closed. Its bundle has {package.kilobytes} kilobytes.")
    say_that_mail_waits()


@proving_app.command(epilog="Example: pbem bundle 1 -o war-1.zip   (check it with: pbem verify war-1.zip)")
def bundle(
    context: typer.Context,
    match: MatchNumber,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE.zip", help="Left out: war-MATCH.zip here.")
    ] = None,
) -> None:
    """Write the bundle of a closed war to a file, as the players got it."""
    office = office_for(context)
    with office.store.reading() as session:
        package = closing.Package.of(session, office, office.store.match_in(session, match))
    target = output or Path(package.name)
    try:
        target.write_bytes(package.data)
    except OSError as error:
        raise Refusal(f"{target} cannot be written ({error.strerror})", "Name another file with -o FILE.zip.") from None
    typer.echo(f"Wrote {target}: {package.kilobytes} kilobytes. Check it with: pbem verify {target}")
