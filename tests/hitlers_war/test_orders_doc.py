"""The manual keeps up with the language: every word is in it, and every example in it can be sent."""

import re

import pytest

from engine.grand_strategy.language.reading import GateFacts, read_sheet
from engine.grand_strategy.orders import Coastal, Convert, Dismantle, Fortify, Invade, NavalFire, Route, Ship, Support
from engine.hitlers_war.language.parts import LAND, PARTS, POLITICS, SEA, Part
from engine.hitlers_war.language.words import ELSEWHERE, SECTIONS, VERBS, WORDS
from engine.hitlers_war.rulebook import vocabulary_for
from tests.the_project import ROOT

SEA_ORDERS = (Coastal, Convert, Dismantle, Fortify, Invade, NavalFire, Route, Ship, Support)
MANUAL = (ROOT / "docs" / "hitlers-war" / "orders.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```orders *(.*?)\n(.*?)^```$", MANUAL, re.MULTILINE | re.DOTALL)
QUOTED = set(re.findall(r"[A-Z][A-Z-]*", " ".join(re.findall(r"`[^`\n]+`", MANUAL))))
HEADINGS = set(re.findall(r"^#+ ([A-Z-]+) \(", MANUAL, re.MULTILINE))
#: Words inside orders and letters of points, by the parts of the rules that bring them.
WORDS_OF_PARTS = {part.belongs_to: {*part.words, *part.points} for part in PARTS}
#: The verbs of the scenarios that can be played.
IN_FORCE = [verb.word for part in (LAND, SEA, POLITICS) for verb in part.verbs]


def row_of(part: Part) -> str:
    """What the manual lists as belonging to a part of the rules: the row that begins with its level."""
    level = part.belongs_to.removeprefix("level ").partition(":")[0]
    return "".join(re.findall(rf"^\| {level}, .*$", MANUAL, re.MULTILINE))


@pytest.mark.parametrize(
    "word", sorted({*VERBS, *WORDS, *set().union(*WORDS_OF_PARTS.values()), *ELSEWHERE, *SECTIONS})
)
def test_every_word_is_in_the_manual(word: str) -> None:
    assert word in QUOTED | HEADINGS


@pytest.mark.parametrize("word", [word for word in IN_FORCE if word not in ("STANDING", "CANCEL")])
def test_every_order_has_its_own_chapter_with_its_rule(word: str) -> None:
    assert word in HEADINGS
    (cases,) = re.findall(rf"^### {word} \((.*)\)$", MANUAL, re.MULTILINE)
    assert set(VERBS[word].case.split(", ")) <= set(cases.split(", ")) | {"D-22"}


def test_there_are_examples() -> None:
    assert len(BLOCKS) > 15


@pytest.mark.parametrize(("who", "text"), BLOCKS)
def test_every_example_can_be_sent(who: str, text: str) -> None:
    side = who.split()[0] if who else "axis"
    phasing = "soviet" if side == "axis" and "waiting" in who else "axis" if "waiting" in who else side
    facts, vocabulary = GateFacts(side, phasing, "summer", 1941, 6, "17"), vocabulary_for(side, ("axis", "soviet"))
    if "1944" in who:
        facts = GateFacts(side, phasing, "spring", 1944, 14, "17")
        vocabulary = vocabulary_for(side, ("axis", "soviet", "allies"), "fall-of-germany")
    if "1939" in who:
        facts = GateFacts(side, phasing, "winter", 1939, 1, "17")
        vocabulary = vocabulary_for(side, ("axis", "soviet", "allies"), "campaign-1")
    sheet = read_sheet(text, vocabulary, facts)
    assert [finding for finding in sheet.findings if finding.refuses] == []
    assert sheet.lines


@pytest.mark.parametrize("part", [part for part in PARTS if part is not LAND], ids=lambda part: part.belongs_to)
def test_later_words_are_listed_with_their_level(part: Part) -> None:
    assert all(f"`{verb.word}`" in row_of(part) for verb in part.verbs)
    for rules, words in WORDS_OF_PARTS.items():
        assert all((f"`{word}`" in row_of(part)) == (rules == part.belongs_to) for word in words)
