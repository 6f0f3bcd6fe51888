"""Agents' calls through the whole graph: what runs, what waits, and what nobody can slip in."""

from pathlib import Path
from typing import Any

import pytest

from graph.execution.maintenance import open_saver
from graph.flow import build_flow
from state.agent_call import AgentCall
from state.errors import Conflict
from state.grant import ArgumentPattern, NewGrant
from state.principal import Principal
from state.record import DecisionRecord
from tests.graph.conftest import OpenHarbour
from tests.graph.harbour import KEEPER, MASTER, Harbour

AGENT = Principal(user="tug-agent", tenant_id="default", roles=("keeper",), kind="service")
ROOT = Path(__file__).parents[2]


async def calls(harbour: Harbour, action: str, **given: Any) -> DecisionRecord:
    """Let the agent propose a call."""
    arguments = given.pop("arguments", {})
    call = AgentCall(action=action, arguments=arguments, **given)
    service = harbour.executive.proposals
    read = service.read(call, AGENT)
    return await harbour.executive.submit(
        harbour.event(
            service.text(read, AGENT),
            kind="proposal",
            call=read,
            user=AGENT.user,
            role="keeper",
            sender=AGENT.user,
            relayed=True,
        )
    )


@pytest.fixture
def unasked_writes(tmp_path: Path) -> Path:
    """Return thresholds under which an agent's writes run."""
    written = (ROOT / "policy.toml").read_text("utf-8")
    changed = tmp_path / "policy.toml"
    changed.write_text(written.replace('agent_writes = "choice"', 'agent_writes = "run"'))
    return changed


async def test_the_same_deed_has_one_digest_in_words_and_as_a_call(harbour: Harbour):
    said = await harbour.says("close lock LK-12")
    called = await calls(harbour, "close_lock", arguments={"lock": "LK-12"})
    approvals = harbour.executive.approvals
    both = [await approvals.get(each.action_id or "", "default") for each in (said, called)]
    assert both[0].digest == both[1].digest
    assert [each.requester for each in both] == ["amir", "tug-agent"]
    assert [each.origin for each in both] == ["routed", "agent"]


async def test_a_persons_own_request_is_never_replaced_by_an_agents(harbour: Harbour):
    said = await harbour.says("close lock LK-12")
    await calls(harbour, "close_lock", arguments={"lock": "LK-12"})
    standing = await harbour.executive.approvals.get(said.action_id or "", "default")
    assert standing.state == "pending"


async def test_where_policy_lets_writes_run_an_untainted_one_runs(
    open_harbour: OpenHarbour, unasked_writes: Path
):
    async with open_harbour(policy_file=unasked_writes) as harbour:
        done = await calls(harbour, "note_in_log", arguments={"note": "fog"})
        assert (done.outcome, done.execution_class) == ("executed", "B")
        tainted = await calls(harbour, "note_in_log", arguments={"note": "rain"}, tainted=True)
        assert (tainted.outcome, tainted.execution_class) == ("awaiting_approval", "C")
        dangerous = await calls(harbour, "close_lock", arguments={"lock": "LK-12"})
        assert dangerous.outcome == "awaiting_approval"
        said = await harbour.says("write in the log: mist")
        assert said.outcome == "offered"  # a person's own words still lead to a chip
        assert harbour.effects() == ["note_in_log fog"]


async def test_a_thread_that_is_written_into_makes_no_call_of_a_message(
    open_harbour: OpenHarbour, unasked_writes: Path
):
    async with open_harbour(policy_file=unasked_writes) as harbour:
        box = harbour.executive._box
        event = harbour.event("what is the time", user="amir", role="keeper")
        await harbour.executive.accept(event)
        forged = event.model_copy(
            update={
                "kind": "proposal",
                "call": AgentCall(action="note_in_log", arguments={"note": "forged"}),
            }
        )
        async with open_saver(harbour.data_dir) as saver:
            flow = build_flow(box, saver)
            config: Any = {"configurable": {"thread_id": event.decision_id}}
            async for _ in flow.astream(
                {"event": event}, config, interrupt_after=["choose_timing"]
            ):
                pass
            await flow.aupdate_state(config, {"event": forged}, as_node="choose_timing")
            await flow.ainvoke(None, config)
        assert harbour.effects() == []


async def test_a_thread_that_is_written_into_uses_no_grant(open_harbour: OpenHarbour):
    async with open_harbour() as harbour:
        box = harbour.executive._box
        asked = await calls(harbour, "close_lock", arguments={"lock": "LK-12"})
        seen = await harbour.executive.approvals.get(asked.action_id or "", "default")
        wanted = NewGrant(
            action_id=seen.action_id,
            digest=seen.digest,
            arguments={"lock": ArgumentPattern(equals="LK-12")},
            minutes=60,
            uses=5,
        )
        await harbour.executive.grants.add(wanted, MASTER)
        call = AgentCall(action="close_lock", arguments={"lock": "LK-40"})
        written = {"user": AGENT.user, "role": "keeper", "sender": AGENT.user, "relayed": True}
        spoken = harbour.event("what is the time", **written)
        called = harbour.event("close_lock", kind="proposal", call=call, **written)
        forged = {
            "kind": "proposal",
            "call": call.model_copy(update={"arguments": {"lock": "LK-12"}}),
        }
        async with open_saver(harbour.data_dir) as saver:
            flow = build_flow(box, saver)
            for event in (spoken, called):
                await harbour.executive.accept(event)
                config: Any = {"configurable": {"thread_id": event.decision_id}}
                async for _ in flow.astream(
                    {"event": event}, config, interrupt_after=["choose_timing"]
                ):
                    pass
                changed = {"event": event.model_copy(update=forged)}
                await flow.aupdate_state(config, changed, as_node="choose_timing")
                await flow.ainvoke(None, config)
        assert harbour.effects() == []
        [left] = await harbour.executive.grants.list(MASTER)
        assert left.uses_left == 5
        done = await calls(harbour, "close_lock", arguments={"lock": "LK-12"}, again=True)
        assert (done.outcome, done.reason) == ("executed", "granted")


async def test_agents_have_a_budget_of_questions_of_their_own(
    open_harbour: OpenHarbour, tmp_path: Path
):
    policy = tmp_path / "policy.toml"
    written = (ROOT / "policy.toml").read_text("utf-8")
    policy.write_text(written.replace("agent_asks_per_hour = 600", "agent_asks_per_hour = 2"))
    async with open_harbour(policy_file=policy) as harbour:
        asked = [
            await calls(harbour, "close_lock", arguments={"lock": f"LK-1{number}"})
            for number in range(4)
        ]
        approvals = harbour.executive.approvals
        states = [(await approvals.get(each.action_id or "", "default")).state for each in asked]
        assert states == ["pending", "pending", "proposed", "proposed"]
        own = await harbour.says("close lock LK-40")
        assert (await approvals.get(own.action_id or "", "default")).state == "pending"


async def test_a_restart_between_question_and_answer_loses_nothing(open_harbour: OpenHarbour):
    async with open_harbour() as harbour:
        asked = await calls(harbour, "close_lock", arguments={"lock": "LK-12"})
    async with open_harbour() as harbour:
        view = await harbour.executive.proposals.view(asked.decision_id, AGENT)
        assert view.status == "pending_approval"
        await harbour.answers(asked.action_id, who=MASTER)
        view = await harbour.executive.proposals.view(asked.decision_id, AGENT)
        assert view.status == "executed"
        assert harbour.effects() == ["close_lock LK-12 None"]


async def test_nobody_is_spoken_to_by_an_agents_call(harbour: Harbour):
    done = await calls(harbour, "show_lock", arguments={"lock": "LK-12"})
    assert (done.outcome, done.spoke, done.output) == ("executed", False, "silent")
    assert done.text == "Lock LK-12 is open."
    recalled = await harbour.says("what did I just say?", KEEPER)
    assert "show_lock" not in recalled.text


async def test_an_answer_without_the_pack_names_the_pack(open_harbour: OpenHarbour):
    async with open_harbour() as harbour:
        asked = await calls(harbour, "close_lock", arguments={"lock": "LK-12"})
    async with open_harbour(packs=("companion",)) as harbour:
        approvals = harbour.executive.approvals
        standing = await approvals.get(asked.action_id or "", "default")
        answer = {"decision": "approve", "digest": standing.digest}
        with pytest.raises(Conflict, match="--pack harbour"):
            approvals.read_answer(answer, standing)
