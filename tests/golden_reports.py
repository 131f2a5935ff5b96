"""The golden reports: `make golden` writes them anew, with the schema of `view.json`. Read the difference before committing it."""

import json
from pathlib import Path

from engine.game import FOGS
from engine.load import data_path
from pbem.games.hitlers_war.view_file import view_schema
from tools.samples import MOMENTS, sample

FOLDER = Path(__file__).parent / "golden"
NAMES = [(moment, fog) for moment in MOMENTS for fog in FOGS]


def path_of(moment: str, fog: str) -> Path:
    return FOLDER / f"{moment}-{fog}.txt"


def schema_path() -> Path:
    return data_path("hitlers-war", "view.schema.json")


def schema_text() -> str:
    return json.dumps(view_schema(), indent=1) + "\n"


def golden_text(moment: str, fog: str) -> str:
    mail = sample(moment, fog)
    return f"Subject: {mail.subject}\n\n{mail.text}"


def main() -> None:
    for moment, fog in NAMES:
        path_of(moment, fog).write_text(golden_text(moment, fog), encoding="utf-8")
    schema_path().write_text(schema_text(), encoding="utf-8")
    print(f"{len(NAMES)} texts in {FOLDER}, and {schema_path()}. Look at: git diff")


if __name__ == "__main__":
    main()
