"""What a front on a board of ten thousand hexes costs the program that draws it first. Part of `make bench`.

Each time in a process of its own, which has the board and has drawn nothing: what is kept afterwards costs nothing.
"""

import json
import subprocess
import sys
import time
from pathlib import Path
from resource import RUSAGE_SELF, getrusage

from PIL import Image

from pbem.draw.cutout import SCALES
from pbem.draw.encode import as_png
from pbem.draw.kept import PICTURES
from pbem.draw.paint import frame_of, paint
from tools.bench_times import least_work
from tools.wide_board import wide_atlas, wide_scene, wide_style

HERE = Path(__file__).parent.parent
PROCESSES, AGAIN = 3, 5
Figures = dict[str, float]


def drawn_first(again: int) -> Figures:
    """In milliseconds of the processor and in megabytes. To be asked of a process that has drawn nothing yet."""
    scene, atlas, style = wide_scene(), wide_atlas(), wide_style()

    def drawn() -> Image.Image:
        return paint(scene, frame_of(scene, atlas, SCALES[-1]), style)

    def anew() -> None:
        PICTURES.clear()
        as_png(drawn(), style)

    had = most_memory()
    start = time.process_time()
    picture = drawn()
    as_png(picture, style)
    cold = (time.process_time() - start) * 1000
    more = most_memory() - had
    encoder = least_work(lambda: as_png(picture, style), again)
    warm = least_work(lambda: as_png(drawn(), style), again)
    weight = PICTURES.weight / 1e6
    return {
        "width": picture.width,
        "height": picture.height,
        "cold": cold,
        "encoder": encoder,
        "warm": warm,
        "forgotten": least_work(anew, again),
        "more": more,
        "kept": weight,
    }


def most_memory() -> float:
    """In megabytes. By getrusage a process begins with what the one that started it had."""
    status = Path("/proc/self/status")
    if not status.exists():
        return getrusage(RUSAGE_SELF).ru_maxrss / 1000
    (line,) = (line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024 / 1e6


def of_a_new_process(again: int = AGAIN) -> Figures:
    ask = f"import json; from tools.bench_wide import drawn_first; print(json.dumps(drawn_first({again})))"
    ran = subprocess.run([sys.executable, "-c", ask], cwd=HERE, capture_output=True, text=True, check=True)
    figures: Figures = json.loads(ran.stdout)
    return figures


def main() -> None:
    every = [of_a_new_process() for _ in range(PROCESSES)]
    least = {name: min(figures[name] for figures in every) for name in every[0]}
    encoder, cold, forgotten, warm = (least[name] for name in ("encoder", "cold", "forgotten", "warm"))
    size = f"{least['width']:.0f} x {least['height']:.0f}"
    print(f"PNG of a front of a wide board alone       {encoder:8.1f} ms  (1.0; {size})")
    print(f"that front, the first one of a process     {cold:8.1f} ms  ({cold / encoder:.1f} times that)")
    print(
        f"that front, nothing of it kept             {forgotten:8.1f} ms  ({forgotten / encoder:.1f} times that; aim 8)"
    )
    print(f"that front, drawn again                    {warm:8.1f} ms  ({warm / encoder:.2f} times that)")
    print(f"more than the process had before           {least['more']:8.0f} MB  ({least['kept']:.0f} kept; below 150)")


if __name__ == "__main__":
    main()
