"""Through a LangGraph server: in whose name things are asked there, and which question stands."""

from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command
from sqlalchemy import update

from state.errors import Forbidden
from state.principal import Principal
from state.result import DecisionPath
from tests.safety.executives import Opened, message, opened_executive
from tools.storage.tables.decisions import decision

ALICE = Principal(user="alice", tenant_id="default", roles=("engineer",))
INGRID = Principal(user="ingrid", tenant_id="default", roles=("captain",))
BO = Principal(user="bo", tenant_id="default", roles=("captain",))
VISITOR = None


class ServerUser(SimpleNamespace):
    """A user as the server hands it to a run."""

    def get(self, name: str) -> Any:
        return getattr(self, name, None)


@pytest.fixture
async def opened(data_dir: Path, pack: Path) -> AsyncIterator[Opened]:
    async with opened_executive(data_dir, pack) as executive:
        yield executive


def run_by(who: Principal | None, thread: str) -> RunnableConfig:
    user = ServerUser(is_authenticated=False)
    if who is not None:
        user = ServerUser(is_authenticated=True, principal=who.model_dump(mode="json"))
    return {
        "configurable": {"thread_id": thread, "langgraph_auth_user": user},
        "metadata": {"run_id": str(uuid4())},
        "recursion_limit": 40,
    }


async def run(opened: Opened, who: Principal | None, thread: str, given: Any) -> Any:
    return await opened.flow.ainvoke(given, run_by(who, thread))


def said(text: str = "flood hold H-1", **more: Any) -> dict[str, Any]:
    event = message(text, f"e-{uuid4()}", **more).model_dump(mode="json")
    return {name: value for name, value in event.items() if name != "tenant_id"}


async def asked(opened: Opened, who: Principal, text: str = "flood hold H-1") -> tuple[str, Any]:
    thread = str(uuid4())
    event = said(text, user=who.user, role=",".join(who.roles))
    values = await run(opened, who, thread, {"event": event})
    (interrupt,) = values["__interrupt__"]
    return thread, interrupt


@pytest.mark.parametrize(
    "claim", [{"user": "alice", "role": "captain"}, {"user": "ingrid", "role": "engineer"}]
)
async def test_a_key_names_neither_another_user_nor_a_role_it_has_not(opened: Opened, claim):
    with pytest.raises(Forbidden):
        await run(opened, INGRID, str(uuid4()), {"event": said(**claim)})
    assert await opened.executive.approvals.list("default", state=None) == []


async def test_who_asks_with_a_key_is_its_holder(opened: Opened):
    _thread, interrupt = await asked(opened, ALICE)
    standing = await opened.executive.approvals.get(interrupt.value["approval_id"], "default")
    assert (standing.requester, standing.requester_roles) == ("alice", ("engineer",))


@pytest.mark.parametrize("role", ["engineer", "captain"])
@pytest.mark.parametrize("text", ["flood hold H-1", "open valve V-101"])
async def test_a_visitor_asks_as_nobody_and_nobody_is_no_other_person(opened: Opened, text, role):
    event = said(text, user="alice", role=role)
    values = await run(opened, VISITOR, str(uuid4()), {"event": event})
    assert (values["event"].user, values["event"].role) == (None, None)
    assert values["record"].outcome == "refused"
    assert await opened.executive.approvals.list("default", state=None) == []


async def small_talk(opened: Opened, who: Principal) -> tuple[str, dict[str, Any]]:
    thread = str(uuid4())
    event = said("hello there", user=who.user, role=",".join(who.roles))
    return thread, await run(opened, who, thread, {"event": event})


async def smuggled(
    opened: Opened, who: Principal, thread: str, values: dict[str, Any], *, is_over: bool = False
) -> Any:
    """Write a flood hold into a thread, as if it had been asked for, and let it go on."""
    if not is_over:  # of one that is over nothing is taken at all
        reopened = update(decision).values(standing="accepted")
        await opened.box.database.write(lambda connection: connection.execute(reopened))
    hold = {"action": "flood_hold", "arguments": {"hold": "H-1"}, "confidence": 0.99}
    forged = {name: values[name] for name in ("event", "arrival")}
    forged["policy"] = values["policy"].model_copy(update={"intent": "action"})
    forged["result"] = values["result"].model_copy(update={**hold, "path": DecisionPath.HEURISTIC})
    await opened.flow.aupdate_state(run_by(who, thread), forged, as_node="decide_by_heuristic")
    await run(opened, who, thread, None)
    return await opened.executive.approvals.list("default", state=None)


async def test_a_name_written_into_a_thread_is_not_the_one_that_asks(opened: Opened):
    thread, values = await small_talk(opened, INGRID)
    alice = values["event"].model_copy(update={"user": "alice", "role": "engineer"})
    (proposed,) = await smuggled(opened, INGRID, thread, values | {"event": alice})
    assert (proposed.requester, proposed.requester_roles) == ("ingrid", ("captain",))


async def test_a_decision_that_is_over_asks_for_nothing_more(opened: Opened):
    thread, values = await small_talk(opened, INGRID)
    assert await smuggled(opened, INGRID, thread, values, is_over=True) == []


async def test_the_decision_of_another_thread_is_asked_for_there_alone(opened: Opened):
    _hers, values = await small_talk(opened, ALICE)
    mine, _values = await small_talk(opened, INGRID)
    assert await smuggled(opened, INGRID, mine, values) == []


async def test_an_edit_that_needs_another_yes_is_asked_anew_and_taken(opened: Opened):
    thread, first = await asked(opened, ALICE)
    request = first.value["action_request"]
    edit = [{"type": "edit", "args": {**request, "args": {"hold": "H-2"}}}]
    values = await run(opened, INGRID, thread, Command(resume={first.id: edit}))
    (second,) = values["__interrupt__"]
    assert second.value["approval_id"] != first.value["approval_id"]
    assert second.value["payload_hash"] != first.value["payload_hash"]
    assert second.value["action_request"]["args"] == {"hold": "H-2"}
    accept = [{"type": "accept", "args": second.value["action_request"]}]
    values = await run(opened, INGRID, thread, Command(resume={second.id: accept}))
    (third,) = values["__interrupt__"]  # she wrote it: another has to say yes
    values = await run(opened, BO, thread, Command(resume={third.id: accept}))
    assert values["record"].outcome == "executed"
    assert values["record"].arguments == {"hold": "H-2"}


async def test_after_one_yes_of_two_the_question_says_so(opened: Opened):
    thread, first = await asked(opened, ALICE, "shift 20 tonnes of ballast")
    assert "0 of 2" in first.value["description"]
    accept = [{"type": "accept", "args": first.value["action_request"]}]
    values = await run(opened, INGRID, thread, Command(resume={first.id: accept}))
    (second,) = values["__interrupt__"]
    assert second.value["approval_id"] == first.value["approval_id"]
    assert "1 of 2" in second.value["description"]
