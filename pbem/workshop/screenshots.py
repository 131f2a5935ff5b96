"""Mails as a browser shows them: `make pictures`, and the test that no page is wider than a phone.

Needs Chromium. Nothing is fetched: the pictures of a mail are put into the page itself.
"""

import html
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

from PIL import Image

from pbem.mail.finished import page_of, parsed
from pbem.mail.post import Mail
from pbem.words.bulletin import finished_bytes
from pbem.workshop import samples

PHONE, DESKTOP = 390, 1280
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
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
        found = _MEASURED.search(self._run("--virtual-time-budget=5000", "--dump-dom", framed.as_uri()))
        assert found is not None, "the page was measured"
        return int(found[1]), int(found[2])

    def screenshot(self, page: str, width: int, height: int, *, dark: bool) -> Image.Image:
        source, target = self._folder / "page.html", self._folder / "page.png"
        source.write_text(page, encoding="utf-8")
        scheme = f"--blink-settings=preferredColorScheme={0 if dark else 1}"
        self._run(scheme, f"--window-size={width},{height}", f"--screenshot={target}", source.as_uri())
        return Image.open(BytesIO(target.read_bytes())).convert("RGB")


#: A window cannot be as narrow as a phone, but a frame can.
_FRAME = """<!DOCTYPE html><body style="margin:0">
<iframe id="frame" srcdoc="{page}" style="border:0;width:{width}px;height:400px"></iframe>
<script>onload = () => {{
  const page = document.getElementById("frame").contentDocument.documentElement;
  document.body.dataset.width = page.scrollWidth;
  document.body.dataset.height = page.scrollHeight;
}}</script></body>"""

#: The pictures in docs/pictures: a mail, the width of the window, how much of it is shown, and whether by night.
SHOTS: Mapping[str, tuple[tuple[str, str], int, int, bool]] = {
    "report-desktop-light": (("mid-war", "fog"), DESKTOP, 2600, False),
    "report-desktop-dark": (("mid-war", "fog"), DESKTOP, 1900, True),
    "report-phone-light": (("other-side", "fog"), PHONE, 2400, False),
    "report-phone-dark": (("mid-war", "fog"), PHONE, 2400, True),
    "welcome-desktop-light": (("start", "fog"), DESKTOP, 1900, False),
}


def finished_page(mail: Mail) -> str:
    return page_of(parsed(finished_bytes(samples.SENDER, mail, samples.BEGINNING)))


def main(folder: Path) -> int:
    program = browser()
    if program is None:
        print("error: Chromium was not found (Debian: apt-get install chromium)", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as scratch:
        chromium = Chromium(program, Path(scratch))
        for name, ((moment, fog), width, height, dark) in SHOTS.items():
            page = finished_page(samples.sample(moment, fog))  # type: ignore[arg-type]
            target = folder / f"{name}.webp"
            chromium.screenshot(page, width, height, dark=dark).save(target, "WEBP", quality=80, method=6)
            print(f"{target}: {target.stat().st_size // 1000} KB")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
