"""Which game a command is about that asks for more than rules: the one that was named, or the only one that has it."""

from collections.abc import Callable
from typing import Annotated, TypeVar

import typer

from engine.game import GAMES
from pbem.games.tools import Tools, tools_of
from pbem.refusal import Refusal

Offered = TypeVar("Offered")

OfGame = Annotated[str, typer.Option("--game", metavar="GAME", help="Which game; left out: the only one that has it.")]


class TheGameDoesNotOfferIt(Refusal):
    pass


def example(command: str) -> str:
    """An example of a command, with the first game that has one."""
    words = next((words for game in GAMES if (words := tools_of(game).examples.get(command))), "")
    return f"Example: pbem {command} {words}".rstrip()


def offered(what: str, by: Callable[[Tools], Offered | None], named: str = "") -> tuple[str, Offered]:
    """The game and what it offers. Which one is not guessed if several do."""
    from pbem.cli.main import known_games

    games = known_games()
    having = {game: one for game in games if (one := by(tools_of(game))) is not None}
    if named and named not in having:
        why = f"{games[named].title} has no {what}" if named in games else f"there is no game {named!r}"
        raise TheGameDoesNotOfferIt(why, _which(what, list(having)))
    if not named and len(having) != 1:
        why = f"several games have a {what}" if having else f"no game has a {what}"
        raise TheGameDoesNotOfferIt(why, _which(what, list(having)))
    return next((game, one) for game, one in having.items() if game == (named or game))


def _which(what: str, having: list[str]) -> str:
    return f"Games with a {what}: {', '.join(having)}. Name one with --game." if having else ""
