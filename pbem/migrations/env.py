"""Run by alembic. The connection, with its transaction, comes from `pbem.migrations.upgrade`."""

from alembic import context

from pbem.models import Table

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Table.metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
