"""What people said on the command line, as it is told to LangSmith."""

import asyncio
from pathlib import Path

from api.cli.data_folder import open_tables
from evals.langsmith import Opinion, read_opinions
from graph.settings import Settings
from tests.cli.conftest import Prefrontal, records
from tests.cli.test_ask import BEN, CHIEF, waiting


def test_yes_no_and_chips_are_opinions_on_their_decisions(prefrontal: Prefrontal, here: Path):
    note = prefrontal("ask", "jot on WO-1042 the note seal weeps", *BEN, "--json")
    offer = records(note)[0]["offer_id"]
    assert prefrontal("offers", "choose", offer, "chip-1", *BEN).exit_code == 0
    for word, text in (("approve", "close WO-1042"), ("reject", "close WO-1029")):
        prefrontal("approvals", word, *waiting(prefrontal, text), *CHIEF)
    answered = records(prefrontal("ask", "check stock of belts", *BEN, "--json"))[0]
    prefrontal("feedback", answered["response_id"], "bad", *CHIEF)

    async def read() -> list[Opinion]:
        async with open_tables(Settings(data_dir=here / "data")) as database:
            return await database.read(lambda at: read_opinions(at, "default", 0))

    said = asyncio.run(read())

    assert [(one.key, one.score) for one in said] == [
        ("approval", 1.0),
        ("approval", 0.0),
        ("rating", 0.0),
        ("primary_chip", 1.0),
    ]
    assert said[2].decision_id == answered["decision_id"]
