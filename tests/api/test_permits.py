"""Permit mode over a real server: declared tools, permits, outcomes, and every misuse of them."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio

from api.app import create_app
from graph.settings import Settings
from graph.wiring.composition import open_executive
from state.agent_call import AgentCall
from state.declared_tool import DeclaredTool
from state.event import Event
from state.principal import Principal
from state.reader import whole
from tests.api.conftest import assert_problem
from tests.api.door import PEOPLE, Door, Json, told_of
from tests.graph.harbour import HARBOUR, Harbour
from tests.serving import serving
from tests.tables import FILE, lay_tables
from tools.gate.ledger.audit import audit
from tools.platform.clock import SystemClock, VirtualClock

pytestmark = pytest.mark.asyncio(loop_scope="module")

MORE = {
    "pilot": Principal(user="pilot-agent", tenant_id="elsewhere", kind="service"),
    "looks": Principal(user="tug-agent", tenant_id="default", kind="service", scopes=("read",)),
}
TEXT: Json = {"type": "string"}


def tool(name: str, effect: str | None = "write", /, **properties: Json) -> Json:
    """Declare a tool with these arguments, the first of which is required."""
    schema = {"type": "object", "properties": properties, "required": [*properties][:1]}
    return {"name": name, "arguments": schema, "effect": effect}


TOOLS = [
    tool("read_gauge", "read", gauge=TEXT),
    tool("paint_buoy", "write", buoy=TEXT, colour={"enum": ["red", "green"]}),
    tool("sink_barge", None, barge=TEXT, depth={"type": "integer", "maximum": 40}),
    tool("open_safe", "destructive", safe=TEXT, code={"type": "string", "writeOnly": True}),
]


@dataclass
class Dock(Door):
    """The service with an agent's own tools declared."""

    async def declare(self, *tools: Json, who: str = "agent") -> httpx.Response:
        return await self.clients[who].put("/v1/catalog/tools", json={"tools": list(tools)})

    async def permit(self, proposal: Json, who: str = "agent", **given: Any) -> httpx.Response:
        digest = (proposal["permit"] or proposal["approval"] or {"digest": "0" * 64})["digest"]
        path = f"/v1/proposals/{proposal['proposal_id']}/permit"
        return await self.clients[who].post(path, json={"digest": digest, **given})

    async def report(
        self, proposal: Json, permit: str, who: str = "agent", **given: Any
    ) -> httpx.Response:
        sent = {"permit": permit, "outcome": "succeeded", "text": "it is done", **given}
        path = f"/v1/proposals/{proposal['proposal_id']}/outcome"
        return await self.clients[who].post(path, json=sent)

    async def approved(self, action: str, **arguments: Any) -> Json:
        asked = await self.propose(action, arguments=arguments, status=202)
        await self.answer(asked)
        return await self.read(asked, wait=10)

    def sql(self, statement: str, *given: Any) -> list[Any]:
        with closing(sqlite3.connect(self.harbour.data_dir / FILE)) as connection:
            rows = connection.execute(statement, given).fetchall()
            connection.commit()
            return rows

    def entries(self, proposal: Json) -> list[tuple[str, str]]:
        query = (
            "select e.event, e.actor from ledger_entry e join ledger_action a using (action_id) "
            "where a.decision_id = ? order by seq"
        )
        return self.sql(query, proposal["proposal_id"])


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def dock(tmp_path_factory: pytest.TempPathFactory, learnt_once: Path) -> AsyncIterator[Dock]:
    data_dir = tmp_path_factory.mktemp("dock")
    (data_dir / "cache").symlink_to(learnt_once)
    lay_tables(data_dir)
    async with AsyncExitStack() as stack:
        settings = Settings(data_dir=data_dir, packs=(str(HARBOUR),), public_url="http://quay")
        executive = await stack.enter_async_context(open_executive(settings))
        address = await stack.enter_async_context(serving(create_app(executive)))
        clients = {}
        for name, principal in {**PEOPLE, **MORE}.items():
            headers = {"Authorization": f"Bearer {await executive.keys.make(principal)}"}
            client = httpx.AsyncClient(base_url=address, headers=headers, timeout=40)
            clients[name] = await stack.enter_async_context(client)
        clock = VirtualClock(SystemClock().now())
        opened = Dock(Harbour(executive, clock, data_dir), clients)
        said = await opened.declare(*TOOLS)
        assert said.status_code == 200, said.text
        yield opened


async def test_a_grant_covers_a_tool_that_its_agent_keeps(dock: Dock):
    asked = await dock.propose("sink_barge", arguments={"barge": "B-1", "depth": 5}, status=202)
    wanted = {
        "action_id": asked["approval"]["id"],
        "digest": asked["approval"]["digest"],
        "arguments": {"barge": {"any": True}, "depth": {"at_most": 10}},
        "minutes": 60,
        "uses": 1,
    }
    made = await dock.clients["ingrid"].post("/v1/grants", json=wanted)
    assert made.status_code == 200, made.text
    allowed = await dock.propose("sink_barge", arguments={"barge": "B-2", "depth": 6})
    assert (allowed["status"], allowed["reasons"]) == ("permitted", ["granted"])
    taken = await dock.permit(allowed)
    assert taken.status_code == 200, taken.text
    done = await dock.report(allowed, taken.json()["permit"])
    assert done.json()["status"] == "executed"
    more = await dock.propose("sink_barge", arguments={"barge": "B-3", "depth": 7})
    assert more["status"] == "pending_approval"


async def test_declared_tools_stand_in_the_catalog_of_their_tenant_alone(dock: Dock):
    answer = await dock.clients["agent"].get("/v1/catalog")
    listed = {each["name"]: each for each in answer.json()["actions"]}
    shown = {
        name: (listed[name]["class"], listed[name]["runs"], listed[name]["mode"])
        for name in ("read_gauge", "paint_buoy", "sink_barge", "close_lock")
    }
    assert shown == {
        "read_gauge": ("A", "at_once", "permit"),
        "paint_buoy": ("B", "after_choice", "permit"),
        "sink_barge": ("C", "after_approval", "permit"),
        "close_lock": ("C", "after_approval", "execute"),
    }
    assert listed["sink_barge"]["effect"] == "destructive"  # none was said
    assert listed["open_safe"]["arguments"]["properties"]["code"]["writeOnly"] is True
    for path in ("/v1/catalog", "/v1/catalog/tools", "/v1/tools"):
        elsewhere = (await dock.clients["pilot"].get(path)).text
        assert "sink_barge" not in elsewhere
    unknown = await dock.clients["pilot"].post(
        "/v1/proposals", json={"action": "sink_barge", "arguments": {"barge": "B1"}}
    )
    assert_problem(unknown, 422, "invalid")


async def test_a_read_is_permitted_at_once_and_ends_with_its_outcome(dock: Dock):
    asked = await dock.propose("read_gauge", arguments={"gauge": "G1"}, status=202)
    assert (asked["status"], asked["class"]) == ("permitted", "A")
    taken = (await dock.permit(asked)).json()
    assert taken["arguments"] == {"gauge": "G1"}
    assert (await dock.read(asked))["status"] == "running"
    done = await dock.report(asked, taken["permit"], data={"bar": 3.5}, evidence="photo 7")
    assert done.status_code == 200, done.text
    assert (done.json()["status"], done.json()["result"]["data"]) == ("executed", {"bar": 3.5})
    assert dock.entries(asked) == [
        ("proposed approved", "tug-agent"),
        ("started", "tug-agent"),
        ("succeeded", "tug-agent"),
    ]


async def test_a_write_is_permitted_after_one_click(dock: Dock):
    asked = await dock.propose("paint_buoy", arguments={"buoy": "N4", "colour": "red"}, status=202)
    assert asked["status"] == "needs_choice"
    early = assert_problem(await dock.permit(asked), 409, "conflict")
    assert early["standing"] == "needs_choice"
    waiting = asyncio.create_task(dock.read(asked, wait=20))
    await asyncio.sleep(0.2)
    assert (await dock.choose(asked)).status_code == 200
    permitted = await waiting
    assert permitted["status"] == "permitted"
    taken = (await dock.permit(permitted)).json()
    failed = await dock.report(permitted, taken["permit"], outcome="failed", text="no paint left")
    assert (failed.json()["status"], "no paint left" in failed.json()["message"]) == (
        "failed",
        True,
    )


async def test_a_dangerous_tool_is_permitted_after_a_yes_with_the_arguments_as_edited(dock: Dock):
    asked = await dock.propose("sink_barge", arguments={"barge": "B2", "depth": 30}, status=202)
    assert asked["approval"]["approver_roles"] == []
    [fact] = asked["approval"]["dialog"]["facts"]
    assert "tug-agent, with its own tool" in fact["value"]
    early = assert_problem(await dock.permit(asked), 409, "conflict")
    assert early["standing"] == "pending"
    edited = await dock.answer(asked, "edit", arguments={"barge": "B2", "depth": 5})
    if edited["state"] == "pending":
        again = {"approval": {"digest": edited["digest"], "id": edited["action_id"]}}
        await dock.answer(again)
    permitted = await dock.read(asked, wait=10)
    assert (permitted["status"], permitted["edited"]) == ("permitted", True)
    old = await dock.permit(permitted, digest=asked["approval"]["digest"])
    assert_problem(old, 409, "digest-mismatch")
    taken = (await dock.permit(permitted)).json()
    assert taken["arguments"] == {"barge": "B2", "depth": 5}
    assert (await dock.report(permitted, taken["permit"])).json()["status"] == "executed"


@pytest.mark.parametrize("answered", [False, True])
async def test_a_call_with_a_secret_sent_again_is_the_same_call(dock: Dock, answered: bool):
    call: Json = {"arguments": {"safe": f"S2-{answered}", "code": "0451-swordfish"}}
    key = f"safe-{answered}"
    asked = await dock.propose("open_safe", idempotency_key=key, **call)
    if answered:
        await dock.answer(asked)
    again = await dock.propose("open_safe", idempotency_key=key, **call)
    assert again["proposal_id"] == asked["proposal_id"]
    call["arguments"]["code"] = "0451-starfish"  # another secret, as long as the first
    sent = {"action": "open_safe", "idempotency_key": key, **call}
    other = await dock.clients["agent"].post("/v1/proposals", json=sent)
    assert "idempotency_key" in assert_problem(other, 409, "conflict")["detail"]


async def test_a_secret_is_the_agents_alone(dock: Dock):
    secret = "0451-swordfish"
    asked = await dock.propose("open_safe", arguments={"safe": "S1", "code": secret}, status=202)
    assert secret not in str(asked)
    await dock.answer(asked)
    permitted = await dock.read(asked, wait=10)
    taken = (await dock.permit(permitted)).json()
    assert taken["arguments"]["code"] == secret
    done = await dock.report(permitted, taken["permit"], text=f"opened with {secret}")
    assert secret not in done.text
    trace = await dock.clients["agent"].get(f"/v1/decisions/{asked['decision_id']}")
    assert secret not in trace.text


MISUSES = ("twice", "again", "other key", "person", "wrong", "late", "unknown", "read key")


@pytest.mark.parametrize("misuse", MISUSES)
async def test_a_permit_is_good_once_for_one_key_and_one_call(dock: Dock, misuse: str):
    permitted = await dock.approved("sink_barge", barge=f"M-{misuse}")
    mine = "from ledger_action where decision_id = ?"
    by = permitted["proposal_id"]
    if misuse in ("other key", "person", "read key"):
        who = {"other key": "other", "person": "ingrid", "read key": "looks"}[misuse]
        assert_problem(await dock.permit(permitted, who=who), 403, "forbidden")
    if misuse == "late":
        dock.sql("update ledger_action set expires_at = 1 where decision_id = ?", by)
        told = assert_problem(await dock.permit(permitted), 409, "conflict")
        assert told["standing"] == "expired"
        assert (await dock.read(permitted))["status"] == "expired"
        return
    taken = (await dock.permit(permitted)).json()["permit"]
    if misuse == "again":
        told = assert_problem(await dock.permit(permitted), 409, "conflict")
        assert told["standing"] == "started"
    if misuse == "wrong":
        assert_problem(await dock.report(permitted, "x" * 43), 403, "forbidden")
        other = await dock.approved("sink_barge", barge="M-wrong-2")
        second = (await dock.permit(other)).json()["permit"]
        assert_problem(await dock.report(permitted, second), 403, "forbidden")
    if misuse in ("other key", "person", "read key"):
        who = {"other key": "other", "person": "ingrid", "read key": "looks"}[misuse]
        assert_problem(await dock.report(permitted, taken, who=who), 403, "forbidden")
    if misuse == "unknown":
        listener = dock.harbour.executive.notices.listen(whole("default"))
        dock.sql("update ledger_action set lease_until = 1 where decision_id = ?", by)
        told = assert_problem(await dock.report(permitted, taken), 409, "conflict")
        assert told["standing"] == "started"
        await dock.harbour.executive.approvals.reconcile()
        told = assert_problem(await dock.report(permitted, taken), 409, "conflict")
        assert told["standing"] == "unknown"
        assert (await dock.read(permitted))["status"] == "unknown"
        assert await told_of(listener, permitted) == ["unknown"]
        assert_problem(await dock.permit(permitted), 409, "conflict")
        return
    assert (await dock.report(permitted, taken)).json()["status"] == "executed"
    if misuse == "twice":
        told = assert_problem(
            await dock.report(permitted, taken, outcome="failed"), 409, "conflict"
        )
        assert told["standing"] == "succeeded"
        assert (await dock.read(permitted))["status"] == "executed"
    assert dock.sql(f"select fence, state {mine}", by) == [(1, "succeeded")]
    assert [event for event, _actor in dock.entries(permitted)].count("started") == 1


@pytest.mark.parametrize("action", ["sink_barge", "paint_buoy"])
async def test_the_same_call_that_is_permitted_has_one_permit(dock: Dock, action: str):
    call: Json = {
        "arguments": {"barge": "M-same"} if action == "sink_barge" else {"buoy": "B-same"}
    }
    first = await dock.propose(action, **call, status=202)
    await (dock.choose(first) if first["choice"] else dock.answer(first))
    again = await dock.propose(action, **call)
    assert (again["status"], again["duplicate_of"]) == ("permitted", first["proposal_id"])
    wanted_twice = await dock.propose(action, **call, again=True)
    assert wanted_twice["status"] in ("needs_choice", "pending_approval")
    taken = await dock.permit(again)
    assert taken.status_code == 200, taken.text
    assert (await dock.read(first))["status"] == "running"
    assert_problem(await dock.permit(await dock.read(first)), 409, "conflict")
    fresh = await dock.propose(action, **call)
    assert fresh["status"] in ("needs_choice", "pending_approval")


async def test_of_many_takers_one_gets_the_permit(dock: Dock):
    permitted = await dock.approved("sink_barge", barge="race")
    answers = await asyncio.gather(*(dock.permit(permitted) for _ in range(16)))
    codes = sorted(each.status_code for each in answers)
    assert codes == [200, *[409] * 15]


async def test_an_outcome_for_what_never_began_or_is_ours_changes_nothing(dock: Dock):
    permitted = await dock.approved("sink_barge", barge="never")
    told = assert_problem(await dock.report(permitted, "x" * 43), 409, "conflict")
    assert told["standing"] == "approved"
    assert (await dock.read(permitted))["status"] == "permitted"
    ours = await dock.propose("show_lock", arguments={"lock": "LK-12"}, status=200)
    for answer in (await dock.permit(ours), await dock.report(ours, "x")):
        told = assert_problem(answer, 409, "conflict")
        assert "we run show_lock ourselves" in told["detail"]
    no_such = {"proposal_id": "0f3b1c9e-7a55-5c0a-9d0e-51f1a3a7c001", "permit": None}
    assert_problem(await dock.permit({**no_such, "approval": None}), 404, "not-found")


async def test_what_waits_for_its_permit_is_never_run_by_us_and_runs_out(dock: Dock):
    permitted = await dock.approved("sink_barge", barge="patience")
    service = dock.harbour.executive
    by = permitted["proposal_id"]
    [(action_id,)] = dock.sql("select action_id from ledger_action where decision_id = ?", by)
    ledger = service._box.ledger
    assert (await ledger.execute(action_id)).state == "approved"
    await service.proposals.reconcile()
    assert (await dock.read(permitted))["status"] == "permitted"
    listener = service.notices.listen(whole("default"))
    dock.sql("update ledger_action set expires_at = 1 where decision_id = ?", by)
    for _ in range(2):
        await service.proposals.reconcile()
    assert (await dock.read(permitted))["status"] == "expired"
    assert await told_of(listener, permitted) == ["expired"]


async def test_what_is_permitted_can_be_withdrawn_until_its_permit_is_taken(dock: Dock):
    permitted = await dock.approved("sink_barge", barge="second thoughts")
    path = f"/v1/proposals/{permitted['proposal_id']}"
    assert_problem(await dock.clients["other"].delete(path), 403, "forbidden")
    assert (await dock.clients["agent"].delete(path)).json()["status"] == "withdrawn"
    assert_problem(await dock.permit(permitted), 409, "conflict")
    taken = await dock.approved("sink_barge", barge="too late")
    await dock.permit(taken)
    path = f"/v1/proposals/{taken['proposal_id']}"
    assert_problem(await dock.clients["agent"].delete(path), 409, "conflict")


async def test_nothing_is_permitted_while_the_ledger_is_frozen(dock: Dock):
    permitted = await dock.approved("sink_barge", barge="ice")
    freezing = dock.harbour.executive._box.ledger.freezing
    await freezing.freeze("ice")
    try:
        told = assert_problem(await dock.permit(permitted), 409, "conflict")
        assert told["standing"] == "stale"
    finally:
        await freezing.thaw("ingrid", "melted")


async def test_policy_may_let_a_write_run_without_a_click_but_no_tainted_one(
    tmp_path: Path, learnt_once: Path
):
    (tmp_path / "cache").symlink_to(learnt_once)
    policy = tmp_path / "policy.toml"
    runs = '[execution.packs.declared]\nagent_writes = "run"\n'
    policy.write_text(Settings().policy_file.read_text("utf-8") + runs, "utf-8")
    settings = Settings(data_dir=tmp_path, packs=(str(HARBOUR),), policy_file=policy)
    agent = PEOPLE["agent"]
    async with open_executive(settings) as executive:
        await executive.declared.declare([DeclaredTool.model_validate(TOOLS[1])], agent)
        status = {}
        for tainted in (False, True):
            call = AgentCall(action="paint_buoy", arguments={"buoy": "N5"}, tainted=tainted)
            event = Event(
                text="paint", kind="proposal", call=call, user=agent.user, sender=agent.user
            )
            record = await executive.submit(event)
            view = await executive.proposals.view(record.decision_id, agent)
            status[tainted] = (view.status, record.outcome)
    assert status == {
        False: ("permitted", "permitted"),
        True: ("pending_approval", "awaiting_approval"),
    }


async def test_a_standing_refusal_covers_a_tool_of_its_tenant_alone(dock: Dock):
    wanted = {"action": "sink_barge", "arguments": {"barge": "B9"}, "reason": "it is on loan"}
    elsewhere = await dock.clients["olav"].post("/v1/refusals", json=wanted)
    assert_problem(elsewhere, 404, "not-found")
    assert (await dock.clients["ingrid"].post("/v1/refusals", json=wanted)).status_code == 200
    refused = await dock.propose("sink_barge", arguments={"barge": "B9"}, status=200)
    assert (refused["status"], refused["reasons"]) == ("refused", ["standing_refusal"])


async def test_the_chain_of_all_that_is_whole(dock: Dock):
    report = (await audit(dock.harbour.executive._box.database, {})).report
    assert report.faults == ()
