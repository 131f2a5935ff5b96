"""How long the last sheet of a turn lies before it is run, and whose sheets wait for his READY. Wars under way: as before."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    minutes = sa.Column("settle_minutes", sa.Integer(), nullable=False, server_default="0")
    _add("matches", minutes, recreate="always", table_kwargs={"sqlite_autoincrement": True})
    _add("seats", sa.Column("settle_ready", sa.Boolean(), nullable=False, server_default=sa.false()))


def _add(table: str, column: "sa.Column[Any]", **how: Any) -> None:
    """The default is for the rows that are there; the program says what it means."""
    with op.batch_alter_table(table, **how) as batch:
        batch.add_column(column)
    with op.batch_alter_table(table, **how) as batch:
        batch.alter_column(column.name, server_default=None, existing_type=column.type)


def downgrade() -> None:
    op.drop_column("seats", "settle_ready")
    op.drop_column("matches", "settle_minutes")
