"""From what a sheet would come to by the rules to what is drawn of it."""

from engine.hitlers_war.drafted import Attack, Drafted, Landing
from pbem.draw.plan import Assault, Leg, Move, Newcomer, Plan, Retreat, Violation, Voyage
from pbem.games.hitlers_war.brief import works_by_place
from pbem.games.hitlers_war.names import as_in_orders


def plan_of(drafted: Drafted) -> Plan:
    return Plan(
        drafted.side,
        drafted.turn,
        drafted.armies,
        moves=[Move(each.origin, each.place) for each in drafted.moves],
        assaults=[_assault(each) for each in drafted.attacks],
        legs=[Leg(each.army, each.number, each.origin, each.place, each.open) for each in drafted.steps],
        retreats=[Retreat(each.origin, each.place, each.number, each.avoided) for each in drafted.retreats],
        voyages=[*(Voyage(each.places) for each in drafted.voyages), *map(_voyage, drafted.landings)],
        deployed=list(drafted.deployed),
        pool=drafted.pool,
        bombarded=[each.place for each in drafted.supports],
        given_up=[each.place for each in drafted.given_up],
        newcomers=[Newcomer(each.army, each.place, each.country, each.points) for each in drafted.newcomers],
        violations=[Violation(each.country, each.places) for each in drafted.violations],
        works=works_by_place(drafted.works),
        untold=[as_in_orders(each.order) for each in drafted.in_words],
    )


def _assault(attack: Attack) -> Assault:
    return Assault(
        attack.army,
        attack.origin,
        attack.target,
        fires=attack.fires != "no",
        advances=attack.advances != "no",
        fires_if=attack.fires == "perhaps",
        advances_if=attack.advances == "perhaps",
    )


def _voyage(landing: Landing) -> Voyage:
    return Voyage(landing.places, landing.army, landing.fires != "no", landing.fires == "perhaps")
