"""The tables on disk are the tables in the code, whichever way a database came to be."""

import subprocess
import sys
from pathlib import Path

from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, create_engine

from tests.architecture.source import ROOT
from tests.safety.benches import FILE, proposal
from tools.storage.tables.metadata import metadata
from tools.storage.upgrade import HEAD, upgrade


def test_the_newest_revision_is_alembics_own() -> None:
    config = Config()
    config.set_main_option("script_location", str(ROOT / "tools/storage/migrations"))
    assert ScriptDirectory.from_config(config).get_current_head() == HEAD


def through_every_revision(file: Path) -> Engine:
    """Begin with something in the database, so that it is migrated and not made."""
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        connection.exec_driver_sql("create table seed (id integer)")
    upgrade(engine)
    with engine.begin() as connection:
        connection.exec_driver_sql("drop table seed")
    return engine


def shape(engine: Engine) -> dict[str, object]:
    """Describe columns, keys and triggers, whatever wording made them."""
    with engine.connect() as connection:
        run = connection.exec_driver_sql
        names = [row[0] for row in run("select name from sqlite_master where type = 'table'")]
        found: dict[str, object] = {}
        for name in names:
            columns = sorted(tuple(row)[1:] for row in run(f"pragma table_info({name})"))
            keys = sorted(tuple(row)[2:] for row in run(f"pragma foreign_key_list({name})"))
            found[name] = (columns, keys)
        made = run("select name, sql from sqlite_master where type in ('trigger', 'index')")
        found["made"] = sorted((row[0], " ".join((row[1] or "").split())) for row in made)
    return found


def test_a_new_database_is_what_every_revision_makes_of_an_old_one(tmp_path: Path) -> None:
    made = create_engine(f"sqlite:///{tmp_path / 'made'}")
    upgrade(made)
    migrated = through_every_revision(tmp_path / "migrated")
    assert shape(made) == shape(migrated)
    for engine in (made, migrated):
        engine.dispose()


def test_migrating_makes_the_tables_of_the_code(new_dir: Path) -> None:
    engine = through_every_revision(new_dir / FILE)
    with engine.connect() as connection:
        context = MigrationContext.configure(
            connection,
            opts={
                "compare_type": True,
                "compare_server_default": True,
                # SQLite keeps the full-text index in tables of its own
                "include_name": lambda name, _kind, _of: (
                    not (name or "").startswith(("journal_text", "memory_text"))
                ),
            },
        )
        assert compare_metadata(context, metadata) == []
        assert context.get_current_revision() == HEAD
    engine.dispose()


def test_a_database_that_is_there_already_is_opened_without_alembic(new_dir: Path) -> None:
    engine = create_engine(f"sqlite:///{new_dir / FILE}")
    upgrade(engine)
    engine.dispose()
    code = (
        "import sys; from sqlalchemy import Engine, create_engine;"
        "from tools.storage.upgrade import upgrade;"
        f"upgrade(create_engine('sqlite:///{new_dir / FILE}'));"
        "sys.exit('alembic' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_opening_again_keeps_what_is_there(new_dir: Path) -> None:
    engine = create_engine(f"sqlite:///{new_dir / FILE}")
    upgrade(engine)
    with engine.begin() as connection:
        row = (
            metadata.tables["session"]
            .insert()
            .values(tenant_id="a", session_id=proposal().decision_id, state={}, updated_at=1.0)
        )
        connection.execute(row)
    upgrade(engine)
    with engine.connect() as connection:
        assert len(connection.execute(metadata.tables["session"].select()).all()) == 1
    engine.dispose()
