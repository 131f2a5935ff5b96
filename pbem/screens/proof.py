"""What is said while a closed war is played again from its bundle."""

from collections.abc import Iterator, Sequence

from pbem.records.bundle import Bundle, BundledRecord
from pbem.records.matches import how_it_ended
from pbem.records.replay import Replayed
from pbem.records.verify import Verified, in_words
from pbem.screens.unplayed import not_played_again, verdict_on
from pbem.words.wording import fold, visible


def beginning(bundle: Bundle, expected: str) -> Iterator[str]:
    yield f"Match {bundle.match}, {visible(bundle.title)}: {visible(bundle.game)} {visible(bundle.scenario)}."
    yield f"Commitment {bundle.commitment}"
    if not expected:
        yield "  Compare it with the one in your welcome, or give that one with --commitment."
    elif expected == bundle.commitment:
        yield "  It is the one you gave."
    else:
        yield f"  It is NOT the one you gave: {visible(expected)}"


def step_line(number: int, runs: int, step: Replayed) -> str:
    """One run that was played again or checked, said as soon as it is done."""
    taken_back = " (taken back)" if step.taken_back else ""
    return f"{number:>4} of {runs}  {step.hash[:16]}  {verdict_on(step)}  {visible(step.title)}{taken_back}"


def ending(record: BundledRecord, steps: Sequence[Replayed], expected: str, program: str) -> Iterator[str]:
    last, unplayed = steps[-1], not_played_again(steps, record.game.rules)
    if unplayed:
        yield fold(unplayed)
    if last.difference is not None:
        yield from _about_the_difference(last, program)
    else:
        yield from _what_agrees(record, steps)
    if not war_holds(record.bundle, last, expected):
        yield "THE WAR DOES NOT HOLD. Ask the GM, and show him this."
    elif record.as_told:
        yield f"The war holds, but these digests could not be checked: {len(record.as_told)} of sheets with remarks."
    elif unplayed:
        yield "The war holds, as far as this program can play it."
    else:
        yield "The war holds."


def _what_was_played(steps: Sequence[Replayed]) -> str:
    everything = "every position, every die and what each side was told"
    return everything if all(step.played for step in steps) else f"{everything}, as far as they were"


def _last_that_counts(steps: Sequence[Replayed]) -> Replayed:
    return [step for step in steps if not step.taken_back][-1]


def war_holds(bundle: Bundle, last: Replayed, expected: str) -> bool:
    return last.difference is None and expected in ("", bundle.commitment)


def beside_the_bundle(name: str, found: Verified, differing: Sequence[str]) -> Iterator[str]:
    """A report that was compared with the bundle: what it cannot prove alone need not be said."""
    if found.holds and not differing:
        yield f"{name}: turn {found.turn}, {visible(found.report.title)}, holds and agrees with the bundle."
        return
    yield f"{name}: turn {found.turn}, {visible(found.report.title)}."
    if not found.holds:
        yield in_words(found)
    if differing:
        yield "IT DOES NOT AGREE WITH THE BUNDLE:"
    yield from (f"  {visible(difference)}" for difference in differing)


def _about_the_difference(step: Replayed, program: str) -> Iterator[str]:
    assert step.difference is not None
    yield f"The first difference: turn {step.number}, {visible(step.difference.what)}:"
    yield f"  in the bundle:  {visible(step.difference.recorded)}"
    yield f"  played again:   {visible(step.difference.replayed)}"
    if step.program and step.program != program:
        yield fold(
            f"The turn was run by pbem {visible(step.program)}, and this is pbem {program}. A rule may have been mended"
            " between them, as the changelog would say; the older version plays it as it was."
        )


def _what_agrees(record: BundledRecord, steps: Sequence[Replayed]) -> Iterator[str]:
    bundle = record.bundle
    taken_back = sum(run.taken_back for run in bundle.runs)
    without = f", {taken_back} of them taken back" if taken_back else ""
    yield fold(
        f"The secret gives the commitment and the keys of all {len(bundle.runs)} runs{without}. The sealed sheets give"
        f" their digests, and played again they give {_what_was_played(steps)}."
    )
    yield f"{how_it_ended(bundle.outcome).rstrip('.')}."
    if bundle.ended is not None:
        yield "  That the players ended it so is told, not proved."
    elif not _last_that_counts(steps).played:
        yield "  How it ended by those rules is told, not proved."
    if record.as_told:
        yield fold(
            "These sheets were sealed with their remarks, by an older rule. Remarks are not published, so their digests"
            " are taken as told; compare yours with your receipts:"
        )
        yield fold(", ".join(f"turn {turn} {side}" for turn, side in record.as_told), 2)
