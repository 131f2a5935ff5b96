"""Every word of the order language with a line of help, for replies, help texts and the manual."""

import re

from engine.grand_strategy.language import words
from engine.grand_strategy.language.words import Idiom, OrderLanguage, Part, Samples
from engine.hitlers_war.language.composing import COMPOSERS
from engine.hitlers_war.language.parts import PARTS

SECTIONS = ("STRATEGIC", "MOVE", "COMBAT", "EXPLOIT", "PRODUCTION", "RESEARCH", "STANDING")
HEADINGS = ("GAME", "TURN", "SIDE")

#: A case of the rulebook, an ambiguity that was settled, or a decision that is a player's.
CASE_NUMBER = r"HW-\d+(?:\.\d+)?|[AD]-\d+"

VERBS = {verb.word: verb for part in PARTS for verb in part.verbs}

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


_OF_INFANTRY = r"INF(?:ANTRY)?"
_OF_MECH = r"(?:MECH(?:ANI[SZ]ED)?|PANZERS?|TANKS?|ARMOU?R)"
_OF_AMPH = r"AMPH(?:IBIOUS)?"
_TEST = r"(RANGE|DEF|STR|MECH|LOSS|PP|ATTACKERS) (?:IS )?"
_SAID = (
    *((rf"\b(\d+|ALL) (?:THE )?{said}(?: POINTS?)?\b", rf"\1{letter}") for said, letter in (
        (_OF_INFANTRY, "I"), (_OF_MECH, "M"), (_OF_AMPH, "A"),
    )),
    *((rf"\bMAX(?:IMUM)? {said}\b", f"MAX {letter}") for said, letter in (
        (_OF_INFANTRY, "I"), (_OF_MECH, "M"), (_OF_AMPH, "A"),
    )),
    (rf"\b{_OF_INFANTRY} FIRST,? (?:AND )?(?:THEN )?{_OF_MECH}\b", "TYPES I,M"),
    (rf"\b{_OF_MECH} FIRST,? (?:AND )?(?:THEN )?{_OF_INFANTRY}\b", "TYPES M,I"),
    (rf"{_TEST}(?:AT LEAST|NOT LESS THAN|>=) ?(\d+)", r"\1>=\2"),
    (rf"{_TEST}(?:AT MOST|NOT MORE THAN|<=) ?(\d+)", r"\1<=\2"),
    (rf"{_TEST}(\d+) OR (?:MORE|BETTER|HIGHER|ABOVE)\b", r"\1>=\2"),
    (rf"{_TEST}(\d+) OR (?:LESS|WORSE|LOWER|BELOW)\b", r"\1<=\2"),
    (rf"{_TEST}(?:MORE|GREATER|HIGHER|BETTER) THAN (\d+)", r"\1>\2"),
    (rf"{_TEST}(?:LESS|LOWER|SMALLER|BELOW) (?:THAN )?(\d+)", r"\1<\2"),
    (r"\b(?:BUT |AND )?(?:WITHOUT (?:AN? )?ADVANC(?:E|ING)|NO ADVANCE|(?:DO(?:ES)? NOT|DO(?:ES)?N'T) ADVANCE)\b", ""),
    (r"\bALL (?:OF )?(?:MY |OUR |THE )?(?:ARMIES|TROOPS|UNITS|FORCES)\b|\bEVERY(?:BODY|ONE| ARMY)\b", "ALL"),
    (r"\bEVERYTHING\b", "ALL"),
    (r"\bANGRIFF\b", "ATTACK"),
    (r"\bFUR NEUE ARMEE:? (?:NEW )?", "NEW "),
    (r"\bLEND-LEASE\b", "LENDLEASE"),
    (r"\bCENTRE\b", "CENTER"),
    (r"(?<![\w'])([A-X]) (\d{1,2})(?!\w)", r"\1\2"),
    (r"\bDEVASTATE FRANCE\b", "DEVASTATE-FRANCE"),
    (r"\b(?:AS |FOR )?(?:AN? |THE )?NEW ARMY\b|\b(?:AS|FOR) NEW\b", "NEW"),
    (r",? (?:OR )?ELSE\b", " OR"),
    (r"\b(ASSAULT|ADVANCE)S\b", r"\1"),
    (r"\b(?:GO|GOES|MARCH|MARCHES) TO\b", "GOTO"),
    (r"\b(?:HAND|HANDS|GIVE|GIVES|SEND|SENDS) (?:OVER )?(?=\d)", "XFER "),
)  # fmt: skip
#: What players say, with what is written for it; from the top down.
SPOKEN = tuple((re.compile(said), written) for said, written in _SAID)
#: What the sides are called in talk.
PEOPLES = {
    **dict.fromkeys(("GERMAN", "GERMANS", "AXIS", "NAZIS", "HITLER", "WEHRMACHT"), "axis"),
    **dict.fromkeys(("SOVIET", "SOVIETS", "RUSSIAN", "RUSSIANS", "REDS", "STALIN"), "soviet"),
    **dict.fromkeys(("ALLIES", "ALLIED", "BRITISH", "AMERICANS", "CHURCHILL"), "allies"),
}
#: Words inside an order that belong to the name behind them.
BEFORE_NAMES = frozenset({"AFTER", "NEW", "AVOID", "TOWARD", "TOWARDS", "VIA", "ROLLED", "TAKEN"})

_HEX = re.compile(r"[A-Z]\d{1,2}")
#: What may follow in the orders of this game alone.
_OFFERED = (
    (re.compile(r"^LENDLEASE +\d+ *$"), "U18, M20 or ALWAYS before the number"),
    (re.compile(r"(?<![\w-])LENDLEASE +\S+ *$"), "a number"),
    (re.compile(r"^LENDLEASE *$"), "a depot such as U18, or ALWAYS"),
)

IDIOM = Idiom(
    PARTS,
    SECTIONS,
    HEADINGS,
    place=r"[A-X]\d{1,2}",
    hex=_HEX,
    amount=r"\d{1,2}[A-Z]",
    case_number=CASE_NUMBER,
    samples=Samples(
        hex="Q16",
        hex_is="letter and number",
        two_hexes=("P14", "P13"),
        build_hex="P10",
        sea="ATL",
        country="Spain",
        newcomer="Rumania",
        changes_over="Italy or United States",
    ),
    grammar=("hitlers_war", "language", "orders.lark"),
    composers=COMPOSERS,
    offered=_OFFERED,
    elsewhere=ELSEWHERE,
    meant=MEANT,
    inside=frozenset((*WORDS, "STOP", "TOWARDS", "I", "M", "A", "F")),
    before_names=BEFORE_NAMES,
    spoken=SPOKEN,
    peoples=PEOPLES,
)


def language_of(*parts: Part) -> OrderLanguage:
    """The language of a scenario that is played by these parts of the rules, the latest of them last."""
    return words.language_of(IDIOM, *parts)
