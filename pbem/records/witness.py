"""A report that a player has kept, as a witness of the war that its bundle tells.

A bundle that was made up may be free of contradictions in itself. What it cannot do is to agree with reports that were
mailed while the war went on: they name the keys and digests of their runs, and every die that their reader was told of.
"""

from collections.abc import Iterator

from pbem.records.bundle import Bundle, BundledRun, plain
from pbem.records.rolls import rolls_in
from pbem.records.verify import Verified
from pbem.words.wording import side_name


def differences(found: Verified, bundle: Bundle) -> Iterator[str]:
    """In what a report and a bundle contradict each other."""
    report = found.report
    if report.match != bundle.match or report.commitment != bundle.commitment:
        yield f"the report is of match {report.match} with the commitment {report.commitment}, the bundle of another"
        return
    run = next((run for run in bundle.runs if run.link == report.link), None)
    if run is None:
        yield f"the bundle has no run with the key {report.link}"
        return
    if (report.turn, report.title) != (run.turn, run.title):
        yield f"the report is of turn {report.turn}, {report.title}; in the bundle its key is that of turn {run.turn}"
    if report.fog not in ("", bundle.options.fog):
        yield f"the report says that the fog is {report.fog}, the bundle {bundle.options.fog}"
    if report.digests != tuple((side_name(sheet.side), sheet.digest) for sheet in run.sheets):
        yield "the digests of the sealed sheets are others in the bundle"
    if report.new_rules != (expected := _new_rules(bundle, run)):
        yield f"the report says {_in_words(report.new_rules)}, the bundle {_in_words(expected)}"
    yield from _about_the_dice(found, run)


def _new_rules(bundle: Bundle, run: BundledRun) -> tuple[int, int] | None:
    """The number of the rules it was run by and that of those before, if they are not the same."""
    before = bundle.rules_before()[bundle.runs.index(run)]
    return (run.rules, before) if run.rules != before else None


def _in_words(new_rules: tuple[int, int] | None) -> str:
    if new_rules is None:
        return "that it was run by the rules of the turn before it"
    return f"that it was run by rules {new_rules[0]} in place of rules {new_rules[1]}"


def _about_the_dice(found: Verified, run: BundledRun) -> Iterator[str]:
    side = found.report.side
    if side not in run.told:
        yield f"the bundle does not say what {side or 'the reader of the report'} was told"
        return
    printed = {die.label: die.printed for die in found.dice}
    told = dict(rolls_in(plain(bytes(run.told[side]))))
    yield from (f"the report has a die that was not rolled: {label}" for label in printed if label not in told)
    yield from (f"the report has left a die out: {label}" for label in told if label not in printed)
    both = (label for label in printed if label in told and told[label] != printed[label])
    yield from (f"the report says {printed[label]}, the bundle {told[label]}: {label}" for label in both)
