"""The SQLAlchemy metadata that all tables are registered in."""

from sqlalchemy import MetaData

metadata = MetaData()
