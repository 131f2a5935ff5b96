"""The manual keeps up with the language: every word is in it, and every example in it can be sent."""

import re

import pytest

from engine.grand_strategy.orders import Coastal, Convert, Dismantle, Fortify, Invade, NavalFire, Route, Ship, Support
from engine.hitlers_war.language.reading import GateFacts, read_sheet, vocabulary_for
from engine.hitlers_war.language.words import ELSEWHERE, LATER_POINTS, LATER_WORDS, LEVELS, SECTIONS, VERBS, WORDS, Verb
from tests.the_project import ROOT

SEA_ORDERS = (Coastal, Convert, Dismantle, Fortify, Invade, NavalFire, Route, Ship, Support)
MANUAL = (ROOT / "docs" / "hitlers-war" / "orders.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```orders *(.*?)\n(.*?)^```$", MANUAL, re.MULTILINE | re.DOTALL)
QUOTED = set(re.findall(r"[A-Z][A-Z-]*", " ".join(re.findall(r"`[^`\n]+`", MANUAL))))
HEADINGS = set(re.findall(r"^#+ ([A-Z-]+) \(", MANUAL, re.MULTILINE))


def _is_in_force(verb: Verb) -> bool:
    """Verbs of the scenarios that can be played."""
    return verb.level <= 3


@pytest.mark.parametrize("word", sorted({*VERBS, *WORDS, *LATER_WORDS, *LATER_POINTS, *ELSEWHERE, *SECTIONS}))
def test_every_word_is_in_the_manual(word: str) -> None:
    assert word in QUOTED | HEADINGS


@pytest.mark.parametrize(
    "word", [verb.word for verb in VERBS.values() if _is_in_force(verb) and verb.word not in ("STANDING", "CANCEL")]
)
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


@pytest.mark.parametrize("verb", [verb for verb in VERBS.values() if verb.level > 1], ids=lambda verb: verb.word)
def test_later_words_are_listed_with_their_level(verb) -> None:
    (row,) = re.findall(rf"^\| {verb.level}, .*$", MANUAL, re.MULTILINE)
    assert f"`{verb.word}`" in row


def test_later_words_inside_orders_are_listed_with_their_level() -> None:
    for level in LEVELS:
        for word, (needed, _) in {**LATER_WORDS, **LATER_POINTS}.items():
            row = "".join(re.findall(rf"^\| {level}, .*$", MANUAL, re.MULTILINE))
            assert (f"`{word}`" in row) == (needed == level), (word, level)
