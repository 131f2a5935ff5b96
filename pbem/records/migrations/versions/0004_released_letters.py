"""A held letter that the GM releases: for which seat it counts, and what had become of it before."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("letters") as batch:
        batch.add_column(sa.Column("meant_for", sa.String(), nullable=False, server_default=""))
        batch.add_column(sa.Column("released_to", sa.Integer(), sa.ForeignKey("seats.id")))
        batch.add_column(sa.Column("history", sa.JSON(), nullable=False, server_default="[]"))
    with op.batch_alter_table("letters") as batch:
        batch.alter_column("meant_for", server_default=None, existing_type=sa.String())
        batch.alter_column("history", server_default=None, existing_type=sa.JSON())


def downgrade() -> None:
    with op.batch_alter_table("letters") as batch:
        batch.drop_constraint("fk_letters_released_to_seats", type_="foreignkey")
        for column in ("meant_for", "released_to", "history"):
            batch.drop_column(column)
