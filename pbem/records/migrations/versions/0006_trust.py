"""What proves something: papers of the installation, keys of GMs, bounces one by one, and when a war was closed."""

import secrets
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    _make_tables()
    with op.batch_alter_table("matches", recreate="always", table_kwargs={"sqlite_autoincrement": True}) as batch:
        batch.add_column(sa.Column("over_since", MOMENT))
        batch.add_column(sa.Column("closed", MOMENT))
    _add("letters", sa.Column("proved", sa.Boolean(), nullable=False, server_default=sa.false()))
    _add("outgoing", sa.Column("rank", sa.Integer(), nullable=False, server_default="0"))
    op.create_index("ix_outgoing_state_rank", "outgoing", ["state", "rank"])
    op.create_index("ix_outgoing_sent", "outgoing", ["sent"])
    _fill()


def _make_tables() -> None:
    papers = op.create_table(
        "papers",
        sa.Column("name", sa.String(), primary_key=True, nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
    )
    op.bulk_insert(
        papers,
        [
            {"name": "identity", "value": secrets.token_hex(16)},
            {"name": "mail secret", "value": secrets.token_hex(32)},
        ],
    )
    op.create_table(
        "gm_keys",
        sa.Column("address", sa.String(), primary_key=True, nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("since", MOMENT, nullable=False),
    )
    op.create_table(
        "bounces",
        sa.Column("id", sa.Integer(), primary_key=True, nullable=False),
        sa.Column("outgoing_id", sa.Integer(), sa.ForeignKey("outgoing.id"), nullable=False),
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("matches.id")),
        sa.Column("side", sa.String(), nullable=False),
        sa.Column("recipient", sa.String(), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.UniqueConstraint("outgoing_id"),
    )
    op.create_index("ix_bounces_recipient", "bounces", ["recipient"])


def _add(table: str, column: "sa.Column[Any]") -> None:
    """The default is for the rows that are there; the program says what it means."""
    with op.batch_alter_table(table) as batch:
        batch.add_column(column)
    with op.batch_alter_table(table) as batch:
        batch.alter_column(column.name, server_default=None, existing_type=column.type)


def _fill() -> None:
    """Letters that were taken as a seat's had shown its key. Wars that were over are closed: nobody expects mail of them."""
    op.execute("UPDATE letters SET proved = (side != '')")
    op.execute(
        "UPDATE matches SET over_since = coalesce("
        "(SELECT max(ran_at) FROM turns WHERE turns.match_id = matches.id), created) WHERE status = 'over'"
    )
    op.execute("UPDATE matches SET closed = over_since WHERE status = 'over'")


def downgrade() -> None:
    op.drop_index("ix_outgoing_sent", "outgoing")
    op.drop_index("ix_outgoing_state_rank", "outgoing")
    for table, column in (
        ("outgoing", "rank"),
        ("letters", "proved"),
        ("matches", "closed"),
        ("matches", "over_since"),
    ):
        op.drop_column(table, column)
    for table in ("bounces", "gm_keys", "papers"):
        op.drop_table(table)
