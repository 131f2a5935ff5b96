"""Matches, seats, sheets, turns, snapshots and the ledger."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "matches",
        sa.Column("id", sa.Integer(), primary_key=True, nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("scenario", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("commitment", sa.String(), nullable=False),
        sa.Column("gate_number", sa.Integer(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "seats",
        sa.Column("id", sa.Integer(), primary_key=True, nullable=False),
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("matches.id"), nullable=False),
        sa.Column("side", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.UniqueConstraint("match_id", "side"),
    )
    op.create_table(
        "sheets",
        sa.Column("id", sa.Integer(), primary_key=True, nullable=False),
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("matches.id"), nullable=False),
        sa.Column("side", sa.String(), nullable=False),
        sa.Column("gate_id", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("findings", sa.JSON(), nullable=False),
        sa.Column("arrived", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.CheckConstraint("state IN ('waiting', 'sealed', 'superseded')", name="state"),
    )
    op.create_index("ix_sheets_match_id_gate_id", "sheets", ["match_id", "gate_id"])
    op.create_index(
        "uq_sheets_counting",
        "sheets",
        ["match_id", "gate_id", "side"],
        unique=True,
        sqlite_where=sa.text("state != 'superseded'"),
        postgresql_where=sa.text("state != 'superseded'"),
    )
    op.create_table(
        "turns",
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("matches.id"), primary_key=True, nullable=False),
        sa.Column("number", sa.Integer(), primary_key=True, nullable=False),
        sa.Column("gate_id", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("sheets", sa.JSON(), nullable=False),
        sa.Column("link", sa.String(), nullable=False),
        sa.Column("hash_before", sa.String(), nullable=False),
        sa.Column("hash_after", sa.String(), nullable=False),
        sa.Column("events", sa.LargeBinary(), nullable=False),
        sa.Column("ran_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("program", sa.String(), nullable=False),
    )
    op.create_table(
        "snapshots",
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("matches.id"), primary_key=True, nullable=False),
        sa.Column("number", sa.Integer(), primary_key=True, nullable=False),
        sa.Column("state", sa.LargeBinary(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
    )
    op.create_table(
        "ledger",
        sa.Column("id", sa.Integer(), primary_key=True, nullable=False),
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("matches.id"), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("act", sa.String(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
    )
    op.create_index("ix_ledger_match_id", "ledger", ["match_id"])


def downgrade() -> None:
    for table in ("ledger", "snapshots", "turns", "sheets", "seats", "matches"):
        op.drop_table(table)
