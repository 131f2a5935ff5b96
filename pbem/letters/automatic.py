"""Mail that no person wrote, or that must not be answered (RFC 3834). An answer to it may come back for ever."""

import re

from pbem.letters.headers import Headers
from pbem.letters.mime import Part, options_of

_PRECEDENCES = ("bulk", "list", "junk", "auto_reply", "auto-reply")
#: Headers that only programs write.
_TELLING = (
    "x-autoreply", "x-autoreply-from", "x-autorespond", "x-autoresponder", "x-auto-reply", "x-auto-response-suppress",
    "x-mail-autoreply", "x-auto-submitted", "x-fc-machinegenerated", "x-failed-recipients", "x-cron-env",
    "x-ms-exchange-generated-message-source", "x-vacation", "list-id", "list-unsubscribe", "list-post", "list-help",
    "list-subscribe", "list-owner", "list-archive", "mailing-list", "x-mailing-list", "x-mailman-version",
)  # fmt: skip
_SENDERS = re.compile(
    r"(?:mailer-?daemon|post-?master|no-?_?reply|do-?not-?reply|(?:double-)?bounces?|listserv|majordomo"
    r"|auto-?reply|autoresponder|daemon|[\w.+-]*-(?:bounces|request)|owner-[\w.+-]+)(?:[+=][^@]*)?@",
    re.I,
)
_AWAY_SUBJECT = re.compile(
    r"\s*(?:automatic reply|auto-?reply|autoreply|auto(?:matic)?[- ]?response|out of (?:the )?office|ooo\b|on vacation"
    r"|vacation|away from|abwesenheits?(?:notiz|meldung|nachricht)?|automatische antwort|autom\. antwort"
    r"|réponse automatique|absence|absent|respuesta automática|fuera de la oficina|risposta automatica|fuori sede"
    r"|automatisch antwoord|afwezig|automatyczna odpowiedź|автоматический ответ|автоответ|autosvar|frånvaro"
    r"|resposta automática|自動応答|不在)",
    re.I,
)
_AWAY = re.compile(
    r"\b(?:out of (?:the )?office|on (?:vacation|holiday|leave)|away (?:from|until)|annual leave"
    r"|no access to (?:e-?)?mail"
    r"|abwesend|nicht im (?:büro|haus)|im urlaub|urlaub|außer haus|wieder erreichbar|absent|en congés?|vacaciones"
    r"|in ferie|vakantie|afwezig|urlop|отпуск|semester|férias|automatic(?:ally generated)? (?:reply|response))",
    re.I,
)


def why_automatic(headers: Headers, sender: str) -> str:
    """The sign that a program sent this, or that it went through a mailing list; empty if there is none."""
    return (
        _auto_submitted(headers)
        or _precedence(headers)
        or _telling_header(headers)
        or _null_return_path(headers)
        or _sender(sender)
        or _report(headers)
    )


def _auto_submitted(headers: Headers) -> str:
    for value in headers.all("auto-submitted"):
        if value.partition(";")[0].partition("(")[0].strip().lower() not in ("", "no"):
            return f"Auto-Submitted: {value[:80]}"
    return ""


def _precedence(headers: Headers) -> str:
    value = headers.first("precedence").strip().lower()
    return f"Precedence: {value}" if value in _PRECEDENCES else ""


def _telling_header(headers: Headers) -> str:
    return next(
        (f"{name.title()} header" for name, value in headers.fields if name in _TELLING and _says_yes(value)), ""
    )


def _says_yes(value: str) -> bool:
    return value.strip().lower() not in ("", "no", "none", "false")


def _null_return_path(headers: Headers) -> str:
    return "null return path" if return_path_of(headers) == "" else ""


def return_path_of(headers: Headers) -> str | None:
    """None if there is no such header; empty for <>, which is a bounce or the like."""
    if "return-path" not in headers:
        return None
    return headers.first("return-path").strip().strip("<>").strip()


def _sender(sender: str) -> str:
    return f"sender {sender}" if _SENDERS.match(sender) else ""


def _report(headers: Headers) -> str:
    kind = headers.first("content-type").partition(";")[0].strip().lower()
    if kind != "multipart/report":
        return ""
    return f"report: {options_of(headers.first('content-type')).get('report-type', 'unknown')[:60]}"


def why_automatic_inside(mail: Part, subject: str, lines: tuple[str, ...], text: str) -> str:
    """Signs that count only together, or that are in the parts: calendar answers, notices of absence."""
    for part in mail.walk():
        if part.kind == "text/calendar" and part.options.get("method", "").lower() in ("reply", "counter", "refresh"):
            return "calendar answer"
        if part.kind == "message/disposition-notification":
            return "read receipt"
    if not lines and _AWAY_SUBJECT.match(subject) and _AWAY.search(text[:5000]):
        return f"absence notice: {subject[:60]}"
    return ""
