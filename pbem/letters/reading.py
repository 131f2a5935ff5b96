"""From the bytes of a mail to a letter."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace

from pbem.letters import automatic
from pbem.letters.bounces import bounce_of
from pbem.letters.headers import Headers, addresses, date_of, decoded_words, message_ids, only_address, split_head
from pbem.letters.keys import gm_keys_in, is_key_line, keys_in, matches_in, without_keys
from pbem.letters.letter import LARGEST_HEAD, LARGEST_LETTER, LONGEST_LINE, Letter, LetterIsTooDeep, LetterIsTooLarge
from pbem.letters.meaning import Meaning, meaning_of, sifted, texts_taken
from pbem.letters.mime import Part, read_parts
from pbem.letters.orders import Own, without_a_footer
from pbem.letters.texts import Texts, texts_of
from pbem.letters.words import Words

DAMAGED = "the mail is damaged and cannot be read"
_RECIPIENTS = ("to", "cc", "delivered-to", "x-original-to", "envelope-to", "x-envelope-to", "x-delivered-to")
_MOST_RECIPIENTS = 100
_MOST_REFERENCES = 200


def read_letter(raw: bytes, words: Words, form: Sequence[str] = ()) -> Letter:
    """What a mail says. `words` begin an order or a command, in capitals; `form` is the order form it may answer.

    Raises LetterIsTooLarge or LetterIsTooDeep, with what the headers say, and nothing else.
    """
    headers, body = split_head(_unix_lines(raw[: LARGEST_LETTER + 1]).lstrip(b"\n"))
    letter = _from_headers(headers)
    try:
        _must_not_be_too_large(raw, headers)
        return with_its_form(_read(letter, headers, body, words), words, form)
    except (LetterIsTooLarge, LetterIsTooDeep) as problem:
        problem.letter = letter
        raise
    except Exception:  # a mistake in here must not lose the letter: it is set aside and answered
        return replace(letter, doubt=DAMAGED)


def with_its_form(letter: Letter, words: Words, form: Sequence[str]) -> Letter:
    """The letter read once more, now that it is known which order form it may answer."""
    if not form or letter.texts is None:
        return letter
    try:
        return _meaning(letter, meaning_of(letter.texts, words, form))
    except Exception:  # nor must one in here
        return replace(letter, own=(), lines=(), doubt=DAMAGED)


def _unix_lines(raw: bytes) -> bytes:
    return raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _must_not_be_too_large(raw: bytes, headers: Headers) -> None:
    if len(raw) > LARGEST_LETTER:
        raise LetterIsTooLarge(f"the mail is larger than {LARGEST_LETTER:,} bytes", "Send it without attachments.")
    if not headers.complete:
        raise LetterIsTooLarge(f"the headers of the mail are larger than {LARGEST_HEAD:,} bytes or too many")


# ------------------------------------------------------------------ what the headers say


def _from_headers(headers: Headers) -> Letter:
    name, sender = only_address(headers.all("from"))
    subject = decoded_words(headers.first("subject"))
    recipients = _recipients(headers)
    letter = Letter(
        message_id=next(iter(message_ids(headers.first("message-id")) or [_bare_id(headers)])),
        subject=subject,
        sender=sender,
        sender_name=name,
        return_path=automatic.return_path_of(headers),
        recipients=recipients,
        date=date_of(headers.first("date")),
        references=_references(headers),
        automatic=automatic.why_automatic(headers, sender),
        auth_results=tuple(headers.all("authentication-results")),
        keys=keys_in([*recipients, subject]),
        gm_keys=gm_keys_in([*recipients, subject]),
        matches=matches_in(subject),
    )
    return replace(letter, digest=_digest(letter, ()))


def _bare_id(headers: Headers) -> str:
    bare = "".join(headers.first("message-id").strip("<> ").split())
    return f"<{bare}>" if bare else ""


def _recipients(headers: Headers) -> tuple[str, ...]:
    found = [address for value in headers.all(*_RECIPIENTS) for _, address in addresses(value)]
    return tuple(dict.fromkeys(found))[:_MOST_RECIPIENTS]


def _references(headers: Headers) -> tuple[str, ...]:
    found = [each for value in headers.all("references", "in-reply-to") for each in message_ids(value)]
    return tuple(dict.fromkeys(found))[-_MOST_REFERENCES:]


def _digest(letter: Letter, said: Iterable[str]) -> str:
    """The same for a mail that is delivered twice. Lists and scanners change its bytes and its subject.

    Without a Message-ID it is known by who wrote it, about what, and when: one that is sent again has another date.
    """
    date = letter.date.isoformat() if letter.date else ""
    known_by = () if letter.message_id else (letter.sender, letter.subject, date)
    parts = [" ".join(part.split()).casefold() for part in (*known_by, *said)]
    return hashlib.sha256("\n".join(parts).encode("utf-8", "replace")).hexdigest()


# ------------------------------------------------------------------ what the text says


def _read(letter: Letter, headers: Headers, body: bytes, words: Words) -> Letter:
    mail = read_parts(headers, body)
    bounce = bounce_of(mail, letter.subject, letter.sender, letter.return_path)
    if bounce:
        return replace(letter, automatic=letter.automatic or "delivery report", bounce=bounce)
    texts = texts_of(mail, words)
    found = sifted(texts, words)
    meaning = meaning_of(found, words, ())
    carriers = [*letter.recipients, letter.subject, *_all_lines(texts)]
    letter = replace(letter, keys=keys_in(carriers), gm_keys=gm_keys_in(carriers))
    automatic = letter.automatic or _why_automatic(mail, letter, texts, meaning)
    kept = found if found.hold_a_form else None
    read = _meaning(replace(letter, automatic=automatic, texts=kept), meaning)
    return replace(read, digest=_digest(read, _what_it_says(read, words)))


def _meaning(letter: Letter, meaning: Meaning) -> Letter:
    texts = without_keys((line.text for line in meaning.own), letter.keys)
    own = tuple(Own(text[:LONGEST_LINE], line.taken) for text, line in zip(texts, meaning.own, strict=True))
    return replace(letter, own=own, lines=texts_taken(own), doubt=meaning.doubt)


def _what_it_says(letter: Letter, words: Words) -> list[str]:
    """Whatever order form is awaited when it is read: of the form in it every line counts."""
    form = [line.text for line in letter.texts.form if not is_key_line(line.text)] if letter.texts else []
    asked = [line.text for line in letter.own if line.taken or words.are_named_in(line.text)]
    return [*without_a_footer(asked, words), letter.doubt, *without_keys(form, letter.keys)]


def _why_automatic(mail: Part, letter: Letter, texts: Texts, meaning: Meaning) -> str:
    return automatic.why_automatic_inside(mail, letter.subject, meaning.lines, "\n".join(texts.body.lines))


def _all_lines(texts: Texts) -> list[str]:
    return [line for text in (texts.body, *texts.attached, *texts.enclosed) for line in text.lines]
