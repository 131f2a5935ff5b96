"""Finding the order that decides: army before hex before country before ALL, later lines before earlier ones."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from engine.grand_strategy.board import Board
from engine.grand_strategy.orders import Coastal, Defend, Losses, Retreat
from engine.grand_strategy.state import Container

Policy = TypeVar("Policy", Defend, Losses, Retreat, Coastal)


def most_precise(policies: Iterable[Policy], keys: Sequence[str]) -> Policy | None:
    """The last policy for the first of the keys that any policy names."""
    by_key = {policy.where: policy for policy in policies}
    return next((by_key[key] for key in keys if key in by_key), None)


def in_precision(policies: Iterable[Policy], keys: Sequence[str]) -> list[Policy]:
    """All policies that apply, the one that decides first."""
    rank = {key: number for number, key in enumerate(keys)}
    applying = [(rank[policy.where], -number, policy) for number, policy in enumerate(policies) if policy.where in rank]
    return [policy for _, _, policy in sorted(applying, key=lambda entry: entry[:2])]


def keys_of_place(board: Board, place: str) -> tuple[str, ...]:
    return (place, board[place].country, "ALL") if board[place].country else (place, "ALL")


def keys_of_army(board: Board, army: Container, place: str = "") -> tuple[str, ...]:
    return (army.id, *keys_of_place(board, place or army.place))
