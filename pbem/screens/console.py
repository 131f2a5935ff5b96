"""What the commands print: facts for scripts, and the same in words. No secret of the dice is among it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parseaddr
from textwrap import wrap
from typing import Any

import msgspec

from engine.events import Event
from engine.game import PUBLIC, Choice, Game, Gate, Options, Outcome, Side, Traits
from pbem.games import box_of
from pbem.letters.addresses import PLAUSIBLE_ADDRESS
from pbem.post.odds_table import odds_facts, table_of
from pbem.post.receipt import ReceiptFacts
from pbem.post.receipt import receipt as receipt_of
from pbem.records import models
from pbem.records.matches import Awaited, Position, Receipt, Run, SeatTaken, Standing, check_side, how_it_ended
from pbem.records.mending import Found
from pbem.records.replay import Replayed
from pbem.records.seals import record_for
from pbem.records.seats import bot_in_words, bot_named
from pbem.records.verify import Verified, not_proved
from pbem.schedule import minutes_in_words
from pbem.screens.unplayed import not_played_again, verdict_on
from pbem.words.wording import ended

Facts = dict[str, Any]


@dataclass(frozen=True)
class Told:
    """A turn with all its events."""

    turn: models.Turn
    events: Sequence[Event]


def as_json(facts: Any) -> str:
    """Two blanks of indentation; times with their zone."""
    return msgspec.json.format(msgspec.json.encode(facts), indent=2).decode()


def moment(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")


def check_reader(position: Position, side: Side | None) -> None:
    """The GM, the public, or one of the sides."""
    if side not in (None, PUBLIC):
        check_side(position.scenario, side)


def seat_from(text: str) -> SeatTaken:
    """`red=a@example.org`, `red=Ann <a@example.org>`, or `red=bot` for a program."""
    side, equals, person = text.partition("=")
    name, address = parseaddr(person)
    if equals and side.strip() and (level := bot_named(person)) is not None:
        return SeatTaken(side.strip(), "", bot=level)
    if not equals or not side.strip() or not person.strip():
        raise ValueError(f"{text!r} is not SIDE=ADDRESS, for example red=a@example.org")
    if not PLAUSIBLE_ADDRESS.fullmatch(address) or not text.isprintable():
        raise ValueError(f"{person!r} does not look like a mail address")
    return SeatTaken(side.strip(), address, name)


# ------------------------------------------------------------------ games and matches


def game_facts(game: Game) -> Facts:
    return {"id": game.id, "title": game.title, "traits": game.traits, "scenarios": game.scenarios()}


def games_text(games: Iterable[Game]) -> str:
    lines: list[str] = []
    for game in games:
        lines.append(f"{game.id}: {game.title}")
        lines += trait_lines(game.traits)
        for scenario in game.scenarios():
            lines.append(f"  {scenario.id}: {scenario.title}")
            lines.append(f"    sides {', '.join(scenario.sides)}; {scenario.turns} turns")
            if scenario.editions:
                lines.append(f"    editions {', '.join(scenario.editions)}")
            if scenario.switches:
                lines.append(f"    options {', '.join(scenario.switches)}")
            lines += [line for choice in scenario.choices for line in choice_lines(choice)]
            lines += [f"    {line}" for line in wrap(scenario.summary, 76)]
    return "\n".join(lines)


def trait_lines(traits: Traits) -> Iterator[str]:
    """What there is to choose from; the first of each is played if nothing is said."""
    for what, offered in (("fogs", traits.fogs), ("modes", traits.modes), ("bots", traits.bots)):
        if len(offered) > 1:
            yield f"  {what} {', '.join(offered)}"


def choice_lines(choice: Choice) -> list[str]:
    words = f"option {choice.name}={choice.default}, or {choice.what_works}. {choice.told}"
    return wrap(words, 80, initial_indent="    ", subsequent_indent="      ")


def match_facts(standing: Standing) -> Facts:
    match = standing.match
    return {
        "match": match.id,
        "title": match.title,
        "game": match.game,
        "scenario": match.scenario,
        "options": match.options,
        "status": match.status,
        "commitment": match.commitment,
        "turns_run": match.gate_number,
        "turns_taken_back": standing.taken_back,
        "created": match.created,
        "deadline": match.deadline,
        "settle_minutes": match.settle_minutes,
        "settles": standing.settles,
        "waits": standing.waits,
        "paused": match.paused,
        "frozen": bool(match.frozen),
        "gate": standing.gate,
        "awaited": [awaited_facts(one) for one in standing.awaited],
        "missing": standing.missing,
        "outcome": standing.outcome,
    }


def awaited_facts(awaited: Awaited) -> Facts:
    return {
        "side": awaited.side,
        "must_send": awaited.must_send,
        "since": awaited.since,
        "arrived": awaited.arrived,
        "in_doubt": awaited.in_doubt,
        "unready": awaited.unready,
    }


def new_match_text(standing: Standing, seats: Sequence[SeatTaken]) -> str:
    match, gate = standing.match, standing.gate
    lines = [f"Match {match.id}: {match.title} ({match.game}, {match.scenario})"]
    lines += [f"  {seat.side}: {_who(seat)}" for seat in seats]
    lines.append(f"  {', '.join(_option(key, value) for key, value in match.options.items() if value)}")
    if match.settle_minutes:
        lines.append(f"  a turn is run {minutes_in_words(match.settle_minutes)} after its last sheet")
    lines.append(f"Dice commitment: {match.commitment}")
    lines.append("It stands in every welcome; with it the players can check every die later.")
    if gate is not None:
        lines += ["", *next_step(match.id or 0, gate, standing.missing)]
    return "\n".join(lines)


def _option(key: str, value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}={chosen}" for name, chosen in value.items())
    return f"options {', '.join(map(str, value))}" if isinstance(value, list) else f"{key}: {value}"


def _who(seat: SeatTaken) -> str:
    if seat.bot is not None:
        return bot_in_words(seat.bot) if seat.bot else "a bot"
    return "open" if seat.is_open else f"{seat.name + ' ' if seat.name else ''}<{seat.address}>"


def next_step(match_id: int, gate: Gate, missing: Sequence[Side]) -> list[str]:
    lines = [f"{gate.title}."]
    if not missing:
        return [*lines, f"All sheets are in. Next: pbem process {match_id}"]
    lines.append(f"Awaited: {', '.join(missing)}. Next: pbem orders {match_id} {missing[0]} FILE")
    if gate.also_heard:
        lines.append(f"Standing orders may come from: {', '.join(gate.also_heard)}.")
    return lines


def status_text(standings: Sequence[Standing]) -> str:
    if not standings:
        return "There are no matches yet. Start one with: pbem new (see pbem new --help)"
    return "\n\n".join("\n".join(standing_lines(standing)) for standing in standings)


def standing_lines(standing: Standing) -> list[str]:
    match, gate = standing.match, standing.gate
    taken_back = f", {standing.taken_back} taken back" if standing.taken_back else ""
    lines = [f"{match.id}  {match.title} ({match.game}, {match.scenario}), {match.gate_number} turns run{taken_back}"]
    if gate is None:
        return [*lines, f"   Over: {how_it_ended(standing.outcome)}."]
    lines += [f"   {gate.title}", f"   {deadline_text(match)}"]
    lines += [f"   {settling_text(standing)}"] if match.settle_minutes and not (match.paused or match.frozen) else []
    chosen = msgspec.convert(match.options, Options).chosen
    lines += [f"   Options: {', '.join(chosen)}"] if chosen else []
    return lines + [f"   {awaited_text(one)}" for one in standing.awaited]


def deadline_text(match: models.Match) -> str:
    if match.frozen:
        return f"Frozen, because its turn could not be run. When the cause is mended: pbem thaw {match.id}"
    if match.paused:
        return "Paused: no deadline passes"
    return f"Deadline {moment(match.deadline)}" if match.deadline else "No deadline"


def settling_text(standing: Standing) -> str:
    """When the turn is run, where its last sheet lies for a while before."""
    after = f"{minutes_in_words(standing.match.settle_minutes)} after the last sheet"
    if standing.settles is None:
        return f"Runs {after}"
    if standing.is_held:
        said = f" ({', '.join(standing.waits)}: WAIT)" if standing.waits else ""
        return f"All sheets are in, but the turn is held{said}"
    return f"Runs {moment(standing.settles)}, {after}; at once with: pbem process {standing.match.id}"


def awaited_text(awaited: Awaited) -> str:
    if awaited.arrived is not None:
        doubt = "in doubt (refused lines, or unfinished)" if awaited.in_doubt else "not final (SETTLE READY)"
        waits = f"\n     {doubt}: it waits for READY or the deadline" if awaited.unready else ""
        return f"{awaited.side}: a sheet came {moment(awaited.arrived)}{waits}"
    if awaited.must_send:
        return f"{awaited.side}: awaited since {moment(awaited.since)}"
    return f"{awaited.side}: may send standing orders"


# ------------------------------------------------------------------ sheets


def receipt_facts(receipt: Receipt) -> Facts:
    refused = {finding.line for finding in receipt.judged.findings if finding.refuses}
    return {
        "match": receipt.match.id,
        "side": receipt.side,
        "gate": receipt.gate,
        "kept": receipt.kept,
        "why_not": receipt.why_not,
        "superseded": receipt.superseded,
        "missing": receipt.missing,
        "digest": receipt.digest,
        "arrived": receipt.arrived,
        "orders": [
            {"line": line.number, "text": line.text, "read_as": str(line.order), "standing": line.standing}
            for line in receipt.judged.sheet.lines
            if line.number not in refused
        ],
        "findings": receipt.judged.findings,
        "odds": odds_facts(receipt.judged.odds),
    }


def receipt_text(game: Game, receipt: Receipt, text: str) -> str:
    box = box_of(game)
    facts = ReceiptFacts(
        match=receipt.match.id or 0,
        title=receipt.match.title,
        side=receipt.side,
        gate_title=receipt.gate.title,
        digest=receipt.digest,
        arrived=receipt.arrived,
        superseded=receipt.superseded,
        missing=receipt.missing,
        kept=receipt.kept,
        only_checked=receipt.only_checked,
        awaited=receipt.awaited,
        odds=table_of(box, receipt.judged.odds),
    )
    judged = receipt.judged
    transcript = receipt_of(box, text, judged.sheet, judged.findings, facts).rstrip()
    return f"{transcript}\n\n{what_became_of(receipt)}"


def what_became_of(receipt: Receipt) -> str:
    if receipt.why_not:
        return f"Not kept: {ended(receipt.why_not)}"
    if receipt.only_checked:
        return "This was a check only. Give the command without --check to hand the sheet in."
    if receipt.missing:
        return f"Taken. Still awaited: {', '.join(receipt.missing)}."
    if minutes := receipt.match.settle_minutes:
        when = f"The turn is run {minutes_in_words(minutes)} from now; at once with"
        return f"Taken. All sheets are in. {when}: pbem process {receipt.match.id}"
    return f"Taken. All sheets are in. Next: pbem process {receipt.match.id}"


# ------------------------------------------------------------------ turns


def run_facts(run: Run, standing: Standing) -> Facts:
    turn = run.turn
    return {
        "match": turn.match_id,
        "turn": turn.number,
        "run": turn.run,
        "gate": turn.gate_id,
        "title": turn.title,
        "without": run.defaulted,
        "link": turn.link,
        "hash": turn.hash_after,
        "ran_at": turn.ran_at,
        "next_gate": run.next_gate,
        "missing": standing.missing,
        "outcome": run.outcome,
    }


def run_text(run: Run, standing: Standing) -> str:
    turn, match_id = run.turn, run.turn.match_id
    lines = [f"Turn {turn.number} of match {match_id} was run: {turn.title}."]
    if run.defaulted:
        sides = ", ".join(run.defaulted)
        lines.append(f"No sheet came from {sides}; standing orders and defaults were used.")
    lines.append(f"What happened: pbem log {match_id} --turn {turn.number} --as SIDE (without --as: everything)")
    lines.append(f"The map now:   pbem show {match_id} --as SIDE")
    lines.append("")
    if run.next_gate is None:
        return "\n".join([*lines, over_text(match_id, run.outcome)])
    return "\n".join(lines + next_step(match_id, run.next_gate, standing.missing))


def over_text(match_id: int, outcome: Outcome | None) -> str:
    return f"The war is over: {how_it_ended(outcome)}. Anybody can check it with: pbem replay {match_id}"


def turn_facts(position: Position, told: Told, side: Side | None) -> Facts:
    """A turn as a side may know it: its own sheet, of the others the digest, and the events it is told."""
    turn = told.turn
    return {
        "match": turn.match_id,
        "turn": turn.number,
        "run": turn.run,
        "taken_back": taken_back_facts(turn),
        "gate": turn.gate_id,
        "title": turn.title,
        "ran_at": turn.ran_at,
        "program": turn.program,
        "side": side,
        "sheets": [record_for(sheet, side) for sheet in turn.sheets],
        "link": turn.link,
        "hash_before": turn.hash_before,
        "hash_after": turn.hash_after,
        "events": events_told(position, told, side),
    }


def taken_back_facts(turn: models.Turn) -> Facts | None:
    if turn.taken_back is None:
        return None
    return {"at": turn.taken_back, "by": turn.taken_back_by, "why": turn.taken_back_for}


def events_told(position: Position, told: Told, side: Side | None) -> list[Event]:
    return position.game.told(told.events, side, position.options.fog)


def log_text(position: Position, told: Sequence[Told], side: Side | None) -> str:
    if not told:
        return f"{heading(position, side)}\n\nNo turn has been run yet."
    parts = [heading(position, side)]
    parts += [turn_text(position, one, side) for one in told]
    return "\n\n".join(parts)


def turn_text(position: Position, told: Told, side: Side | None) -> str:
    turn = told.turn
    diary = box_of(position.game).story(events_told(position, told, side), side).strip()
    title = f"Turn {turn.number}: {turn.title} (run {moment(turn.ran_at)})"
    if turn.taken_back is not None:
        why = f": {turn.taken_back_for}" if turn.taken_back_for else ""
        title += f"\nTAKEN BACK {moment(turn.taken_back)} by {turn.taken_back_by}, it does not count{why}"
    return f"{title}\n\n{diary}\n\nDice link: {turn.link}\nState hash: {turn.hash_after}"


def heading(position: Position, side: Side | None) -> str:
    whose = {
        None: "the GM's view: everything; --as SIDE shows one side's",
        PUBLIC: "what is public: every side may know it",
    }.get(side, f"as {side} may know it")
    return f"Match {position.match_id}: {position.match.title} ({whose})"


# ------------------------------------------------------------------ positions and replays


def view_facts(position: Position, side: Side | None) -> Facts:
    return {
        "match": position.match_id,
        "title": position.match.title,
        "game": position.match.game,
        "side": side,
        "turns_run": position.match.gate_number,
        "commitment": position.match.commitment,
        "view": position.view(side),
    }


def show_text(position: Position, side: Side | None) -> str:
    text = box_of(position.game).position(position.view(side)).rstrip()
    return f"{heading(position, side)}\n\n{text}"


def step_facts(step: Replayed) -> Facts:
    difference = step.difference
    return {
        "turn": step.number,
        "taken_back": step.taken_back,
        "title": step.title,
        "hash": step.hash,
        "program": step.program,
        "rules": step.rules,
        "played_again": step.played,
        "agrees": difference is None,
        "difference": None
        if difference is None
        else {"what": difference.what, "recorded": difference.recorded, "replayed": difference.replayed},
    }


def found_facts(found: Found) -> Facts:
    """A position that was damaged on file."""
    again = found.again
    return {
        "turn": found.entry.turn,
        "run": found.entry.run,
        "damage": found.damage,
        "made_again": again is not None,
        "played_again": again.played if again is not None else 0,
        "why_not": found.why_not,
    }


def mended_text(match_id: int, found: Sequence[Found]) -> str:
    if not found:
        return f"Match {match_id}: every position on file is sound."
    lines = [f"Match {match_id}: {one}." for one in found]
    if any(one.again is None for one in found):
        lines.append("What cannot be made again can only be read in a backup copy. See the handbook: Backup")
    return "\n".join(lines)


def verified_facts(found: Verified) -> Facts:
    return {
        "holds": found.holds,
        "match": found.report.match,
        "turn": found.turn,
        "title": found.report.title,
        "fog": found.report.fog,
        "commitment": found.commitment,
        "commitment_is_right": found.commitment_is_right if found.expected else None,
        "link": found.link,
        "digests": found.digests,
        "dice": found.dice,
        "wrong": found.wrong,
        "skipped": found.skipped,
        "others_in_the_file": found.report.others,
        "not_proved": not_proved(found),
    }


def replay_text(match_id: int, steps: Sequence[Replayed], rules: int) -> str:
    """`rules` is the number of those this program has."""
    lines = [
        f"{step.number:>4}  {step.hash[:16]}  {verdict_on(step)}  {step.title}"
        f"{' (taken back)' if step.taken_back else ''}"
        for step in steps
    ]
    last = steps[-1]
    unplayed = not_played_again(steps, rules)
    lines += [unplayed] if unplayed else []
    if last.difference is None and unplayed:
        return "\n".join([*lines, f"Match {match_id} agrees with its record, as far as this program can play it."])
    if last.difference is None:
        taken_back = sum(step.taken_back for step in steps)
        without = f" that count, {taken_back} that were taken back" if taken_back else ""
        turns = f"{len(steps) - 1 - taken_back} turns{without}"
        return "\n".join([*lines, f"Match {match_id} replays exactly: {turns}, every die and position."])
    return "\n".join([*lines, *difference_lines(match_id, last)])


def difference_lines(match_id: int, step: Replayed) -> list[str]:
    difference = step.difference
    assert difference is not None
    lines = [
        f"Match {match_id} does not replay. First difference: turn {step.number}, {difference.what}:",
        f"  recorded: {difference.recorded}",
        f"  replayed: {difference.replayed}",
    ]
    if step.program:
        lines.append(f"The turn was run by pbem {step.program}.")
    return lines
