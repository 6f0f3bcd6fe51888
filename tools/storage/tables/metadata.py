"""What our tables are registered in, and what Alembic compares a database with."""

from sqlalchemy import MetaData

metadata = MetaData()
