"""The page of a report is never so long that a mail program cuts it off. The longest are those of campaigns between bots."""

import re
from functools import lru_cache

import pytest

from engine.dice import chain_link
from engine.game import Fog, Options
from pbem.mail.finished import page_of, parsed
from pbem.post import bulletin
from pbem.post.bulletin import report_mail
from pbem.post.post import Mail, compose, subject_of
from pbem.records.matches import run_gate
from tools.samples import (
    BEGINNING,
    CAMPAIGN,
    GAME,
    MATCH,
    SECRET,
    SENDER,
    Run,
    scenario_named,
    sealed_sheet,
    situation,
    told,
)
from tools.screenshots import PHONE, Chromium, browser

#: Of 102 KB Gmail shows no more; a reply below it needs room too.
MOST = 80_000
#: How far a war between these bots is played: by then its longest report is written.
GATES = 48


@lru_cache(maxsize=2)
def longest_run(fog: Fog) -> Run:
    """The turn of the Axis of which there is most to tell."""
    info = scenario_named(CAMPAIGN)
    state, longest, most = GAME.setup(CAMPAIGN, Options(fog=fog, edition=info.editions[0])), None, 0
    for number in range(GATES):
        gate = GAME.gate(state)
        if gate is None:
            break
        texts = {side: GAME.bot(GAME.view(state, side, fog), f"{side}{number}".encode()) for side in gate.awaits}
        sealed = tuple(sealed_sheet(gate.id, side, texts.get(side)) for side in info.sides)
        after, events = run_gate(GAME, MATCH, state, state.options, sealed, chain_link(SECRET, number + 1))
        if len(events) > most:
            most = len(events)
            longest = Run(number, state, texts.get(str(state.phasing), ""), sealed, after, tuple(events))
        state = after
    assert longest is not None
    return longest


def report_of(fog: Fog, side: str) -> Mail:
    run = longest_run(fog)
    return report_mail(situation(run.after, fog, side, run.at, run.number + 1), told(run, fog, side))


def page_as_sent(mail: Mail) -> str:
    return page_of(parsed(compose(SENDER, mail, subject_of(mail), BEGINNING)))


@pytest.mark.parametrize("fog", ["open", "fog"])
def test_the_longest_report_of_a_campaign_is_not_cut_off(fog):
    for side in scenario_named(CAMPAIGN).sides:
        page = page_as_sent(report_of(fog, side))
        assert len(page.encode()) <= MOST
        assert "stand in the plain text of this mail alone" not in page, "nothing had to be left out"


def test_nor_is_it_wider_than_a_phone(tmp_path):
    program = browser()
    if program is None:
        pytest.skip("CHROMIUM IS MISSING: no page was looked at. Install it: apt-get install chromium")
    page = page_as_sent(report_of("open", "axis"))
    assert Chromium(program, tmp_path).size(page, PHONE)[0] == PHONE


def what_is_left_out(page: str) -> str:
    said = re.search(r"stand in the plain text of this mail alone: ([^<]*)<", page)
    return said[1] if said else ""


def test_what_would_be_too_long_stands_in_the_text_alone(monkeypatch):
    whole = len(report_of("open", "axis").body.encode())
    monkeypatch.setattr(bulletin, "MOST_OF_A_PAGE", whole - 1)
    mail = report_of("open", "axis")
    page = page_as_sent(mail)
    assert what_is_left_out(page) == "the list of the dice."
    assert "hitlers-war/17/" not in page
    assert "hitlers-war/17/" in mail.text
    assert "Soviet record sheet" in page


def test_ones_own_record_sheet_is_left_out_last(monkeypatch):
    dice = "the list of the dice, "
    monkeypatch.setattr(bulletin, "MOST_OF_A_PAGE", len(report_of("open", "axis").body.encode()) - 12_000)
    page = page_as_sent(report_of("open", "axis"))
    assert what_is_left_out(page) == f"{dice}politics and the record sheets of the others."
    assert "Axis record sheet" in page
    assert "Soviet record sheet" not in page
    monkeypatch.setattr(bulletin, "MOST_OF_A_PAGE", 100)
    page = page_as_sent(report_of("open", "axis"))
    assert "your record sheet" in what_is_left_out(page)
    assert "Axis record sheet" not in page
    assert "Initial attacks" in page, "the story of the turn always stands there"
