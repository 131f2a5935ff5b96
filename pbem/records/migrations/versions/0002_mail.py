"""Letters and outgoing mail, one-time words, the referee's clock, and what a seat needs to be reached by mail."""

import secrets
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    _extend_matches()
    _extend_seats()
    _create_letters()
    _create_outgoing()
    op.create_table(
        "words",
        sa.Column("id", sa.Integer(), primary_key=True, nullable=False),
        sa.Column("word", sa.String(), nullable=False),
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("matches.id"), nullable=False),
        sa.Column("side", sa.String(), nullable=False),
        sa.Column("act", sa.String(), nullable=False),
        sa.Column("argument", sa.String(), nullable=False),
        sa.Column("expires", MOMENT, nullable=False),
        sa.Column("used", MOMENT),
        sa.UniqueConstraint("word"),
    )
    op.create_table(
        "pulses",
        sa.Column("name", sa.String(), primary_key=True, nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("detail", sa.String(), nullable=False),
    )


def _extend(table: str, *columns: sa.Column[Any]) -> None:
    """Add columns to a table with rows in it: the defaults are for those rows, and taken away again."""
    kwargs = {"sqlite_autoincrement": True} if table == "matches" else {}
    with op.batch_alter_table(table, table_kwargs=kwargs) as batch:
        for column in columns:
            batch.add_column(column)
    with op.batch_alter_table(table, table_kwargs=kwargs) as batch:
        for column in columns:
            if column.server_default is not None:
                batch.alter_column(column.name, server_default=None, existing_type=column.type)


def _extend_matches() -> None:
    _extend(
        "matches",
        sa.Column("clock", sa.JSON(), nullable=False, server_default="{}"),
        sa.Column("deadline", MOMENT),
        sa.Column("paused", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("frozen", sa.String(), nullable=False, server_default=""),
    )


def _extend_seats() -> None:
    _extend(
        "seats",
        sa.Column("key", sa.String(), nullable=False, server_default=""),
        sa.Column("state", sa.String(), nullable=False, server_default="taken"),
        sa.Column("zone", sa.String(), nullable=False, server_default=""),
        sa.Column("lead_hours", sa.Integer(), nullable=False, server_default="24"),
        sa.Column("ready_gate", sa.String(), nullable=False, server_default=""),
        sa.Column("wait_gate", sa.String(), nullable=False, server_default=""),
        sa.Column("absent_from", MOMENT),
        sa.Column("absent_to", MOMENT),
        sa.Column("misses", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("bounces", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    seats = sa.table("seats", sa.column("id", sa.Integer()), sa.column("key", sa.String()))
    connection = op.get_bind()
    for (number,) in connection.execute(sa.select(seats.c.id)).fetchall():
        key = "".join(secrets.choice("abcdefghijkmnpqrstuvwxyz23456789") for _ in range(20))
        connection.execute(seats.update().where(seats.c.id == number).values(key=key))


def _create_letters() -> None:
    op.create_table(
        "letters",
        sa.Column("id", sa.Integer(), primary_key=True, nullable=False),
        sa.Column("place", sa.String(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("raw_digest", sa.String(), nullable=False),
        sa.Column("arrived", MOMENT, nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("sender", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("matches.id")),
        sa.Column("side", sa.String(), nullable=False),
        sa.Column("fate", sa.String(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("settled", MOMENT),
        sa.Column("filed", sa.Boolean(), nullable=False),
        sa.CheckConstraint("fate IN ('arrived', 'accepted', 'answered', 'held', 'dropped')", name="fate"),
        sa.UniqueConstraint("place", "raw_digest"),
    )
    for column in ("message_id", "digest", "fate"):
        op.create_index(f"ix_letters_{column}", "letters", [column])


def _create_outgoing() -> None:
    op.create_table(
        "outgoing",
        sa.Column("id", sa.Integer(), primary_key=True, nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("topic", sa.String(), nullable=False),
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("matches.id")),
        sa.Column("side", sa.String(), nullable=False),
        sa.Column("recipient", sa.String(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("letter_id", sa.Integer(), sa.ForeignKey("letters.id")),
        sa.Column("created", MOMENT, nullable=False),
        sa.Column("expires", MOMENT),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_try", MOMENT, nullable=False),
        sa.Column("sent", MOMENT),
        sa.Column("trouble", sa.Text(), nullable=False),
        sa.CheckConstraint("state IN ('to send', 'sent', 'overtaken', 'expired', 'failed')", name="state"),
        sa.UniqueConstraint("key"),
        sa.UniqueConstraint("message_id"),
    )
    for column in ("topic", "state"):
        op.create_index(f"ix_outgoing_{column}", "outgoing", [column])


def downgrade() -> None:
    for table in ("pulses", "words", "outgoing", "letters"):
        op.drop_table(table)
    _drop("seats", "key", "zone", "ready_gate", "wait_gate", "state", "lead_hours")
    _drop("seats", "absent_from", "absent_to", "misses", "bounces")
    _drop("matches", "clock", "deadline", "paused", "frozen")


def _drop(table: str, *columns: str) -> None:
    kwargs = {"sqlite_autoincrement": True} if table == "matches" else {}
    with op.batch_alter_table(table, table_kwargs=kwargs) as batch:
        for column in columns:
            batch.drop_column(column)
