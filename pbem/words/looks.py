"""How HTML mail looks: what is written in which colours, by day and by night, and the few shapes there are.

Mail programs drop style sheets, so every colour stands in the element itself; a style sheet in the head changes them at
night, where it is read, and gives tables room. A program that ignores it, or turns the colours round by itself, shows
the day.
"""

from functools import cache
from typing import NamedTuple

from markupsafe import Markup


class Colours(NamedTuple):
    ink: str
    ground: str


class Role(NamedTuple):
    """What is written in these colours is legible: `tests/post/test_looks.py` measures it."""

    day: Colours
    night: Colours


_INK, _NIGHT_INK = "#2b2622", "#ece5d6"
_CARD, _NIGHT_CARD = "#fffdf7", "#23201d"
_WHITE = "#ffffff"


def _banner(ground: str) -> Role:
    """The same by day and by night."""
    return Role(Colours(_WHITE, ground), Colours(_WHITE, ground))


ROLES: dict[str, Role] = {
    "page": Role(Colours("#5a5148", "#ebe4d4"), Colours("#b9af9f", "#161412")),
    "card": Role(Colours(_INK, _CARD), Colours(_NIGHT_INK, _NIGHT_CARD)),
    "soft": Role(Colours("#655c52", _CARD), Colours("#b9af9f", _NIGHT_CARD)),
    "head": Role(Colours("#4f473e", "#f1eadb"), Colours("#cfc5b4", "#302b26")),
    "call": Role(Colours(_INK, "#f6e8c3"), Colours("#f6ead0", "#44381b")),
    "mono": Role(Colours(_INK, "#f4eee0"), Colours(_NIGHT_INK, "#2f2a26")),
    "good": Role(Colours("#1d5c33", "#e2f0e2"), Colours("#b4e4c1", "#1d3626")),
    "bad": Role(Colours("#8f1d14", "#fae4e0"), Colours("#ffc0b6", "#4a231d")),
    "note": Role(Colours("#6a4a00", "#fbefd0"), Colours("#f2d492", "#3f3414")),
    "die": Role(Colours(_INK, _WHITE), Colours("#1d1a17", "#f3ead8")),
    "button": Role(Colours("#3a3027", "#e6dabd"), Colours("#f6ead0", "#4d4335")),
    "banner": _banner("#4a443d"),
}
BANNER = "banner"


class Style(NamedTuple):
    """How the mails of a game look: for each side the ground behind the heading of its mails, under white letters."""

    banners: tuple[tuple[str, str], ...] = ()

    @property
    def roles(self) -> dict[str, Role]:
        """What is added to the roles that all games share."""
        return {f"{BANNER}-{side}": _banner(ground) for side, ground in self.banners}


PLAIN = Style()

#: Lines between things; they carry no words.
LINE, NIGHT_LINE = "#d8cfbc", "#4a433b"

_SERIF = "font-family:Georgia,'Times New Roman',serif"
_SANS = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
_MONO = "font-family:ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace"

SHAPES: dict[str, str] = {
    "body": f"margin:0;padding:0;width:100%;{_SANS};font-size:16px;line-height:1.5",
    "whole": "table-layout:fixed",
    "sheet": "table-layout:fixed;max-width:760px",
    "text": f"margin:0 0 12px;{_SANS};font-size:16px;line-height:1.5;overflow-wrap:anywhere",
    "last": "margin:0",
    "gap": "height:12px",
    "frame": "margin:0 0 18px",
    "small": f"margin:0 0 10px;{_SANS};font-size:14px;line-height:1.45",
    "eyebrow": f"margin:0;{_SANS};font-size:13px;line-height:1.4;letter-spacing:.04em",
    "h1": f"margin:2px 0 0;{_SERIF};font-size:25px;line-height:1.25;font-weight:bold",
    "h2": f"margin:30px 0 10px;{_SERIF};font-size:21px;line-height:1.3;font-weight:bold",
    "h3": f"margin:20px 0 8px;{_SANS};font-size:13px;line-height:1.3;font-weight:bold;letter-spacing:.08em;"
    "text-transform:uppercase",
    "h4": f"margin:14px 0 4px;{_SERIF};font-size:17px;line-height:1.3;font-weight:bold",
    "banner": "padding:22px 28px 20px",
    "inside": "padding:22px 28px 26px",
    "box": "margin:0 0 18px;padding:14px 16px;border-radius:6px",
    "table": f"width:100%;border-collapse:collapse;text-align:left;{_SANS};font-size:15px;line-height:1.4",
    "below": "margin:0 0 14px",
    "cell": f"padding:5px 8px 5px 0;text-align:left;vertical-align:top;border-bottom:1px solid {LINE}",
    "bare": "padding:3px 8px 3px 0;text-align:left;vertical-align:top",
    "column": f"padding:6px 8px 6px 6px;text-align:left;vertical-align:bottom;font-size:13px;"
    f"border-bottom:2px solid {LINE}",
    "number": "text-align:right;white-space:nowrap",
    "tight": "white-space:nowrap;width:1%",
    "label": "width:70px",
    "die": "padding:1px 6px;border:1px solid #8b8174;border-radius:4px;font-weight:bold",
    "chip": "padding:2px 8px;border-radius:9px;font-size:13px;font-weight:bold;white-space:nowrap",
    "button": "display:inline-block;margin:6px 2px 0 0;padding:9px 13px;border-radius:6px;font-size:15px;"
    "font-weight:bold;text-decoration:none",
    "pre": f"margin:0;{_MONO};font-size:13px;line-height:1.45;white-space:pre-wrap;word-break:break-word",
    "wide": f"margin:0;{_MONO};font-size:12px;line-height:1.3;white-space:pre",
    "code": f"{_MONO};font-size:14px;line-height:1.4;word-break:break-word",
    "tiny": f"{_MONO};font-size:12px;line-height:1.4;word-break:break-all",
    "scroll": "margin:0 0 14px;padding:10px 12px;border-radius:6px;overflow-x:auto",
    "quote": f"margin:0 0 14px;padding:6px 0 6px 14px;border-left:4px solid {LINE};{_SERIF};font-size:17px;"
    "line-height:1.5;white-space:pre-wrap;word-break:break-word",
    "picture": "display:block;width:100%;max-width:100%;height:auto;border:0;border-radius:6px",
    "list": f"margin:0 0 12px;padding:0 0 0 20px;{_SANS};font-size:15px;line-height:1.45",
}

#: Shapes that hundreds of elements of a long mail have. They stand in the style sheet of its head, under a letter:
#: written out in each element they would make it so long that Gmail cuts it off. Who drops style sheets shows plain
#: tables.
IN_THE_HEAD = {
    "cell": "c", "bare": "b", "column": "h", "number": "n", "tight": "t", "label": "l", "die": "d", "chip": "p",
    "code": "m", "tiny": "y",
}  # fmt: skip
#: What touches the edges of the page, which are narrower on a small screen.
EDGES = ("banner", "inside")
_NIGHT = "@media (prefers-color-scheme:dark)"


@cache
def look(role: str, *shapes: str) -> Markup:
    """The attributes of an element that is written in a role's colours."""
    return _attributes(role, ROLES[role], shapes)


def _attributes(name: str, role: Role, shapes: tuple[str, ...]) -> Markup:
    ink, ground = role.day
    style = ";".join((f"color:{ink}", f"background-color:{ground}", *_written_out(shapes)))
    edge = ("in",) if any(shape in EDGES for shape in shapes) else ()
    return Markup(f'class="{" ".join((name, *edge, *_letters(shapes)))}" style="{style}"')


@cache
def shape(*shapes: str) -> Markup:
    """The attributes of an element that keeps the colours around it."""
    letters, style = " ".join(_letters(shapes)), ";".join(_written_out(shapes))
    return Markup(" ".join([*([f'class="{letters}"'] if letters else []), *([f'style="{style}"'] if style else [])]))


def _letters(shapes: tuple[str, ...]) -> list[str]:
    return [IN_THE_HEAD[shape] for shape in shapes if shape in IN_THE_HEAD]


def _written_out(shapes: tuple[str, ...]) -> list[str]:
    return [SHAPES[shape] for shape in shapes if shape not in IN_THE_HEAD]


@cache
def banner(side: str, style: Style = PLAIN) -> Markup:
    """The same for what stands above a mail, in the colour of its side if it has one."""
    own = style.roles.get(f"{BANNER}-{side}")
    return look(BANNER, BANNER) if own is None else _attributes(f"{BANNER}-{side}", own, (BANNER,))


@cache
def style_sheet(style: Style = PLAIN) -> Markup:
    """The night, and less room at the edges of small screens. Outlook on the web marks what it has darkened."""
    night = "".join(_rule(f".{name}", role.night) for name, role in {**ROLES, **style.roles}.items())
    lines = f"td,th,blockquote{{border-color:{NIGHT_LINE}!important}}"
    narrow = "@media (max-width:600px){.in{padding-left:14px!important;padding-right:14px!important}}"
    return Markup(f":root{{color-scheme:light dark}}{_NIGHT}{{{night}{lines}}}{narrow}")


@cache
def shape_sheet() -> Markup:
    """Apart from the other, since programs that do not know a rule of a style sheet drop all of it."""
    return Markup("".join(f".{letter}{{{SHAPES[shape]}}}" for shape, letter in IN_THE_HEAD.items()))


def _rule(selector: str, colours: Colours) -> str:
    return f"{selector}{{color:{colours.ink}!important;background-color:{colours.ground}!important}}"
