"""The pictures of the docs, `make pictures`: drawn ones, and mails as a browser shows them.

The mails need Chromium. Nothing is fetched: the pictures of a mail are put into the page itself. Everything is drawn
from wars with fixed orders and fixed dice, so that the same program makes the same pictures.
"""

import html
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path

from PIL import Image

from engine.events import Event
from engine.grand_strategy.view import View
from pbem import shipped
from pbem.games.hitlers_war.pictures import map_png, orders_png, sheet_png
from pbem.mail.finished import page_of, parsed
from pbem.post.bulletin import finished_bytes
from pbem.post.post import Mail
from tools import samples

PHONE, DESKTOP = 390, 1280
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
#: Until everything on a page is there, however busy the machine is.
_WAIT = "--virtual-time-budget=5000"
_MEASURED = re.compile(r'data-width="(\d+)" data-height="(\d+)"')


def browser() -> str | None:
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


class Chromium:
    """A browser without a window, started anew for each page."""

    def __init__(self, program: str, folder: Path) -> None:
        self._program, self._folder = program, folder

    def _run(self, *arguments: str) -> str:
        command = [
            self._program, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            f"--user-data-dir={self._folder / 'profile'}", *arguments,
        ]  # fmt: skip
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout

    def size(self, page: str, width: int) -> tuple[int, int]:
        """How wide and high a page becomes in a window of this width: wider means that it overflows."""
        framed = self._folder / "framed.html"
        framed.write_text(_FRAME.format(width=width, page=html.escape(page)), encoding="utf-8")
        found = _MEASURED.search(self._run(_WAIT, "--dump-dom", framed.as_uri()))
        assert found is not None, "the page was measured"
        return int(found[1]), int(found[2])

    def screenshot(self, page: str, width: int, height: int, *, dark: bool) -> Image.Image:
        source, target = self._folder / "page.html", self._folder / "page.png"
        source.write_text(page, encoding="utf-8")
        scheme = f"--blink-settings=preferredColorScheme={0 if dark else 1}"
        size, patience = f"--window-size={width},{height}", ("--run-all-compositor-stages-before-draw", _WAIT)
        self._run(scheme, size, *patience, f"--screenshot={target}", source.as_uri())
        return Image.open(BytesIO(target.read_bytes())).convert("RGB")


#: A window cannot be as narrow as a phone, but a frame can.
_FRAME = """<!DOCTYPE html><body style="margin:0">
<iframe id="frame" srcdoc="{page}" style="border:0;width:{width}px;height:400px"></iframe>
<script>onload = () => {{
  const page = document.getElementById("frame").contentDocument.documentElement;
  document.body.dataset.width = page.scrollWidth;
  document.body.dataset.height = page.scrollHeight;
}}</script></body>"""

#: Pictures of mails in docs/pictures: a mail, the width of the window, how much of it is shown, and whether by night.
SHOTS: Mapping[str, tuple[tuple[str, str], int, int, bool]] = {
    "report-desktop-light": (("mid-war", "fog"), DESKTOP, 2600, False),
    "report-desktop-dark": (("mid-war", "fog"), DESKTOP, 1900, True),
    "report-phone-light": (("other-side", "fog"), PHONE, 2400, False),
    "report-phone-dark": (("mid-war", "fog"), PHONE, 2400, True),
    "welcome-desktop-light": (("start", "fog"), DESKTOP, 1900, False),
}


#: How wide a picture is shown, and how finely it is stored, if it need not be exact.
SMALLER, QUALITY = 1200, 80
_SHEET = re.compile(r"^```orders[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)


def finished_page(mail: Mail) -> str:
    return page_of(parsed(finished_bytes(samples.SENDER, mail, samples.BEGINNING)))


# ------------------------------------------------------------------ drawn


def _told(scenario: str, side: str, runs: int) -> tuple[View, list[Event]]:
    """What a side knows after so many runs of a war, and what it was told of the last one of each side."""
    war = samples.whole_war("fog", scenario)[:runs]
    shown = war[-len(samples.scenario_named(scenario).sides) :]
    events = [event for run in shown for event in samples.GAME.told(run.events, side, "fog")]
    return samples.GAME.view(war[-1].after, side, "fog"), events


def _orders(scenario: str, word: str) -> bytes:
    """The first sheet of the manual with a word in it, as the Axis would see it drawn before its first turn."""
    manual = (shipped.folder("docs") / "hitlers-war" / "orders.md").read_text(encoding="utf-8")
    text = next(sheet for sheet in _SHEET.findall(manual) if word in sheet)
    view = samples.GAME.view(samples.whole_war("fog", scenario)[0].before, "axis", "fog")
    sheet = samples.GAME.parse(text, view)
    return orders_png(view, samples.GAME.drafted(view, sheet))


def _winter_in_russia() -> tuple[View, list[Event]]:
    return _told(samples.BARBAROSSA, "axis", 3)


#: The other pictures in docs/pictures, as they are drawn.
DRAWN: Mapping[str, Callable[[], bytes]] = {
    "midwar-fog.png": lambda: map_png(*_winter_in_russia()),
    "sheet.png": lambda: sheet_png(_winter_in_russia()[0], "axis", _winter_in_russia()[1]),
    "campaign-fog.webp": lambda: map_png(*_told(samples.CAMPAIGN, "allies", 3)),
    "orders.png": lambda: _orders(samples.BARBAROSSA, "ATTACK"),
    "orders-campaign.png": lambda: _orders(samples.CAMPAIGN, "ADOPT United States"),
}


def drawn_picture(name: str) -> Image.Image:
    """As large as it is in the docs."""
    picture = Image.open(BytesIO(DRAWN[name]()))
    if not name.endswith(".webp"):
        return picture
    height = round(picture.height * SMALLER / picture.width)
    return picture.convert("RGB").resize((SMALLER, height), Image.Resampling.LANCZOS)


def names() -> list[str]:
    """Every picture that `make pictures` writes."""
    return [*DRAWN, *(f"{name}.webp" for name in SHOTS)]


def _save(picture: Image.Image, target: Path) -> None:
    if target.suffix == ".webp":
        picture.save(target, "WEBP", quality=QUALITY, method=6)
    else:
        picture.save(target, "PNG", compress_level=9)
    print(f"{target}: {target.stat().st_size // 1000} KB")


def main(folder: Path) -> int:
    for name in DRAWN:
        _save(drawn_picture(name), folder / name)
    program = browser()
    if program is None:
        print("error: Chromium was not found (Debian: apt-get install chromium)", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as scratch:
        chromium = Chromium(program, Path(scratch))
        for name, ((moment, fog), width, height, dark) in SHOTS.items():
            page = finished_page(samples.sample(moment, fog))  # type: ignore[arg-type]
            _save(chromium.screenshot(page, width, height, dark=dark), folder / f"{name}.webp")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
