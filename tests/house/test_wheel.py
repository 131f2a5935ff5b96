"""The installed program works from any directory: maps, templates, grammar and migrations travel with it."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.the_project import ROOT


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel, unpacked as an installer would."""
    made, unpacked = tmp_path_factory.mktemp("wheel"), tmp_path_factory.mktemp("installed")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(made), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = made.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(unpacked)
    return unpacked


def pbem(installed: Path, cwd: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    program = (
        "import sys, pbem.cli.main; assert pbem.cli.main.__file__.startswith(sys.argv.pop(1)); pbem.cli.main.app()"
    )
    command = [sys.executable, "-c", program, str(installed), *arguments]
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)


def test_everything_a_game_needs_is_in_the_wheel(installed: Path, tmp_path: Path) -> None:
    assert (installed / "engine" / "data" / "mail" / "public_suffix_list.dat").is_file()
    assert "Smolensk" in pbem(installed, tmp_path, "map", "hex", "Q16").stdout
    assert pbem(installed, tmp_path, "init", "wars").returncode == 0
    seats = ("--seat", "axis=a@example.org", "--seat", "soviet=b@example.net")
    assert "Match 1" in pbem(installed, tmp_path, "-C", "wars", "new", "hitlers-war", "barbarossa", *seats).stdout
    (tmp_path / "sheet.txt").write_text("ATTACK Center P14 ASSAULT ADVANCE\n")
    receipt = pbem(installed, tmp_path, "-C", "wars", "orders", "1", "axis", "sheet.txt")
    assert "ok          ATTACK Center P14 ASSAULT ADVANCE" in receipt.stdout
    assert pbem(installed, tmp_path, "-C", "wars", "process", "1").returncode == 0
    assert "P14 Pinsk" in pbem(installed, tmp_path, "-C", "wars", "log", "1").stdout
    assert "AXIS RECORD SHEET" in pbem(installed, tmp_path, "-C", "wars", "show", "1", "--as", "axis").stdout


def test_what_only_developers_use_is_not_in_the_wheel(installed: Path) -> None:
    packages = {path.name for path in installed.iterdir() if path.is_dir() and path.suffix != ".dist-info"}
    assert packages == {"engine", "pbem"}
    assert not list(installed.rglob("soak*.py"))
