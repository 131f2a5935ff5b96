"""What mail programs and people write around a letter, in many languages: above quoted text, and as a signature."""

import re

#: "Somebody wrote". A line above quoted text has two of these: the word, a date or time, an address. Where the
#: quoted text has no marks it must have the address, or end with the word and name the year: press may tell who wrote.
WROTE = re.compile(
    r"\b(?:wrote|writes|schrieb|a écrit|escribió|escribio|ha scritto|schreef|napisał|pisze|пишет|написал|писал"
    r"|skrev|escreveu|kirjoitti|yazdı)|のメール|書きました|写道",
    re.I,
)
ENDS_WITH_WROTE = re.compile(rf"(?:{WROTE.pattern})\W*\w?\W*$", re.I)
YEAR = re.compile(r"\b(?:19|20)\d\d|\d[./]\d\d?[./]\d\d")
CLOCK = re.compile(r"\d{1,2}[:.h/]\d\d|\d{4}年")
ENDS_WITH_A_COLON = re.compile(r"[:：]\W{0,3}$")
#: A line of its own above the one that says who wrote.
ON_A_DAY = re.compile(
    rf"(?:On|Am|Le|El|Il|Op|W dniu|Dnia|Den|Em|В|Вторник)\b(?=.{{0,60}}?{YEAR.pattern})[^@<>]{{0,60}}$", re.I
)
LONGEST_ATTRIBUTION = 500

_ORIGINAL = (
    "original message|reply message|original-nachricht|originalnachricht|ursprüngliche nachricht|message d['’]origine"
    "|message original|message initial|mensaje original|messaggio originale|oorspronkelijk bericht"
    "|origineel bericht|oryginalna wiadomość|wiadomość oryginalna|исходное сообщение|оригинальное сообщение"
    "|původní (?:e-mail|zpráva)|eredeti üzenet|원본 메일|원본 메시지|原始邮件|原始郵件"
    "|orijinal ileti|alkuperäinen viesti"
    "|originalmeddelande|ursprungligt meddelande|mensagem original|元のメッセージ|original appointment"
)
_FORWARDED = (
    "forwarded (?:message|by)|weitergeleitete nachricht|message transféré|mensaje reenviado|messaggio inoltrato"
    "|doorgestuurd bericht|wiadomość przekazana|przekazana wiadomość|пересылаемое сообщение|пересланное сообщение"
    "|vidarebefordrat meddelande|mensagem encaminhada|転送メッセージ|転送されたメッセージ"
)
_BEGIN_FORWARDED = (
    "begin forwarded message|anfang der weitergeleiteten (?:nachricht|e-mail)|début du message (?:transféré|réexpédié)"
    "|inicio del mensaje reenviado|inizio messaggio inoltrato|begin doorgestuurd bericht"
    "|początek przekazywanej wiadomości|początek wiadomości przekazanej dalej|начало переадресованного сообщения"
    "|vidarebefordrat brev|ursprungligt meddelande|início da mensagem (?:encaminhada|reenviada)|転送されたメッセージ"
)
REPLIED = re.compile(rf"[-–—_=* ]{{2,}}+(?:(?:{_ORIGINAL})|On .{{10,200}}@.{{1,200}} wrote )[-–—_=* ]*+", re.I)
FORWARDED = re.compile(
    rf"[-–—_=* ]{{2,}}+(?:(?:{_FORWARDED}).{{0,200}}|.{{0,9}}転送.{{0,20}})|(?:{_BEGIN_FORWARDED})\s*[:：]",
    re.I,
)

#: Labels of the little table above a quoted mail. Three of them, close together and of different kinds, are one.
_LABELS = {
    "from": "From|Von|De|Da|Van|Od|От|Från|Feladó|Fra|Lähettäjä|Kimden|差出人|发件人|寄件者|보낸 사람",
    "sent": (
        "Sent|Date|Sent on|Gesendet|Datum|Envoyé(?: le)?|Enviado(?: el)?|Enviada(?: em)?|Fecha|Inviato|Data|Verzonden"
        "|Wysłano|Wysłane|Отправлено|Дата|Skickat|Sendt|Lähetetty|Gönderildi|送信日時|日付|日時|发送时间"
    ),
    "to": "To|An|À|Para|A|Aan|Do|Кому|Till|Til|Komu|Címzett|Vastaanottaja|Kime|宛先|收件人|Cc|Kopie|Kopia|Копия",
    "subject": (
        "Subject|Betreff|Objet|Asunto|Oggetto|Onderwerp|Temat|Тема|Ämne|Emne|Aihe|Konu|Assunto|Předmět|Predmet|Tárgy"
        "|件名|主题"
    ),
}
_NAMED_LABELS = "|".join(f"(?P<{name}>{words})" for name, words in _LABELS.items())
LABEL = re.compile(rf"\*?(?:{_NAMED_LABELS})\s?\*?[:：]\*?(?:\s|$)", re.I)

_PHONE = (
    r"sent (?:from|via|using|with|by) (?:my|the|mail|outlook|yahoo|aol|gmail|proton|samsung|k-9|an?)\b.{0,120}",
    r"get outlook for (?:android|ios|mac|windows)\b.{0,120}",
    r"(?:holen sie sich|hol dir) outlook\b.{0,120}|outlook für (?:android|ios) (?:beziehen|herunterladen).{0,120}",
    r"(?:diese nachricht wurde )?von (?:meinem|meiner)\b.{0,80}\bgesendet.{0,80}",
    r"(?:gesendet|versendet) (?:von|mit|über|aus)\b.{0,80}\b(?:iphone|ipad|android|handy|mail|outlook|app)\b.{0,80}",
    r"von samsung\b.{0,60}gesendet.{0,20}",
    r"get \w+(?: mail)? for (?:android|ios|windows|mac)\b.{0,40}",
    r"(?:(?:ende der )?nachricht von|(?:end )?message from|(?:fin du )?message de)\b.{0,200}-{3,}",
    r"this message was sent from my\b.{0,80}",
    r"please excuse (?:my brevity|any typos|the brevity).{0,40}|bitte entschuldige(?:n sie)? \w+ kürze.{0,50}",
    r"envoyé (?:de|depuis|à partir de|avec)\b.{0,100}|télécharger outlook pour\b.{0,80}|obtenez outlook pour\b.{0,80}",
    r"enviado (?:desde|do|de|a partir|con|com)\b.{0,100}|obt[eé]n(?:er|ga|ha)? (?:o )?outlook para\b.{0,80}",
    r"inviato (?:da|dal|con)\b.{0,100}|scarica outlook per\b.{0,80}|ottieni outlook per\b.{0,80}",
    r"verzonden (?:vanaf|van|met|via)\b.{0,100}|verstuurd vanaf\b.{0,100}|outlook voor \w+ downloaden.{0,80}",
    r"wysłan[eoy] z\b.{0,100}|pobierz (?:program )?outlook\b.{0,80}",
    r"отправлено (?:с|из|от)\b.{0,100}|получите outlook\b.{0,80}",
    r"skickat från\b.{0,100}|skaffa outlook för\b.{0,80}|sendt fra\b.{0,100}|lähetetty\b.{0,80}",
    r"(?:iphone|ipad|android)から送信.{0,20}",
    r"(?:virus-free|virenfrei|sans virus|libre de virus)\b.{0,80}|.{0,40}\bavast\b.{0,80}",
    r".{0,60}\bauf viren geprüft\b.{0,40}",
)
PHONE_SIGNATURE = re.compile(rf"[\s\-–—_*\[]*+(?:{'|'.join(_PHONE)})", re.I)

_LIST = (
    r"you received this message because you are subscribed\b.{0,200}",
    r"to unsubscribe\b.{0,200}",
    r"[\w.-]{1,80} mailing list\s*(?:--? .{0,80})?",
    r"(?:th(?:is|e) e-?mail|this message|diese e-?mail|ce message)\b.{0,80}\b(?:confiden|intended|vertraulich).{0,400}",
    r"(?:disclaimer|confidentiality notice|haftungsausschluss)\b.{0,200}",
)
LIST_FOOTER = re.compile("|".join(_LIST), re.I)

_CLOSING = (
    "best|all the best|best wishes|(?:best|kind|warm|with kind|with best)?\\s?regards|cheers|(?:many )?thanks"
    "|thank you|thx|yours|sincerely|yours (?:sincerely|truly|faithfully)|good luck|have fun|take care|bye|ciao"
    "|gruß|gruss|grüße|gruesse|viele grüße|viele gruesse|liebe grüße|lg|vg|mfg|mit freundlichen grüßen|schöne grüße"
    "|beste grüße|bis dann|danke|tschüss|cordialement|bien à vous|amicalement|merci|saludos|un saludo|gracias|saluti"
    "|cordiali saluti|grazie|groeten|groetjes|met vriendelijke groet(?:en)?|pozdrawiam|pozdrowienia|dzięki|с уважением"
    "|привет|спасибо|hälsningar|mvh|med vänliga hälsningar|vänliga hälsningar|tack|abraços|obrigado|atenciosamente"
    "|よろしくお願いします|敬具"
)
#: A closing, alone on its line or with a name of one to three words.
SIGN_OFF = re.compile(rf"(?:{_CLOSING})(?:\s*+[,.!]++)?(?:\s++[^\W\d_][\w.'-]*+){{0,3}}\s*+[,.!]*+", re.I)

SIGNATURE = re.compile(r"--\s*|—\s*|–\s*")
RULE = re.compile(r"[-_=~*#.]{3,}\s*|`{3}\w*")

#: A text part that only says where the text is.
LOOK_AT_HTML = re.compile(
    r"\bHTML\b.{0,80}\b(?:e-?mail|mail|format|version|message|client|viewer|reader|capable|compatible|anzeig|nachricht|ansicht)"
    r"|\b(?:view|see|read|display|use|open|enable)\b.{0,80}\bHTML\b|\bHTML-(?:format|ansicht|version|mail|nachricht)"
    r"|\bau format HTML\b|\bformato HTML\b|does not support HTML|view (?:it|this).{0,30}\bin (?:your|a) browser",
    re.I | re.S,
)
