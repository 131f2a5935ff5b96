"""Letters in a Maildir: fetched without a trace, moved once, never half."""

import os
import shutil
import threading
import time
from pathlib import Path

import pytest

from pbem.mail.inbox import (
    LONGEST_HEAD,
    MOST_BYTES_AT_ONCE,
    Arrived,
    MaildirInbox,
    TheMailboxRefusedUs,
    as_many_as_fit,
    head_alone,
    open_inbox,
)
from pbem.mail.maildir import make_maildir
from pbem.settings import default_settings_text, load_settings

LARGEST = 4096


def letter(subject: str) -> bytes:
    return f"From: a@example.org\nSubject: {subject}\n\nATTACK Kiev\n".encode()


def put(inbox: MaildirInbox, name: str, raw: bytes = b"", part: str = "new", age: float = 0.0) -> Path:
    path = inbox.path / part / name
    path.write_bytes(raw or letter(name))
    when = time.time() - age
    os.utime(path, (when, when))
    return path


def places(letters: list[Arrived]) -> list[str]:
    return [one.place for one in letters]


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def inbox(tmp_path: Path) -> MaildirInbox:
    make_maildir(tmp_path / "in")
    return MaildirInbox(tmp_path / "in", LARGEST)


def test_folders_are_made_when_they_are_needed_and_private(inbox: MaildirInbox) -> None:
    inbox.fetch(10)
    inbox.file_away(["no such letter"], "processed")
    assert names_in(inbox.path) == ["cur", "new", "tmp"]
    for where in ("processed", "held"):
        put(inbox, where)
        inbox.file_away([where], where)
    for folder in (inbox.path, inbox.path / ".Processed", inbox.path / ".Held"):
        assert {"tmp", "new", "cur"} <= set(names_in(folder))
        assert folder.stat().st_mode & 0o077 == (folder / "new").stat().st_mode & 0o077 == 0
    assert (inbox.path / ".Held" / "maildirfolder").exists()


def test_the_default_inbox_lies_in_the_data_directory(tmp_path: Path) -> None:
    (tmp_path / "settings.yaml").write_text(default_settings_text())
    make_maildir(tmp_path / "mail" / "in")
    opened = open_inbox(load_settings(tmp_path))
    assert isinstance(opened, MaildirInbox)
    assert opened.path == tmp_path / "mail" / "in"
    assert opened.fetch(10) == []
    opened.close()


def test_fetching_brings_the_oldest_first_and_leaves_no_trace(inbox: MaildirInbox) -> None:
    put(inbox, "b", age=10)
    put(inbox, "a", age=20)
    put(inbox, "c", age=5)
    before = names_in(inbox.path / "new")
    assert places(inbox.fetch(2)) == ["a", "b"]
    assert inbox.fetch(1)[0].raw == letter("a")
    assert names_in(inbox.path / "new") == before


def test_a_letter_that_is_still_being_written_is_not_seen(inbox: MaildirInbox) -> None:
    put(inbox, "half", part="tmp")
    put(inbox, ".hidden")
    assert inbox.fetch(10) == []
    assert inbox.wait(0) is False


def test_a_letter_somebody_has_looked_at_keeps_its_place(inbox: MaildirInbox) -> None:
    path = put(inbox, "one")
    assert places(inbox.fetch(10)) == ["one"]
    path.rename(inbox.path / "cur" / "one:2,FS")
    assert places(inbox.fetch(10)) == ["one"]
    inbox.file_away(["one"], "processed")
    assert names_in(inbox.path / ".Processed" / "cur") == ["one:2,FS"]


def test_a_letter_somebody_has_trashed_is_left_to_him(inbox: MaildirInbox) -> None:
    path = put(inbox, "gone:2,ST", part="cur")
    assert inbox.fetch(10) == []
    inbox.file_away(["gone"], "processed")
    assert path.exists()


def test_filing_away_twice_or_what_never_was_does_no_harm(inbox: MaildirInbox) -> None:
    put(inbox, "one")
    put(inbox, "two")
    inbox.file_away(["one", "no such letter", "../../etc/passwd"], "processed")
    inbox.file_away(["one"], "processed")
    inbox.file_away(["one"], "held")
    inbox.file_away(["two"], "held")
    assert inbox.fetch(10) == []
    assert names_in(inbox.path / ".Processed" / "cur") == ["one:2,S"]
    assert names_in(inbox.path / ".Held" / "cur") == ["two:2,S"]
    assert (inbox.path / ".Held" / "cur" / "two:2,S").read_bytes() == letter("two")


def test_a_letter_is_known_at_its_new_place_before_it_is_forgotten_at_the_old(
    inbox: MaildirInbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []
    monkeypatch.setattr("pbem.mail.inbox.sync_directory", lambda path: synced.append(str(path.relative_to(inbox.path))))
    put(inbox, "one")
    inbox.file_away(["one"], "processed")
    assert synced == [".Processed/cur", "new", "cur"]


def test_killed_between_fetch_and_filing_the_letters_come_again(inbox: MaildirInbox) -> None:
    put(inbox, "one")
    first = inbox.fetch(10)
    assert MaildirInbox(inbox.path, LARGEST).fetch(10) == first


def test_of_a_huge_letter_only_the_head_is_read(inbox: MaildirInbox) -> None:
    put(inbox, "huge", b"From: a@example.org\nSubject: film\n\n" + b"x" * LARGEST)
    put(inbox, "fits", b"Subject: y\n\n".ljust(LARGEST, b"x"))
    huge, fits = sorted(inbox.fetch(10), key=lambda one: one.place, reverse=True)
    assert huge.too_large
    assert huge.raw.startswith(b"From: a@example.org\r\nSubject: film\r\n\r\n[This letter has 4131 bytes")
    assert len(huge.raw) < 500
    assert not fits.too_large
    assert len(fits.raw) == LARGEST


def test_a_head_without_end_is_cut_after_a_whole_line() -> None:
    cut = head_alone(b"X-Long: " + b"y" * 70 + b"\r\nX-Next: z\r\nX-Last: " + b"q" * LONGEST_HEAD, 99_999, 100)
    head, _, note = cut.partition(b"\r\n\r\n")
    assert head.endswith(b"X-Next: z")
    assert note.startswith(b"[This letter has 99999 bytes")


def test_one_fetch_does_not_fill_the_memory() -> None:
    third = MOST_BYTES_AT_ONCE // 3
    assert as_many_as_fit([third] * 9, largest=third) == 3
    assert as_many_as_fit([MOST_BYTES_AT_ONCE * 2, 1], largest=MOST_BYTES_AT_ONCE * 2) == 1
    assert as_many_as_fit([MOST_BYTES_AT_ONCE * 2, 1], largest=1000) == 2, "only its head is read"
    assert as_many_as_fit([], largest=1000) == 0


def test_waiting_ends_when_a_letter_comes(inbox: MaildirInbox) -> None:
    threading.Timer(0.3, put, [inbox, "late"]).start()
    started = time.monotonic()
    assert inbox.wait(10) is True
    assert time.monotonic() - started < 2
    assert places(inbox.fetch(10)) == ["late"]


def test_waiting_is_not_cut_short_by_letters_that_were_fetched(inbox: MaildirInbox) -> None:
    put(inbox, "one", age=60)
    put(inbox, "two", age=50)
    assert inbox.wait(0) is True
    inbox.fetch(1)
    assert inbox.wait(0) is True, "two is still waiting"
    inbox.fetch(10)
    assert inbox.wait(0.3) is False
    inbox.file_away(["one"], "processed")
    assert inbox.wait(0) is False


def test_a_delivery_within_the_tick_of_the_last_look_is_seen(inbox: MaildirInbox) -> None:
    """The time of the directory does not change then."""
    put(inbox, "one")
    inbox.fetch(10)
    times = (inbox.path / "new").stat()

    def sneak(_: float) -> None:
        put(inbox, "two")
        os.utime(inbox.path / "new", ns=(times.st_atime_ns, times.st_mtime_ns))

    inbox.sleep = sneak
    assert inbox.wait(1) is True


def test_a_thousand_letters_are_fetched_and_filed_quickly(inbox: MaildirInbox) -> None:
    for number in range(1000):
        put(inbox, f"{number:04}", age=2000 - number)
    started = time.monotonic()
    letters = inbox.fetch(1000)
    inbox.file_away(places(letters), "processed")
    assert time.monotonic() - started < 3
    assert places(letters) == [f"{number:04}" for number in range(1000)]
    assert len(names_in(inbox.path / ".Processed" / "cur")) == 1000


def test_a_maildir_that_is_in_the_way_is_explained(tmp_path: Path) -> None:
    (tmp_path / "in").write_text("not a directory")
    with pytest.raises(TheMailboxRefusedUs) as refused:
        MaildirInbox(tmp_path / "in", LARGEST).fetch(1)
    assert str(tmp_path / "in") in refused.value.why
    assert not refused.value.temporary


def test_a_maildir_that_vanished_is_explained_and_never_made_anew(inbox: MaildirInbox) -> None:
    shutil.rmtree(inbox.path)
    for act in (lambda: inbox.fetch(1), lambda: inbox.wait(0), lambda: inbox.file_away(["x"], "held")):
        with pytest.raises(TheMailboxRefusedUs):
            act()
    MaildirInbox(inbox.path, LARGEST)
    assert not inbox.path.exists()
