"""An event comes in: whose decision it is, and on what snapshot of the session."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from langchain_core.runnables import RunnableConfig

from nodes.receive import Receive
from state.channels import State
from state.errors import Forbidden
from state.event import Event
from state.personality import Traits
from state.session import Session
from state.stages import Opened
from tests.characters import character_of
from tests.nodes.conftest import on_thread
from tests.stages import NOW, event_of, every_stage
from tools.catalog.action_catalog import Catalogue
from tools.platform.clock import VirtualClock
from tools.storage.database import Database
from tools.storage.decisions import SqlDecisions

TRAITS = Traits(proactive=0.9)


@pytest.fixture
def node(database: Database, clock: VirtualClock, catalogue: Catalogue) -> Receive:
    return Receive(SqlDecisions(database), clock, character_of(TRAITS), catalogue)


async def received(node: Receive, event: Event, thread_id: str | None = None) -> State:
    config = on_thread(event)
    if thread_id:
        config = {"configurable": {"thread_id": thread_id}}
    return await node(Opened(event=event), config)


async def finished(node: Receive, event: Event, **session: Any) -> None:
    record = every_stage()["record"].model_copy(
        update={"event_id": event.event_id, "decision_id": event.decision_id}
    )
    assert isinstance(node.decisions, SqlDecisions)
    assert await node.decisions.finish(
        record,
        {},
        lambda known: known.model_copy(update=session),
        thread_id=event.decision_id,
    )


async def test_a_new_event_is_ours_on_an_empty_session(node: Receive) -> None:
    event = event_of()
    state = await received(node, event)
    assert state["arrival"].standing == "accepted"
    assert state["arrival"].decision_id == event.decision_id
    assert (state["session"].started_at, state["session"].traits) == (NOW.timestamp(), TRAITS)
    assert "record" not in state


@pytest.mark.parametrize("seconds", [0.0, 90.0, -3600.0, 9e8])
async def test_its_age_is_how_long_ago_it_happened(node: Receive, seconds: float) -> None:
    state = await received(node, event_of(occurred_at=NOW - timedelta(seconds=seconds)))
    assert state["arrival"].age_seconds == seconds


async def test_an_event_without_a_time_happens_now(node: Receive) -> None:
    state = await received(node, event_of(occurred_at=None))
    assert state["event"].occurred_at == NOW
    assert state["arrival"].age_seconds == 0.0


async def test_a_second_thread_is_told_that_it_comes_too_late(node: Receive) -> None:
    event = event_of()
    await received(node, event)
    state = await received(node, event, "another-thread")
    assert state["arrival"].standing == "duplicate"
    assert "record" not in state


async def test_a_recorded_event_comes_with_its_record(node: Receive) -> None:
    event = event_of()
    await received(node, event)
    await finished(node, event)
    state = await received(node, event, "another-thread")
    assert state["arrival"].standing == "duplicate"
    assert state["record"].decision_id == event.decision_id


async def test_other_content_under_a_used_id_is_an_event_of_its_own(node: Receive) -> None:
    await received(node, event_of("first"))
    state = await received(node, event_of("second"), "another-thread")
    assert (state["event"].text, state["arrival"].standing) == ("second", "accepted")
    assert state["arrival"].decision_id == state["event"].decision_id != event_of().decision_id


async def test_a_session_is_as_the_last_decision_left_it(node: Receive) -> None:
    first, second = event_of(), event_of(event_id="event-2")
    await received(node, first)
    await finished(node, first, started_at=5.0, focus=1.0, talk_bias=0.1)
    known: Session = (await received(node, second))["session"]
    assert (known.started_at, known.focus, known.talk_bias) == (5.0, 1.0, 0.1)


async def test_a_plain_json_event_is_read(node: Receive) -> None:
    opened = Opened.model_validate({"event": {"text": "hello", "user": "amir"}})
    assert (await node(opened, on_thread(opened.event)))["event"].kind == "message"


def run_by(user: dict[str, Any] | None, event: Event) -> RunnableConfig:
    server_user = None if user is None else ServerUser(user)
    return {"configurable": {"thread_id": event.decision_id, "langgraph_auth_user": server_user}}


class ServerUser(dict[str, Any]):
    """A user as a LangGraph server hands it to a run."""

    is_authenticated = True


AMIR = {"user": "amir", "tenant_id": "mv-aurora", "roles": ["keeper", "diver"], "kind": "person"}
BRIDGE = {"user": "gw", "tenant_id": "mv-aurora", "roles": ["integrator"], "kind": "service"}


@pytest.mark.parametrize(
    ("principal", "claim", "heard"),
    [
        (AMIR, {}, ("mv-aurora", "amir", "keeper,diver")),
        (AMIR, {"user": "amir", "role": "diver"}, ("mv-aurora", "amir", "diver")),
        (BRIDGE, {"user": "bo", "role": "master"}, ("mv-aurora", "bo", "master")),
    ],
)
async def test_a_server_run_speaks_in_the_name_of_its_key(
    node: Receive, principal: dict[str, Any], claim: dict[str, str], heard: tuple[str, ...]
) -> None:
    event = Event.model_validate({"text": "hello", "kind": "message", **claim})
    state = await node(Opened(event=event), run_by({"principal": principal}, event))
    assert (state["event"].tenant_id, state["event"].user, state["event"].role) == heard


@pytest.mark.parametrize(
    "claim", [{"user": "bo"}, {"role": "master"}, {"tenant_id": "default"}, {"tenant_id": "x"}]
)
async def test_a_server_run_names_nobody_else(node: Receive, claim: dict[str, str]) -> None:
    event = Event.model_validate({"text": "hello", "kind": "message", **claim})
    with pytest.raises(Forbidden):
        await node(Opened(event=event), run_by({"principal": AMIR}, event))


@pytest.mark.parametrize("user", [None, {}, {"principal": "amir"}, {"principal": {"user": "amir"}}])
async def test_a_visitor_of_the_server_is_nobody(node: Receive, user: dict[str, Any]) -> None:
    claim = {"user": "amir", "role": "keeper", "tenant_id": "mv-aurora"}
    event = Event.model_validate({"text": "hello", **claim})
    heard = (await node(Opened(event=event), run_by(user, event)))["event"]
    assert (heard.tenant_id, heard.user, heard.role) == ("default", None, None)
    assert heard.session_id == "visitors:default"  # nobody else hears what visitors tell


@pytest.mark.parametrize("kind", ["ambient", "signal", "tick"])
async def test_who_may_change_nothing_tells_of_nothing(
    node: Receive, catalogue: Catalogue, kind: str
) -> None:
    asks_for_roles = {name: one for name, one in catalogue.actions.items() if one.roles}
    node = replace(node, catalogue=replace(catalogue, actions=asks_for_roles))
    event = Event.model_validate({"text": "fire!", "kind": kind, "salience": {"threat": 1.0}})
    sensor = AMIR | {"kind": "service", "roles": []}
    for teller in (AMIR, BRIDGE, sensor):
        heard = await node(Opened(event=event), run_by({"principal": teller}, event))
        assert heard["event"].text == "fire!"
    for nobody in (AMIR | {"roles": ["guest"]}, sensor | {"roles": ["guest"]}):
        with pytest.raises(Forbidden):
            await node(Opened(event=event), run_by({"principal": nobody}, event))
