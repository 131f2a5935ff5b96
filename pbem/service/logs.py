"""The log of the referee: one line an event on stderr, `time level event key=value ...`. No key of a seat is in it."""

import json
import re
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, TextIO

from pbem.records.secrecy import without_tags

LONGEST_VALUE = 300
_PLAIN = re.compile(r"[\w.:/@+%,-]+")

Log = Callable[..., None]


def log_line(level: str, event: str, fields: dict[str, Any], now: datetime) -> str:
    words = [now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"), level, _value(event)]
    words += [f"{name}={_value(value)}" for name, value in fields.items()]
    return without_tags(" ".join(words))


def _value(value: Any) -> str:
    """As it is if it has no blanks in it, else in quotes; never more than one line."""
    text = " ".join(str(value).split())[:LONGEST_VALUE]
    return text if _PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def log_to(stream: TextIO | None = None, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> Log:
    """`log("letters were read", count=3)`; a level other than info is given as `level`."""

    def log(event: str, *, level: str = "info", **fields: Any) -> None:
        print(log_line(level, event, fields, clock()), file=stream or sys.stderr, flush=True)

    return log


def in_one_line(error: BaseException) -> str:
    """What went wrong and where, without the values."""
    where = error.__traceback__
    while where is not None and where.tb_next is not None:
        where = where.tb_next
    place = f" at {where.tb_frame.f_code.co_filename.rpartition('/')[2]}:{where.tb_lineno}" if where else ""
    return f"{type(error).__name__}: {error}{place}"
