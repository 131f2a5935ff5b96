"""The mails that tell a seat how its war goes: welcome, report and reminder, each a function of its situation alone."""

import re
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from markupsafe import Markup

from engine.events import Event
from engine.game import Options, Outcome, Scenario
from pbem.games.box import Lead, Occasion, Picture
from pbem.post.buttons import buttons_for
from pbem.post.deadline_file import deadline_file
from pbem.post.post import Attachment, Mail, Sender, compose, subject_of, with_pictures
from pbem.post.situation import (
    YOUR_TURN,
    MatchTold,
    Situation,
    TurnTold,
    order_form,
    what_is_next,
    when_it_runs,
    whose_turn,
)
from pbem.post.sketches import ENCODERS, Sketch, drawn, sketch_of
from pbem.post.view_file import view_file
from pbem.words import rulebook
from pbem.words.pages import EMPTY, fragment
from pbem.words.printed import names_its_game
from pbem.words.told_dice import dice_apart
from pbem.words.wording import render, side_name


@dataclass(frozen=True)
class Letter:
    """The same in words and as HTML, with the sketch of its pictures."""

    text: str
    body: Markup
    sketch: Sketch | None = None


#: A line of a list of dice that is the rest of the one above it.
_GOES_ON = re.compile(r"\n {8,}")
#: In bytes. Gmail cuts off a page of more than 102 KB, and a reply to it grows.
MOST_OF_A_PAGE = 76_000


def finished_bytes(sender: Sender, mail: Mail, written: datetime) -> bytes:
    """Every byte that a seat receives, pictures and all: what the outbox sends is exactly this."""
    raw = compose(sender, mail, subject_of(mail), written)
    if mail.sketch is None:
        return raw
    assert isinstance(mail.match, MatchTold), "pictures belong to a match"
    with ThreadPoolExecutor(ENCODERS) as pool:
        return with_pictures(raw, [sender.message_id(mail.key)], drawn(mail.match.box, mail.sketch, pool))


# ------------------------------------------------------------------ the report


def report_mail(now: Situation, turn: TurnTold) -> Mail:
    """What a turn brought and what comes next. Key `report/<match>/<turn>/<side>`."""
    lead = now.war.box.lead(turn.events_since, turn.known_at_last, now.view)
    letter = report_letter(now, turn, lead)
    subject = f"{now.side_name}: {_what_happened(now, turn, lead)}"
    files = (*_order_form_file(now), view_file(now, turn.events_since), *deadline_file(now, turn.ran_at))
    return _mail(now, "report", f"report/{now.war.id}/{turn.name or turn.number}/{now.side}", subject, letter, files)


def _what_happened(now: Situation, turn: TurnTold, lead: Lead) -> str:
    """That it is the reader's turn, what happened, or both; whatever else the report says stands in it."""
    if now.gate is None:
        return what_is_next(now)
    if now.is_on_turn:
        return f"{YOUR_TURN}, {lead.headline or now.gate.title}"
    return f"{lead.headline or f'{turn.title} resolved'}, {what_is_next(now)}"


def report_letter(now: Situation, turn: TurnTold, lead: Lead, *, is_newest: bool = True) -> Letter:
    """Of an earlier turn, `now` is the situation it left, and nothing is said about what comes next."""
    decide = (("To decide", lead.decide),) if is_newest and lead.decide else ()
    values = {
        "turn": turn,
        "lead": (*lead.lines, *decide),
        "ran_at": now.clock_time(turn.ran_at),
        "whose": whose_turn(now) if is_newest else "",
        "when": when_it_runs(now) if is_newest and now.gate else "",
        "form": order_form(now) if is_newest else "",
    }
    box = now.war.box
    show = box.position(now.view).strip("\n")
    told = {one.number: dice_apart(box.story(one.events, now.side)) for one in (*turn.before, turn)}
    diary, dice = told[turn.number]
    text = _words(
        now,
        "report",
        diary=diary,
        dice=dice,
        before=[(one, now.clock_time(one.ran_at), *told[one.number]) for one in turn.before],
        show=show,
        what_is_played="" if names_its_game(show) else what_is_played(now.war),
        **values,
    )
    pages = [(one, now.clock_time(one.ran_at), box.story_html(one.events, now.side)) for one in turn.before]
    values |= {"before": pages, "diary": box.story_html(turn.events, now.side)}
    return _illustrated(now, "report", "report", text, turn.events_since, dice=_dice_of_page(turn, told), **values)


def _dice_of_page(turn: TurnTold, told: dict[int, tuple[str, str]]) -> dict[int, str]:
    """The same lists by the number of their turn, each die in one line that a page folds itself."""
    return {one.number: _unfolded(told[one.number][1]) for one in (*turn.before, turn)}


def _unfolded(listed: str) -> str:
    lines = _GOES_ON.sub(" ", listed[listed.find("#") :]) if "#" in listed else ""
    return "\n".join(line.strip() for line in lines.splitlines())


def what_is_played(war: MatchTold) -> str:
    """By this a report can be checked that does not say it above its map."""
    options = war.options
    return f"{war.game_title}, edition {options.edition or 'as printed'}. Fog: {options.fog}. Mode: {options.mode}."


# ------------------------------------------------------------------ welcome and reminder


@dataclass(frozen=True)
class Introduction:
    """What a player is told once: which war this is, and by which rules and clock it is played."""

    scenario: Scenario
    options: Options
    clock: str
    press: str

    @property
    def won_by(self) -> str:
        return self.scenario.how_it_is_won(self.options.switches)


def welcome_mail(now: Situation, introduction: Introduction, written: datetime) -> Mail:
    """The first mail of a seat's thread: key `welcome/<match>/<side>`."""
    values: Mapping[str, Any] = {
        "intro": introduction,
        "lessons": rulebook.lessons_in_words(now.war.box.docs),
        "whose": whose_turn(now),
        "when": when_it_runs(now) if now.gate else "",
        "form": order_form(now),
    }
    text = _words(now, "welcome", show=now.war.box.position(now.view), **values)
    letter = _illustrated(now, "welcome", "welcome", text, **values)
    begins = f", {YOUR_TURN}" if now.is_on_turn else ""
    subject = f"{now.side_name}: welcome to {introduction.scenario.title}{begins}"
    files = (*_order_form_file(now), view_file(now, ()), *deadline_file(now, written))
    return _mail(now, "welcome", f"welcome/{now.war.id}/{now.side}", subject, letter, files)


def reminder_mail(now: Situation, hours: int, occasion: str) -> Mail:
    """The open gate waits for this seat's sheet. It expires at the deadline.

    Key `reminder/<match>/<occasion>/<side>/<deadline>`.
    """
    assert now.gate is not None, "only at an open gate one is reminded"
    assert now.deadline is not None, "only of a deadline one is reminded"
    values = {"gate": now.gate, "hours": hours, "deadline": now.clock_time(now.deadline), "form": order_form(now)}
    letter = Letter(_words(now, "reminder", **values), _html(now, "reminder", **values))
    key = f"reminder/{now.war.id}/{occasion}/{now.side}/{now.deadline.isoformat()}"
    subject = f"{now.side_name}: orders for {now.gate.title} are awaited"
    mail = _mail(now, "reminder", key, subject, letter)
    return replace(mail, topic=f"reminder/{now.war.id}/{now.side}", expires=now.deadline)


def rolled_back_mail(
    now: Situation, key: str, turns: tuple[str, ...], ended: Outcome | None, why: tuple[str, ...], written: datetime
) -> Mail:
    """The game stands at an earlier gate again."""
    values: Mapping[str, Any] = {
        "turns": turns,
        "ended": ended,
        "why": why,
        "whose": whose_turn(now),
        "when": when_it_runs(now),
        "form": order_form(now),
    }
    text = _words(now, "rolled-back", show=now.war.box.position(now.view).strip("\n"), **values)
    letter = _illustrated(now, "rolled-back", "report", text, **values)
    subject = f"{now.side_name}: the game was taken back, {what_is_next(now)}"
    files = (*_order_form_file(now), view_file(now, ()), *deadline_file(now, written))
    return replace(_mail(now, "report", key, subject, letter, files), topic=f"rolled-back/{now.war.id}/{now.side}")


# ------------------------------------------------------------------ what they share


def _mail(
    now: Situation, kind: str, key: str, subject: str, letter: Letter, files: tuple[Attachment, ...] = ()
) -> Mail:
    return Mail(
        key,
        kind,
        now.seat.address,
        subject,
        letter.text,
        now.war,
        now.seat,
        body=letter.body,
        sketch=letter.sketch,
        style=now.war.box.style,
        attachments=files,
    )


def _order_form_file(now: Situation) -> tuple[Attachment, ...]:
    form = order_form(now)
    return (Attachment("orders.txt", "text/plain", form.encode(), {"charset": "utf-8"}),) if form else ()


def _words(now: Situation, name: str, **values: Any) -> str:
    return render(f"mail/{name}.txt.j2", now=now, footer=now.footer, side_name=side_name, **values)


def _html(now: Situation, name: str, **values: Any) -> Markup:
    buttons = buttons_for(now.sender, now.war, now.seat, now.gate)
    return fragment(f"mail/{name}.html.j2", now=now, footer=now.footer, side_name=side_name, buttons=buttons, **values)


def _illustrated(
    now: Situation, name: str, occasion: Occasion, text: str, told: Iterable[Event] = (), **values: Any
) -> Letter:
    """A letter that shows the position, with the pictures of its occasion if the game has any."""
    events, box = tuple(told), now.war.box
    pictures: tuple[Picture, ...] = box.pictures(occasion, now.view, events)
    whole = {"position": box.position_html(now.view), "pictures": pictures, "left_out": (), **values}
    return Letter(text, _short_enough(now, name, whole), sketch_of(now.view, pictures, events))


def _short_enough(now: Situation, name: str, whole: Mapping[str, Any]) -> Markup:
    """The page, without some of what the text of the mail says too if it would be cut off otherwise."""
    body = _html(now, name, **whole)
    for what, value, title in _spared(now, whole):
        if len(body.encode()) <= MOST_OF_A_PAGE:
            break
        whole = {**whole, what: value, "left_out": (*whole["left_out"], title)}
        body = _html(now, name, **whole)
    return body


def _spared(now: Situation, whole: Mapping[str, Any]) -> Iterator[tuple[str, Any, str]]:
    """What can be left out, the least missed first: its name, what is put in its place, and what it is called."""
    if whole.get("dice"):
        yield "dice", {}, "the list of the dice"
    yield "position", now.war.box.record_html(now.view, now.side), "politics and the record sheets of the others"
    if before := whole.get("before"):
        yield "before", [(turn, ran_at, EMPTY) for turn, ran_at, _ in before], "the story of earlier turns"
    yield "position", EMPTY, "your record sheet"
