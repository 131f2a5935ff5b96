"""What pictures cost, beside the PNG encoder alone on the same picture. Part of `make bench`."""

import gc
import io
import resource
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from PIL import Image

from engine.events import Event
from engine.grand_strategy.drafted import Drafted
from engine.grand_strategy.view import View
from pbem.draw.encode import EFFORT
from pbem.games.hitlers_war.pictures import map_png, orders_png, sheet_png
from tools.bench_times import least_work

REPEATS, MANY = 9, 24


def encoded_again(picture: Image.Image) -> None:
    picture.save(io.BytesIO(), "PNG", compress_level=EFFORT)


def kept() -> float:
    """Megabytes of all pictures in memory, as Pillow stores them: a byte a pixel, or four with colours."""
    pictures = [each for each in gc.get_objects() if isinstance(each, Image.Image)]
    return sum(each.width * each.height * (1 if len(each.getbands()) == 1 else 4) for each in pictures) / 1e6


def a_second(work: Callable[[], object], threads: int) -> float:
    """How often something is done in a second by so many threads."""
    with ThreadPoolExecutor(threads) as pool:
        start = time.perf_counter()
        for done in [pool.submit(work) for _ in range(MANY)]:
            done.result()
        return MANY / (time.perf_counter() - start)


def main(view: View, told: Sequence[Event], drafted: Drafted) -> None:
    start = time.process_time()
    first = map_png(view, told)
    cold = (time.process_time() - start) * 1000
    picture = Image.open(io.BytesIO(first))
    picture.load()
    encoder = least_work(lambda: encoded_again(picture), REPEATS)
    warm = least_work(lambda: map_png(view, told), REPEATS)
    card = least_work(lambda: sheet_png(view, view.sides[0], told), REPEATS)
    plan = least_work(lambda: orders_png(view, drafted), REPEATS)
    one, two = (a_second(lambda: map_png(view, told), threads) for threads in (1, 2))
    size = f"{picture.width} x {picture.height}, {len(first) // 1000} KB"
    print(f"PNG encoder alone on a map                 {encoder:8.1f} ms  (1.0; {size})")
    print(f"map, drawn and encoded                     {warm:8.1f} ms  ({warm / encoder:.2f} times that)")
    print(f"map, the first one of a process            {cold:8.1f} ms  ({cold / encoder:.1f} times that)")
    print(f"record sheet                               {card:8.1f} ms  ({card / encoder:.2f} times that)")
    print(f"orders on the map                          {plan:8.1f} ms  ({plan / encoder:.2f} times that)")
    print(f"maps a second, one thread and two          {one:8.1f} and {two:.1f}")
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(f"pictures kept in memory                    {kept():8.0f} MB  (the process had {most:.0f} MB at most)")
