"""Mail laid down in Maildirs, one for each recipient."""

import asyncio
from pathlib import Path

import pytest

from pbem.mail.postman import Delivery, Later, MaildirPostman, Sent, folder_for, name_for, open_postman
from pbem.settings import MaildirOut, Settings, settings_below

REFEREE = "referee@example.org"
ANNA = "anna@example.org"
RAW = b"Message-ID: <1@example.org>\r\nSubject: Summer 1941\r\n\r\nKiev has fallen.\r\n"


def lay_down(path: Path, recipient: str, raw: bytes) -> Delivery:
    async def work() -> Delivery:
        async with open_postman(Settings(outbox=MaildirOut(path=path))) as postman:
            return await postman.send(REFEREE, recipient, raw)

    return asyncio.run(work())


def files_below(path: Path) -> list[Path]:
    return sorted(file for file in path.rglob("*") if file.is_file())


def test_a_mail_lies_in_the_maildir_of_its_recipient(tmp_path: Path) -> None:
    assert isinstance(lay_down(tmp_path, "Anna@Example.org", RAW), Sent)
    (file,) = files_below(tmp_path)
    assert file.parent == tmp_path / "anna@example.org" / "new"
    assert file.read_bytes() == RAW.replace(b"\r\n", b"\n")
    assert file.stat().st_mode & 0o077 == 0


def test_the_same_mail_again_is_not_laid_down_again(tmp_path: Path) -> None:
    lay_down(tmp_path, ANNA, RAW)
    (file,) = files_below(tmp_path)
    assert isinstance(lay_down(tmp_path, ANNA, RAW), Sent)
    assert files_below(tmp_path) == [file]
    read = file.rename(file.parent.parent / "cur" / f"{file.name}:2,S")
    assert isinstance(lay_down(tmp_path, ANNA, RAW), Sent)
    assert files_below(tmp_path) == [read]
    lay_down(tmp_path, "boris@example.org", RAW)
    lay_down(tmp_path, ANNA, RAW.replace(b"<1@", b"<2@"))
    assert len(files_below(tmp_path)) == 3


def test_a_mail_half_written_by_a_killed_postman_does_no_harm(tmp_path: Path) -> None:
    lay_down(tmp_path, ANNA, b"Message-ID: <0@example.org>\r\n\r\n")
    half = tmp_path / ANNA / "tmp" / name_for(RAW)
    half.write_bytes(RAW[:20] + b"something longer than the whole mail" * 9)
    assert isinstance(lay_down(tmp_path, ANNA, RAW), Sent)
    assert (tmp_path / ANNA / "new" / name_for(RAW)).read_bytes() == RAW.replace(b"\r\n", b"\n")
    assert not half.exists()


def test_a_disk_that_refuses_means_later(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("in the way")
    first = lay_down(tmp_path / "out", ANNA, RAW)
    assert isinstance(first, Later)
    assert first.configuration


def test_the_default_outbox_lies_in_the_data_directory(tmp_path: Path) -> None:
    async def work() -> None:
        async with open_postman(settings_below(tmp_path, Settings())) as postman:
            assert postman == MaildirPostman(tmp_path / "mail" / "out")

    asyncio.run(work())


@pytest.mark.parametrize(
    "address",
    ["../../etc/cron.d@x", "..", ".", "", "a/b@c", "a\x00b@c", "jürgen@example.org", "x" * 500 + "@y", ".x@y"],
)
def test_no_address_leads_out_of_the_outbox(tmp_path: Path, address: str) -> None:
    assert isinstance(lay_down(tmp_path / "out", address, RAW), Sent)
    (file,) = files_below(tmp_path)
    assert file.parent.parent.parent == tmp_path / "out"
    assert not file.parent.parent.name.startswith(".")


def test_names_of_folders_and_files() -> None:
    assert folder_for("anna+axis@example.org") == "anna+axis@example.org"
    assert folder_for("x" * 300 + "@a") != folder_for("x" * 300 + "@b")
    assert name_for(RAW) == name_for(RAW + b"and more"), "the Message-ID counts"
    assert name_for(b"Subject: x\n\none") != name_for(b"Subject: x\n\ntwo"), "without one, the bytes"
    assert name_for(b"message-id:\n <1@example.org>\n\n") == name_for(RAW)
    assert "/" not in name_for(b"Message-ID: <../../x>\n\n")
