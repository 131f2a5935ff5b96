"""Positions are packed against the one they were reached from. Those that lie on file already stay as they are."""

import sqlalchemy as sa
import zstandard
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """No row is touched: it takes a moment, however large the database, and what has been written is not rewritten."""
    op.add_column("snapshots", sa.Column("base", sa.Integer()))


def downgrade() -> None:
    """Every position as the older program reads it."""
    connection = op.get_bind()
    for (match,) in connection.execute(sa.text("SELECT id FROM matches")).fetchall():
        _unpack(connection, match)
    op.drop_column("snapshots", "base")


def _unpack(connection: sa.Connection, match: int) -> None:
    rows = connection.execute(
        sa.text("SELECT run, base, state FROM snapshots WHERE match_id = :match ORDER BY run"), {"match": match}
    )
    states: dict[int, bytes] = {}
    for run, base, state in rows.fetchall():
        states[run] = state if base is None else _unpacked(state, states.get(base, b""))
        connection.execute(
            sa.text("UPDATE snapshots SET state = :state WHERE match_id = :match AND run = :run"),
            {"state": states[run], "match": match, "run": run},
        )


def _unpacked(packed: bytes, dictionary: bytes) -> bytes:
    against = zstandard.ZstdCompressionDict(dictionary, zstandard.DICT_TYPE_RAWCONTENT) if dictionary else None
    return zstandard.ZstdDecompressor(against).decompress(packed)
