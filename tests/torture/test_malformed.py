"""Proposals and bodies of every wrong shape: refused or asked, never done, and never a 500."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from api.app import create_app
from state.errors import AgentError
from state.proposal import Proposal
from tests.safety.benches import CAPTAIN, ENGINEER, PERMISSIVE, opened_ledger, sql
from tests.safety.executives import opened_executive
from tests.safety.valves import effects
from tests.torture.counts import few_or_many
from tests.torture.tally import Tally

ODD = st.sampled_from(
    ["", " ", "__class__", "V-101", "3", "true", "null", "\u202e", "a" * 9_000, "${KEY}", "\ud800"]
)
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(min_value=2**53, max_value=2**70),
    st.floats(),
    st.text(max_size=40),
    ODD,
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=5), st.dictionaries(st.text(max_size=10) | ODD, inner, max_size=4)
    ),
    max_leaves=12,
) | st.just(["x"] * 10_000)
NAMES = st.one_of(
    st.sampled_from([*PERMISSIVE, "label_valve", "read_gauge"]),
    st.sampled_from(["delete_everything", "open_valve ", "OPEN_VALVE", "open_valve\u200b", ""]),
    st.text(max_size=30),
)
SLOTS = st.sampled_from(
    ["valve", "turns", "note", "hold", "tonnes", "count", "tanks", "gauge", "label", "approved"]
)
ARGUMENTS = st.dictionaries(SLOTS | st.text(max_size=12) | ODD, VALUES, max_size=5)
FIELDS = (
    "decision digest arguments reason text user role payload kind event_id entities salience "
    "chip_id action approved tenant_id type args answers"
)
BODIES = st.one_of(
    VALUES,
    st.dictionaries(
        st.sampled_from(FIELDS.split()),
        VALUES,
        max_size=6,
    ),
)
QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture]
GO_ON: dict[str, Any] = {
    "deadline": None,
    "suppress_health_check": QUIET,
    "database": None,
    "print_blob": False,
}


@pytest.fixture
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as running:
        yield running


@few_or_many(80, 10_000)
def test_a_malformed_proposal_is_refused_or_asked_and_never_done(
    data_dir: Path, pack: Path, tally: Tally, runner: asyncio.Runner, count: int
) -> None:
    opening = opened_ledger(data_dir, pack)
    ledger = runner.run(opening.__aenter__())

    async def propose(name: str, arguments: Any, number: int) -> None:
        with suppress(AgentError, ValidationError):
            frozen = await ledger.propose(
                Proposal(
                    decision_id=f"d-{number}",
                    requester=ENGINEER.model_copy(update={"user": f"amir-{number // 20}"}),
                    action=name,
                    arguments=arguments,
                    at_least="A",
                )
            )
            await ledger.execute(frozen.action_id)

    @settings(max_examples=count, **GO_ON)
    @given(NAMES, ARGUMENTS)
    def try_it(name: str, arguments: dict[str, Any]) -> None:
        tally.add("malformed proposals")
        runner.run(propose(name, arguments, tally.counts["malformed proposals"]))

    try:
        try_it()
    finally:
        runner.run(opening.__aexit__(None, None, None))
    assert {each["action"] for each in effects(data_dir)} <= {"read_gauge"}
    assert sql(data_dir, STARTED) == []


STARTED = "select action from ledger_action where started_at > 0 and execution_class <> 'A'"


@few_or_many(60, 10_000)
def test_a_malformed_body_is_refused_and_never_a_fault_of_ours(
    data_dir: Path, pack: Path, tally: Tally, runner: asyncio.Runner, count: int
) -> None:
    opening = opened_executive(data_dir, pack)
    opened = runner.run(opening.__aenter__())
    shown = runner.run(opened.asked())
    key = runner.run(opened.executive.keys.make(CAPTAIN))
    client = httpx.AsyncClient(
        transport=httpx.ASGITransport(create_app(opened.executive)),
        base_url="http://127.0.0.1",
        headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json"},
    )
    paths = (
        "/v1/events",
        "/v1/messages",
        f"/v1/approvals/{shown.action_id}",
        f"/v1/offers/offer-{shown.decision_id}",
    )

    @settings(max_examples=count, **GO_ON)
    @given(st.sampled_from(paths), BODIES, st.integers(0, 9))
    def try_it(path: str, body: Any, cut: int) -> None:
        content = json.dumps(body).encode()
        content = content[: len(content) // 2] if cut == 0 else content
        answer = runner.run(client.post(path, content=content))
        tally.add("malformed bodies")
        assert answer.status_code < 500, (path, content[:500], answer.text)

    try:
        try_it()
        state = runner.run(opened.executive.approvals.get(shown.action_id, "aurora")).state
    finally:
        runner.run(client.aclose())
        runner.run(opening.__aexit__(None, None, None))
    assert effects(data_dir) == []
    assert state in ("pending", "rejected")
