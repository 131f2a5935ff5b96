"""By which rules each turn was run, how each line of a sheet was understood, and what plays a seat that nobody holds."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Turns of before were run by the first rules."""
    _add("turns", sa.Column("rules", sa.Integer(), nullable=False, server_default="1"))
    _add("seats", sa.Column("bot", sa.String(), nullable=False, server_default=""))
    with op.batch_alter_table("sheets", recreate="always") as batch:
        batch.add_column(sa.Column("understood", sa.JSON()))


def _add(table: str, column: "sa.Column[Any]") -> None:
    """The default is for the rows that are there; the program says what it means."""
    with op.batch_alter_table(table) as batch:
        batch.add_column(column)
    with op.batch_alter_table(table) as batch:
        batch.alter_column(column.name, server_default=None, existing_type=column.type)


def downgrade() -> None:
    op.drop_column("sheets", "understood")
    op.drop_column("seats", "bot")
    op.drop_column("turns", "rules")
