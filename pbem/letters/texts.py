"""Which parts of a mail are the letter itself, which are attached to it, and which are mails it encloses."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pbem.letters import phrases
from pbem.letters.charsets import text_of
from pbem.letters.flowed import unflowed
from pbem.letters.letter import LARGEST_TEXT, MOST_TEXT_LINES, LetterIsTooLarge
from pbem.letters.mime import Part
from pbem.letters.orders import begins_with
from pbem.letters.pages import lines_of_page
from pbem.letters.quoting import raw_lines, split_lines, tidy
from pbem.letters.words import Words

_PAGES = ("text/html", "application/xhtml+xml", "text/enriched")
_TEXT_ENDINGS = (".txt", ".text", ".ord", ".orders")
_NOT_ORDERS = (".ics", ".json", ".csv", ".vcf", ".asc", ".sig", ".html", ".htm", ".xml", ".eml", ".log", ".patch")
_DOCUMENTS = (".doc", ".docx", ".odt", ".rtf", ".pdf", ".pages", ".xls", ".xlsx", ".ods", ".zip", ".gz", ".7z", ".rar")
_ENCRYPTED = ("multipart/encrypted", "application/pgp-encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime")
_TNEF = ("application/ms-tnef", "application/vnd.ms-tnef")

_IS_ENCRYPTED = "the mail is encrypted, or signed so that its text cannot be read without a key"
_IS_TNEF = "the mail came as winmail.dat, which only Outlook can read"


@dataclass(frozen=True)
class Text:
    """The lines of one text. `may_be_broken` is False where long lines come in one piece."""

    lines: tuple[str, ...] = ()
    name: str = ""
    may_be_broken: bool = True


@dataclass
class Texts:
    """`unread` says what else there is that may hold orders and cannot be read."""

    body: Text = Text()
    attached: list[Text] = field(default_factory=list)
    enclosed: list[Text] = field(default_factory=list)
    unread: str = ""


def texts_of(mail: Part, words: Words) -> Texts:
    return _Chooser(words).texts(mail)


class _Chooser:
    def __init__(self, words: Words) -> None:
        self.words = words
        self.size = 0
        self.count = 0

    def texts(self, mail: Part) -> Texts:
        texts = Texts(self._joined([self._body(mail)]))
        for part in mail.walk():
            texts.attached += [self._plain(part)] if _is_attached_text(part) else []
            texts.enclosed += [self._enclosed(part)] if part.kind.startswith("message/") else []
            texts.unread = texts.unread or _what_cannot_be_read(part)
        return texts

    def _enclosed(self, part: Part) -> Text:
        return self._joined([self._body(child) for child in part.children])

    # -------------------------------------------------------------- the letter itself

    def _body(self, part: Part) -> Text:
        if part.kind == "multipart/alternative":
            return self._best(part)
        if part.kind.startswith("multipart/"):
            return self._joined(self._distinct(part))
        if part.is_attached:
            return Text()
        if part.kind in _PAGES:
            return self._page(part)
        return self._plain(part) if part.kind == "text/plain" else Text()

    def _best(self, part: Part) -> Text:
        """Plain text, unless it is empty or only says where the text is."""
        plain = [child for child in part.children if child.kind == "text/plain"]
        others = [child for child in part.children if child.kind != "text/plain"]
        first = Text()
        for child in [*plain, *others]:
            text = self._body(child)
            first = first if any(first.lines) else text
            if not self._says_nothing(text):
                return text
        return first

    def _says_nothing(self, text: Text) -> bool:
        said = [line for line in text.lines if line.strip()]
        if not said or len(said) > 8 or any(begins_with(line, self.words) for line in said):
            return not said
        return bool(phrases.LOOK_AT_HTML.search(" ".join(said)[:1000]))

    def _distinct(self, part: Part) -> Iterator[Text]:
        """Some programs send plain text and HTML side by side: what says the same counts once."""
        seen: set[tuple[str, ...]] = set()
        for child in part.children:
            text = self._body(child)
            said = tuple(" ".join(text.lines).split())
            if said and said not in seen:
                seen.add(said)
                yield text

    def _joined(self, texts: "list[Text] | Iterator[Text]") -> Text:
        every = [text for text in texts if text.lines]
        lines = tuple(line for text in every for line in (*text.lines, ""))
        return Text(lines[:-1], may_be_broken=any(text.may_be_broken for text in every))

    # -------------------------------------------------------------- one part

    def _plain(self, part: Part) -> Text:
        text = self._decoded(part)
        if part.options.get("format", "").lower() == "flowed":
            return Text(tuple(self._unflowed(part, text)), part.file_name, may_be_broken=False)
        return Text(self._counted(split_lines(text)), part.file_name)

    def _unflowed(self, part: Part, text: str) -> list[str]:
        lines = self._counted(raw_lines(text))
        return [tidy(line) for line in unflowed(lines, self.words, part.options.get("delsp", "").lower() == "yes")]

    def _page(self, part: Part) -> Text:
        lines = [line for each in lines_of_page(self._decoded(part)) for line in split_lines(each)]
        return Text(self._counted(lines), may_be_broken=False)

    def _decoded(self, part: Part) -> str:
        content = part.content
        self.size += len(content)
        if self.size > LARGEST_TEXT:
            raise _too_large(f"the text of the mail is larger than {LARGEST_TEXT:,} bytes")
        charset = part.options.get("charset", "") or _charset_of_page(content, part.kind)
        return text_of(content, charset)

    def _counted(self, lines: Sequence[str]) -> tuple[str, ...]:
        self.count += len(lines)
        if self.count > MOST_TEXT_LINES:
            raise _too_large(f"the mail has more than {MOST_TEXT_LINES:,} lines")
        return tuple(lines)


def _too_large(why: str) -> LetterIsTooLarge:
    return LetterIsTooLarge(why, "Send the orders alone, without the quoted text.")


def _charset_of_page(content: bytes, kind: str) -> str:
    """What the page itself says, if the mail does not."""
    if kind not in _PAGES:
        return ""
    _, found, rest = content[:2000].lower().partition(b"charset=")
    return (
        rest.lstrip(b"\"' ")[:40].split(b'"')[0].split(b">")[0].strip(b"/'; ").decode("ascii", "replace")
        if found
        else ""
    )


def _is_attached_text(part: Part) -> bool:
    name = part.file_name.lower()
    if not part.is_attached or part.children:
        return False
    if part.kind == "text/plain":
        return not name.endswith(_NOT_ORDERS)
    return name.endswith(_TEXT_ENDINGS)


def _what_cannot_be_read(part: Part) -> str:
    name = part.file_name.lower()
    if part.kind in _ENCRYPTED or name == "smime.p7m":
        return _IS_ENCRYPTED
    if part.kind in _TNEF or name == "winmail.dat":
        return _IS_TNEF
    return f"the attached file {part.file_name} is not plain text" if name.endswith(_DOCUMENTS) else ""
