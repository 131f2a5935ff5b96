"""The rules by mail, from two pages of `docs/`: one tells them, the other has the tables.

The first has a chapter for each part of the rulebook, and in it an entry for each case.
A chapter whose title begins with no number, such as the game in five minutes, is a lesson; HELP names the lessons.
"""

from collections.abc import Iterator
from itertools import takewhile

from pbem.words import manual
from pbem.words.manual import Chapter, Docs, chapters_of
from pbem.words.wording import fold, labelled, listed, underlined

TABLES = "Tables"
CHAPTER = 2
MOST_POINTERS = 8
#: In the list of chapters, where their titles begin.
BESIDE_THE_NUMBER = 10


# ------------------------------------------------------------------ one rule


def rule(docs: Docs, number: str) -> str:
    """The entry of a case, or the whole chapter of that number, for which `9.16` will do; empty if there is none."""
    wanted = number.upper()
    for at, one in enumerate(chapters_of(docs.rules)):
        if wanted and (_number(one) == wanted or _number(one).endswith(f"-{wanted}")):
            return _told(docs.rules, at)
    return ""


def cases(docs: Docs) -> dict[str, str]:
    """Every case that has an entry, or a chapter of its own without entries, and what is sent of it."""
    flat = chapters_of(docs.rules)
    return {_number(one): _told(docs.rules, at) for at, one in enumerate(flat) if _number(one) and not one.parts}


def known_cases(docs: Docs) -> list[str]:
    """All numbers that RULES answers."""
    return sorted({*manual.known_cases(docs), *cases(docs)}, key=manual.in_order)


def answer(docs: Docs, asked: str) -> str:
    """What RULES answers: the rule, then how the rulebook is read there, then where its orders are told."""
    told = rule(docs, asked)
    if not any(map(str.isdigit, asked)):
        return ""
    if not told:
        return "\n\n".join([*manual.passages(docs, asked), *_named_by(docs, asked)])
    number = told.partition(" ")[0]
    readings = _readings(docs, number, told)
    if readings:
        readings = ["How the referee reads the rulebook:", *readings]
    return "\n\n".join([told.strip("\n"), *readings, *_how_to_order(docs, number)])


def _readings(docs: Docs, number: str, told: str) -> list[str]:
    """The rulings that name the case, and those the rule itself names."""
    rulings = docs._replace(orders="")
    named = [case for case in manual.cases_in(docs, told) if not rule(docs, case)]
    found = [passage for case in (*named, number) for passage in manual.passages(rulings, case)]
    return list(dict.fromkeys(found))[: manual.MOST_PASSAGES]


def _how_to_order(docs: Docs, number: str) -> list[str]:
    chapters = manual.where_ordered(docs, number)[: manual.MOST_PASSAGES]
    return [fold(f"Orders: {listed(f'HELP {name}' for name in chapters)}.")] if chapters else []


def _named_by(docs: Docs, asked: str) -> list[str]:
    """Of a ruling: the rules that send their readers to it."""
    naming = [number for number, told in cases(docs).items() if asked.upper() in manual.cases_in(docs, told)]
    return [fold(f"It belongs to {listed(f'RULES {number}' for number in naming)}.")] if naming else []


# ------------------------------------------------------------------ chapters


def chapter(docs: Docs, topic: str) -> str:
    """A chapter by its title or number, with all its entries; the first lesson also lists the chapters."""
    if docs.tables and topic.casefold() == TABLES.casefold():
        return "\n".join(_set(one, "-") for one in chapters_of(docs.tables)[1:])
    for page in (docs.rules, docs.tables):
        for at, one in enumerate(chapters_of(page)):
            if one.level == CHAPTER and topic.casefold() in _called(one):
                return _told(page, at) + (_contents(docs) if one.name in lessons(docs)[:1] else "")
    return ""


def introduction(docs: Docs) -> str:
    """The first lesson."""
    first = lessons(docs)[:1]
    return chapter(docs, first[0]) if first else ""


def lessons(docs: Docs) -> list[str]:
    return [one.name for one in chapters_of(docs.rules) if one.level == CHAPTER and not _number(one)]


def lessons_in_words(docs: Docs) -> list[str]:
    """What a newcomer may ask for, each with what it is."""
    told = [one for one in chapters_of(docs.rules) if one.level == CHAPTER and not _number(one)]
    asked = [f"HELP {one.title.upper().partition('(')[0]}({one.title.partition('(')[2]}" for one in told]
    tables = [f"HELP {TABLES.upper()} (all numbers)"] if docs.tables else []
    return [*asked, *tables, f"RULES {docs.example} (a single rule)"] if told else []


def pointers(docs: Docs, topic: str) -> str:
    """Rules and tables with the topic in their titles, unless it is the title of a chapter itself."""
    wanted = manual.stems(topic)
    if not wanted or chapter(docs, topic):
        return ""
    rules = [f"RULES {_number(one)} ({_title(one)})" for one in chapters_of(docs.rules) if _is_about(one, wanted)]
    tables = [f"HELP {one.name}" for one in chapters_of(docs.tables) if _is_about(one, wanted)]
    found = [*rules, *tables][:MOST_POINTERS]
    return fold(f"Of the rules: {', '.join(found)}.") + "\n" if found else ""


def _is_about(one: Chapter, wanted: set[str]) -> bool:
    return one.level >= CHAPTER and bool(_number(one) or one.name) and wanted <= manual.stems(_title(one))


def _contents(docs: Docs) -> str:
    numbered = [one for one in chapters_of(docs.rules) if one.level == CHAPTER and _number(one)]
    lines = [labelled(_title(one), _number(one), 2, BESIDE_THE_NUMBER) for one in numbered]
    return "\n".join(["", "The chapters, each sent by HELP and its number:", *lines, ""]) if lines else ""


# ------------------------------------------------------------------ as text


def _told(page: str, at: int) -> str:
    """A chapter with all that is inside it."""
    first, *rest = chapters_of(page)[at:]
    inside = takewhile(lambda one: one.level > first.level, rest)
    return "\n".join([_set(first, "=" if first.parts else "-"), *(_set(one, "-") for one in inside)])


def _set(one: Chapter, line: str) -> str:
    return "\n\n".join(piece for piece in (underlined(one.title, line), one.said) if piece) + "\n"


def _number(one: Chapter) -> str:
    """The number that a title begins with, such as HW-8.4."""
    word = one.title.partition(" ")[0]
    return word if any(map(str.isdigit, word)) else ""


def _title(one: Chapter) -> str:
    return one.name.removeprefix(_number(one)).strip()


def _called(one: Chapter) -> Iterator[str]:
    return (name.casefold() for name in (one.name, _title(one), _number(one)) if name)
