"""Run by alembic. The connection, with its transaction, comes from `pbem.records.migrations.upgrade`."""

from alembic import context

from pbem.records.models import Table

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Table.metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
