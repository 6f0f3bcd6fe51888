"""A click that is given up leaves no secret that was given with it, whatever broke it."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from pydantic import ValidationError
from structlog.testing import capture_logs

from state.agent_call import AgentCall
from state.principal import Principal
from tests.graph.breaking import broken_harbour
from tests.graph.looking import write_boatyard

ANN = Principal(user="ann", tenant_id="default", roles=("hand",))
SECRET = "canary-code-Zq7"
PLAIN = "slots: {boat: {type: boat, required: true}}\n    effect: write"
CODED = PLAIN.replace("}}", "}, code: {type: text, secret: true}}")


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Draw no tracebacks: each takes seconds."""
    with capture_logs():
        yield


@pytest.fixture
def yard(tmp_path: Path) -> str:
    pack = write_boatyard(tmp_path)
    for name, old, new in (
        ("actions.yaml", PLAIN, CODED),
        (
            "handlers.py",
            "def paint_boat(context, *, boat)",
            "def paint_boat(context, *, boat, code=None)",
        ),
    ):
        text = (pack / name).read_text("utf-8")
        assert old in text
        (pack / name).write_text(text.replace(old, new), "utf-8")
    return str(pack)


async def test_a_secret_given_with_a_click_is_covered_once_that_is_given_up(
    data_dir: Path, learnt_once: Path, yard: str
) -> None:
    async with broken_harbour(data_dir, learnt_once, [yard], attempts=2) as boats:
        offered = await boats.says("paint B-11", ANN)
        [chip, *_] = (await boats.executive.offers.get(offered.offer_id or "", "default")).chips
        boats.alter('UPDATE session SET state = \'{"muted_until": "never"}\'')
        with pytest.raises(ValidationError):
            await boats.executive.offers.choose(
                offered.offer_id or "", chip.chip_id, ANN, {"code": SECRET}
            )
        assert SECRET in _offers(data_dir)  # it may be tried again
        for _ in range(2):
            await boats.executive.resume_unfinished()
        ends = {(told.outcome, told.reason) for told in await boats.records()}
        assert ends == {("offered", "class_B"), ("failed", "gave_up")}
        assert SECRET not in _offers(data_dir)


def _offers(data_dir: Path) -> str:
    with closing(sqlite3.connect(data_dir / "prefrontal.sqlite")) as connection:
        return str(connection.execute("SELECT * FROM offer").fetchall())


async def test_a_secret_in_an_agents_call_is_kept_nowhere_once_it_has_run(
    data_dir: Path, learnt_once: Path, yard: str
) -> None:
    async with broken_harbour(data_dir, learnt_once, [yard], attempts=2) as boats:
        call = AgentCall(action="paint_boat", arguments={"boat": "B-11", "code": SECRET})
        proposals = boats.executive.proposals
        text = proposals.text(call, ANN)
        assert SECRET not in text
        asked = await boats.executive.submit(
            boats.event(text, kind="proposal", call=call, user="ann", role="hand", sender="bot")
        )
        trace = await boats.executive.records.trace(asked.decision_id, "default")
        assert SECRET not in trace.model_dump_json()
        await boats.executive.offers.choose(asked.offer_id or "", "chip-1", ANN)
        view = await proposals.view(asked.decision_id, ANN)
        assert view.status == "executed"
        assert SECRET not in view.model_dump_json()
    with closing(sqlite3.connect(data_dir / "prefrontal.sqlite")) as connection:
        for table in ("decision", "offer", "memory_entry", "query_log"):
            assert SECRET not in str(
                connection.execute(f"SELECT * FROM {table}").fetchall()
            )  # our own names
