"""Countries that give up: at once with their capital, or when a Combat Phase ends (HW-21)."""

from collections.abc import Collection, Sequence

from engine.grand_strategy.events import ArmyEliminated, CountrySurrendered, PointsLost, TermsAnswered, TermsOffered
from engine.grand_strategy.orders import SurrenderTerms
from engine.grand_strategy.politics.nations import fate_of, nation_at, nations_of, places_of_nation, side_of
from engine.grand_strategy.politics.neutrals import join_attacked_countries
from engine.grand_strategy.rules.retreat import leave_or_die
from engine.grand_strategy.state import UNALIGNED, Army
from engine.grand_strategy.war import War
from engine.hitlers_war.europe import ITALIAN, ITALY
from engine.hitlers_war.orders import ITALY_SURRENDER
from engine.hitlers_war.politics.countries import FRANCE, SOVIET_UNION
from engine.hitlers_war.sides import ALLIES, AXIS

GERMANY, BRITAIN = "Germany", "Great Britain"
#: Countries with rules of their own for surrender; all others fall with their capital.
SPECIAL = (GERMANY, FRANCE, BRITAIN, SOVIET_UNION, ITALY)
#: HW-21.9, A-88: whose surrender the armies there do not survive.
ARMIES_DIE_WITH = (FRANCE, BRITAIN)
#: HW-21.4: what goes to the Axis when France falls, and what nobody holds any more.
FALLS_WITH_FRANCE = (FRANCE, "Corsica")
LEFT_BY_FRANCE = ("Morocco", "Algeria", "Tunisia")
#: HW-21.6: what goes to the Axis when Britain falls.
FALLS_WITH_BRITAIN = (
    BRITAIN,
    "North Ireland",
    "Gibraltar",
    "Malta",
    "Egypt",
    "Cyprus",
    "Palestine",
    "Transjordan",
)
#: HW-21.2
ITALIAN_HEXES_LOST = 3
ITALIAN_REMOVALS = {"inf": 5, "mech": 1}


# ------------------------------------------------------------------ at once


def surrender_with_capital(war: War, capital: str, previous: str) -> None:
    """HW-21.7: all that its holder still has of the country goes to the captor of the capital."""
    if falls_with_its_capital(war, capital):
        nation = nation_at(war.board, capital)
        _surrender(war, nation, war.owner(capital), "HW-21.7", places_of_nation(war, nation, previous))
        war.tell_who_holds(nations_of(war.board)[nation])


def falls_with_its_capital(war: War, place: str) -> bool:
    """Whether a country gives up at once when this place is captured."""
    nation = nation_at(war.board, place)
    return war.place(place).capital and nation not in SPECIAL and not war.has_surrendered(nation)


def _surrender(
    war: War, nation: str, captor: str, case: str, places: Sequence[str], released: Sequence[str] = ()
) -> None:
    fate = fate_of(war, nation)
    fate.captor, fate.surrendered = captor, war.state.turn
    leave_or_die(war, (*places, *released), all_die=nation in ARMIES_DIE_WITH)
    devastated = sum(_hand_over(war, place, captor) for place in places)
    for place in released:
        war.give_by_treaty(place, UNALIGNED)
        if nation != GERMANY:  # whose end is the end of all politics
            fate_of(war, nation_at(war.board, place))
    war.emit(CountrySurrendered(nation, captor, case, tuple(places), devastated, tuple(released)))


def _hand_over(war: War, place: str, captor: str) -> int:
    """Returns the points that lie devastated there now; how many of them worked before is not for everybody to know."""
    war.devastate(place)
    devastated = war.ground(place).devastated
    war.give_by_treaty(place, captor, damage=devastated)
    return devastated


def germany_surrenders(war: War, captor: str) -> None:
    """HW-21.1: with Berlin everything the Axis holds becomes unaligned; the war is over."""
    _surrender(war, GERMANY, captor, "HW-21.1", (), war.places_of(AXIS))


# ------------------------------------------------------------------ at the end of a Combat Phase


def surrenders_after_combat(war: War, joined: Collection[str] = ()) -> None:
    """HW-3.6 (d). A country that has just `joined` a side stays in the war until the next phase (A-96)."""
    if war.phasing == AXIS:
        _france(war)
        _britain(war)
        _soviet_union(war)
    if ITALY not in joined:
        _italy(war)


def join_or_surrender(war: War) -> None:
    """HW-3.6 (c), (d)."""
    surrenders_after_combat(war, join_attacked_countries(war))


def _held_by(war: War, side: str, countries: Sequence[str]) -> list[str]:
    return [place for place in war.board.of_country(*countries) if war.owner(place) == side]


def _capitals(war: War, country: str) -> list[str]:
    return [place for place in war.board.of_country(country) if war.place(place).capital]


def _france(war: War) -> None:
    """Paris taken in this phase counts, though it may have been isolated since: its capture is asked for."""
    (paris,) = _capitals(war, FRANCE)
    if paris in war.state.taken and not war.has_surrendered(FRANCE):
        lost, left = _held_by(war, ALLIES, FALLS_WITH_FRANCE), _held_by(war, ALLIES, LEFT_BY_FRANCE)
        _surrender(war, FRANCE, AXIS, "HW-21.4", lost, left)
        war.tell_who_holds(war.board.of_country(*FALLS_WITH_FRANCE, *LEFT_BY_FRANCE))


def _britain(war: War) -> None:
    """Hexes taken in this phase count, though they may have been isolated since: the phase is asked for."""
    fallen = all(war.owner(place) == AXIS or place in war.state.taken for place in _capitals(war, BRITAIN))
    if fallen and not war.has_surrendered(BRITAIN):
        _surrender(war, BRITAIN, AXIS, "HW-21.6", _held_by(war, ALLIES, FALLS_WITH_BRITAIN))
        war.tell_who_holds(war.board.of_country(*FALLS_WITH_BRITAIN))


# ------------------------------------------------------------------ Italy


def _italy(war: War) -> None:
    """HW-21.2: its hexes stay whose they are; the Axis loses points."""
    if side_of(war, ITALY) != AXIS or war.has_surrendered(ITALY):
        return
    lost = [place for place in war.board.of_country(ITALY) if war.owner(place) != AXIS]
    if len(lost) >= ITALIAN_HEXES_LOST:
        captor = war.phasing if war.phasing != AXIS else war.owner(lost[0])
        _surrender(war, ITALY, captor, "HW-21.2", ())
        war.tell_who_holds(war.board.of_country(ITALY))
        _remove_italians(war)


def _remove_italians(war: War) -> None:
    """D-42: from Italian territory as far as possible, by the owner's list, else the Italian Army first."""
    orders = [order for order in war.losses_orders(AXIS) if order.where == ITALY_SURRENDER]
    named = orders[-1].armies if orders else ()
    armies = sorted(war.armies_of(AXIS), key=lambda army: _rank_for_removal(war, army, named))
    lost = _plan_of_removals(armies)
    if lost and not orders:
        remedy = f"STANDING LOSSES {ITALY_SURRENDER} FROM {','.join(lost)} TYPES I"
        war.default_used(AXIS, "D-42", f"the points lost with Italy come from {', '.join(lost)}", remedy)
    for army in armies:
        if army.id in lost:
            _remove(war, army, lost[army.id])


def _plan_of_removals(armies: Sequence[Army]) -> dict[str, dict[str, int]]:
    lost: dict[str, dict[str, int]] = {}
    for kind, count in ITALIAN_REMOVALS.items():
        for army in armies:
            going = min(count, getattr(army, kind))
            if going:
                lost.setdefault(army.id, {})[kind] = going
                count -= going
    return lost


def _rank_for_removal(war: War, army: Army, named: Sequence[str]) -> tuple[bool, int, bool, int, int]:
    in_italy = war.place(army.place).colour == ITALIAN
    order = named.index(army.id) if army.id in named else len(named)
    near = min(war.board.distance(army.place, place) for place in war.board.of_country(ITALY))
    return not in_italy, order, army.id != "ITALY", 0 if in_italy else near, -army.strength


def _remove(war: War, army: Army, lost: dict[str, int]) -> None:
    seen_by, count = war.seeing(army.place), sum(lost.values())
    for kind, going in lost.items():
        army.add(kind, -going)
    if army.strength:
        war.emit(PointsLost(AXIS, army.id, army.place, count, lost, "surrender", seen_by=seen_by))
    else:
        war.remove(army)
        war.emit(ArmyEliminated(AXIS, army.id, army.place, "surrender", count, lost, seen_by=seen_by))


# ------------------------------------------------------------------ the Soviet Union


def _soviet_union(war: War) -> None:
    """HW-21.3: offered once, with all three capitals in Axis hands."""
    if not war.state.terms and all(war.owner(place) == AXIS for place in _capitals(war, SOVIET_UNION)):
        war.state.terms = "offered"
        war.tell_who_holds(_capitals(war, SOVIET_UNION))
        war.emit(TermsOffered())


def _answer(war: War) -> str:
    """The last word of the sheet, else the standing order."""
    given = [line.order.answer for line in war.lines_of(SurrenderTerms)]
    given = given or [order.answer for order in war.standing(AXIS, SurrenderTerms)]
    return given[-1] if given else ""


def refuse_answers_in_vain(war: War) -> None:
    for line in war.lines_of(SurrenderTerms):
        if war.phasing != AXIS:
            war.refuse(line, "only the Axis answers the Soviet Union (HW-21.3)", "leave the line away")
        elif war.state.terms:
            war.refuse(
                line, f"the Soviet terms were {war.state.terms}, and they are offered once", "leave the line away"
            )


def terms_are_offered(war: War) -> bool:
    return war.state.terms == "offered"


def terms_wait_for_an_answer(war: War) -> bool:
    return not _answer(war)


def answer_terms(war: War) -> None:
    """D-41: asked once; no answer in time accepts."""
    answer = _answer(war)
    if not answer:
        war.default_used(AXIS, "D-41", "the Soviet surrender is accepted", "STANDING SURRENDER-TERMS REFUSE")
    accepted = answer != "REFUSE"
    war.state.terms = "accepted" if accepted else "refused"
    if accepted:
        fate = fate_of(war, SOVIET_UNION)
        fate.captor, fate.surrendered = AXIS, war.state.turn
    with war.carrying_out(*war.lines_of(SurrenderTerms)[-1:]):
        war.emit(TermsAnswered(accepted))
