"""Every checkpoint of finished threads, run on from, forked, rewritten and jumped out of."""

from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command

from state.approval import LedgerAction
from state.record import DecisionRecord
from tests.safety.benches import CAPTAIN, ENGINEER, no, sql, yes
from tests.safety.executives import Opened, message, opened_executive
from tests.safety.lies import forged
from tests.safety.valves import effects
from tests.torture.tally import Tally

TEXTS = ("open valve V-{}", "open valve V-{}", "label valve V-{}", "read gauge G-{}", "hello {}")
NODES = ("classify_action", "confirm", "act", "offer_choices", "write_record")
ASKED_EACH = 20
FEW = 4
FEW_EVERY = 3
"""Of a few threads every third checkpoint is tried, of the hundred each."""


@pytest.mark.parametrize(
    "count",
    [FEW, *(pytest.param(25, id=f"25 more, {n}", marks=pytest.mark.torture) for n in range(4))],
)
async def test_no_checkpoint_of_a_finished_thread_brings_a_new_effect(
    data_dir: Path, pack: Path, tally: Tally, count: int
) -> None:
    """A hundred threads in four parts, so that several workers share them."""
    async with opened_executive(data_dir, pack) as opened:
        records = [await _finish(opened, number) for number in range(count)]
        [shown] = (await opened.executive.approvals.list("aurora", state="succeeded", limit=1))[:1]
        before, rows = effects(data_dir), _ledger(data_dir)
        assert len(before) >= count // 2
        for record in records:
            async for attempt in _attempts(opened, record, shown, FEW_EVERY if count == FEW else 1):
                with suppress(Exception):  # a thread that cannot go on is as good
                    await attempt
                tally.add("travels in time")
        await opened.recover()
        assert effects(data_dir) == before
        assert {key: _ledger(data_dir)[key] for key in rows} == rows
        await opened.tick()
    assert effects(data_dir) == before


async def _finish(opened: Opened, number: int) -> DecisionRecord:
    text = TEXTS[number % len(TEXTS)].format(number)
    event = message(text, f"e-{number}", user=f"amir-{number // ASKED_EACH}")
    record = await opened.executive.submit(event)
    if record.outcome == "awaiting_approval":
        shown = await opened.executive.approvals.get(record.action_id or "", "aurora")
        answer = no(shown) if number % 10 == 1 else yes(shown)
        await opened.executive.approvals.answer(shown.action_id, answer, CAPTAIN)
    if record.outcome == "offered" and record.offer_id:
        who = ENGINEER.model_copy(update={"user": event.user})
        with suppress(Exception):
            return await opened.executive.offers.choose(
                record.offer_id, "chip-1", who, {"label": "sea"}
            )
    return record


async def _attempts(
    opened: Opened, record: DecisionRecord, shown: LedgerAction, every: int
) -> AsyncIterator[Any]:
    flow, config = opened.flow, opened.config(record.decision_id)
    old = [snapshot.config async for snapshot in flow.aget_state_history(config)]
    for each in old[::every]:
        yield flow.ainvoke(None, each)
        yield flow.ainvoke(Command(resume=True), each)
        yield flow.ainvoke(Command(resume={"decision": "approve", "digest": shown.digest}), each)
        for node in NODES:
            yield flow.ainvoke(Command(goto=node), each)
        for lie in forged(shown).values():
            yield _forked(opened, each, lie)
    for node in NODES:
        for lie in forged(shown).values():
            yield _forked(opened, config, lie, as_node=node)


async def _forked(opened: Opened, config: RunnableConfig, lie: Any, **how: str) -> None:
    fork = await opened.flow.aupdate_state(config, dict(lie), **how)
    await opened.flow.ainvoke(None, fork)


def _ledger(data_dir: Path) -> dict[str, tuple[Any, ...]]:
    query = "select action_id, state, digest, fence, started_at from ledger_action"
    return {str(row[0]): row[1:] for row in sql(data_dir, query)}
