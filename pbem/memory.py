"""What is kept in mind so that it need not be made again: what was asked for last, up to so many bytes."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import suppress
from functools import wraps
from threading import Lock
from typing import Generic, ParamSpec, TypeVar, cast

Asked = ParamSpec("Asked")
Value = TypeVar("Value")
Made = TypeVar("Made")


class Memory(Generic[Value]):
    """Values by their keys. What was asked for longest ago is forgotten first, as soon as all weigh more than `most`.

    A value that grows while it is used is weighed again whenever it is asked for. One that weighs too much by itself is
    made and not kept. Threads may share a memory; two that ask for the same at once may both make it.
    """

    def __init__(self, most: int, weigh: Callable[[Value], int]) -> None:
        self.most = most
        self._weigh = weigh
        self._kept: OrderedDict[Hashable, tuple[Value, int]] = OrderedDict()
        self._weight = 0
        self._lock = Lock()

    @property
    def weight(self) -> int:
        """In bytes, of all that is kept."""
        return self._weight

    def __len__(self) -> int:
        return len(self._kept)

    def recall(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """What is kept under a key, or else is made now."""
        with self._lock:
            found = self._kept.get(key)
        value = make() if found is None else found[0]
        self.keep(key, value)
        return value

    def keep(self, key: Hashable, value: Value) -> None:
        """As what was asked for last."""
        weight = self._weigh(value)
        with self._lock:
            self._forget(key)
            if weight > self.most:
                return
            self._kept[key] = value, weight
            self._weight += weight
            while self._weight > self.most:
                self._forget(next(iter(self._kept)))

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()
            self._weight = 0

    def _forget(self, key: Hashable) -> None:
        _, weight = self._kept.pop(key, (None, 0))
        self._weight -= weight

    def results(self, function: Callable[Asked, Made]) -> Callable[Asked, Made]:
        """A function whose results are kept here, by what it was asked. Several may share one memory."""

        @wraps(function)
        def remembered(*args: Asked.args, **kwargs: Asked.kwargs) -> Made:
            key = (function, args, tuple(sorted(kwargs.items())))
            return cast(Made, self.recall(key, lambda: cast(Value, function(*args, **kwargs))))

        return remembered


class Lasting(Memory[Value]):
    """Of values that never change, so that one that is asked for again need not be weighed again."""

    def recall(self, key: Hashable, make: Callable[[], Value]) -> Value:
        found = self._kept.get(key)
        if found is None:
            return super().recall(key, make)
        with suppress(KeyError):  # another thread has just let it go
            self._kept.move_to_end(key)
        return found[0]
