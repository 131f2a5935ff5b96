"""Turns that were taken back stay on file: a turn is found by its run, and says whether it still counts."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)
COUNTING = "uq_sheets_counting"


def upgrade() -> None:
    _name_runs("number", "run")
    with op.batch_alter_table("turns") as batch:
        batch.add_column(sa.Column("number", sa.Integer(), nullable=False, server_default="0"))
        batch.add_column(sa.Column("taken_back", MOMENT))
        batch.add_column(sa.Column("taken_back_by", sa.String(), nullable=False, server_default=""))
        batch.add_column(sa.Column("taken_back_for", sa.Text(), nullable=False, server_default=""))
    op.execute("UPDATE turns SET number = run")
    with op.batch_alter_table("turns") as batch:
        batch.alter_column("number", server_default=None, existing_type=sa.Integer())
        batch.alter_column("taken_back_by", server_default=None, existing_type=sa.String())
        batch.alter_column("taken_back_for", server_default=None, existing_type=sa.Text())
    where = sa.text("taken_back IS NULL")
    op.create_index(
        "uq_turns_counting", "turns", ["match_id", "number"], unique=True, sqlite_where=where, postgresql_where=where
    )
    _rebuild_sheets(
        "state IN ('waiting', 'sealed', 'superseded', 'taken back')", "state NOT IN ('superseded', 'taken back')"
    )


def _name_runs(old: str, new: str) -> None:
    for table in ("turns", "snapshots"):
        with op.batch_alter_table(table) as batch:
            batch.alter_column(old, new_column_name=new, existing_type=sa.Integer(), existing_nullable=False)


def _rebuild_sheets(states: str, counting: str) -> None:
    op.drop_index(COUNTING, "sheets")
    with op.batch_alter_table("sheets") as batch:
        batch.drop_constraint("state", type_="check")
        batch.create_check_constraint("state", sa.text(states))
    where = sa.text(counting)
    op.create_index(
        COUNTING, "sheets", ["match_id", "gate_id", "side"], unique=True, sqlite_where=where, postgresql_where=where
    )


def downgrade() -> None:
    """Only of a database in which no turn was taken back: the older tables have no room for two runs of one turn."""
    _rebuild_sheets("state IN ('waiting', 'sealed', 'superseded')", "state != 'superseded'")
    op.drop_index("uq_turns_counting", "turns")
    with op.batch_alter_table("turns") as batch:
        for column in ("number", "taken_back", "taken_back_by", "taken_back_for"):
            batch.drop_column(column)
    _name_runs("run", "number")
