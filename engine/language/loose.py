"""A line that is an order in other words: which order it can be, and whether it can be only one.

The words of the line are put into the order in which the language has them, and the game's own reader is asked what
each arrangement says. Nothing is guessed: a line with a word that is neither of the language nor a small word of
English, such as NOT, can be read as no order.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain

import msgspec

from engine.language.names import Names, plain
from engine.language.words import Language
from engine.orders import Finding, Kind, Line, Sheet

#: What reads a sheet of this game, for the side and at the gate at hand.
Read = Callable[[str], Sheet]

#: Words before an order that say how long it holds.
PREFIXES = ("STANDING", "CANCEL")
WITH, FROM, TO, ARMY, PLACE = "with", "from", "to", "army", "place"
#: Words before a name that tell what it is there for. What comes from somewhere is named before where it goes.
_ROLES = {
    **dict.fromkeys(("WITH", "BY", "USING", "MIT"), WITH),
    **dict.fromkeys(("FROM", "VON", "AUS"), FROM),
    **dict.fromkeys(("TO", "ON", "ONTO", "INTO", "IN", "AT", "AGAINST", "FOR", "->", "=>", ">", "→"), TO),
    **dict.fromkeys(("AUF", "NACH", "GEGEN", "FUR"), TO),
}
_ORDER_OF_ROLES = (WITH, ARMY, FROM, PLACE, TO)
#: Words that join names of one role.
_JOINTS = frozenset({"AND", "UND", "OR", "ELSE", "&", "+", ","})
#: Those of them that say the same of both.
_BOTH = _JOINTS - {"OR", "ELSE"}
#: Words that change nothing about an order.
_SMALL = frozenset({
    "PLEASE", "PLS", "THE", "MY", "OUR", "ARMY", "ARMIES", "TROOPS", "UNITS", "FORCES", "HEX", "CITY", "TOWN", "THEN",
    "ALSO", "WILL", "SHALL", "LET", "HAVE", "ORDER", "TELL", "WE", "I'LL", "WE'LL", "LET'S", "LETS", "US", "BUT",
    "ONLY", "JUST", "AS", "POINT", "POINTS", "OF", "ITS", "HI", "HELLO", "HEY", "DEAR", "REF", "REFEREE", "THANKS",
    "THX", "PS", "BITTE", "DER", "DIE", "DAS", *_JOINTS,
})  # fmt: skip
#: The same, but only as the first word of a line.
_FIRST = frozenset({"I", "SO", "NOW", "OK", "OKAY", "NEXT", "FINALLY", "FIRST", "SECOND", "THIRD", "ORDERS", "MOVES"})
#: Words of what is told, asked or advised against. An order has none of them.
_TALK = frozenset({
    "NOT", "NEVER", "DON'T", "DONT", "WON'T", "CAN'T", "CANNOT", "WAS", "WERE", "HAD", "DID", "WENT", "TOOK", "LAST",
    "YESTERDAY", "NEXT", "LATER", "WOULD", "COULD", "MIGHT", "YOU", "HE", "HIS", "THEY", "THEIR", "WHY", "WHO",
    "HOW", "WHERE", "AGAIN", "ENEMY", "SHE", "HER", "BEEN", "AGO",
})  # fmt: skip
#: Words that take back what they stand with.
_AGAINST = frozenset({"NOT", "NEVER", "DON'T", "DONT", "WON'T", "CANNOT", "NO"})
_COURTESIES = re.compile(r"\b(?:IF YOU (?:PLEASE|WOULD|LIKE|DON'T MIND)|(?:MANY )?THANK(?:S| YOU)(?: VERY MUCH)?)\b")
#: What follows an order and is none of it: something in brackets, and what stands behind a dash.
_REMARK = re.compile(r"(?<=\s)(?://|-{2,20}|—)\s[^\n]*+|(?<=\s)\([^()|]{0,100}\)(?=\W{0,9}$)")
#: Letters of other scripts that look like Latin ones.
_LOOKALIKES = str.maketrans("АВЕКМНОРСТХУІЅЈаеорсухіѕјΑΒΕΗΙΚΜΝΟΡΤΥΧΖ", "ABEKMHOPCTXYISJaeopcyxisjABEHIKMNOPTYXZ")
#: A letter or a number with a sign behind it: the number of a line, or an army.
_COUNTED = re.compile(r"\(?([A-Za-z]|\d{1,2})[.:)]\s")
_SECOND_NUMBER = re.compile(r"\s(?=\(?\d{1,2}[.)]\s)")
_NUMBERS = ("ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN", "ELEVEN", "TWELVE")
_DIGITS = {word: str(number) for number, word in enumerate(_NUMBERS, 1)}
_EDGES = ",;:!."
_AROUND = "()[]{}'*_`"
_SIGNS = re.compile(r"[^\w]+")
_MOST_HEADS = 3
_MOST_TOLD = 3


class Loosely(msgspec.Struct, frozen=True):
    """What a line can be. `orders` are all that it can be read as, each of them one order or more.

    If there are none, `refused` is an arrangement that is an order but against the rules; `doubt` what the game says of
    the arrangement that comes nearest to an order, and `nearest` what could be sent. It `leaves_doubt` unless everybody
    sees that nothing is ordered.
    """

    orders: tuple[tuple[Line, ...], ...] = ()
    refused: str = ""
    nearest: str = ""
    doubt: Finding | None = None
    leaves_doubt: bool = True


class _Word(msgspec.Struct, frozen=True):
    """A word of a line, or the words of one name with what it is there for."""

    text: str
    role: str = ""
    kind: str = ""
    joined: str = ""  # to the name before it, by a comma or a word

    @property
    def is_name(self) -> bool:
        return bool(self.kind)


class _Draft(msgspec.Struct, frozen=True):
    """A line that is taken for an order with one of its words as the verb."""

    prefix: str
    verb: str
    words: tuple[_Word, ...]
    as_written: str = ""  # all other words

    def arranged(self) -> list[str]:
        """The names in the places where names stand, before all other words, and behind them; with and without TO."""
        names = sorted((word for word in self.words if word.is_name), key=lambda word: _ORDER_OF_ROLES.index(word.role))
        others = [word.text for word in self.words if not word.is_name]
        in_place = iter(names)
        texts = [[next(in_place).text if word.is_name else word.text for word in self.words]]
        if self._is_in_order:
            texts.append([word.text for word in self.words])
        every = [name.text for name in names]
        first, goals = [n.text for n in names if n.role != TO], [n.text for n in names if n.role == TO]
        rest, origins = [n.text for n in names if n.role != FROM], [n.text for n in names if n.role == FROM]
        amounts, further = [w for w in others if w[:1].isdigit()], [w for w in others if not w[:1].isdigit()]
        texts += [[*every, *others], [*others, *every], [*amounts, *every, *further]]
        if goals:
            texts += [[*others, *first, "TO", *goals], [*first, *others, "TO", *goals], [*first, "TO", *goals, *others]]
        if origins:
            texts += [[*rest, *others, "FROM", *origins], [*rest, "FROM", *origins, *others]]
        return [_joined(self.prefix, self.verb, text) for text in texts]

    @property
    def with_alternatives(self) -> "_Draft":
        """With names that are joined by OR in one piece."""
        words: list[_Word] = []
        for word in self.words:
            if word.joined == "OR":
                words[-1] = msgspec.structs.replace(words[-1], text=f"{words[-1].text} OR {word.text}")
            else:
                words.append(word)
        return msgspec.structs.replace(self, words=tuple(words))

    @property
    def _is_in_order(self) -> bool:
        """Whether nothing is named before where it comes from."""
        roles = [word.role for word in self.words if word.role in (FROM, TO)]
        return roles == sorted(roles)


class LooseReader(msgspec.Struct, frozen=True):
    """Reads lines of one language, for one side and gate: `read` is the game's own reader of sheets.

    `stands` has the place of every army of the side, by what it is called; `others` are words for the other sides.
    """

    language: Language
    read: Read
    stands: Mapping[str, str] = {}
    others: frozenset[str] = frozenset()

    @property
    def names(self) -> Names:
        return self.language.names

    # -------------------------------------------------------------- what a line is about

    def is_about_an_order(self, line: str) -> bool:
        """Whether a line has a word of an order, and an army or a place."""
        spoken = self._spoken(plain(line))
        if not any(map(self._verb, _bare_words(spoken))):
            return False
        everybody = "ALL" in spoken.split() and "ALL" not in plain(line).split()
        return everybody or self.names.is_named_in(_bare_words(line)) or self._is_all_of_the_language(spoken)

    def takes_back(self, line: str, other: str) -> bool:
        """Whether a line says not to do what another orders."""
        words = _bare_words(self._spoken(plain(line)))
        if _AGAINST.isdisjoint(words):
            return False
        about, orders = (
            {*map(self._verb, text), *self._ids(text)} - {""} for text in (words, _bare_words(plain(other)))
        )
        verbs = set(map(self._verb, words)) - {""}
        return bool(verbs & orders) and bool((about & orders) - verbs)

    def _ids(self, words: Sequence[str]) -> set[str]:
        found = (self.names.in_front(words[at:])[0] for at in range(len(words)))
        return {self.names.id_of(" ".join(words[at : at + count])) for at, count in enumerate(found) if count}

    def _is_all_of_the_language(self, text: str) -> bool:
        words = [word for draft in self._drafts(text)[:1] for word in draft.words]
        return "?" not in text and bool(words) and not any(map(self._is_unknown, words))

    def names_something(self, line: str) -> bool:
        return self.names.is_named_in(_bare_words(line))

    def parts(self, line: str) -> list[str]:
        """The orders of a line that has several with semicolons between them; else the line as one."""
        pieces = line.split(";") if ";" in line else _SECOND_NUMBER.split(line)
        parts = [part.strip() for part in pieces if part.strip()]
        with_verbs = [part for part in parts if any(map(self._verb, _bare_words(self._spoken(plain(part)))))]
        return parts if len(parts) > 1 and with_verbs == parts else [line]

    def _verb(self, word: str) -> str:
        """The verb that a word is, or is meant as, or is a form of; empty if it is none."""
        return self._own_verb(word) or self._meant(word)

    def _own_verb(self, word: str) -> str:
        return next((form for form in _forms(word) if self.language.has(form) and form not in PREFIXES), "")

    def _meant(self, word: str) -> str:
        meant = (self.language.meant.get(form, "") for form in _forms(word))
        return next((verb for each in meant if self.language.has(verb := each.partition(" ")[0])), "")

    def _spoken(self, text: str) -> str:
        """With what players say put into the words of the language."""
        text = " ".join(_DIGITS.get(word, word) for word in _COURTESIES.sub(" ", text).split())
        for pattern, written in self.language.spoken:
            text = pattern.sub(written, text)
        return text

    # -------------------------------------------------------------- what it can be read as

    def reading(self, line: str, section: str = "") -> Loosely:
        """What a line under a section can be read as. The less it has to be changed for it, the sooner it is that."""
        line = self._without_a_remark(line)
        if self._may_be_another(line) or self._is_a_number_or_an_army(line):
            return Loosely()
        asks = line.rstrip(f' {_EDGES}{_AROUND}"”“').endswith("?")
        text = self._spoken(plain(line.translate(_LOOKALIKES).replace("?", " ")).strip(f" {_EDGES}"))
        drafts = self._drafts(text)
        if asks or any(map(self._is_unknown, chain.from_iterable(draft.words for draft in drafts[:1]))):
            return self._in_doubt(line, drafts, section, asks)
        refused, doubt = "", None
        for stage in self._stages(drafts):
            found: dict[str, tuple[Line, ...]] = {}
            for texts in map(list, dict.fromkeys(map(tuple, stage))):
                sheets = [self._read(each, section) for each in texts]
                orders = [order for sheet in sheets if (order := _only_line(sheet))]
                if len(orders) == len(texts):
                    found.setdefault(str([(each.standing, str(each.order)) for each in orders]), tuple(orders))
                elif len(texts) == 1 and not refused and _is(Kind.ILLEGAL, sheets[0]):
                    refused = texts[0]
                elif doubt is None and _is(Kind.AMBIGUOUS, sheets[0]):
                    doubt = sheets[0].findings[0]
            if found:
                return Loosely(tuple(found.values()))
        if refused or doubt:
            return Loosely((), "" if doubt else refused, doubt=doubt)
        return self._in_doubt(line, drafts, section, asks)

    def _without_a_remark(self, line: str) -> str:
        """What the remark says may be talk, but nothing that is against the order."""
        found = _REMARK.search(line)
        if not found:
            return line
        words = _bare_words(plain(found[0]))
        in_brackets = found[0].lstrip().startswith("(")
        is_more = self.names.is_named_in(words) or any(
            self._verb(word) or (in_brackets and self._is_known(word)) for word in words
        )
        return line if is_more or not _TALK.isdisjoint(words) else line[: found.start()]

    def _may_be_another(self, line: str) -> bool:
        """Whether a place is written with letters that only look like those of its name."""
        pairs = zip(line.split(), line.translate(_LOOKALIKES).split(), strict=True)
        return any(one != other and self.names.is_named_in([other.strip(_EDGES)]) for one, other in pairs)

    def _is_a_number_or_an_army(self, line: str) -> bool:
        """Whether a line begins with the name of an army that is not on the map, as lines are counted."""
        found = _COUNTED.match(line)
        if found is None or self.names.in_front([found[1].upper()])[1] != ARMY:
            return False
        return bool(self.stands) and self.names.id_of(found[1]) not in map(self.names.id_of, self.stands)

    def _read(self, text: str, section: str) -> Sheet:
        return self.read(f"{section}\n{text}" if section else text)

    def _stages(self, drafts: Sequence[_Draft]) -> Iterator[list[list[str]]]:
        """Arrangements of the words, those first that change least; each is the orders of which it consists."""
        yield [[_joined(draft.prefix, draft.verb, [draft.as_written])] for draft in drafts]
        for change in (lambda draft: [draft], self._from_where_they_stand):
            changed = [each for draft in drafts for one in change(draft) for each in (one.with_alternatives, one)]
            yield [[arranged] for draft in changed for arranged in draft.arranged()]
            yield [texts for draft in changed for texts in self._one_for_each_army(draft)]

    def _from_where_they_stand(self, draft: _Draft) -> list[_Draft]:
        """Without the place an army comes from: it must stand there, and if none is named, alone."""
        origins = [self.names.id_of(word.text) for word in draft.words if word.role == FROM and word.kind == PLACE]
        if len(origins) != 1:
            return []
        words = tuple(word for word in draft.words if word.role != FROM or word.kind != PLACE)
        there = [army for army, place in self.stands.items() if place == origins[0]]
        named = [word.text for word in words if word.kind == ARMY]
        if not named and len(there) == 1:
            return [_Draft(draft.prefix, draft.verb, (_Word(plain(there[0]), ARMY, ARMY), *words))]
        known = {self.names.id_of(army) for army in there}
        return [_Draft(draft.prefix, draft.verb, words)] if {self.names.id_of(name) for name in named} & known else []

    def _one_for_each_army(self, draft: _Draft) -> list[list[str]]:
        """Of a line that says the same of several armies: each arrangement with one army after the other."""
        at = [number for number, word in enumerate(draft.words) if word.kind == ARMY and word.role in (ARMY, WITH)]
        if len(at) < 2 or not all(draft.words[number].joined in _BOTH for number in at[1:]):
            return []
        alone = [[word for number, word in enumerate(draft.words) if number not in at or number == one] for one in at]
        return [list(texts) for texts in zip(*(self._arranged(draft, words) for words in alone), strict=False)]

    def _arranged(self, draft: _Draft, words: Sequence[_Word]) -> list[str]:
        return _Draft(draft.prefix, draft.verb, tuple(words)).arranged()

    # -------------------------------------------------------------- verb, names and other words

    def _drafts(self, text: str) -> list[_Draft]:
        """The line with each of its words as the verb that may be it."""
        words = _without_marks(text)
        prefix = next((word for word in words if word in PREFIXES and self._knows(word)), "")
        if prefix:
            words.remove(prefix)
        said_inside = [word for word in words if self._meant(word) and word in self.language.inside]
        if len(said_inside) > 1 and not any(map(self._own_verb, words)):
            words = [self._meant(said_inside[0]), *words]  # the words inside an order of one kind say which it is
        for find in (self._own_verb, self._meant):
            found = [(at, verb) for at, word in enumerate(words) if (verb := find(word))]
            if found:
                drafts = [(at, verb, False) for at, verb in found[:_MOST_HEADS]]
                if len({verb for _, verb in found}) == 1 < len(found):
                    drafts = [(found[0][0], found[0][1], True)]
                return [
                    self._draft(prefix, verb, self._rest(words, at, verb if once else "")) for at, verb, once in drafts
                ]
        return []

    def _draft(self, prefix: str, verb: str, rest: list[str]) -> _Draft:
        return _Draft(prefix, verb, tuple(self._words(rest)), " ".join(word for word in rest if word != ","))

    def _rest(self, words: Sequence[str], at: int, verb: str) -> list[str]:
        """The words but the verb, and without what says the verb again."""
        others = (word for number, word in enumerate(words) if number != at)
        return [word for word in others if not verb or self._own_verb(word) != verb]

    def _knows(self, word: str) -> bool:
        return word in self.language.by_word or word in self.language.sections

    def _words(self, words: Sequence[str]) -> list[_Word]:
        """With each name as one word, in its role, and without the small words."""
        found: list[_Word] = []
        role, bound, joined, at = "", "", "", 0
        while at < len(words):
            count, kind = self.names.in_front(words[at:])
            word, name = words[at], " ".join(words[at : at + count])
            if count and bound:
                found.append(_Word(f"{bound} {name}"))
                role, bound, joined = "", "", ""
            elif count:
                last = found[-1] if found and joined else None
                role = role or (last.role if last is not None and last.role in (WITH, FROM, TO) else kind)
                says_it_again = found and found[-1].is_name and self._is_the_same(found[-1].text, name)
                if role in (WITH, FROM, TO) or not says_it_again:
                    found.append(_Word(name, role, kind, joined))
                role, joined = "", ""
            elif word in self.language.before_names:
                bound, joined = word, ""
            elif word in _JOINTS:
                joined = word if found and found[-1].is_name else ""
            elif word in _ROLES:
                role, joined = _ROLES[word], ""
            elif word not in _SMALL and not (at == 0 and word in _FIRST):
                found += [_Word(bound)] if bound else []
                found.append(_Word(word))
                role, bound, joined = "", "", ""
            at += count or 1
        return [*found, _Word(bound)] if bound else found

    def _is_the_same(self, one: str, other: str) -> bool:
        return self.names.id_of(one) == self.names.id_of(other)

    def _is_unknown(self, word: _Word) -> bool:
        """Whether neither the language nor a name has a word."""
        if word.is_name or " " in word.text or not any(map(str.isalpha, word.text)):
            return False
        known = (self._is_known(part) for part in _SIGNS.split(word.text) if part)
        return not (self._is_known(word.text) or all(known))

    def _is_known(self, word: str) -> bool:
        language = self.language
        return (
            word in language.inside
            or word in language.by_word
            or word.isdigit()
            or language.is_amount(word)
            or self.names.in_front([word])[0] > 0
        )

    # -------------------------------------------------------------- what nobody can tell

    def _in_doubt(self, line: str, drafts: Sequence[_Draft], section: str, asks: bool) -> Loosely:
        """Verb, names and words of the language, if that alone can be read; else an example of the verb."""
        said = _without_marks(plain(line))
        is_talk = asks or not (_TALK | self.others).isdisjoint(said) or said[:1] == ["WHAT"]
        for draft in drafts:
            words = tuple(word for word in draft.words if not self._is_unknown(word) and _has_meaning(word.text))
            for text in _Draft(draft.prefix, draft.verb, words).arranged():
                sheet = self._read(text, section)
                if _only_line(sheet):
                    return Loosely(nearest=text)
        usage = self.language.by_word[drafts[0].verb].usage if drafts else ""
        return Loosely(nearest=usage, leaves_doubt=not is_talk)


# ------------------------------------------------------------------ words


def _bare_words(line: str) -> list[str]:
    return [bare for word in line.split() if (bare := word.strip(_EDGES + _AROUND + '?"“”„«»'))]


def _without_marks(text: str) -> list[str]:
    """The words without what parts them; a branch keeps its brackets."""
    around = _EDGES + ("" if "|" in text else _AROUND + "+")
    words: list[str] = []
    for word in text.split():
        bare = word.strip(around)
        words += [bare] if bare else []
        words += [","] if word.endswith(",") else []
    return words


def _has_meaning(text: str) -> bool:
    return any(map(str.isalnum, text)) or text in ("<", ">", "=", "<=", ">=", "|", "(", ")")


def _forms(word: str) -> tuple[str, ...]:
    """A word and what it may be a form of: ATTACKS and ATTACKING of ATTACK, MOVING of MOVE."""
    if word.endswith("ING"):
        return word, word[:-3], f"{word[:-3]}E"
    return (word, word[:-1], word[:-2]) if word.endswith("ES") else (word, word.removesuffix("S"))


def _joined(prefix: str, verb: str, words: Iterable[str]) -> str:
    return " ".join(chain([prefix] if prefix else [], [verb], words))


# ------------------------------------------------------------------ what was read


def _only_line(sheet: Sheet) -> Line | None:
    """The order of a sheet that is nothing else."""
    if len(sheet.lines) != 1 or any(finding.refuses for finding in sheet.findings):
        return None
    return sheet.lines[0]


def _is(kind: Kind, sheet: Sheet) -> bool:
    """Whether a line was understood, and refused for this."""
    return bool(sheet.findings) and all(finding.kind is kind and finding.line for finding in sheet.findings)


def doubtful(number: int, line: str, found: Loosely) -> Finding:
    """What is said of a line that may be an order, when nobody can tell which."""
    if found.doubt is not None:
        return msgspec.structs.replace(found.doubt, line=number, text=line, column=0)
    if found.orders:
        told = ", or: ".join("; ".join(str(each.order) for each in orders) for orders in found.orders[:_MOST_TOLD])
        return Finding(Kind.AMBIGUOUS, number, "This can be read in several ways.", f"Send one of them: {told}", line)
    why = "This may be an order, and I cannot tell which."
    remedy = f"If it is one, send it like this: {found.nearest}" if found.nearest else ""
    return Finding(Kind.AMBIGUOUS, number, why, remedy, line)
