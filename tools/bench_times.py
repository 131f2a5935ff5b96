"""Taking the time for `make bench`."""

import time
from collections.abc import Callable


def best_of(work: Callable[[], object], repeats: int) -> float:
    """The shortest time of several, in milliseconds: the others were disturbed."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times) * 1000


def least_work(work: Callable[[], object], repeats: int) -> float:
    """The least of the processor's time in several goes, in milliseconds: what others do meanwhile does not count."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times) * 1000
