"""HTML to lines. Quote blocks become lines marked with `>`, signatures that are marked as such disappear.

Parsers that build a tree take minutes for a megabyte of `<div>`, and the standard library's takes minutes for a
hundred kilobytes of `<p a=`. Mail needs neither: this reads tags from left to right, once.
"""

import re
from html import unescape

from pbem.letters.letter import MOST_TEXT_LINES, LetterIsTooLarge

_TOKEN = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|<[!?][^>]*+(?:>|\Z)"
    r"""|<(?P<end>/?)(?P<name>[A-Za-z][A-Za-z0-9:-]*+)(?P<attributes>(?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*+)>"""
    r"|<(?P<end2>/?)(?P<name2>[A-Za-z][A-Za-z0-9:-]*+)(?P<attributes2>[^<>]*+)>"
    r"|(?P<text>[^<]++|<[^<]*+)",
    re.S,
)
#: A name is tried once, from its first letter: a tag may be one long name.
_ATTRIBUTE = re.compile(r"""(?<![A-Za-z-])([A-Za-z-]++)\s*+=\s*+("[^"]*+"|'[^']*+'|[^\s"'>]++)""")
_BLANKS = re.compile(r"[ \t\r\n\f]+")

_SKIPPED = {"head", "script", "style", "title", "template", "svg", "select"}
_NEW_LINE = {
    "address", "article", "aside", "body", "center", "dd", "div", "dl", "dt", "fieldset", "footer", "form", "header",
    "html", "li", "main", "nav", "ol", "section", "table", "tbody", "thead", "tfoot", "tr", "ul",
}  # fmt: skip
_NEW_PARAGRAPH = {"blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "p", "pre"}
_CELLS = {"td", "th"}
#: Elements that are followed from their beginning to their end, because they may be a quote or a signature.
_FOLLOWED = {"blockquote", "div", "pre", "section", "span"}

_QUOTES = re.compile(r"\byahoo_quoted|\bocpqe|\bgmail_extra_quote|\bcrm-quote|\bzmail_extra|\bmail_quote\b")
_SIGNATURES = re.compile(
    r"\bgmail_signature|\bmoz-signature|\bsignature_block|\bms-outlook-mobile-signature"
    r"|^\s*(?:ms-outlook-)?signature\s*$|\bapple-?mail-?signature\b|\bprotonmail_signature|\btutanota_signature"
)
_SEPARATORS = {"divrplyfwdmsg", "appendonsend", "mail-editor-reference-message-container", "olk_src_body_section"}
_LEFT_BORDER = re.compile(r"border-left(?:-width|-style)?\s*:(?!\s*(?:none|0|medium none))")
_INDENTED = re.compile(r"border\s*:\s*(?:none|0)")
_HIDDEN = re.compile(r"display\s*:\s*none|mso-hide\s*:\s*all|visibility\s*:\s*hidden")
_AS_TYPED = re.compile(r"white-space\s*:\s*(?:pre|break-spaces)")
_NO_MARGIN = re.compile(r"margin(?:-top|-bottom)?\s*:\s*0")

DEEPEST_QUOTE = 20
MOST_TOKENS = 100_000
#: What a mail program writes above quoted text, for those that only mark it in HTML.
SEPARATOR = "-----Original Message-----"


def lines_of_page(page: str) -> list[str]:
    reader = _PageReader()
    reader.read(page)
    return reader.lines


class _PageReader:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self.words: list[str] = []  # of the line that is being written
        self.open: list[tuple[str, str]] = []  # followed elements with what they are
        self.count: dict[tuple[str, str], int] = {}  # how many are open, by name and by kind
        self.endless: set[str] = set()  # skipped elements that have no end further down

    def read(self, page: str) -> None:
        at = 0
        for _ in range(MOST_TOKENS):
            found = _TOKEN.match(page, at)
            if found is None:  # the end
                self._finish_line()
                return
            at = found.end()
            if found["text"]:
                self._text(found["text"])
            name = (found["name"] or found["name2"] or "").lower()
            if name and (found["end"] or found["end2"]):
                self._end(name)
            elif name in _SKIPPED:
                at = self._skip(page, name, at)
            elif name:
                self._begin(name, _attributes(found["attributes"] or found["attributes2"] or ""))
        raise LetterIsTooLarge(f"the mail has more than {MOST_TOKENS:,} tags", "Send it as plain text.")

    def _skip(self, page: str, name: str, at: int) -> int:
        """Pass over an element whose text nobody sees. One that never ends is no reason to lose the letter."""
        found = None if name in self.endless else re.compile(rf"</{name}\b[^<>]*+>", re.I).search(page, at)
        if found is None:
            self.endless.add(name)
        return found.end() if found else at

    # -------------------------------------------------------------- text

    def _text(self, raw: str) -> None:
        text = unescape(raw)
        if self._is_in("hidden"):
            return
        if not self._is_in("typed"):
            self.words.append(_BLANKS.sub(" ", text))
            return
        first, *others = text.replace("\r\n", "\n").split("\n")
        self.words.append(first)
        for other in others:
            self._new_line()
            self.words.append(other)

    def _finish_line(self) -> None:
        """Write the line out, if there is anything on it."""
        text = "".join(self.words)
        if text.strip(" \t\r\n"):
            self._write(text.rstrip(" \t\r\n") if self._is_in("typed") else text.strip(" \t\r\n"))
        self.words.clear()

    def _new_line(self) -> None:
        if "".join(self.words).strip():
            self._finish_line()
        else:
            self.words.clear()
            self._write("")

    def _write(self, text: str) -> None:
        depth = min(self.count.get(("", "quote"), 0), DEEPEST_QUOTE)
        self.lines.append(f"{'>' * depth} {text}" if depth else text)
        if len(self.lines) > MOST_TEXT_LINES:
            raise LetterIsTooLarge(f"the mail has more than {MOST_TEXT_LINES:,} lines", "Send the orders alone.")

    def _paragraph(self) -> None:
        self._finish_line()
        if self.lines and self.lines[-1].strip("> "):
            self._write("")

    # -------------------------------------------------------------- elements

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        if name == "br":
            self._new_line()
        elif name in _CELLS:
            self.words.append(" ")
        else:
            self._break(name, attributes)
        if name in _FOLLOWED:
            self._follow(name, _kind_of(name, attributes))

    def _break(self, name: str, attributes: dict[str, str]) -> None:
        if name in _NEW_PARAGRAPH and not _is_tight(attributes):
            self._paragraph()
        elif name in _NEW_PARAGRAPH or name in _NEW_LINE:
            self._finish_line()
        if attributes.get("id", "").lower().removeprefix("x_") in _SEPARATORS and not self._is_in("quote"):
            self._write(SEPARATOR)

    def _follow(self, name: str, kind: str) -> None:
        self.open.append((name, kind))
        self._add(name, kind, 1)

    def _end(self, name: str) -> None:
        if name in _NEW_PARAGRAPH or name in _NEW_LINE:
            self._finish_line()
        if name in ("blockquote", "pre"):
            self._paragraph()
        while self.count.get((name, ""), 0):
            closed, kind = self.open.pop()
            self._add(closed, kind, -1)
            if closed == name:
                return

    def _add(self, name: str, kind: str, by: int) -> None:
        self.count[name, ""] = self.count.get((name, ""), 0) + by
        if kind:
            self.count["", kind] = self.count.get(("", kind), 0) + by

    def _is_in(self, kind: str) -> bool:
        return self.count.get(("", kind), 0) > 0


def _attributes(text: str) -> dict[str, str]:
    return {name.lower(): unescape(value.strip("\"'")) for name, value in _ATTRIBUTE.findall(text[:2000])}


def _is_tight(attributes: dict[str, str]) -> bool:
    """Whether a paragraph is only a line: Word writes a letter so."""
    return attributes.get("class", "").startswith("Mso") or bool(_NO_MARGIN.search(attributes.get("style", "")))


def _kind_of(name: str, attributes: dict[str, str]) -> str:
    style = attributes.get("style", "").lower()
    called = [attributes.get(each, "").lower() for each in ("class", "id", "data-smartmail")]
    if _HIDDEN.search(style) or any(_SIGNATURES.search(each) for each in called):
        return "hidden"
    if _is_quote(name, style, called, attributes):
        return "quote"
    return "typed" if name == "pre" or _AS_TYPED.search(style) else ""


def _is_quote(name: str, style: str, called: list[str], attributes: dict[str, str]) -> bool:
    """A blockquote without a border is only an indented paragraph."""
    if name == "blockquote":
        cited = attributes.get("type") == "cite" or "quote" in called[0]
        return cited or not _INDENTED.search(style)
    marked = attributes.get("name") == "quote" or any(_QUOTES.search(each) for each in called)
    return marked or (name not in ("pre", "span") and bool(_LEFT_BORDER.search(style)))
