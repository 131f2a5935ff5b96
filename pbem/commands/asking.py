"""The commands that ask and change nothing: how the game stands, what is on file, what the rules say."""

import re
from collections.abc import Iterable, Mapping

import msgspec
from markupsafe import Markup
from sqlmodel import col, select

from engine.game import Options, View
from engine.language import Verb
from engine.orders import Finding
from pbem.commands.confirming import votes
from pbem.desk.desk import Answer, Command, Desk, Request
from pbem.desk.requests import resembled
from pbem.games import box_of
from pbem.games.box import GameBox, Picture
from pbem.games.tools import NoSuchPlace
from pbem.letters.addresses import same_address
from pbem.post import letterhead
from pbem.post.letterhead import clock_time, press_mode, whose_turn, zone_of
from pbem.post.sketches import sketch_of
from pbem.records import models
from pbem.records.matches import number_of
from pbem.records.seats import bot_in_words, is_played, level_of
from pbem.refusal import Refusal
from pbem.schedule import clock_of
from pbem.words import manual, rulebook
from pbem.words.pages import EMPTY, fragment
from pbem.words.wording import listed, render, visible

#: An answer to somebody without a seat is short.
MOST_GAMES_FOR_A_STRANGER = 8


class ThereIsNoSuchTopic(Refusal):
    pass


class ThereIsNoSuchCase(Refusal):
    pass


class ThereIsNoSuchPlace(Refusal):
    pass


class NoTurnHasBeenRun(Refusal):
    pass


# ------------------------------------------------------------------ help and rules


def help_with(desk: Desk, request: Request, commands: Mapping[str, Command]) -> Answer:
    """HELP alone lists everything; with a word it explains a command, an order or a chapter."""
    topic = request.rest.strip().rstrip(".?!")
    if not topic:
        return Answer("What you can write", help_text(desk, commands.values()))
    command, docs = commands.get(topic.upper()), desk.docs
    told = manual.chapter(docs, topic)
    if not told and (command is None or command.word in desk.order_words):
        told = manual.about(docs, topic)
    explained = _about_command(desk, command) if command else ""
    parts = (explained, rulebook.about(docs, topic), told, rulebook.pointers(docs, topic))
    text = "\n".join(part for part in parts if part) or _about_order(desk, topic.upper())
    if not text:
        raise ThereIsNoSuchTopic(*_why_no_help(desk, topic, commands))
    return Answer(f"Help: {topic.upper()}", text)


def help_text(desk: Desk, commands: Iterable[Command]) -> str:
    """Whoever has no seat is told how to get one; he may ask for a chapter, but they are not listed to him."""
    mine = [(desk.filled_in(command.usage), command) for command in commands if may_use(desk, command)]
    return render(
        "mail/help.txt.j2",
        commands=mine,
        orders=() if desk.is_of_a_stranger else _orders(desk),
        game=desk.game,
        seat=desk.seat,
        chapters=[] if desk.is_of_a_stranger else manual.topics(desk.docs),
        lessons=[] if desk.is_of_a_stranger else rulebook.lessons_in_words(desk.docs),
    )


def help_about(desk: Desk, word: str, commands: Mapping[str, Command]) -> str:
    """A command or an order by its word, in short; empty if he can do nothing with it."""
    command = commands.get(word)
    if command is None:
        return _about_order(desk, word)
    return _about_command(desk, command) if may_use(desk, command) else ""


def may_use(desk: Desk, command: Command) -> bool:
    if command.who == "gm":
        return bool(desk.gm)
    return command.who == "anybody" or desk.seat is not None


def _about_command(desk: Desk, command: Command) -> str:
    return render("mail/command.txt.j2", command=command, usage=desk.filled_in(command.usage)) + "\n"


def _why_no_help(desk: Desk, topic: str, commands: Mapping[str, Command]) -> tuple[str, str]:
    """What is known of a topic all the same: which chapters name it, that it comes later, or what it resembles."""
    word = topic.upper()
    named_in = manual.speaking_of(desk.docs, word)
    if later := _later_word(desk, word):
        return later, "HELP alone lists what you can write."
    if desk.language is not None and word in desk.language.elsewhere:
        return f"{word} is no order of a sheet", f"{desk.language.elsewhere[word]}."
    if named_in:
        return f"{visible(word)[:40]} has no chapter of its own", f"See {listed(f'HELP {name}' for name in named_in)}."
    meant = resembled(word, [*commands, *(verb.word for verb in _orders(desk))])
    remedy = f"Did you mean HELP {meant}?" if meant else "HELP alone lists what you can write."
    return f"there is no help on {visible(topic)[:40]!r}", remedy


def _later_word(desk: Desk, word: str) -> str:
    """What is said of an order that the scenario at hand does not have."""
    return desk.language.later(word) if desk.match is not None and desk.language is not None else ""


def _orders(desk: Desk) -> tuple[Verb, ...]:
    """The orders of the match at hand."""
    return desk.language.verbs if desk.language is not None else ()


def _about_order(desk: Desk, word: str) -> str:
    """What the language says of an order that has no chapter."""
    verb = next((verb for verb in _orders(desk) if verb.word == word), None)
    return render("mail/order.txt.j2", verb=verb) if verb is not None else ""


def rules(desk: Desk, request: Request) -> Answer:
    """A rule of the game, or a ruling; alone, what a newcomer should know."""
    asked, docs = request.rest.strip().rstrip(".?!"), desk.docs
    if not asked and (told := rulebook.introduction(docs)):
        return Answer("Rules", told)
    text = asked and (rulebook.answer(docs, asked) or rulebook.chapter(docs, asked) or rulebook.pointers(docs, asked))
    if not text:
        raise ThereIsNoSuchCase(*_why_no_rule(desk, asked.upper()))
    return Answer(f"Rules: {asked.upper()}", text.rstrip("\n") + "\n")


def _why_no_rule(desk: Desk, case: str) -> tuple[str, str]:
    known = rulebook.known_cases(desk.docs)
    near = [one for one in known if "." in case and one.startswith(case.partition(".")[0] + ".")]
    remedy = f"Cases: {', '.join(near or known) or 'none for this game'}."
    if desk.docs.rules and not near:
        remedy = "RULES alone tells the game in short, and lists the chapters."
    return f"the manual says nothing about {visible(case)[:20] or 'no case'}", remedy


# ------------------------------------------------------------------ how it stands


def status(desk: Desk, request: Request) -> Answer:
    """Whose orders are awaited, until when, and what the referee has noted about this seat."""
    position, seat, match = desk.position, desk.the_seat, desk.the_match
    gate = position.gate
    waiting = desk.office.store.waiting_in(desk.session, desk.match_id, gate) if gate else {}
    text = render(
        "mail/status.txt.j2",
        match=match,
        seat=seat,
        gate=gate,
        turns=match.gate_number,
        taken_back=position.taken_back,
        whose=whose_turn(desk.office, position, seat),
        when=desk.when_it_runs() if gate else "",
        awaited=[(desk.side_name(side), side in waiting) for side in (gate.awaits if gate else ())],
        mine=waiting.get(seat.side),
        at=lambda moment: clock_time(desk.office, moment, seat),
        zone=zone_of(desk.office, seat),
        clock=clock_of(match.clock).in_words(),
        press=press_mode(match),
        voices=_voices(desk),
        players=[(desk.side_name(one.side), _player(desk, one)) for one in desk.seats()],
    )
    return Answer("How the game stands", text)


def _player(desk: Desk, seat: models.Seat) -> str:
    if seat.state == models.OPEN:
        return "nobody yet"
    return bot_in_words(level_of(desk.position.game, seat)) if seat.state == models.BOT else seat.name


def _voices(desk: Desk) -> list[str]:
    """What has been proposed at this gate and by whom."""
    gate = desk.position.gate
    if gate is None:
        return []
    drawn = [side for side, gate_id in votes(desk, "DRAW").items() if gate_id == gate.id]
    longer = [(side, said.split()) for side, said in votes(desk, "EXTEND").items()]
    said = [f"{desk.side_name(side)} offers a draw" for side in drawn]
    return said + [f"{desk.side_name(side)} asks for {of[1]} more hours" for side, of in longer if of[0] == gate.id]


def show(desk: Desk, request: Request) -> Answer:
    """The sheet that waits at the open gate."""
    position, seat = desk.position, desk.the_seat
    waiting = desk.office.store.waiting_in(desk.session, desk.match_id, position.gate) if position.gate else {}
    sheet = waiting.get(seat.side)
    text = render(
        "mail/show.txt.j2",
        sheet=sheet,
        lines=_lines_on_file(desk, sheet) if sheet else [],
        arrived=clock_time(desk.office, sheet.arrived, seat) if sheet else "",
        gate=position.gate,
        when=desk.when_it_runs() if position.gate else "",
    )
    return Answer("Your orders on file", text)


def _lines_on_file(desk: Desk, sheet: models.Sheet) -> list[tuple[str, str]]:
    """Each line as it was written, and why it does not count if it was refused."""
    findings, box = msgspec.convert(sheet.findings, list[Finding]), box_of(desk.position.game)
    refused = {finding.line: box.named(finding.why) for finding in findings if finding.refuses}
    return [(visible(line), refused.get(number, "")) for number, line in enumerate(sheet.text.splitlines(), 1)]


def standing(desk: Desk, request: Request) -> Answer:
    """The standing orders in force, as they stand before the sheet on file."""
    known = getattr(desk.position.view(desk.the_seat.side), "standing", {}).get(desk.the_seat.side, ())
    box = box_of(desk.position.game)
    orders = [box.named(str(one)) for one in (known if isinstance(known, list | tuple) else [known])]
    return Answer("Your standing orders", render("mail/standing.txt.j2", orders=orders))


# ------------------------------------------------------------------ the same again


def report_again(desk: Desk, request: Request) -> Answer:
    """The report of the last turn, or of the one that is named."""
    last = desk.the_match.gate_number
    if last == 0:
        raise NoTurnHasBeenRun("no turn has been run yet", "MAP and SHEET show where everything stands.")
    named = re.search(r"\d+", request.rest)
    number = int(named[0]) if named else last
    store, session = desk.office.store, desk.session
    if not 1 <= number <= last:
        raise NoTurnHasBeenRun(f"there is no turn {number} yet", f"The last one is turn {last}.")
    turn, position = store.turn_in(session, desk.match_id, number), store.position_after(session, desk.match_id, number)
    letter = letterhead.report_again(session, desk.office, position, turn, desk.the_seat)
    return Answer(f"Report of turn {number}", letter.text, body=letter.body, sketch=letter.sketch)


def map_again(desk: Desk, request: Request) -> Answer:
    """The whole map, or what is around a place that is named."""
    view, box = desk.position.view(desk.the_seat.side), box_of(desk.position.game)
    if named := request.rest.strip().rstrip(".?!"):
        return _part_of_map(box, view, named)
    return _drawn("The map as you know it", box.board(view), view, box.pictures("map", view), EMPTY)


def _part_of_map(box: GameBox, view: View, named: str) -> Answer:
    try:
        part = box.part(view, named)
    except NoSuchPlace as error:
        raise ThereIsNoSuchPlace(f"the map has no {visible(named)!r}", visible(str(error))) from None
    return _drawn(f"Around {part.title}, as you know it", part.text, view, part.pictures, EMPTY)


def sheet_again(desk: Desk, request: Request) -> Answer:
    side, box = desk.the_seat.side, box_of(desk.position.game)
    view = desk.position.view(side)
    below = box.record_html(view, side)
    return _drawn("Your record sheet", box.record(view, side), view, box.pictures("sheet", view), below)


def _drawn(title: str, text: str, view: View, pictures: tuple[Picture, ...], below: Markup) -> Answer:
    """Pictures in place of the text, where there are any, and what is to stand below them."""
    if not pictures:
        return Answer(title, text)
    body = fragment("mail/picture.html.j2", pictures=pictures, below=below)
    return Answer(title, text, body=body, sketch=sketch_of(view, pictures))


# ------------------------------------------------------------------ all games


def games(desk: Desk, request: Request) -> Answer:
    """The games the writer plays in, and the seats anybody may take."""
    running = select(models.Match).where(models.Match.status == models.RUNNING).order_by(col(models.Match.id))
    matches = {number_of(match): match for match in desk.session.exec(running)}
    seats = [seat for seat in desk.session.exec(select(models.Seat)) if seat.match_id in matches]
    free, most = _open_seats(desk, matches, seats), MOST_GAMES_FOR_A_STRANGER if desk.is_of_a_stranger else None
    text = render(
        "mail/games.txt.j2",
        mine=[
            (matches[seat.match_id], desk.office.side_name(matches[seat.match_id], seat.side))
            for seat in _own(desk, seats)
        ],
        open=free[:most],
        left_out=len(free[most:]),
    )
    return Answer("Games", text)


def _open_seats(
    desk: Desk, matches: Mapping[int, models.Match], seats: Iterable[models.Seat]
) -> list[tuple[models.Match, str, list[str]]]:
    """Every match with free seats, what is played there, and the sides that are free."""
    free: dict[int, list[str]] = {}
    for seat in seats:
        if seat.state == models.OPEN:
            free.setdefault(seat.match_id, []).append(seat.side)
    return [(matches[number], _what_is_played(desk, matches[number]), sides) for number, sides in sorted(free.items())]


def _what_is_played(desk: Desk, match: models.Match) -> str:
    titles = {one.id: one.title for one in desk.office.store.game(match.game).scenarios()}
    chosen = msgspec.convert(match.options, Options).chosen
    return ", ".join([titles.get(match.scenario, match.scenario), *chosen])


def _own(desk: Desk, seats: Iterable[models.Seat]) -> list[models.Seat]:
    """Only somebody who has proved who he is learns where else he plays."""
    if desk.seat is None:
        return []
    return [seat for seat in seats if is_played(seat) and same_address(seat.address, desk.seat.address)]


def match_named(desk: Desk, name: str) -> models.Match | None:
    """A match that is running, by its number or its title."""
    running = desk.session.exec(select(models.Match).where(models.Match.status == models.RUNNING)).all()
    fitting = [match for match in running if name in (str(match.id), match.title.casefold(), match.scenario)]
    return fitting[0] if len(fitting) == 1 else None
