"""The pictures of the docs: `make pictures` writes all that are shown, and they look as the program draws now."""

import re
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from engine.game import game_named
from pbem.games import own_box
from pbem.words.manual import chapter
from tests.gallery import BLOCK, SMALLER
from tests.hitlers_war.test_golden import IN_ONE_PLACE, ON_THE_WHOLE
from tests.the_project import ROOT
from tools.screenshots import DRAWN, drawn_picture, names

FOLDER = ROOT / "docs" / "pictures"
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
#: In Markdown and in HTML, without those that are somewhere else.
_SHOWN = re.compile(r"""!\[[^\]]*\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)\"""")
#: What is lost on the whole in a picture that is not stored exactly.
LOSS = 4.0


def shown_in(page: Path) -> list[Path]:
    found = ["".join(groups) for groups in _SHOWN.findall(page.read_text(encoding="utf-8"))]
    return [(page.parent / name).resolve() for name in found if "://" not in name]


SHOWN = [(page, picture) for page in PAGES for picture in shown_in(page)]


@pytest.mark.parametrize(("page", "picture"), SHOWN, ids=lambda path: path.name)
def test_every_picture_that_is_shown_exists(page: Path, picture: Path) -> None:
    assert picture.is_file(), f"{page.name} shows {picture.name}"


def test_make_pictures_writes_what_is_shown_and_nothing_else() -> None:
    assert {picture.name for _, picture in SHOWN} == set(names())
    assert {path.name for path in FOLDER.iterdir()} == set(names())
    assert {picture.parent for _, picture in SHOWN} == {FOLDER}


def test_pictures_are_shown_in_the_readme_and_in_the_pages_for_players() -> None:
    assert {page.name for page, _ in SHOWN} == {"README.md", "orders.md", "playing.md", "players-handbook.md"}


@pytest.mark.parametrize("name", DRAWN)
def test_a_picture_of_the_docs_is_as_it_is_drawn_now(name: str) -> None:
    """If not: look at what changed, then `make pictures`."""
    stored, drawn = (each.convert("RGB") for each in (Image.open(FOLDER / name), drawn_picture(name)))
    assert stored.size == drawn.size
    difference = ImageChops.difference(stored, drawn).convert("L").reduce(SMALLER)
    whole, worst = ImageStat.Stat(difference).mean[0], difference.reduce(BLOCK).getextrema()[1]
    lost = LOSS if name.endswith(".webp") else 0.0
    assert whole <= ON_THE_WHOLE + lost
    assert worst <= IN_ONE_PLACE + 4 * lost  # type: ignore[operator]


def test_the_manual_by_mail_has_no_pictures_in_it() -> None:
    docs = own_box(game_named("hitlers-war")).docs
    assert "![" not in chapter(docs, "Deployment and politics")
    assert "VIOLATE Poland" in chapter(docs, "Deployment and politics")
