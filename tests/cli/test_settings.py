"""settings.yaml: what is in it, what is wrong with it, and that no password is."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
import yaml

from pbem.settings import (
    RETIRED,
    Clock,
    ImapIn,
    Limits,
    MaildirIn,
    MaildirOut,
    Referee,
    Settings,
    SmtpOut,
    ThePasswordIsOpenToOthers,
    ThereIsNoPassword,
    default_settings_text,
    is_loopback,
    load_settings,
    password_of,
    settings_below,
)
from pbem.settings_file import DoesNotFit, TheSettingsAreMissing, TheSettingsAreWrong, TheSettingsCannotBeRead
from tests.the_project import TESTS

#: settings.yaml as `pbem init` wrote it, once for every form it ever had.
FORMS = sorted((TESTS / "settings").glob("*.yaml"))

IMAP = "inbox:\n  kind: imap\n  host: imap.example.org\n  user: referee\n"
SMTP = "outbox:\n  kind: smtp\n  host: smtp.example.org\n"


def load(directory: Path, text: str) -> Settings:
    (directory / "settings.yaml").write_text(text, encoding="utf-8")
    return load_settings(directory)


def refused(directory: Path, text: str) -> TheSettingsAreWrong:
    with pytest.raises(TheSettingsAreWrong) as caught:
        load(directory, text)
    assert str(directory / "settings.yaml") in caught.value.why
    assert caught.value.remedy
    return caught.value


# ------------------------------------------------------------------ the defaults


def test_the_text_of_pbem_init_says_what_is_true_of_all_that_is_left_out(tmp_path: Path) -> None:
    defaults = settings_below(tmp_path, Settings())
    new = load(tmp_path, default_settings_text())
    assert new.clock == Clock(settle_minutes=30), "but in a new directory sheets settle"
    assert msgspec.structs.replace(new, clock=Clock()) == defaults
    assert load(tmp_path, "inbox:\noutbox:\nclock:\n") == defaults, "sections with all lines commented out"


@pytest.mark.parametrize("text", [None, "", "\n \n\n", "\ufeff", "# all of it\n# is commented out\n", "---\n...\n"])
def test_settings_that_are_missing_or_empty_do_not_mean_the_defaults(tmp_path: Path, text: str | None) -> None:
    with pytest.raises(TheSettingsAreMissing) as refusal:
        load_settings(tmp_path) if text is None else load(tmp_path, text)
    assert str(tmp_path / "settings.yaml") in refusal.value.why
    assert "Put your copy back" in refusal.value.remedy


def test_the_default_needs_no_account_and_no_server(tmp_path: Path) -> None:
    settings = load(tmp_path, default_settings_text())
    assert settings.inbox == MaildirIn(path=tmp_path / "mail" / "in")
    assert settings.outbox == MaildirOut(path=tmp_path / "mail" / "out")
    assert settings.trust.require == "none"
    assert settings.clock.zone.key == "UTC"


def structs_in(hint: Any) -> Iterator[type[msgspec.Struct]]:
    for one in get_args(hint) or (hint,):
        if isinstance(one, type) and issubclass(one, msgspec.Struct):
            yield one
            for field in msgspec.structs.fields(one):
                yield from structs_in(field.type)


def test_every_setting_is_shown_in_the_text_of_pbem_init() -> None:
    shown = set(re.findall(r"^#? *(\w+):", default_settings_text(), re.MULTILINE))
    for struct in structs_in(Settings):
        assert set(struct.__struct_fields__) <= shown, struct


@pytest.mark.parametrize("kind", ["imap", "smtp"])
def test_the_examples_in_the_text_of_pbem_init_work(tmp_path: Path, kind: str) -> None:
    example = re.search(rf"^# \w+:\n#   kind: {kind}\n(#   .*\n)+", default_settings_text(), re.MULTILINE)
    assert example
    settings = load(tmp_path, re.sub(r"^# ", "", example[0], flags=re.MULTILINE))
    section = settings.inbox if kind == "imap" else settings.outbox
    assert isinstance(section, ImapIn | SmtpOut)
    defaults = type(section)(host=section.host, user=section.user)
    for field in set(section.__struct_fields__) - {"password_file", "ca_file", "port"}:
        assert getattr(section, field) == getattr(defaults, field), field
    assert section.port == defaults.port_number


# ------------------------------------------------------------------ what it says


def test_paths_start_at_the_data_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/gm")
    settings = load(tmp_path, IMAP + "  password_file: secrets/imap\n" + SMTP + "  ca_file: /etc/ca.pem\n")
    assert isinstance(settings.inbox, ImapIn)
    assert isinstance(settings.outbox, SmtpOut)
    assert settings.inbox.password_file == tmp_path / "secrets" / "imap"
    assert settings.inbox.ca_file is None
    assert settings.outbox.ca_file == Path("/etc/ca.pem")
    mail = load(tmp_path, "inbox: {kind: maildir, path: ~/mail/../Maildir}").inbox
    assert mail == MaildirIn(path=Path("/home/gm/Maildir"))


@pytest.mark.parametrize(
    ("section", "port"),
    [
        (ImapIn(host="h", user="u"), 993),
        (ImapIn(host="h", user="u", tls="starttls"), 143),
        (ImapIn(host="::1", user="u", tls="none"), 143),
        (ImapIn(host="h", user="u", port=1143), 1143),
        (SmtpOut(host="h"), 465),
        (SmtpOut(host="h", tls="starttls"), 587),
        (SmtpOut(host="localhost", tls="none"), 25),
    ],
)
def test_the_port_goes_with_the_tls(section: ImapIn | SmtpOut, port: int) -> None:
    assert section.port_number == port


def test_small_conveniences() -> None:
    assert Referee(address="referee@wars.example").domain == "wars.example"
    assert Limits(letter_kilobytes=16).letter_bytes == 16_384
    assert Clock(time_zone="Europe/Berlin").zone.key == "Europe/Berlin"


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST.", "127.0.0.1", "127.9.9.9", "::1", "[::1]"])
def test_loopback(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["localhost.example.org", "10.0.0.1", "0.0.0.0", "mail", "127.0.0.1.example.org"])
def test_not_loopback(host: str) -> None:
    assert not is_loopback(host)


def test_tls_may_be_left_out_on_this_machine_or_on_purpose(tmp_path: Path) -> None:
    plain = SMTP + "  tls: none\n"
    wrong = refused(tmp_path, plain)
    assert "line 4: outbox.tls" in wrong.why
    assert "insecure: true" in wrong.remedy
    assert load(tmp_path, plain + "  insecure: true\n").outbox.tls == "none"  # type: ignore[union-attr]
    assert load(tmp_path, plain.replace("smtp.example.org", "127.0.0.1")).outbox.tls == "none"  # type: ignore[union-attr]
    assert "inbox.tls" in refused(tmp_path, IMAP + "  tls: none\n").why


# ------------------------------------------------------------------ what is wrong with it


@pytest.mark.parametrize(
    ("text", "why", "remedy"),
    [
        (IMAP + "  usr: x\n", "line 5: inbox.usr is not a setting", "Did you mean user?"),
        ("inbx: {}\n", "line 1: inbx is not a setting", "Did you mean inbox?"),
        ("zebra: 1\n", "line 1: zebra is not a setting", "referee, inbox, outbox, trust, limits, clock"),
        ("inbox: {kind: maildir, host: x}\n", "inbox.host is not a setting", "goes with kind: imap"),
        ("inbox: {kind: pop3}\n", "inbox.kind cannot be 'pop3'", "maildir or imap"),
        ("outbox: {path: x}\n", "outbox.kind is missing", "maildir or smtp"),
        ("outbox: {kind: smtp}\n", "outbox.host is missing", "the name of a server"),
        ("inbox: {kind: imap, host: h}\n", "inbox.user is missing", "name of the account"),
        (IMAP + "  port: 99999\n", "line 5: inbox.port cannot be 99999", "1 to 65535"),
        (IMAP + "  port: imaps\n", "inbox.port cannot be 'imaps'", "1 to 65535"),
        (IMAP + "  tls: ssl\n", "inbox.tls cannot be 'ssl'", "implicit or starttls or none"),
        (IMAP + "  tls: no\n", "inbox.tls cannot be false", "implicit or starttls or none"),
        (IMAP + "  tls: starttls\n  port: 993\n", "port 993 speaks TLS from the first byte", "port: 143"),
        (SMTP + "  tls: starttls\n  port: 465\n", "port 465 speaks TLS from the first byte", "port: 587"),
        (IMAP + "  idle: 'yes'\n", "inbox.idle cannot be 'yes'", "true or false"),
        (IMAP + "  held: Processed\n", "name of another folder", "three names"),
        (IMAP + "  timeout: 0\n", "inbox.timeout cannot be 0", "seconds"),
        ("inbox: {kind: maildir, held: ../x}\n", "inbox.held cannot be '../x'", "without dots"),
        ("inbox: {kind: maildir, path: ''}\n", "inbox.path cannot be ''", "path"),
        ("referee: {address: Referee <r@example.org>}\n", "referee.address cannot be", "bare mail address"),
        ("referee: {gm: gm@example.org}\n", "referee.gm cannot be 'gm@example.org'", "[gm@example.org]"),
        ("referee: {gm: [a@b, c]}\n", "referee.gm cannot be 'c'", "list of mail addresses"),
        ("referee: {name: \"a\\nBcc: b\"}\n", "referee.name cannot be", "one line"),
        ("referee: {footer: See www.example.org}\n", "referee.footer holds a web address", "Leave it out"),
        ("trust: {require: spf}\n", "trust.require cannot be 'spf'", "none or dkim"),
        ("limits: {letters_a_day: 0}\n", "limits.letters_a_day cannot be 0", "1 or more"),
        ("limits: {letter_kilobytes: 1.5}\n", "limits.letter_kilobytes cannot be 1.5", "from 16"),
        ("clock: {time_zone: Berlin}\n", "'Berlin', which is not a time zone", "Europe/Berlin"),
        ("clock: {time_zone: ../../etc/passwd}\n", "is not a time zone", "Europe/Berlin"),
        ("clock: {reminder_hours: soon}\n", "clock.reminder_hours cannot be 'soon'", "whole hours"),
        ("clock: {reminder_hours: 400}\n", "clock.reminder_hours cannot be 400", "0 to 336"),
        ("clock: {reminders_hour: 48}\n", "clock.reminders_hour is not a setting", "reminder_hours"),
        ("limits: {reminders_hours: 48}\n", "limits.reminders_hours is not a setting", "letters_a_day"),
        ("clock: {hours_per_turn: .nan}\n", "clock.hours_per_turn cannot be nan", "hours"),
        ("trust: strict\n", "trust cannot be 'strict'", "section"),
        ("trust: {}\nlimits: {}\ntrust: {}\n", "line 3: trust stands there twice", "Keep one"),
        ("limits: {press_a_day: 1, press_a_day: 2}\n", "press_a_day stands there twice", "Keep one"),
        ("- inbox\n", "holds no sections", "pbem init"),
        ("inbox\n", "holds no sections", "pbem init"),
        ("1: 2\n", "holds a key that is not a word", "name of a setting"),
        ("inbox: [\n", "this is not YAML", "a colon"),
        ("inbox:\n\tkind: maildir\n", "line 2: this is not YAML", "blanks"),
        ("inbox: !!python/object/apply:os.system [x]\n", "this is not YAML", "a colon"),
        ("inbox: &a\n  kind: *a\n", "inbox.kind cannot be a section", "maildir or imap"),
        ("inbox: *a\n", "this is not YAML", "a colon"),
    ],
)  # fmt: skip
def test_a_mistake_is_named_with_what_would_work(tmp_path: Path, text: str, why: str, remedy: str) -> None:
    wrong = refused(tmp_path, text)
    assert why in wrong.why
    assert remedy in wrong.remedy


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "settings.yaml"
    path.write_bytes(b"referee: {name: K\xf6nig}")
    with pytest.raises(TheSettingsCannotBeRead, match="UTF-8"):
        load_settings(tmp_path)
    path.unlink()
    path.mkdir()
    with pytest.raises(TheSettingsCannotBeRead, match="cannot be read"):
        load_settings(tmp_path)


def test_a_mark_at_the_start_of_the_file_does_no_harm(tmp_path: Path) -> None:
    assert load(tmp_path, "\ufeffreferee: {name: König}").referee.name == "König"


def test_what_does_not_fit_is_refused_in_code_too() -> None:
    with pytest.raises(DoesNotFit):
        SmtpOut(host="mail.example.org", tls="none")


# ------------------------------------------------------------------ what was a setting once


def remarks_on(directory: Path, text: str) -> tuple[Settings, list[str]]:
    remarks: list[str] = []
    (directory / "settings.yaml").write_text(text, encoding="utf-8")
    return load_settings(directory, remarks.append), remarks


def with_servers(text: str) -> str:
    """The sections for an account in place of those for Maildirs, as a GM makes them count."""
    own = re.sub(r"^(inbox|outbox):\n(  .*\n)+", "", text, flags=re.MULTILINE)
    return re.sub(r"^# ((?:inbox|outbox):|  \w+:.*)$", r"\1", own, flags=re.MULTILINE)


@pytest.mark.parametrize("form", FORMS, ids=lambda path: path.stem)
def test_every_form_that_the_settings_ever_had_is_read(tmp_path: Path, form: Path) -> None:
    text = form.read_text(encoding="utf-8")
    retired = {name for name in RETIRED if re.search(rf"^  {name.partition('.')[2]}:", text, re.MULTILINE)}
    for written in (text, with_servers(text)):
        settings, remarks = remarks_on(tmp_path, written)
        assert settings.clock == Clock()
        assert {remark.split()[0] for remark in remarks} == retired
    assert isinstance(settings.inbox, ImapIn)
    assert isinstance(settings.outbox, SmtpOut)


def test_every_form_in_the_history_is_read(tmp_path: Path) -> None:
    """Also one that somebody has forgotten to add to tests/settings."""
    git = shutil.which("git")
    log = [git or "git", "-C", str(FORMS[0].parent), "log", "--format=%H", "--", ":/templates/settings.yaml"]
    found = subprocess.run(log, capture_output=True, text=True, check=False) if git else None
    if found is None or found.returncode:
        pytest.skip("there is no history here")
    for commit in found.stdout.split():
        show = [*log[:3], "show", f"{commit}:templates/settings.yaml"]
        shown = subprocess.run(show, capture_output=True, text=True, check=True)
        remarks_on(tmp_path, shown.stdout)
        remarks_on(tmp_path, with_servers(shown.stdout))


def test_a_setting_that_is_out_of_use_is_remarked_on_with_its_line_and_what_came_of_it(tmp_path: Path) -> None:
    settings, remarks = remarks_on(tmp_path, "limits:\n  letters_a_day: 7\n  letter_lines: [what, ever]\n")
    assert settings.limits == Limits(letters_a_day=7)
    (remark,) = remarks
    assert remark.startswith(f"limits.letter_lines in {tmp_path / 'settings.yaml'}, line 3, is not used any more: ")
    assert "letter_kilobytes" in remark
    assert remarks_on(tmp_path, default_settings_text())[1] == []


def test_what_is_wrong_beside_it_is_still_refused(tmp_path: Path) -> None:
    assert "clock.pace is not a setting" in refused(tmp_path, "clock: {reminders_hours: [48], pace: 1}\n").why
    assert "clock cannot be a list" in refused(tmp_path, "clock: [reminders_hours]\n").why


# ------------------------------------------------------------------ passwords


@pytest.mark.parametrize("key", ["password", "Password", "imap_password", "secret"])
def test_a_password_in_the_file_is_refused_and_not_repeated(tmp_path: Path, key: str) -> None:
    wrong = refused(tmp_path, IMAP + f"  {key}: hunter2\n")
    assert "has no place in this file" in wrong.why
    assert "PBEM_IMAP_PASSWORD" in wrong.remedy
    assert "hunter2" not in f"{wrong.why} {wrong.remedy}"


def test_a_line_with_a_password_is_not_repeated_when_it_is_no_yaml(tmp_path: Path) -> None:
    wrong = refused(tmp_path, IMAP + "  password: hunter2: [\n")
    assert "hunter2" not in f"{wrong.why} {wrong.remedy} {wrong.__cause__}"


def account(password_file: Path | None = None) -> ImapIn:
    return ImapIn(host="h", user="referee", password_file=password_file)


def test_a_password_comes_from_the_environment() -> None:
    assert password_of(account(), {"PBEM_IMAP_PASSWORD": "hunter2"}) == "hunter2"
    assert password_of(SmtpOut(host="h", user="u"), {"PBEM_SMTP_PASSWORD": "x y\n"}) == "x y"
    with pytest.raises(ThereIsNoPassword) as none:
        password_of(account(), {"PBEM_SMTP_PASSWORD": "hunter2"})
    assert "PBEM_IMAP_PASSWORD" in none.value.remedy
    assert "password_file" in none.value.remedy


def test_a_password_comes_from_a_file_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "imap.password"
    path.write_text("hünter 2\n")
    path.chmod(0o600)
    assert password_of(account(path), {"PBEM_IMAP_PASSWORD": "another"}) == "hünter 2"
    path.chmod(0o400)
    assert password_of(account(path), {}) == "hünter 2"


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o620, 0o666])
def test_a_password_file_others_can_get_at_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "imap.password"
    path.write_text("hunter2")
    path.chmod(mode)
    with pytest.raises(ThePasswordIsOpenToOthers) as refusal:
        password_of(account(path), {})
    assert f"chmod 600 {path}" in refusal.value.remedy
    assert "hunter2" not in refusal.value.why


def test_a_credential_of_systemd_is_taken_as_it_is(tmp_path: Path) -> None:
    """On Debian 13 it shows mode 0440 and nobody can change that; who may read it, systemd has seen to."""
    given = tmp_path / "run" / "credentials" / "pbem.service"
    given.mkdir(parents=True)
    (given / "imap.password").write_text("hunter2\n")
    (given / "imap.password").chmod(0o440)
    environ = {"CREDENTIALS_DIRECTORY": str(given)}
    assert password_of(account(given / "imap.password"), environ) == "hunter2"
    assert password_of(account(tmp_path / "wars" / "imap.password"), environ) == "hunter2", "by its name alone"
    with pytest.raises(ThePasswordIsOpenToOthers):
        password_of(account(given / "imap.password"), {})
    with pytest.raises(ThereIsNoPassword):
        password_of(account(tmp_path / "wars" / "smtp.password"), environ)


def test_beside_credentials_a_file_of_our_own_is_private_all_the_same(tmp_path: Path) -> None:
    given, own = tmp_path / "credentials", tmp_path / "imap.password"
    given.mkdir()
    (given / "imap.password").write_text("of systemd")
    own.write_text("hunter2")
    own.chmod(0o640)
    environ = {"CREDENTIALS_DIRECTORY": str(given)}
    for path in (own, given / ".." / "imap.password"):
        with pytest.raises(ThePasswordIsOpenToOthers):
            password_of(account(path), environ)
    own.chmod(0o600)
    assert password_of(account(own), environ) == "hunter2", "what the settings name is there"


@pytest.mark.parametrize("content", [b"", b"\n", b"user\npassword\n", b"\xff\xfe", b"a\x00b"])
def test_a_password_file_without_a_password_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "imap.password"
    path.write_bytes(content)
    path.chmod(0o600)
    with pytest.raises(ThereIsNoPassword):
        password_of(account(path), {})
    with pytest.raises(ThereIsNoPassword):
        password_of(account(tmp_path / "missing"), {})


def test_settings_never_show_a_password(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", "hunter2")
    monkeypatch.setenv("PBEM_SMTP_PASSWORD", "hunter3")
    settings = load(tmp_path, IMAP + SMTP + "  user: referee\n")
    assert isinstance(settings.inbox, ImapIn)
    assert password_of(settings.inbox) == "hunter2"
    shown = f"{settings!r} {settings} {msgspec.to_builtins(settings, enc_hook=str)} {yaml.dump(str(settings))}"
    assert "hunter" not in shown
