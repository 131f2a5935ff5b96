"""A player checks the dice of a report with nothing but the report; whatever is changed in it is found."""

import json
import re
from collections.abc import Callable, Iterable

import msgspec
import pytest
from typer.testing import CliRunner

import pbem.cli.main
from engine.dice import KeyedDice, Label, die_of, run_key_from_digests
from engine.game import games
from engine.hitlers_war.europe import europe
from engine.hitlers_war.game import HitlersWar
from pbem.games.hitlers_war.story import diary
from pbem.games.hitlers_war.told_dice import tells_of
from pbem.records.verify import in_words, verified
from pbem.words.printed import ThisIsNoReport
from pbem.words.told_dice import mentions
from tests.contract.test_contract import WARS, bot_sheets, positions
from tests.letterbox import Letterbox, body_of, new_letterbox
from tests.reading import flat

ATTACKS = "ORDERS\nATTACK Center P14 ASSAULT ADVANCE\nATTACK North Q14 ASSAULT ADVANCE\nREADY"


@pytest.fixture(scope="module")
def box(tmp_path_factory) -> Letterbox:
    """The axis has attacked; the turn was taken back, and it has attacked again."""
    box = new_letterbox(tmp_path_factory.mktemp("verify") / "war", games(), "hitlers-war", "barbarossa")
    box.play("axis", ATTACKS)
    box.gm("ROLLBACK 1")
    box.gm(f"CONFIRM {box.word('ROLLBACK')}")
    box.play("axis", ATTACKS)
    return box


def mail(box: Letterbox, run: int, side: str = "axis") -> bytes:
    return next(one.raw for one in box.outgoing() if one.key == f"report/1/{run}/{side}")


@pytest.fixture(scope="module")
def report(box) -> str:
    return body_of(next(one for one in box.outgoing() if one.key == "report/1/1/axis"))


@pytest.fixture(scope="module")
def commitment(box) -> str:
    return box.office.store.position(1).match.commitment


@pytest.mark.parametrize("side", ["axis", "soviet"])
def test_a_report_as_it_was_mailed_holds_for_either_side(box, commitment, side):
    found = verified(mail(box, 1, side), commitment)
    assert found.holds
    assert (found.turn, found.link, found.taken_back) == (1, 1, 0)
    assert len(found.dice) >= 4
    assert list(found.digests) == ["Axis", "Soviet"]


def test_every_die_of_the_events_that_the_axis_was_told_is_checked(box, report):
    turn = box.office.store.runs_of(1)[0]
    labels = set(re.findall(r'"label":"([^"]+)"', turn.events.decode()))
    assert {die.label for die in verified(report.encode()).dice} == labels


def test_a_turn_that_was_played_again_says_so(box, commitment):
    found = verified(mail(box, 2), commitment)
    assert found.holds
    assert (found.turn, found.link) == (1, 2)
    assert "right if 1 turn has been taken back" in in_words(found)


def test_the_text_alone_or_quoted_in_another_mail_will_do(report, commitment):
    quoted = "He wrote:\n" + "\n".join(f"> {line}" for line in report.splitlines())
    for text in (report, quoted, report.replace("\n", "\r\n")):
        assert verified(text.encode(), commitment).holds


def test_a_label_that_takes_two_lines_is_read_whole(report, commitment):
    folded = re.sub(r"(assault) (on P14)", r"\1\n          \2", report)
    assert folded != report
    assert verified(folded.encode(), commitment).holds


def test_the_same_dice_are_checked_when_the_die_is_changed(report):
    changed = re.sub(r"^( *#2 +)(\d)", lambda found: found[1] + str(int(found[2]) % 6 + 1), report, flags=re.MULTILINE)
    found = verified(changed.encode())
    assert not found.holds
    assert [die.number for die in found.dice if not die.is_right] == [2]
    assert "die #2 is" in in_words(found)


@pytest.mark.parametrize("name", ["Axis", "Soviet", "Run key"])
def test_a_changed_digest_or_key_is_found(report, name):
    changed = re.sub(rf"^({name} +)(.)", lambda of: of[1] + ("0" if of[2] != "0" else "1"), report, flags=re.MULTILINE)
    assert changed != report
    assert not verified(changed.encode()).holds


def test_a_key_that_does_not_lead_to_the_commitment_is_found(report):
    changed = re.sub(r"^(Commitment +)\w+", rf"\g<1>{'ab' * 32}", report, flags=re.MULTILINE)
    found = verified(changed.encode())
    assert found.link is None
    assert all(die.is_right for die in found.dice)
    assert not found.holds


def test_a_commitment_that_is_not_the_one_in_the_welcome_is_found(report, commitment):
    assert verified(report.encode(), commitment.upper()).holds
    found = verified(report.encode(), "cd" * 32)
    assert not found.holds
    assert "NOT the one you gave" in in_words(found)


@pytest.mark.parametrize("raw", [b"", b"\xff\xfe\x00", b"From: a@b\n\n", b"Turn 1: x\nCommitment abc\n"])
def test_what_is_no_report_is_refused(raw):
    with pytest.raises(ThisIsNoReport):
        verified(raw)


def test_the_welcome_is_no_report(box):
    with pytest.raises(ThisIsNoReport):
        verified(next(one.raw for one in box.outgoing() if one.kind == "welcome"))


def test_the_command_needs_no_data_directory(box, report, commitment, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "report.eml").write_bytes(mail(box, 1))
    (tmp_path / "forged.txt").write_text(re.sub(r"^( *#1 +)\d", r"\g<1>9", report, flags=re.MULTILINE))
    run = CliRunner()
    said = run.invoke(pbem.cli.main.app, ["verify", "report.eml", "--commitment", commitment])
    assert said.exit_code == 0
    assert "The report holds." in said.output
    facts = json.loads(run.invoke(pbem.cli.main.app, ["verify", "report.eml", "--json"]).output)
    assert (facts["holds"], facts["link"], facts["commitment_is_right"]) == (True, 1, None)
    forged = run.invoke(pbem.cli.main.app, ["verify", "forged.txt"])
    assert forged.exit_code == 1
    assert "THE REPORT DOES NOT HOLD" in forged.output
    assert "cannot be read" in run.invoke(pbem.cli.main.app, ["verify", "nothing.eml"]).output


# ------------------------------------------------------------------ dice chosen by their labels


def key_in(report: str) -> bytes:
    link = re.search(r"^Run key +(\w+)", report, re.MULTILINE)[1]
    digests = re.findall(r"^(?:Axis|Soviet) +([0-9a-f]{64})$", report, re.MULTILINE)
    return run_key_from_digests(bytes.fromhex(link), [bytes.fromhex(digest) for digest in digests])


def all_sixes(report: str, choices: Callable[[Label], Iterable[str]]) -> str:
    """The same report with every die a six, in the list and in the diary, by labels that give one."""
    key, taken = key_in(report), set()

    def forged(found: re.Match[str]) -> str:
        label = Label.of(found[3])
        chosen = next(one for one in choices(label) if die_of(key, one) == 6 and one not in taken)
        taken.add(chosen)
        return f"{found[1]}6  {chosen}"

    listed = re.sub(r"^( *#\d+ +)(\d) +(\S.*)$", forged, report, flags=re.MULTILINE)
    return re.sub(r"\bdie \d( \[#|, )", r"die 6\1", listed)


def text(label: Label, **other: object) -> str:
    return str(label._replace(**other))


HEXES = [f"{row}{column}" for row in "KLMNOPQRST" for column in range(8, 20)]
ARMIES = ("OKW", "NORTH", "CENTER", "SOUTH", "WEST", "A", "B", "C", "RUMANIA", "MOSCOW", "LENIN", "BALTIC", "WHITE")
FORGERIES: dict[str, Callable[[Label], Iterable[str]]] = {
    "another match": lambda label: (text(label, match=number) for number in range(2, 999)),
    "another gate": lambda label: (text(label, gate=f"{turn}-axis") for turn in range(7, 999)),
    "another game": lambda label: (text(label, game=f"hitlers-war-{number}") for number in range(999)),
    "another form": lambda label: (f"forced/{label.place}/{label.purpose}/{number}" for number in range(1, 999)),
    "a purpose of no rule": lambda label: (text(label, purpose=f"luck {number}") for number in range(999)),
    "a place that is none": lambda label: (text(label, place=f"Z{number}") for number in range(99)),
    "blanks in the label": lambda label: (text(label, place=label.place + "\u200b" * count) for count in range(1, 99)),
    "a count with zeros": lambda label: (text(label, nth=f"{'0' * number}1") for number in range(1, 99)),
    "a hash behind it": lambda label: (f"{text(label)}#{number}" for number in range(1, 99)),
    "a huge count": lambda label: (text(label, nth=10**6 + number) for number in range(99)),
    "a count that was skipped": lambda label: (text(label, nth=number) for number in range(2, 20)),
    "another hex": lambda label: (text(label, place=place) for place in HEXES if place != label.place),
    "a die of another size": lambda label: (text(label, sides=sides) for sides in range(7, 999)),
    "a size that is no other": lambda label: (f"{text(label)}:d6{'/1' * number}" for number in range(99)),
    "another army": lambda label: (
        text(label, place=place, purpose=f"advance of {army}") for place in HEXES for army in ARMIES
    ),
}


@pytest.mark.parametrize("choices", FORGERIES.values(), ids=FORGERIES.keys())
def test_a_report_with_nothing_but_sixes_by_other_labels_does_not_hold(report, choices):
    assert verified(report.encode()).holds
    forged = all_sixes(report, choices)
    found = verified(forged.encode())
    assert [die.printed for die in found.dice] == [6] * len(found.dice)
    assert not found.holds
    assert all(die.printed == die.computed for die in found.dice)  # so it is the labels that give it away
    assert [die.number for die in found.dice if not die.trouble] == []
    assert "THE REPORT DOES NOT HOLD" in in_words(found)


def test_the_same_good_die_cannot_be_used_for_all_rolls(report):
    first = re.search(r"^ *#1 +(\d) +(\S.*)$", report, re.MULTILINE)
    forged = re.sub(r"^( *#\d+ +)\d +\S.*$", rf"\g<1>{first[1]}  {first[2]}", report, flags=re.MULTILINE)
    found = verified(forged.encode())
    assert all("more than one die" in die.trouble for die in found.dice)


class WithAHundred(HitlersWar):
    """It rolls dice of a hundred sides as well, wherever it rolls one of six."""

    traits = msgspec.structs.replace(HitlersWar.traits, dice=(6, 100))

    def rolls(self, place: str, purpose: str, sides: int = 6) -> bool:
        return sides in (6, 100) and super().rolls(place, purpose)


def with_a_hundred(report: str) -> str:
    """The first die that nothing is added to becomes one of a hundred sides, in the list and in the diary."""
    number = re.search(r"\bdie \d \[#(\d+)\]", report)[1]
    label = re.search(rf"^ *#{number} +\d +(\S.*)$", report, re.MULTILINE)[1] + ":d100"
    die = die_of(key_in(report), label)
    listed = re.sub(rf"^( *#{number} +)\d +\S.*$", rf"\g<1>{die}  {label}", report, flags=re.MULTILINE)
    return re.sub(rf"\bdie \d \[#{number}\]", f"die {die} [#{number}]", listed)


def test_a_die_of_a_hundred_sides_holds_in_a_game_that_rolls_such_a_die_and_in_no_other(report):
    hundred = with_a_hundred(report)
    (die,) = [die for die in verified(hundred.encode()).dice if die.trouble]
    assert die.printed == die.computed > 6
    assert die.trouble == "Hitler's War has no die of 100 sides"
    assert verified(hundred.encode(), games={"hitlers-war": WithAHundred()}).holds
    forged = hundred.replace(f"die {die.printed} ", "die 100 ").replace(f" {die.printed}  ", " 100  ")
    assert not verified(forged.encode(), games={"hitlers-war": WithAHundred()}).holds


def test_the_diary_must_tell_the_die_that_is_in_the_list(report):
    """The list is checked by the key, but it is the diary that a reader believes."""
    honest = re.search(r"die (\d)( \[#2\])", report)
    forged = report.replace(honest[0], f"die {int(honest[1]) % 6 + 1}{honest[2]}")
    found = verified(forged.encode())
    assert not found.holds
    assert [die.number for die in found.dice if "the diary says die" in die.trouble] == [2]


def test_a_die_that_is_told_and_not_listed_or_listed_and_not_told_is_found(report):
    unlisted = re.sub(r"^ *#1 +\d +\S.*\n", "", report, flags=re.MULTILINE)
    assert any("die #1 is not in the list" in wrong for wrong in verified(unlisted.encode()).wrong)
    untold = re.sub(r" \[#1\]", "", report)
    assert any("does not tell of it" in die.trouble for die in verified(untold.encode()).dice)


@pytest.mark.parametrize("link", ["the commitment itself", "the key of a turn before"])
def test_a_key_that_was_known_before_the_turn_is_found(report, commitment, link):
    """Whoever forges a report of a later turn knows the earlier keys, and could choose his sheet to suit them."""
    if link == "the commitment itself":
        forged = re.sub(r"^(Run key +)\w+", rf"\g<1>{commitment}", report, flags=re.MULTILINE)
    else:
        forged = report.replace("Turn 1: ", "Turn 2: ")
    found = verified(forged.encode(), commitment)
    assert found.link is not None
    assert any("was revealed before turn" in wrong for wrong in found.wrong)


def test_one_more_digest_would_choose_another_key_and_is_found(report):
    forged = re.sub(r"^(Soviet +[0-9a-f]{64})$", rf"\1\nReferee     {'ab' * 32}", report, flags=re.MULTILINE)
    assert any("not the sides of a war" in wrong for wrong in verified(forged.encode()).wrong)


def test_a_report_says_what_it_cannot_prove(report):
    said = flat(in_words(verified(report.encode())))
    assert "that no roll was left out or given another name" in said
    assert "In fog" not in said  # in his own turn nothing is hidden from a player


def test_in_fog_a_roll_may_be_out_of_sight_in_the_turn_of_another(box, commitment):
    """Then it is not wrong, but the reader is shown where."""
    raw = body_of(next(one for one in box.outgoing() if one.key == "report/1/1/soviet"))
    honest = verified(raw.encode(), commitment)
    assert (honest.holds, honest.skipped) == (True, ())
    assert "In fog you are not told of every roll" in in_words(honest)
    found = verified(all_sixes(raw, FORGERIES["a count that was skipped"]).encode())
    assert found.holds
    assert len(found.skipped) == len(found.dice)
    assert "Before die #1 there was another" in in_words(found)


def test_several_reports_in_one_file_are_not_mixed_up(box, report):
    second = body_of(next(one for one in box.outgoing() if one.key == "report/1/2/axis"))
    both = verified(f"{report}\n{second}".encode())
    assert both.holds
    assert both.dice == verified(report.encode()).dice
    assert "only the first one was checked" in in_words(both)


def test_a_report_of_before_has_its_dice_above_the_map_and_holds_too(report):
    listed = re.search(r"\n  Each die with its label\..*?\n\n", report, re.DOTALL)[0]
    older = report.replace(listed, "").replace("\nBARBAROSSA\n", f"\nDICE\n{listed}\nBARBAROSSA\n")
    assert older.index("\nDICE\n") < older.index("\nBARBAROSSA\n") < report.index("\n  Each die")
    now, before = verified(report.encode()), verified(older.encode())
    assert before.holds
    assert [die.label for die in before.dice] == [die.label for die in now.dice]


def test_an_assault_is_rolled_where_the_attack_was_announced_from(report):
    label = next(label for die in verified(report.encode()).dice if "assault on" in (label := die.label))
    _, _, _, place, purpose, _ = label.split("/")
    for other in europe().around[purpose.removeprefix("assault on ")]:
        found = verified(report.replace(label, label.replace(f"/{place}/", f"/{other}/")).encode())
        trouble = next(die.trouble for die in found.dice if f"/{other}/{purpose}/" in die.label)
        assert bool(trouble) == (other != place)


def test_what_is_said_above_a_die_is_what_stands_under_its_heading_without_one():
    diary = "P14 Pinsk\n  Red attacks from Q14.\n\n  Assault: die 3 [#1].\n\n  Blue falls back.\n\nQ14\n  Blue: die 2 [#2].\n"
    first, second = mentions(diary)
    assert first.above == ("Red attacks from Q14.",)
    assert second.above == ()


@pytest.mark.parametrize(("scenario", "mode", "fog"), [(1, "one-run", "veiled"), (2, "checkpoint", "fog")])
def test_what_honest_diaries_tell_of_their_dice_is_never_doubted(scenario, mode, fog):
    """Every die of a whole war between random players, as each side reads of it."""
    game, scenario = WARS[-3:][scenario]
    told = 0
    for state in positions(game, scenario, fog, mode)[:-1]:
        gate = game.gate(state)
        dice = KeyedDice(b"key", f"{game.id}/17/{gate.id}")
        _, events = game.run(state, bot_sheets(game, state, 0, fog), dice)
        for side in scenario.sides:
            story, _, listed = diary(game.told(events, side, fog), side).partition("\nDICE\n")
            for mention in mentions(story):
                found = re.search(
                    rf"^ *#{mention.number} +{mention.die} +(\S.*(?:\n {{8,}}\S.*)*)$", listed, re.MULTILINE
                )
                label = Label.of(" ".join(found[1].split()))
                assert tells_of(mention, label.place, label.purpose), (mention, label)
                told += 1
            assert listed.count("#") == len(list(mentions(story)))
    assert told > 100
