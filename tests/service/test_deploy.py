"""The files in deploy/: they say what the program says, and systemd understands them."""

import re
import shutil
import subprocess

import pytest
from typer.main import get_command

from pbem.cli.main import app
from pbem.settings import default_settings_text, load_settings, password_of
from tests.the_project import ROOT

DEPLOY = ROOT / "deploy"
UNITS = sorted(path.name for path in DEPLOY.iterdir() if path.suffix in (".service", ".timer"))
SERVICES = [name for name in UNITS if name.endswith(".service")]

needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd-analyze")


def analyze(*words: object) -> subprocess.CompletedProcess[str]:
    command = ["systemd-analyze", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_the_example_settings_are_the_defaults():
    assert (DEPLOY / "settings.example.yaml").read_text(encoding="utf-8") == default_settings_text()


def test_there_are_units_for_both_ways():
    assert UNITS == ["pbem-tick.service", "pbem-tick.timer", "pbem.service"]


@needs_systemd
@pytest.mark.parametrize("unit", UNITS)
def test_systemd_finds_nothing_wrong(unit, tmp_path):
    """The program is not where it will be installed, so another one stands in for it."""
    for name in UNITS:
        text = (DEPLOY / name).read_text().replace("/opt/pbem/bin/pbem", "/bin/true")
        (tmp_path / name).write_text(text)
    found = analyze("verify", "--man=no", tmp_path / unit)
    assert (found.returncode, found.stderr) == (0, "")


@needs_systemd
@pytest.mark.parametrize("service", SERVICES)
def test_a_service_can_do_no_more_than_it_must(service):
    found = analyze("security", "--offline=true", "--threshold=20", DEPLOY / service)
    assert found.returncode == 0, found.stdout


@pytest.mark.parametrize("name", [*SERVICES, "crontab.example"])
def test_the_commands_in_them_exist(name):
    text = (DEPLOY / name).read_text()
    used = re.findall(r"\bpbem -C \S+ (\w+)", text)
    assert used
    assert set(used) <= set(get_command(app).commands)


@pytest.mark.parametrize("service", SERVICES)
def test_the_credentials_it_suggests_are_found_by_the_names_in_the_settings(service, tmp_path):
    """`LoadCredential=imap.password:...` and `password_file: imap.password`, as the comments say."""
    text = (DEPLOY / service).read_text()
    named = re.findall(r"^#LoadCredential=(\S+?):", text, re.MULTILINE)
    assert named == ["imap.password", "smtp.password"]
    assert f"password_file: {named[0]}" in text
    credentials, wars = tmp_path / "credentials", tmp_path / "wars"
    credentials.mkdir()
    wars.mkdir()
    for name in named:
        (credentials / name).write_text(name)
        (credentials / name).chmod(0o440)
    account = "{{kind: {}, host: mail.example.org, user: referee, password_file: {}}}\n"
    inbox, outbox = account.format("imap", named[0]), account.format("smtp", named[1])
    (wars / "settings.yaml").write_text(f"inbox: {inbox}outbox: {outbox}")
    settings = load_settings(wars)
    environ = {"CREDENTIALS_DIRECTORY": str(credentials)}
    assert [password_of(one, environ) for one in (settings.inbox, settings.outbox)] == named


def test_nothing_needs_a_package_that_no_page_names():
    """A bare Debian has neither sqlite3 nor sudo."""
    for page in (*DEPLOY.iterdir(), DEPLOY.parent / "docs" / "gm-handbook.md"):
        assert not re.search(r"\bsqlite3 |\bsudo ", page.read_text(encoding="utf-8")), page


def test_the_daemon_is_watched_and_given_time_to_stop():
    text = (DEPLOY / "pbem.service").read_text()
    for line in ("Type=notify", "WatchdogSec=10min", "TimeoutStopSec=3min", "Restart=always", "UMask=0077"):
        assert f"\n{line}\n" in text


def test_both_services_are_hardened_alike():
    hardened = [
        set(re.findall(r"^(?:Protect|Private|Restrict|System|NoNew)\w+=.*$", (DEPLOY / one).read_text(), re.M))
        for one in SERVICES
    ]
    assert hardened[0] == hardened[1]
    assert len(hardened[0]) > 15
