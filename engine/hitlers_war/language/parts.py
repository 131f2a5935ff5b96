"""The words that each part of the rules brings to the orders.

A scenario is played by some of the parts, and its language has their words (`language_of` in words.py). The words of
the other parts are known: who writes one is told where it belongs.
"""

from engine.grand_strategy.language.words import Part
from engine.hitlers_war.orders import ITALY_SURRENDER
from engine.language.words import Verb


def _policy(word: str, usage: str, what: str, case: str) -> Verb:
    return Verb(word, usage, what, case, may_stand=True)


LAND = Part(
    "level 1: Barbarossa",
    verbs=(
        # set-up and movement
        Verb("DEVASTATE-FRANCE", "DEVASTATE-FRANCE M8 L8 N8", "choose the French points out of use", "D-02, HW-15.2"),
        Verb("SET", "SET Center O14 2I 8M", "say where an army ends and what it then holds", "D-05, HW-6.1"),
        Verb("GOTO", "GOTO West P11", "move a whole army", "D-05, HW-6.2"),
        Verb("XFER", "XFER 1I 3M South -> West", "hand points from one army to another", "D-05, HW-6.4"),
        Verb("FORM", "FORM B O12 5I FROM South", "put a new army on the map", "D-05, HW-6.4"),
        Verb("DISBAND", "DISBAND OKW INTO West", "take an army off the map", "D-05, HW-1.3"),
        # combat
        Verb("ATTACK", "ATTACK Center Q16 ASSAULT ADVANCE IF RANGE>=3", "announce an attack", "D-10, HW-8.4"),
        Verb(
            "EXPLOIT",
            "EXPLOIT Center P15 Q16:ASSAULT-IF RANGE<4 STOP-IF RANGE<3",
            "go on after a successful advance",
            "D-22, HW-8.7",
        ),
        Verb("UNSTACK", "UNSTACK Q15 BY Center TO Q14", "cure an overstack", "D-20, HW-9.13"),
        # policies
        _policy("DEFEND", "STANDING DEFEND ALL NOW", "say when defensive assaults are made", "D-13, HW-8.5"),
        _policy(
            "LOSSES", "LOSSES Q16 FROM West,Fourth TYPES I,M", "say which points are lost first", "D-11, D-12, HW-8.12"
        ),
        _policy("RETREAT", "STANDING RETREAT ALL TOWARD P10", "say where beaten armies go", "D-18, HW-9.9"),
        # production
        Verb("BUILD", "BUILD 2M P10 OR O10 NEW B", "buy strength points", "D-33, HW-11.4"),
        Verb("REPAIR", "REPAIR N15 1", "restore devastated production", "D-33, HW-11.5"),
        # about standing orders
        Verb("STANDING", "STANDING DEFEND Q16 HOLD", "keep a policy in force until it is cancelled", "D-13, D-18"),
        Verb("CANCEL", "CANCEL DEFEND Q16 HOLD", "end one standing order", "D-13, D-18"),
    ),
    what_there_is="Barbarossa has armies of infantry (I) and mechanized (M) on land, and nothing else",
)

SEA = Part(
    "level 2: The Fall of Germany",
    verbs=(
        Verb("DEPLOY", "DEPLOY North Q13 5I 2M", "put points of the pool on the map before the war", "D-01, HW-16.1"),
        Verb("CONVERT", "CONVERT 2A Britain", "turn amphibious points into infantry", "D-05, HW-6.7"),
        Verb("SHIP", "SHIP 2I Britain -> 5th VIA ATL,MED", "move points by sea", "D-06, HW-12.5"),
        Verb("ROUTE", "ROUTE Britain P7 P6 O5", "fix a sea route", "D-06, HW-12.1"),
        Verb("INVADE", "INVADE 5th I11 FROM H10 ASSAULT", "land from the sea", "D-25, HW-13.3"),
        _policy("NAVALFIRE", "STANDING NAVALFIRE INVASIONS AT BIGGEST", "say whom the navy fires at", "D-26, HW-13.8"),
        _policy("COASTAL", "STANDING COASTAL S7 AT BIGGEST", "say whom coastal air fires at", "D-27, HW-13.12"),
        Verb("SUPPORT", "SUPPORT S7", "naval support of a landing", "D-29, HW-13.11"),
        Verb("FORT", "FORT N9 2", "build forts", "D-33, HW-14.1"),
        Verb("DISMANTLE", "DISMANTLE FORT 3", "give up a fort", "D-33, HW-14.2"),
        _policy("LENDLEASE", "LENDLEASE U18 2", "give production points to the Soviets", "D-38, HW-17.2"),
    ),
    what_there_is=(
        "The Fall of Germany has infantry (I), mechanized (M), amphibious points (A) and forts (F), on land and by sea"
    ),
    words={"INVADERS": "invasions", "LAND": "invasions", "VIA": "sea routes"},
    points={"A": "amphibious points", "F": "forts"},
)

POLITICS = Part(
    "level 3: Campaign I",
    verbs=(
        Verb("VIOLATE", "VIOLATE Spain", "confirm a first attack on an unaligned country", "D-40, HW-19.2"),
        _policy("SURRENDER-TERMS", "SURRENDER-TERMS ACCEPT", "answer the Soviet offer of surrender", "D-41, HW-21.3"),
        _policy("GIFT", "GIFT RUMANIA L14 Rumania", "place the forces of a new ally", "D-43, HW-20.4"),
        _policy("ADOPT", "STANDING ADOPT US AS C", "name the counter of an army that changes over", "D-45, HW-19.7"),
    ),
    what_there_is=(
        "Campaign I has infantry (I), mechanized (M), amphibious points (A) and forts (F), at sea and in politics"
    ),
    words={ITALY_SURRENDER: "the surrender of Italy"},
    wheres=(ITALY_SURRENDER,),
)

STRATEGIC_WAR = Part(
    "level 4: Campaign II",
    verbs=(
        Verb("SAIL", "SAIL 3S", "send ships or U-boats to sea", "D-09"),
        Verb("DOCK", "DOCK ALL S", "call ships or U-boats into port", "D-09"),
        Verb("BUY", "BUY 1U", "buy what is not in an army", "D-33, D-72"),
        Verb("SHIPPING", "SHIPPING 2", "raise the capacity of the Atlantic", "D-33"),
        Verb("PARTISAN", "PARTISAN L11", "pay for a rising", "D-37"),
        Verb("USBUILD", "USBUILD US 6I", "fill the quota of the United States", "D-36"),
        Verb("RESERVE", "RESERVE 4 RESEARCH", "keep money back for research", "D-47"),
        Verb("RESEARCH", "RESEARCH mech 2", "pay for research", "D-47"),
        Verb("ROLL", "ROLL mech", "roll for research", "D-48"),
        Verb("HOLD", "HOLD abomb", "leave research for later", "D-48"),
        Verb("RAID", "RAID AXIS 7B INDUSTRY", "send bombers", "D-49"),
        Verb("BOMB", "BOMB N10,O10", "choose what is bombed", "D-50"),
        Verb("LOSE-CARRIERS", "LOSE-CARRIERS", "lose the bombers that carry atomic bombs first", "D-51"),
        Verb("LAUNCH", "LAUNCH Missile1 4R INDUSTRY P8", "fire missiles", "D-52"),
        Verb("ESCORT-AGAINST", "ESCORT-AGAINST SOVIET", "choose whose air defence escorts meet", "D-54"),
    ),
    words={
        "DROP": "paratroops",
        "DROP-KEEP": "paratroops",
        "AIR": "tac air",
        "CONVOY": "sea transport",
        "MOVES": "fleets at sea",
        "NOTUS": "the quota of the United States",
    },
    points={
        "T": "tac air",
        "P": "paratroops",
        "S": "ships",
        "U": "U-boats",
        "W": "anti-submarine forces",
        "D": "air defence",
        "B": "bombers",
        "E": "escorts",
        "R": "missiles",
        "X": "atomic bombs",
        "H": "shipping",
    },
)

OPTIONS = Part(
    "level 5: the optional rules",
    verbs=(
        Verb("LEADER", "LEADER DRAW MAX", "leaders", "D-56"),
        Verb("HOMEFORCE", "HOMEFORCE Spain J4 2", "place the home forces of a neutral", "D-44"),
        Verb("HOME", "HOME Spain J4 -> K4 1I", "move home forces", "D-44"),
        Verb("ITALY", "ITALY L9", "make good the Italian army", "D-35"),
        Verb("PORT", "PORT British1 U7 5S", "starting ports", "D-04"),
        Verb("FLEET", "FLEET British1 TO T7 SEA", "sail a fleet on the map", "D-60"),
        Verb("HOMEPORT", "HOMEPORT British1 U7,P6", "ports of return", "D-59"),
        Verb("INTERCEPT", "INTERCEPT British1 ALWAYS", "when a fleet intercepts", "D-63"),
        Verb("SUPPORT-ORDER", "SUPPORT-ORDER British3,British2", "which fleet is met first", "D-64"),
        Verb("CHASE", "CHASE ALL AT BIGGEST", "hunt raiders", "D-66"),
    ),
    words={"ESCORT": "fleets on the map"},
    points={"C": "carriers"},
)

#: In the order of the rulebook.
PARTS = (LAND, SEA, POLITICS, STRATEGIC_WAR, OPTIONS)
