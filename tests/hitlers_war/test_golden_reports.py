"""Whole reports, read line by line against the rules: the start of a war, its middle from both sides, and its end."""

import hashlib
import re

import pytest

from engine.dice import number_below, run_key
from pbem.words.wording import WIDTH
from tests.golden_reports import FOLDER, NAMES, golden_text, path_of
from tools.samples import MOMENTS, sample, whole_war


@pytest.mark.parametrize(("moment", "fog"), NAMES)
def test_the_mail_reads_as_its_golden_text(moment, fog):
    """If this fails and the new text is right: make golden, and read the difference."""
    assert golden_text(moment, fog) == path_of(moment, fog).read_text(encoding="utf-8")


def test_no_golden_text_is_left_over():
    assert {path.name for path in FOLDER.glob("*.txt")} == {path_of(*name).name for name in NAMES}


@pytest.mark.parametrize(("moment", "fog"), NAMES)
def test_no_line_is_wider_than_a_quoted_line_may_be(moment, fog):
    assert max(map(len, golden_text(moment, fog).splitlines()[1:])) <= WIDTH


# The middle of the war: winter 1941, the Axis attacks in Russia with +4 to its dice (HW-9.16). Firepower (HW-8.9): 4 on a
# 2 and 4 on a 4 hit once, 9 on a 6 twice, 7 on a 7 once. Advance (HW-9.2): row 8 against 2 needs 7 or less, and 3 + 4 is 7.
BATTLES = """\
Q14 Minsk
  Army Group Center (Center) attacks from Q15 Vitebsk.
  Defence  Northwest Front (NW), strength 4: die 2 [#1]: 1 hit.
           Army Group Center loses 1 infantry.
  Assault  Army Group Center, strength 9: die 2, +4 Russian winter = 6 [#2]: 2
           hits.
           Northwest Front loses 2 points.
  Advance  Army Group Center, 8 mechanized against 2: needs 1-7; die 3, +4
           Russian winter = 7 [#3]: it advances.
           Northwest Front retreats to R14 Polotsk.
           Q14 Minsk falls to the Axis.

O15 Zhitomir
  Army Group South (South) attacks from N15 Kiev.
  Defence  Southwest Front (SW), strength 4: die 4 [#4]: 1 hit.
           Army Group South loses 1 infantry.
  Assault  Army Group South, strength 7: die 5, +4 Russian winter = 9, read as
           7 [#5]: 1 hit.
           Southwest Front loses 1 point.
"""


def test_the_battles_are_told_blow_by_blow():
    assert BATTLES in sample("mid-war", "fog").text


# Winter 1939: the Allies land in Denmark with one amphibious and one infantry point. Firepower (HW-8.9): 6 on a 6 hit once,
# 1 on a 3 not at all. Landing (HW-13.15): one amphibious point carries one other, so row 2; against 0 it needs 4 or less.
LANDING = """\
R9 Esbjerg
  British Eighth Army comes over the sea from P7 London, by way of Q8 Q9.
  Support  Allied ships fire at the coast, strength 6: die 6 [#1]: 1 hit.
           The garrison of R9 Esbjerg is destroyed.
  Assault  British Eighth Army, strength 1: die 3 [#2]: no hit.
  Landing  British Eighth Army, 2 points against 0: needs 1-4; die 3 [#3]: it
           lands.
           R9 Esbjerg falls to the Allies.
"""


def test_a_landing_is_told_blow_by_blow_and_what_came_of_it():
    """HW-19.3: Denmark, attacked by the Allies and not conquered, joins the Axis; 22 are 6 for an amphibious point and 2 for each of 8 infantry."""
    text = sample("campaign", "fog").text
    assert LANDING in text
    flat = " ".join(text.split())
    assert "5 ok INVADE 8Br R9 ASSAULT No hit, took R9 Esbjerg." in flat
    assert "8 refused FORT O8 1 No forts may be built in France before Winter 1940 (HW-23.6)." in flat
    assert "2 points go by sea from O8 Lille to P7 London over the Atlantic." in flat
    assert "Denmark joins the Axis, having been attacked and not conquered (HW-19.3)." in flat
    assert "22 spent, 1 not spent and lost." in flat


def test_every_die_of_a_report_can_be_computed_from_its_label_and_the_revealed_key():
    text, run = sample("mid-war", "fog").text, whole_war("fog")[2]
    (link,) = re.findall(r"^Run key     (\w{64})$", text, re.MULTILINE)
    key = run_key(bytes.fromhex(link), [sheet.sealed_bytes for sheet in run.sealed])
    dice = re.findall(r"^ +#(\d+)  ([1-6])  (hitlers-war/17/\S.*)$", text, re.MULTILINE)
    assert [int(die) for _, die, _ in dice] == [number_below(key, label, 6) + 1 for _, _, label in dice]
    assert [int(number) for number, _, _ in dice] == [1, 2, 3, 4, 5]


def test_the_report_tells_what_came_of_each_line_of_orders():
    flat = " ".join(sample("mid-war", "fog").text.split())
    assert "2 ok ATTACK Center Q14 ASSAULT ADVANCE 2 hits, took Q14 Minsk." in flat
    assert "3 not met ATTACK South O15 ASSAULT ADVANCE IF RANGE>=3 1 hit, the condition did not hold." in flat
    assert "4 refused ATTACK North R14 ADVANCE R14 is not next to Q13 (HW-8.3)." in flat
    assert "5 refused ATTACK Fourth Z9 ASSAULT There is no hex Z9 on the map." in flat


def test_the_other_side_reads_what_it_saw_and_not_what_was_ordered():
    text = sample("other-side", "fog").text
    flat = " ".join(text.split())
    assert "WHAT YOU ORDERED" not in text
    assert "Army Group Center against 2: needs 1-7; die 3" in flat  # not how many of its points are mechanized
    assert "Army Group Center loses 1 point." in flat
    assert "Northwest Front loses 2 infantry." in flat
    assert "PRODUCTION\n" not in text
    assert "| What would you say to a truce?" in text


def test_the_last_report_says_who_has_won():
    """HW-15.8: the Soviet Union wins if it holds out to the end of 1943."""
    mail = sample("end", "veiled")
    assert mail.subject.endswith("the war is over")
    assert "THE WAR IS OVER" in mail.text
    assert "order form" not in mail.text


def test_the_commitment_and_the_key_of_the_run_stand_in_every_report():
    text = sample("mid-war", "open").text
    commitment = re.search(r"^Commitment  (\w{64})$", text, re.MULTILINE)[1]
    link = re.search(r"^Run key     (\w{64})$", text, re.MULTILINE)[1]
    for _ in range(3):  # the third run of the war: three steps back to what was committed to
        link = hashlib.sha256(bytes.fromhex(link)).hexdigest()
    assert link == commitment


def test_the_sample_war_is_fought_to_its_end():
    assert set(MOMENTS) == {"start", "mid-war", "other-side", "end", "campaign"}
    assert len(whole_war("fog")) == 16  # eight turns of two player-turns (HW-15.1)
