"""Statements are compiled once a process, whichever of its databases they are for."""

from pathlib import Path

from sqlalchemy import literal, select

from tools.storage.database import COMPILED, Database

QUESTION = select(literal(7).label("of_all_databases"))


async def test_a_second_database_takes_what_the_first_one_compiled(tmp_path: Path) -> None:
    COMPILED.clear()  # what other tests left there may be about to be dropped
    known = []
    for name in ("one", "two"):
        database = Database(f"sqlite:///{tmp_path / name}.db")
        found = await database.read(lambda connection: connection.scalar(QUESTION))
        await database.close()
        assert found == 7
        known.append(len(COMPILED))

    assert 0 < known[0] == known[1]
