"""What is closed in a query is closed in Python, and the other way round."""

import random
from pathlib import Path

from sqlalchemy import Connection, literal, select

from state.reader import Reader
from tools.storage.database import Database
from tools.storage.query_filters import readable

LETTERS = "abAB-*?.[]! é漢\U0001f642%_'\"\\^"


async def test_a_pattern_closes_the_same_sessions_in_both(tmp_path: Path) -> None:
    chance = random.Random(7)

    def made(letters: str, most: int) -> str:
        return "".join(chance.choices(letters, k=chance.randint(1, most)))

    patterns = [made(LETTERS.replace("[", "").replace("]", ""), 5) for _ in range(30)]
    sessions = [made(LETTERS, 6) for _ in range(30)]
    database = Database(f"sqlite:///{tmp_path / 'some.sqlite'}")

    def work(connection: Connection) -> None:
        for pattern in patterns:
            reader = Reader(tenant_id="t", closed=(pattern,))
            columns = [readable(literal(one), reader) for one in sessions]
            told = connection.execute(select(*columns)).one()
            assert [bool(one) for one in told] == [reader.may_read(one) for one in sessions]

    await database.read(work)
    await database.close()
