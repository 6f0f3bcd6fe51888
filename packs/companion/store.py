"""The companion's own SQLite file."""

from pathlib import Path

from prefrontal.pack import PackStore, run_script

_SCHEMA = Path(__file__).with_name("schema.sql")

STORE = PackStore(
    "companion.sqlite", "the companion's", lambda connection: run_script(connection, _SCHEMA)
)
reading = STORE.reading
writing = STORE.writing
