"""Checking a report with nothing but the report: no database, no network, no secret.

The text of a report names the commitment, the key of its run, the digests of the sealed sheets, and every die with
its label. That the key leads to the commitment shows that it was fixed before the war; that every die follows from
the key and the digests shows that nobody chose it. A die could also be chosen by its label, so each label has to be
one that this match, this gate and the sentence of the diary give. What is left over, only the bundle of the war can
prove (`pbem/records/bundle.py`).
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import engine.game
from engine.dice import Label, die_of, links_between, run_key_from_digests
from engine.game import Game
from pbem.games import box_of
from pbem.words.printed import Printed, PrintedDie, read_report, read_reports
from pbem.words.told_dice import Mention
from pbem.words.wording import fold, visible

#: No rule rolls more often for one purpose at one place of a gate; two are many.
MOST_ROLLS = 20

NOT_PROVED = (
    "What a report alone cannot prove: that no roll was left out or given another name, and that the digests of the"
    " others are those of their sheets. When the war is closed, its bundle proves both: pbem verify war.zip report.eml"
)
IN_FOG = "In fog you are not told of every roll of another side's turn, so nor does it prove that none was skipped."


@dataclass(frozen=True)
class Die:
    """A die as it is printed, and as it is when it is computed again. `trouble` says what is wrong with its label."""

    number: int
    label: str
    printed: int
    computed: int
    trouble: str = ""

    @property
    def is_right(self) -> bool:
        return self.printed == self.computed and not self.trouble


@dataclass(frozen=True)
class Verified:
    """What was found. `link` says how many runs back the commitment is; None if the key does not lead to it."""

    report: Printed
    expected: str
    link: int | None
    dice: tuple[Die, ...]
    wrong: tuple[str, ...]  # beside the commitment, the key and the dice one by one
    all_are_told: bool  # the reader has seen every roll there was
    skipped: tuple[int, ...]  # else the dice before which there was another that he was not told of

    @property
    def turn(self) -> int:
        return self.report.turn

    @property
    def commitment(self) -> str:
        return self.report.commitment

    @property
    def digests(self) -> dict[str, str]:
        return dict(self.report.digests)

    @property
    def commitment_is_right(self) -> bool:
        return not self.expected or self.commitment == self.expected

    @property
    def holds(self) -> bool:
        dice_are_right = all(die.is_right for die in self.dice)
        return self.commitment_is_right and self.link is not None and dice_are_right and not self.wrong

    @property
    def taken_back(self) -> int:
        """How many turns must have been taken back if this turn has this link."""
        return (self.link or self.turn) - self.turn


def verified(raw: bytes, commitment: str = "", games: Mapping[str, Game] | None = None) -> Verified:
    """Check a report: the mail as it was saved, or its text. `commitment` is the one in the reader's welcome."""
    return _verified(read_report(raw), commitment, games)


def each_verified(raw: bytes, commitment: str = "", games: Mapping[str, Game] | None = None) -> list[Verified]:
    """The same of each turn that the report tells of."""
    return [_verified(report, commitment, games) for report in read_reports(raw)]


def _verified(report: Printed, commitment: str, games: Mapping[str, Game] | None) -> Verified:
    known = engine.game.games() if games is None else games
    game = next((one for one in known.values() if one.title == report.game), None)
    link = bytes.fromhex(report.link)
    key = run_key_from_digests(link, [bytes.fromhex(digest) for _, digest in report.digests])
    labels = _Labels(report, game)
    dice = tuple(
        Die(one.number, one.label, one.die, die_of(key, one.label), labels.trouble(one)) for one in report.dice
    )
    reached, expected = links_between(link, bytes.fromhex(report.commitment)), commitment.strip().lower()
    wrong, skipped = tuple(_wrong(report, game, reached)), tuple(labels.skipped())
    return Verified(report, expected, reached, dice, wrong, labels.all_are_told, skipped)


# ------------------------------------------------------------------ the report as a whole


def _wrong(report: Printed, game: Game | None, link: int | None) -> Iterator[str]:
    """What is wrong beside single dice. Every run takes the next link, so a turn cannot have one before its own."""
    if link is not None and not 1 <= report.turn <= link:
        yield f"link {link} of the chain was revealed before turn {report.turn} could be run"
    if game is not None and not _are_the_sides(game, [name for name, _ in report.digests]):
        yield f"the digests are of {', '.join(name for name, _ in report.digests)}, which are not the sides of a war"
    if [die.number for die in report.dice] != list(range(1, len(report.dice) + 1)):
        yield "the dice are not numbered from 1 on"
    if [mention.number for mention in report.told] != sorted({mention.number for mention in report.told}):
        yield "the diary does not tell of the dice in the order of their numbers"
    if report.cut_off_above:
        yield "another report begins above this one, and its commitment, key and digests cannot be read"
    for sentence in report.loose:
        yield f'the diary tells of a die in a way that cannot be checked: "{sentence}"'
    listed = {die.number for die in report.dice}
    for mention in report.told:
        if mention.number not in listed:
            yield f'die #{mention.number} is not in the list, but the diary says: "{mention.sentence}"'


def _are_the_sides(game: Game, names: list[str]) -> bool:
    return any([side[:1].upper() + side[1:] for side in scenario.sides] == names for scenario in game.scenarios())


# ------------------------------------------------------------------ labels


class _Labels:
    """Judges the labels of one report."""

    def __init__(self, report: Printed, game: Game | None) -> None:
        self.report, self.game = report, game
        self.box = box_of(game) if game is not None else None
        self.gate = game.gate_titled(report.title) if game is not None else None
        self.all_are_told = report.fog != "fog" or (self.gate is not None and report.side in self.gate.awaits)
        self.texts = Counter(die.label for die in report.dice)
        read = [(die.number, label) for die in report.dice if (label := Label.of(die.label)) is not None]
        self.numbers = {(label.place, label.purpose, label.nth): number for number, label in read}
        self.told: dict[int, list[Mention]] = defaultdict(list)
        for mention in report.told:
            self.told[mention.number].append(mention)

    def trouble(self, die: PrintedDie) -> str:
        """What is wrong with a label and its place in the report; empty if nothing is."""
        if self.game is None:
            return "the report does not name a game that this program knows"
        label = Label.of(die.label)
        if label is None:
            return "this is not the form of a label"
        return self._of_another(self.game, label) or self._of_the_count(die, label) or self._of_the_story(die, label)

    def _of_another(self, game: Game, label: Label) -> str:
        if label.game != game.id:
            return f"the label is of another game than {game.title}"
        if label.match != self.report.match:
            return f"the label is of match {label.match}, and the report of match {self.report.match}"
        if self.gate is None or label.gate != self.gate.id:
            return f"the label is of the gate {label.gate}, which is not {self.report.title}"
        if label.sides not in game.traits.dice:
            return f"{game.title} has no die of {label.sides} sides"
        if not game.rolls(label.place, label.purpose, label.sides):
            return "no rule of the game rolls such a die"
        return ""

    def _of_the_count(self, die: PrintedDie, label: Label) -> str:
        """In fog the roll before may be one that the reader does not see, but not in his own turn."""
        if self.texts[die.label] > 1:
            return "the label stands beside more than one die"
        if label.nth > MOST_ROLLS:
            return "no rule rolls so often for the same thing"
        if self.all_are_told and self.is_skipped(label):
            return f"roll {label.nth - 1} for the same thing is missing"
        if self._comes_too_early(die, label):
            return "a roll for the same thing that was made before it is told after it"
        return ""

    def _comes_too_early(self, die: PrintedDie, label: Label) -> bool:
        """Dice are numbered as they are told of, and the rolls for one thing are told as they were made."""
        same = (self.numbers.get((label.place, label.purpose, nth), 0) for nth in range(1, label.nth))
        return any(number > die.number for number in same)

    def is_skipped(self, label: Label) -> bool:
        """Whether the report has not the roll before this one."""
        return label.nth > 1 and (label.place, label.purpose, label.nth - 1) not in self.numbers

    def skipped(self) -> Iterator[int]:
        """Where that is nothing wrong, but worth a look."""
        for die in self.report.dice if not self.all_are_told else ():
            label = Label.of(die.label)
            if label is not None and self.is_skipped(label):
                yield die.number

    def _of_the_story(self, die: PrintedDie, label: Label) -> str:
        told = self.told[die.number]
        if len(told) != 1:
            return f"the diary tells of it {len(told)} times" if told else "the diary does not tell of it"
        return self._of_the_sentence(die, label, told[0])

    def _of_the_sentence(self, die: PrintedDie, label: Label, mention: Mention) -> str:
        where = f'"{mention.heading}: {mention.sentence}"'
        if mention.die != die.die:
            return f"the diary says die {mention.die}: {where}"
        if not mention.adds_up:
            return f"what is added to it does not make that: {where}"
        if self.box is not None and not self.box.tells_of(mention, label.place, label.purpose):
            return f"the diary tells of another roll: {where}"
        return ""


# ------------------------------------------------------------------ in words


def in_words(found: Verified) -> str:
    lines = [f"Commitment {found.commitment}", *_about_the_commitment(found), *_about_the_key(found)]
    lines += [*_about_the_dice(found), *_about_what_was_skipped(found), *(f"  {visible(one)}" for one in found.wrong)]
    if found.report.others:
        lines.append(
            f"There is another report in this file, or what looks like one; only the first one was checked:\n"
            f"  turn {found.turn}, {visible(found.report.title)}."
        )
    lines.append("The report holds." if found.holds else "THE REPORT DOES NOT HOLD. Ask the GM, and show him this.")
    return "\n".join([*lines, *(map(fold, not_proved(found)) if found.holds else ())])


def not_proved(found: Verified) -> list[str]:
    return [NOT_PROVED] if found.all_are_told else [NOT_PROVED, IN_FOG]


def _about_what_was_skipped(found: Verified) -> Iterator[str]:
    for number in found.skipped:
        yield f"  Before die #{number} there was another for the same thing, of which you were not told. It may have"
        yield "    been out of your sight; more than one or two of these in a report would be strange."


def _about_the_commitment(found: Verified) -> list[str]:
    if not found.expected:
        return ["  Compare it with the one in your welcome, or give that one with --commitment."]
    return [
        "  It is the one you gave." if found.commitment_is_right else f"  It is NOT the one you gave: {found.expected}"
    ]


def _about_the_key(found: Verified) -> list[str]:
    if found.link is None:
        return ["The run key does NOT lead to the commitment."]
    lines = [f"The run key leads to the commitment: it is link {found.link} of the chain, for turn {found.turn}."]
    if found.taken_back > 0:
        turns = "1 turn has" if found.taken_back == 1 else f"{found.taken_back} turns have"
        lines.append(f"  That is right if {turns} been taken back in this war; you were told of it then.")
    own = {name.lower(): digest for name, digest in found.report.digests}.get(found.report.side)
    if own is not None:
        lines.append(f"If you sent a sheet, its receipt named this digest: {own}")
    return lines


def _about_the_dice(found: Verified) -> Iterator[str]:
    if not found.dice:
        yield "No die is printed in this report."
    elif all(die.is_right for die in found.dice):
        yield f"All {len(found.dice)} dice follow from the key and the sealed sheets,"
        yield f"  and their labels are of match {found.report.match}, {found.report.title}, as the diary tells it"
        yield f"  (fog: {found.report.fog}, as in your welcome?)."
    for die in found.dice:
        if die.printed != die.computed:
            yield f"  die #{die.number} is {die.printed}, but the key gives {die.computed}: {visible(die.label)}"
        if die.trouble:
            yield f"  die #{die.number}, {visible(die.label)}: {visible(die.trouble)}"
