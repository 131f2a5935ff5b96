"""The rules by mail, from two pages of `docs/`: one tells them, the other has the tables.

The first has a chapter for each part of the rulebook, and in it an entry for each case.
A chapter whose title begins with no number, such as the game in five minutes, is a lesson; HELP names the lessons.
"""

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
    wanted = (number.upper(), f"-{number}")
    numbers = [_number(one) for one in chapters_of(docs.rules)]
    found = [at for at, one in enumerate(numbers) if number and (one == wanted[0] or one.endswith(wanted[1]))]
    return _told(docs.rules, found[0]) if found else ""


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
    if told:
        number = told.partition(" ")[0]
        parts = [told.strip("\n"), *_readings(docs, number, told), *_how_to_order(docs, number)]
    else:
        parts = [*manual.passages(docs, asked), *_named_by(docs, asked)] if any(map(str.isdigit, asked)) else []
    return "\n\n".join(parts)


def _readings(docs: Docs, number: str, told: str) -> list[str]:
    """The rulings that name the case, and those the rule itself names."""
    rulings = docs._replace(orders="")
    named = [case for case in manual.cases_in(docs, told) if not rule(docs, case)]
    found = [passage for case in (*named, number) for passage in manual.passages(rulings, case)]
    readings = list(dict.fromkeys(found))[: manual.MOST_PASSAGES]
    return ["How the referee reads the rulebook:", *readings] if readings else []


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
    wanted = manual.stems(topic)
    if docs.tables and wanted == manual.stems(TABLES):
        return "\n".join(_set(one, "-") for one in chapters_of(docs.tables)[1:])
    for page in (docs.rules, docs.tables):
        for at, one in enumerate(chapters_of(page)):
            if one.level == CHAPTER and wanted in map(manual.stems, (one.name, _title(one), _number(one) or one.name)):
                return _told(page, at) + (_contents(docs) if one.name in lessons(docs)[:1] else "")
    return ""


def about(docs: Docs, topic: str) -> str:
    """What HELP answers of the rules: a chapter, or the rule or ruling of that number."""
    return chapter(docs, topic) or (answer(docs, topic) if manual.is_case(docs, topic) else "")


def introduction(docs: Docs) -> str:
    """The first lesson."""
    first = lessons(docs)[:1]
    return chapter(docs, first[0]) if first else ""


def lessons(docs: Docs) -> list[str]:
    return [one.name for one in _lessons(docs)]


def lessons_in_words(docs: Docs) -> list[str]:
    """What a newcomer may ask for, each with what it is."""
    asked = [f"HELP {one.name.upper()}{one.title.removeprefix(one.name)}" for one in _lessons(docs)]
    tables = [f"HELP {TABLES.upper()} (all numbers)"] if docs.tables else []
    return [*asked, *tables, f"RULES {docs.example} (a single rule)"] if asked else []


def _lessons(docs: Docs) -> list[Chapter]:
    return [one for one in chapters_of(docs.rules) if one.level == CHAPTER and not _number(one)]


def pointers(docs: Docs, topic: str) -> str:
    """Rules and tables with the topic in their titles, unless it is the title of a chapter itself."""
    wanted = manual.stems(topic)
    if not wanted or chapter(docs, topic):
        return ""
    told = (one for page in (docs.rules, docs.tables) for one in chapters_of(page) if one.level >= CHAPTER)
    found = [_how_to_ask_for(one) for one in told if wanted <= manual.stems(_title(one))][:MOST_POINTERS]
    return fold(f"Of the rules: {', '.join(found)}.") + "\n" if found else ""


def _how_to_ask_for(one: Chapter) -> str:
    return f"RULES {_number(one)} ({_title(one)})" if _number(one) else f"HELP {one.name}"


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
