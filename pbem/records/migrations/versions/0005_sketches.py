"""What the pictures of an outgoing mail are drawn from, until it has left."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "sketches",
        sa.Column("outgoing_id", sa.Integer(), sa.ForeignKey("outgoing.id"), primary_key=True, nullable=False),
        sa.Column("source", sa.LargeBinary(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("sketches")
