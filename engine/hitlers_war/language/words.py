"""Every word of the order language with a line of help, for replies, help texts and the manual."""

from functools import cache

from msgspec.structs import replace

from engine.language.words import Language, Verb

LEVELS = {
    1: "Barbarossa",
    2: "The Fall of Germany",
    3: "Campaign I",
    4: "Campaign II",
    5: "the optional rules",
}

#: What each level consists of, for replies to orders that need more.
WHAT_THERE_IS = {
    1: "Barbarossa has armies of infantry (I) and mechanized (M) on land, and nothing else",
    2: "The Fall of Germany has infantry (I), mechanized (M), amphibious points (A) and forts (F), on land and by sea",
    3: "Campaign I has infantry (I), mechanized (M), amphibious points (A) and forts (F), at sea and in politics",
}

SECTIONS = ("STRATEGIC", "MOVE", "COMBAT", "EXPLOIT", "PRODUCTION", "RESEARCH", "STANDING")
HEADINGS = ("GAME", "TURN", "SIDE")

#: A case of the rulebook, an ambiguity that was settled, or a decision that is a player's.
CASE_NUMBER = r"HW-\d+(?:\.\d+)?|[AD]-\d+"

#: Orders that may stand.
MAY_STAND = (
    "DEFEND",
    "LOSSES",
    "RETREAT",
    "NAVALFIRE",
    "COASTAL",
    "LENDLEASE",
    "SURRENDER-TERMS",
    "GIFT",
    "ADOPT",
)


def _by_word(*verbs: Verb) -> dict[str, Verb]:
    return {verb.word: replace(verb, may_stand=verb.word in MAY_STAND) for verb in verbs}


VERBS = _by_word(
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
    Verb("DEFEND", "STANDING DEFEND ALL NOW", "say when defensive assaults are made", "D-13, HW-8.5"),
    Verb("LOSSES", "LOSSES Q16 FROM West,Fourth TYPES I,M", "say which points are lost first", "D-11, D-12, HW-8.12"),
    Verb("RETREAT", "STANDING RETREAT ALL TOWARD P10", "say where beaten armies go", "D-18, HW-9.9"),
    # production
    Verb("BUILD", "BUILD 2M P10 OR O10 NEW B", "buy strength points", "D-33, HW-11.4"),
    Verb("REPAIR", "REPAIR N15 1", "restore devastated production", "D-33, HW-11.5"),
    # about standing orders
    Verb("STANDING", "STANDING DEFEND Q16 HOLD", "keep a policy in force until it is cancelled", "D-13, D-18"),
    Verb("CANCEL", "CANCEL DEFEND Q16 HOLD", "end one standing order", "D-13, D-18"),
    # words of later scenarios
    Verb("DEPLOY", "DEPLOY North Q13 5I 2M", "put points of the pool on the map before the war", "D-01, HW-16.1", 2),
    Verb("CONVERT", "CONVERT 2A Britain", "turn amphibious points into infantry", "D-05, HW-6.7", 2),
    Verb("SHIP", "SHIP 2I Britain -> 5th VIA ATL,MED", "move points by sea", "D-06, HW-12.5", 2),
    Verb("ROUTE", "ROUTE Britain P7 P6 O5", "fix a sea route", "D-06, HW-12.1", 2),
    Verb("INVADE", "INVADE 5th I11 FROM H10 ASSAULT", "land from the sea", "D-25, HW-13.3", 2),
    Verb("NAVALFIRE", "STANDING NAVALFIRE INVASIONS AT BIGGEST", "say whom the navy fires at", "D-26, HW-13.8", 2),
    Verb("COASTAL", "STANDING COASTAL S7 AT BIGGEST", "say whom coastal air fires at", "D-27, HW-13.12", 2),
    Verb("SUPPORT", "SUPPORT S7", "naval support of a landing", "D-29, HW-13.11", 2),
    Verb("FORT", "FORT N9 2", "build forts", "D-33, HW-14.1", 2),
    Verb("DISMANTLE", "DISMANTLE FORT 3", "give up a fort", "D-33, HW-14.2", 2),
    Verb("LENDLEASE", "LENDLEASE U18 2", "give production points to the Soviets", "D-38, HW-17.2", 2),
    Verb("VIOLATE", "VIOLATE Spain", "confirm a first attack on an unaligned country", "D-40, HW-19.2", 3),
    Verb("SURRENDER-TERMS", "SURRENDER-TERMS ACCEPT", "answer the Soviet offer of surrender", "D-41, HW-21.3", 3),
    Verb("GIFT", "GIFT RUMANIA L14 Rumania", "place the forces of a new ally", "D-43, HW-20.4", 3),
    Verb("ADOPT", "STANDING ADOPT US AS C", "name the counter of an army that changes over", "D-45, HW-19.7", 3),
    Verb("SAIL", "SAIL 3S", "send ships or U-boats to sea", "D-09", 4),
    Verb("DOCK", "DOCK ALL S", "call ships or U-boats into port", "D-09", 4),
    Verb("BUY", "BUY 1U", "buy what is not in an army", "D-33, D-72", 4),
    Verb("SHIPPING", "SHIPPING 2", "raise the capacity of the Atlantic", "D-33", 4),
    Verb("PARTISAN", "PARTISAN L11", "pay for a rising", "D-37", 4),
    Verb("USBUILD", "USBUILD US 6I", "fill the quota of the United States", "D-36", 4),
    Verb("RESERVE", "RESERVE 4 RESEARCH", "keep money back for research", "D-47", 4),
    Verb("RESEARCH", "RESEARCH mech 2", "pay for research", "D-47", 4),
    Verb("ROLL", "ROLL mech", "roll for research", "D-48", 4),
    Verb("HOLD", "HOLD abomb", "leave research for later", "D-48", 4),
    Verb("RAID", "RAID AXIS 7B INDUSTRY", "send bombers", "D-49", 4),
    Verb("BOMB", "BOMB N10,O10", "choose what is bombed", "D-50", 4),
    Verb("LOSE-CARRIERS", "LOSE-CARRIERS", "lose the bombers that carry atomic bombs first", "D-51", 4),
    Verb("LAUNCH", "LAUNCH Missile1 4R INDUSTRY P8", "fire missiles", "D-52", 4),
    Verb("ESCORT-AGAINST", "ESCORT-AGAINST SOVIET", "choose whose air defence escorts meet", "D-54", 4),
    Verb("LEADER", "LEADER DRAW MAX", "leaders", "D-56", 5),
    Verb("HOMEFORCE", "HOMEFORCE Spain J4 2", "place the home forces of a neutral", "D-44", 5),
    Verb("HOME", "HOME Spain J4 -> K4 1I", "move home forces", "D-44", 5),
    Verb("ITALY", "ITALY L9", "make good the Italian army", "D-35", 5),
    Verb("PORT", "PORT British1 U7 5S", "starting ports", "D-04", 5),
    Verb("FLEET", "FLEET British1 TO T7 SEA", "sail a fleet on the map", "D-60", 5),
    Verb("HOMEPORT", "HOMEPORT British1 U7,P6", "ports of return", "D-59", 5),
    Verb("INTERCEPT", "INTERCEPT British1 ALWAYS", "when a fleet intercepts", "D-63", 5),
    Verb("SUPPORT-ORDER", "SUPPORT-ORDER British3,British2", "which fleet is met first", "D-64", 5),
    Verb("CHASE", "CHASE ALL AT BIGGEST", "hunt raiders", "D-66", 5),
)

#: Words that stand inside an order, or on a line of their own without being an order.
WORDS = {
    "ALWAYS": "in LENDLEASE: through any open depot, every turn while it stands",
    "ACCEPT": "agree to the Soviet terms: no more attacks between the Axis and the Soviets",
    "REFUSE": "decline the Soviet terms; they are never offered again",
    "AS": "before the counter an army takes",
    "ASSAULT": "the army fires at the target (once a player-turn)",
    "ASSAULT-IF": "it fires if the tests hold when its turn to fire comes",
    "SAVE": "it keeps its shot for a later step",
    "ADVANCE": "the army tries to enter the target; with IF only if the tests hold at that moment",
    "ADVANCE-IF": "the same as ADVANCE IF",
    "NOADVANCE": "it stays where it is; the same as not writing ADVANCE",
    "SEQ": "a number that puts the attacks in order, lowest first",
    "AFTER": "wait for the line of another army",
    "RETURN": "a step back into the hex the army last advanced from",
    "STOP-IF": "end the exploitation before a step if the tests hold",
    "NOW": "fire at the first chance",
    "HOLD": "keep the shot until the hex would otherwise be entered with RANGE>=5",
    "NEVER": "do not fire",
    "EXPLOIT-ONLY": "fire at exploiting armies only",
    "FROM": "the armies points are taken from",
    "TYPES": "the types of points, first to go first",
    "TO": "where to: the first legal hex of a list, or the army that receives",
    "TOWARD": "the legal hex nearest to a hex",
    "AVOID": "any hex but these, if there is a choice",
    "DIE": "do not retreat; heeded only where no retreat is possible anyway",
    "BY": "the army that leaves an overstacked hex",
    "INTO": "the army that takes over the points",
    "NEW": "start an army that is not on the map",
    "OR": "the next hex if the one before cannot be used",
    "ANY": "the fullest production hex that has room",
    "MAX": "as many as the money buys",
    "ALL": "every army; in place of a number, all points of that type",
    "IF": "only if the tests hold when the line is carried out",
    "AND": "joins tests that must all hold",
    "RANGE": "test: the highest die with which the advance would succeed, 0 to 6",
    "DEF": "test: the strength that defends the target, or a hex named after it",
    "STR": "test: the strength the army would fire with",
    "MECH": "test: mechanized points of the army",
    "LOSS": "test: points the army lost this player-turn",
    "PP": "test: production points left to spend",
    "ATTACKERS": "test: armies that attack the hex",
    "EMPTY": "test: no army in the target",
    "OCCUPIED": "test: an army in the target",
    "FRIENDLY": "test: the target is yours by now",
    "FORT": "test: a fort in the target (never so in Barbarossa)",
    "WINTER": "test: it is a winter turn",
    "TAKEN": "test: the hex was captured this player-turn",
    "NOT": "before TAKEN: the hex was not captured",
    "ROLLED": "test: the army has advanced successfully this player-turn",
    "VIA": "the seas points cross, or the places a landing's route touches",
    "INVADERS": "fire at armies that land, rather than at land attackers",
    "LAND": "keep the shot for land attackers where both come",
    "INVASIONS": "in NAVALFIRE: fire at armies on their way to a landing",
    "AT": "before the army that is fired at, BIGGEST or MOSTAMPH",
    "BIGGEST": "the army with the most points",
    "MOSTAMPH": "the army with the most amphibious points",
    "SPREAD": "the army that was fired at least often",
    "UNTIL": "UNTIL AMPH=0: leave an army alone once it has no amphibious points, if another is in reach",
    "AMPH": "amphibious points, in UNTIL AMPH=0",
    "RESERVE": "in NAVALFIRE: keep so many fires for one army",
    "FOR": "in NAVALFIRE RESERVE: before that army",
    "NONE": "SUPPORT NONE: the navy supports no landing",
    "CLEAR": "STANDING CLEAR ends all standing orders",
    "GAME": "in a heading: the number of the game",
    "TURN": "in a heading: season and year",
    "SIDE": "in a heading: the side",
    "END": "stop reading here",
    **{section: "a heading; see sections" for section in SECTIONS if section not in VERBS},
}

#: Words inside an order that need a later scenario, with its level and what they are about.
LATER_WORDS = {
    "DROP": (4, "paratroops"),
    "DROP-KEEP": (4, "paratroops"),
    "AIR": (4, "tac air"),
    "INVADERS": (2, "invasions"),
    "LAND": (2, "invasions"),
    "CONVOY": (4, "sea transport"),
    "MOVES": (4, "fleets at sea"),
    "ITALY-SURRENDER": (3, "the surrender of Italy"),
    "NOTUS": (4, "the quota of the United States"),
    "VIA": (2, "sea routes"),
    "ESCORT": (5, "fleets on the map"),
}

#: Letters of points that Barbarossa does not have, with their level and name.
LATER_POINTS = {
    "T": (4, "tac air"),
    "P": (4, "paratroops"),
    "A": (2, "amphibious points"),
    "F": (2, "forts"),
    "S": (4, "ships"),
    "C": (5, "carriers"),
    "U": (4, "U-boats"),
    "W": (4, "anti-submarine forces"),
    "D": (4, "air defence"),
    "B": (4, "bombers"),
    "E": (4, "escorts"),
    "R": (4, "missiles"),
    "X": (4, "atomic bombs"),
    "H": (4, "shipping"),
}

#: Words that are no orders of a sheet, with what to do instead.
ELSEWHERE = {
    "OPTION": "Options are settled by the game master when the game is set up",
    "STARTCOST": "Starting costs are settled by the game master when the game is set up",
    "CONCEDE": "Mail the word CONCEDE on its own; it is a message to the referee, not an order",
    "OFFER": "Mail the word DRAW on its own; it is a message to the referee, not an order",
}

#: What players write when they mean another word.
MEANT = {
    "MOVE": "GOTO",
    "TRANSFER": "XFER",
    "MERGE": "DISBAND",
    "ASSAULT": "ATTACK",
    "ADVANCE": "ATTACK",
    "CREATE": "FORM",
    "RECRUIT": "BUILD",
    "PRODUCE": "BUILD",
    "MARCH": "GOTO",
    "DECLARE": "VIOLATE",
    "WAR": "VIOLATE",
    "TERMS": "SURRENDER-TERMS",
    "ACCEPT": "SURRENDER-TERMS ACCEPT",
    "REFUSE": "SURRENDER-TERMS REFUSE",
    "GAME": "a heading such as GAME 17 TURN Summer 1941 SIDE Axis",
    "TURN": "a heading such as GAME 17 TURN Summer 1941 SIDE Axis",
    "SIDE": "a heading such as GAME 17 TURN Summer 1941 SIDE Axis",
}


@cache
def language_at(level: int) -> Language:
    """The order language of the scenarios of a level: the words of higher levels are known and refused."""
    return Language(
        tuple(VERBS.values()),
        level,
        LEVELS,
        WHAT_THERE_IS.get(level, ""),
        SECTIONS,
        HEADINGS,
        place=r"[A-X]\d{1,2}",
        amount=r"\d{1,2}[A-Z]",
        case_number=CASE_NUMBER,
        elsewhere=ELSEWHERE,
        meant=MEANT,
    )


def usage(word: str) -> str:
    return language_at(1).usage(word)


def later(word: str, level: int) -> str:
    """Why a word of a later scenario is refused."""
    return language_at(1).later_than(word, level)
