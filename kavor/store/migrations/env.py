"""Alembic's environment: it migrates over the connection that :mod:`kavor.store.database` hands it."""

from alembic import context

from kavor.store.tables import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, transactional_ddl=True)
context.run_migrations()
