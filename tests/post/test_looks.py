"""HTML mail can be read: by day and by night, on a phone, by a screen reader, and in programs that know little CSS."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from engine.game import games
from pbem.games import own_box
from pbem.mail.finished import page_of, parsed
from pbem.post.post import Attachment, Mail, compose, subject_of
from pbem.words.columns import two_columns
from pbem.words.looks import ROLES, SHAPES, Colours, Style
from pbem.words.pages import EMPTY, page, prose
from tests.golden_reports import NAMES
from tools.samples import BEGINNING, MOMENTS, SENDER, sample
from tools.screenshots import DESKTOP, PHONE, Chromium, browser, finished_page

#: WCAG 2.1, 1.4.3, level AA, for text of ordinary size.
LEAST_CONTRAST = 4.5


def luminance(colour: str) -> float:
    """WCAG 2.1, relative luminance."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(colours: Colours) -> float:
    light, dark = sorted(map(luminance, colours), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_measured_as_the_standard_does():
    assert contrast(Colours("#000000", "#ffffff")) == pytest.approx(21)
    assert contrast(Colours("#777777", "#ffffff")) == pytest.approx(4.48, abs=0.01)


STYLES = {game.id: own_box(game).style for game in games().values()}
EVERY_ROLE = {**ROLES, **{name: role for style in STYLES.values() for name, role in style.roles.items()}}


@pytest.mark.parametrize("role", EVERY_ROLE)
def test_everything_can_be_read_by_day_and_by_night(role):
    assert contrast(EVERY_ROLE[role].day) >= LEAST_CONTRAST
    assert contrast(EVERY_ROLE[role].night) >= LEAST_CONTRAST


def test_a_mail_has_the_colour_of_its_side_and_only_the_colours_of_its_game():
    green = Style((("allies", "#1f5241"),))
    assert 'class="banner-allies in" style="color:#ffffff;background-color:#1f5241;' in page(
        "x", EMPTY, "", "allies", green
    )
    assert ".banner-allies{color:#ffffff!important;background-color:#1f5241!important}" in page(
        "x", EMPTY, "", "", green
    )
    assert 'class="banner in"' in page("x", EMPTY, "", "axis", green)
    assert "#1f5241" not in page("x", EMPTY, "", "allies")


def test_every_side_of_every_war_has_its_own_colour(pages):
    for game in games().values():
        sides = {side for scenario in game.scenarios() for side in scenario.sides}
        assert {side for side, _ in STYLES[game.id].banners} == sides
        assert len({ground for _, ground in STYLES[game.id].banners}) == len(sides)
    assert all('class="banner-' in page for page in pages.values())


class Outline(HTMLParser):
    """What a screen reader makes of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.headings: list[int] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag not in ("meta", "img", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def html_of(mail: Mail) -> str:
    return page_of(parsed(compose(SENDER, mail, subject_of(mail), BEGINNING)))


@pytest.fixture(scope="module")
def pages() -> dict[tuple[str, str], str]:
    return {name: html_of(sample(*name)) for name in NAMES}


@pytest.mark.parametrize("name", NAMES, ids="-".join)
def test_a_screen_reader_finds_its_way(pages, name):
    seen = Outline(pages[name])
    assert seen.open == []
    assert seen.all("html")[0]["lang"] == "en"
    assert seen.headings[0] == 1
    assert seen.headings.count(1) == 1
    assert all(later <= earlier + 1 for earlier, later in zip(seen.headings, seen.headings[1:], strict=False))
    assert all(header["scope"] in ("col", "row") for header in seen.all("th"))
    assert all(table.get("role") == "presentation" or "style" in table for table in seen.all("table"))
    assert [picture["src"][:4] for picture in seen.all("img")] == ["data", "data"]


def test_the_alt_texts_tell_the_position_as_the_reader_knows_it(pages):
    """Winter 1941 in fog: Army Group Center of one infantry and eight mechanized points in Minsk."""
    map_, sheet = (picture["alt"] for picture in Outline(pages["mid-war", "fog"]).all("img"))
    assert "Q14 Minsk: Army Group Center (" in map_
    assert "Q17 Moscow: Moscow Front (medium (4-6)), last seen in Summer 1941" in map_
    assert sheet.startswith("Record sheet of the Axis, Winter 1941: ")


def test_the_alt_texts_of_a_campaign_tell_forts_landings_and_politics(pages):
    map_, sheet = (picture["alt"] for picture in Outline(pages["campaign", "fog"]).all("img"))
    assert "Forts: G11 Malta, Allied, 1; H4 Gibraltar, Allied, 2;" in map_
    assert "N9 Stuttgart, Axis, light (1-3)" in map_
    assert "Landings: British Eighth Army from P7 London in R9 Esbjerg." in map_
    assert "Italy unaligned, joins the Axis this season; Poland surrendered, to the Axis, Winter 1939" in map_
    assert sheet.startswith("Record sheet of the Allies, Spring 1940: 4 armies ")


def test_politics_is_a_table_and_what_is_quiet_a_line(pages):
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", pages["campaign", "open"]))
    assert "Country Stands What happened, what is to come" in text
    assert "United States unaligned Joins the Allies in Spring 1942" in text
    assert "Closed to all: Saudi Arabia, Switzerland." in text
    assert "Politics" not in re.sub(r"<[^>]*>", " ", pages["mid-war", "open"])


@pytest.mark.parametrize("name", NAMES, ids="-".join)
def test_only_measured_colours_are_used_and_nothing_is_fetched(pages, name):
    text = re.sub(r"<style>.*?</style>|data:image/png;base64,[^\"]*", "", pages[name], flags=re.DOTALL)
    known = {colour for role in EVERY_ROLE.values() for colour in role.day} | set(
        re.findall(r"#[0-9a-f]{6}", " ".join(SHAPES.values()))
    )
    assert set(re.findall(r"#[0-9a-fA-F]{6}\b", text)) <= known
    assert not re.search(r"https?://(?!www\.w3\.org/1999/xhtml)|<script|<link|url\(|@import", text)
    assert len(text) < 100_000


def test_what_a_player_writes_is_never_html():
    said = '| <img src=x onerror=alert(1)> & "so" on'
    text = page("Press from <b>Axis</b>", prose(f"Press from Axis.\n\n{said}\n"), "<i>War</i>", "axis")
    assert "<img" not in text
    assert "<b>" not in text
    assert "<i>War" not in text
    assert "&lt;img src=x onerror=alert(1)&gt;" in text


def test_plain_text_becomes_paragraphs_headings_quotes_and_columns():
    text = (
        "HOW IT STANDS\n\nThis is a paragraph that was folded because it is longer than the width\nof a line.\n\n"
        "  pbem outbox\n\n| quoted\n| lines\n\nDeadlines     every week\nPress         named\n"
    )
    made = prose(text)
    assert re.search(r"<h2 [^>]*>How it stands</h2>", made)
    assert re.search(r"<p [^>]*>This is a paragraph .* the width of a line\.</p>", made)
    assert re.search(r"<pre [^>]*>  pbem outbox</pre>", made)
    assert re.search(r"<blockquote [^>]*>quoted\nlines</blockquote>", made)
    assert re.search(r"<th [^>]*>Deadlines</th><td [^>]*>every week</td></tr>\n<tr><th [^>]*>Press</th>", made)


def test_the_numbers_of_cases_in_a_heading_keep_their_capitals():
    assert ">ATTACK (D-10, HW-8.4)</h2>" in prose("ATTACK (D-10, HW-8.4)\n")


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        (
            "  HELP [word]    this list, or more\n                 about an order.\n",
            [("HELP [word]", "this list, or more about an order.")],
        ),
        (
            "  GOTO West P11\n          move an army.\n  KEY     a new key.\n",
            [("GOTO West P11", "move an army."), ("KEY", "a new key.")],
        ),
        (
            "HW-18.7      Campaign I with\n               three players.\n",
            [("HW-18.7", "Campaign I with three players.")],
        ),
        ("line  attack   fires\n   1  Center P14   8\n", None),
        ("  ATTACK Center P14\n  BUILD 2I P10\n", None),
        ("   1  TAKE north\n        refused: no.\n", [("1", "TAKE north refused: no.")]),
    ],
)
def test_two_columns_are_told_from_whatever_else_is_laid_out(text, rows):
    assert two_columns(text.splitlines()) == rows


def test_words_too_long_for_a_phone_stand_above_what_is_said_about_them():
    made = prose(
        "  EXPLOIT Center P15 Q16:ASSAULT-IF RANGE<4\n                        go on.\n  KEY                   a new key.\n"
    )
    assert re.search(
        r"<td [^>]*><strong><span [^>]*>EXPLOIT Center P15 Q16:ASSAULT-IF RANGE&lt;4</span></strong><br>go on\.</td>",
        made,
    )
    assert "<th" not in made


# ------------------------------------------------------------------ in a browser

NOTICE = Mail(
    "notice/1",
    "notice",
    "anna@example.org",
    "New deadline: Sunday 22 November 2026, 20:00 CET",
    "The deadline has moved: it was extended.\n\n  " + "columns   " * 9 + "\n\n" + "averylongword" * 9 + "\n",
    attachments=(Attachment("a.txt", "text/plain", b"a"),),
)


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Chromium:
    program = browser()
    if program is None:
        pytest.skip("CHROMIUM IS MISSING: no page was looked at. Install it: apt-get install chromium")
    return Chromium(program, Path(tmp_path_factory.mktemp("chromium")))


@pytest.mark.parametrize("moment", MOMENTS)
def test_no_page_is_wider_than_a_phone(chromium, moment):
    assert chromium.size(finished_page(sample(moment, "fog")), PHONE)[0] == PHONE


def test_no_notice_is_wider_than_a_phone(chromium):
    assert chromium.size(html_of(NOTICE), PHONE)[0] == PHONE


def test_a_page_turns_dark_at_night(chromium):
    """The ground of the page and of the card, left and in the middle of the window."""
    text = finished_page(sample("start", "fog"))
    for dark, look in ((False, "day"), (True, "night")):
        picture = chromium.screenshot(text, DESKTOP, 400, dark=dark)
        ground = "#{:02x}{:02x}{:02x}".format(*picture.getpixel((20, 300)))
        assert ground == getattr(ROLES["page"], look).ground
