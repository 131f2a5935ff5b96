"""Every order that can be written reads back as itself, and any text at all is answered."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.grand_strategy.language.line import read_order
from engine.grand_strategy.language.reading import GateFacts, read_sheet
from engine.grand_strategy.orders import (
    ALL,
    Attack,
    Branch,
    Build,
    Cancel,
    Compare,
    CompareDefence,
    Defend,
    DevastateFrance,
    Disband,
    Exploit,
    Form,
    GoTo,
    Losses,
    Repair,
    Retreat,
    Rolled,
    Set,
    Step,
    Taken,
    TargetIs,
    Transfer,
    Unstack,
)
from engine.hitlers_war.language.parts import PARTS
from engine.hitlers_war.language.words import MEANT, VERBS, WORDS
from engine.hitlers_war.rulebook import vocabulary_for

AXIS, SOVIET = (vocabulary_for(side, ("axis", "soviet")) for side in ("axis", "soviet"))
AXIS_TO_MOVE = GateFacts("axis", "axis", "summer", 1941, 6, "17")
SOVIET_WAITS = GateFacts("soviet", "axis", "summer", 1941, 6, "17")

# ------------------------------------------------------------------ round trip

places = st.sampled_from([place.id for place in AXIS.places.values() if place.has_land])
hexes = st.sampled_from([place.id for place in AXIS.places.values() if place.has_land and not place.is_box])
armies = st.sampled_from(list(AXIS.own_ids))
two_armies = st.lists(armies, min_size=2, max_size=2, unique=True)
numbers = st.integers(0, 999)
counts = st.integers(1, 999)
units = st.sampled_from(["inf", "mech"])
points = st.dictionaries(units, counts, min_size=1)
points_or_all = st.dictionaries(units, counts | st.just(ALL), min_size=1)
comparisons = st.sampled_from(["<", "<=", ">", ">=", "="])
countries = st.sampled_from(
    [name for key, name in AXIS.countries.items() if key not in {*AXIS.own_armies, *AXIS.place_names}]
)
where = st.just("ALL") | armies | hexes | countries


def quantity(*subjects: str) -> st.SearchStrategy[Compare]:
    return st.builds(Compare, st.sampled_from(subjects), comparisons, numbers)


def conditions(*tests: st.SearchStrategy) -> st.SearchStrategy:
    return st.lists(st.one_of(*tests), min_size=1, max_size=4).map(tuple)


taken = st.builds(Taken, hexes, st.booleans())
targets = st.builds(TargetIs, st.sampled_from(["EMPTY", "FRIENDLY", "FORT", "OCCUPIED", "WINTER"]))
winter = st.just(TargetIs("WINTER"))
defences = st.builds(CompareDefence, places, comparisons, places)
about_a_hex = st.builds(Compare, st.sampled_from(["DEF", "RANGE"]), comparisons, numbers, places)
rolled = st.builds(Rolled, armies)
in_combat = conditions(quantity("RANGE", "DEF", "STR", "MECH", "LOSS"), about_a_hex, defences, taken, targets, rolled)
in_defence = conditions(quantity("STR", "MECH", "LOSS", "DEF", "ATTACKERS"), defences, taken, winter)
in_production = conditions(quantity("PP", "DEF"), defences, taken, targets, rolled)

fire = st.one_of(st.just({}), st.just({"save": True}), st.fixed_dictionaries({"assault": st.just(()) | in_combat}))
go = st.one_of(st.just({}), st.just({"no_advance": True}), st.fixed_dictionaries({"advance": st.just(()) | in_combat}))
order_of_attack = st.fixed_dictionaries({}, optional={"seq": numbers, "after": armies})
attacks = st.builds(
    lambda army, hex_, fire, go, rest: Attack(army, hex_, **fire, **go, **rest),
    armies,
    places,
    fire,
    go,
    order_of_attack,
).filter(lambda attack: attack.assault is not None or attack.save or attack.advance is not None)

steps = st.builds(lambda hex_, fire: Step(hex_, **fire), places, fire) | st.just(Step("RETURN"))
branches = st.builds(Branch, steps, steps, in_combat)
exploits = st.builds(
    Exploit,
    armies,
    st.lists(steps | branches, min_size=1, max_size=5).map(tuple),
    st.lists(in_combat, max_size=3).map(tuple),
    st.just("") | armies,
)

policies = st.one_of(
    st.builds(Defend, where, st.sampled_from(["NOW", "HOLD", "NEVER", "EXPLOIT-ONLY"])),
    st.builds(Defend, where, st.just("IF"), in_defence),
    st.builds(
        Losses,
        where.filter(lambda name: name not in AXIS.own_ids),
        st.lists(armies, unique=True, max_size=4).map(tuple),
        st.lists(units, min_size=1, max_size=2, unique=True).map(tuple),
    ),
    st.builds(Losses, armies, st.just(()), st.just(("mech", "inf"))),
    st.builds(Retreat, where, st.sampled_from(["TO", "AVOID"]), st.lists(places, min_size=1, max_size=5).map(tuple)),
    st.builds(Retreat, where, st.just("TOWARD"), st.tuples(places)),
    st.builds(Retreat, where, st.just("DIE")),
)

sites = st.lists(places | st.just("ANY"), min_size=1, max_size=4).map(tuple)
newcomers = st.tuples(st.just(""), st.just(False)) | st.tuples(armies, st.booleans())
builds = st.builds(
    lambda what, hexes, who, tests: Build(
        {} if isinstance(what, str) else what, hexes, *who, most=what if isinstance(what, str) else "", tests=tests
    ),
    points | units,
    sites,
    newcomers,
    st.just(()) | in_production,
)

orders = st.one_of(
    st.builds(DevastateFrance, st.lists(hexes, min_size=1, max_size=3).map(tuple)),
    st.builds(Set, armies, places, points),
    st.builds(GoTo, armies, places),
    st.builds(lambda what, pair: Transfer(what, *pair), points_or_all, two_armies),
    st.builds(lambda pair, hex_, what: Form(pair[0], hex_, what, pair[1]), two_armies, places, points_or_all),
    st.builds(Disband, armies),
    two_armies.map(lambda pair: Disband(*pair)),
    attacks,
    exploits,
    st.builds(Unstack, places, armies, places),
    policies,
    builds,
    st.builds(Repair, places, numbers, st.just(()) | in_production),
    st.just(Cancel()),
    policies.map(Cancel),
)


@given(orders)
@settings(max_examples=1500, deadline=None)
def test_an_order_reads_back_as_itself(order: object) -> None:
    assert read_order(str(order), AXIS) == order
    assert read_order(str(order).lower(), AXIS) == order


# ------------------------------------------------------------------ any text

NAMES = ["Center", "Q16", "014", "5I", "ALL I", "Smolensk", "Army Group", "Soviet Union", "O", "4"]
SIGNS = ["->", ">=", "≥", ",", ":", "(", ")", "|", "#", "'", "-", "/", ".", "\t", "\0"]
vocabulary_words = st.sampled_from(
    [*VERBS, *WORDS, *(word for part in PARTS for word in part.words), *MEANT, *NAMES, *SIGNS]
)
scrambled = st.lists(st.lists(vocabulary_words, max_size=12).map(" ".join), max_size=6).map("\n".join)
glued = st.lists(vocabulary_words, max_size=12).map("".join)


@given(
    st.text(max_size=300)
    | scrambled
    | glued
    | st.binary(max_size=300).map(lambda data: data.decode("utf-8", "replace"))
)
@settings(max_examples=1500, deadline=None)
@example("STANDING CANCEL STANDING")
@example("STANDING STANDING DEFEND ALL NOW")
@example("\ud800 ATTACK")
@example("ATTACK Center \u0661\u0666 ASSAULT SEQ ²")
def test_any_text_is_answered(text: str) -> None:
    for vocabulary, facts in ((AXIS, AXIS_TO_MOVE), (SOVIET, SOVIET_WAITS)):
        sheet = read_sheet(text, vocabulary, facts)
        for finding in sheet.findings:
            assert finding.why
            assert finding.remedy
            assert finding.text.isprintable()
            assert finding.line == 0 or finding.column or not finding.text
