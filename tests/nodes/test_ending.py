"""The last stages: ask, act, say, note, and write one record."""

from typing import Any, get_args

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command

from nodes.act import Act
from nodes.confirm import LONGEST_REPLY, Confirm
from nodes.deliver import Deliver
from nodes.note_decisions import NoteDecisions
from nodes.write_record import WriteRecord
from state.channels import State
from state.classification import Classification
from state.event import Event
from state.note import NotedDecision
from state.output import Utterance
from state.response import Delivery, Response, ResponseType
from state.session import Session
from state.stages import Classified, Composed, Gathered
from tests.characters import character_of
from tests.kept import PACKS
from tests.nodes.conftest import Told, message, on_thread
from tests.noting import notes_of
from tests.stages import NOW, TUNING, event_of, every_stage, frozen_action
from tools.catalog.action_catalog import Catalogue
from tools.gate.ledger.ledger import Ledger
from tools.journal.conversation import detect_decision
from tools.journal.decision_recall import JournalNotes
from tools.memory.session.update import SessionUpdate
from tools.platform.clock import VirtualClock
from tools.storage.database import Database
from tools.storage.decisions import SqlDecisions

SILENT = Response(type="none", text="")


@pytest.fixture
def told() -> Told:
    return Told()


async def delivered(told: Told, **channels: Any) -> Delivery:
    given = {**every_stage(), "outcome": None, "event": event_of(), **channels}
    return (await Deliver(told, VirtualClock(NOW))(Composed.model_validate(given)))["delivery"]


@pytest.mark.parametrize("kind", [kind for kind in get_args(ResponseType) if kind != "none"])
async def test_words_go_out_and_only_an_alert_interrupts(told: Told, kind: ResponseType) -> None:
    delivery = await delivered(told, response=Response(type=kind, text="Fog."))
    assert (delivery.output, delivery.interrupt) == ("text", kind == "alert")
    ((notice, tenant, data),) = told.notices
    assert (notice, tenant) == ("output", "default")
    assert (data["text"], data["type"], data["session_id"]) == ("Fog.", kind, "default")


class Mouth:
    """A voice that is ready, and remembers what it was to say."""

    is_ready = True

    def __init__(self) -> None:
        self.said: list[Utterance] = []

    def say(self, utterance: Utterance) -> None:
        self.said.append(utterance)


async def test_with_a_voice_an_alert_is_spoken_fast_and_first(told: Told) -> None:
    mouth = Mouth()
    node = Deliver(told, VirtualClock(NOW), mouth, speeds={"high_threat": 1.2})
    alarm = {"event": event_of(), "outcome": None, "response": Response(type="alert", text="Fog.")}
    state = Composed.model_validate({**every_stage(), **alarm})
    delivery = (await node(state))["delivery"]
    assert (delivery.output, delivery.interrupt, delivery.instead) == ("speech", True, None)
    [spoken] = mouth.said
    assert (spoken.text, spoken.urgent, spoken.speed) == ("Fog.", True, 1.2)
    assert told.notices[0][2]["output"] == "speech"


async def test_without_a_voice_it_is_text_and_says_so(told: Told) -> None:
    delivery = await delivered(told, response=Response(type="alert", text="Fog."))
    assert (delivery.output, delivery.instead) == ("text", "no_voice")


async def test_no_words_are_silence_that_nobody_hears(told: Told) -> None:
    delivery = await delivered(told, response=SILENT)
    assert (delivery.output, delivery.reason) == ("silent", "no_words")
    assert told.notices == []


async def test_what_was_done_goes_out_as_an_action(told: Told) -> None:
    assert (await delivered(told, outcome=every_stage()["outcome"])).output == "action"


async def test_a_delivery_says_why_it_came_now(told: Told) -> None:
    assert (await delivered(told)).reason == "asked"
    assert (await delivered(told, event=message())).reason == "answered"


@pytest.fixture
def confirm(catalogue: Catalogue) -> Confirm:
    return Confirm(catalogue, TUNING.execution)


def gate(confirm: Confirm) -> Any:
    """Return a graph that is the gate alone."""
    flow = StateGraph(State)
    flow.add_node("confirm", confirm)
    flow.add_edge(START, "confirm")
    flow.add_edge("confirm", END)
    return flow.compile(checkpointer=InMemorySaver())


async def resumed_with(confirm: Confirm, reply: Any) -> Any:
    flow, config = gate(confirm), on_thread(event_of())
    stopped = await flow.ainvoke(every_stage(), config)
    (asked,) = stopped["__interrupt__"]
    assert asked.value == confirm.question(frozen_action(), every_stage()["event"])
    going_on = await flow.ainvoke(Command(resume={asked.id: reply}), config)
    assert going_on["classification"] == stopped["classification"]
    return going_on["reply"]


@pytest.mark.parametrize("reply", [{"answered": True}, [{"type": "accept", "args": None}], "yes"])
async def test_the_gate_stops_and_asks_and_hands_the_answer_on_unread(confirm: Confirm, reply: Any):
    assert await resumed_with(confirm, reply) == {"value": reply, "run_id": None}


@pytest.mark.parametrize("reply", ["x" * LONGEST_REPLY, float("nan"), {1: {2, 3}}])
async def test_what_is_no_json_or_too_much_of_it_is_thrown_away(confirm: Confirm, reply) -> None:
    assert await resumed_with(confirm, reply) == {"value": None, "run_id": None}


async def test_without_a_frozen_action_there_is_nothing_to_ask(confirm: Confirm) -> None:
    open_gate = Classified.model_validate(
        {**every_stage(), "classification": Classification(verdict="none", reason="r")}
    )
    assert await confirm(open_gate, {"configurable": {}}) == {"reply": None}


def test_the_question_shows_exactly_what_would_run(confirm: Confirm) -> None:
    asked = confirm.question(frozen_action(), event_of())
    assert asked["action_request"] == {
        "action": "close_lock",
        "args": {"lock": "LK-12", "minutes": 30},
    }
    assert (asked["approval_id"], asked["payload_hash"], asked["class"]) == (
        "action-1",
        "0" * 64,
        "C",
    )
    assert asked["description"].splitlines()[0] == "    Close lock LK-12"
    assert all(asked["config"].values())


async def test_without_a_frozen_action_nothing_is_done(ledger: Ledger) -> None:
    empty = Classified.model_validate(
        {**every_stage(), "classification": Classification(verdict="act", reason="r")}
    )
    assert await Act(ledger)(empty) == {"outcome": None}


async def noted(notes: JournalNotes, event: Event) -> NotedDecision | None:
    stages = every_stage()
    policy = stages["policy"].model_copy(update={"detected": detect_decision(event.text, 0.7)})
    state = Composed.model_validate({**stages, "event": event, "policy": policy})
    return (await NoteDecisions(notes)(state))["noted"]


async def test_a_decision_in_a_message_is_noted_once(database: Database) -> None:
    notes = notes_of(database)
    event = message("We decided to dredge the channel because it silts up")
    first = await noted(notes, event)
    assert first is not None
    assert (first.decision, first.rationale, first.decision_maker) == (
        "dredge the channel",
        "it silts up",
        "amir",
    )
    assert await noted(notes, event) == first
    assert await notes.about(message("why dredge the channel?")) == [first]


async def test_talk_is_not_noted(database: Database) -> None:
    assert await noted(notes_of(database), message("close lock LK-12")) is None


@pytest.fixture
def writer(database: Database, told: Told, clock: VirtualClock) -> WriteRecord:
    remembering = SessionUpdate(character_of(), TUNING.habituation, TUNING.relevance, PACKS)
    return WriteRecord(SqlDecisions(database), told, clock, remembering)


async def written(writer: WriteRecord, event: Event, **channels: Any) -> State:
    assert isinstance(writer.decisions, SqlDecisions)
    await writer.decisions.accept((event,))
    given = every_stage()
    arrival = given["arrival"].model_copy(update={"decision_id": event.decision_id})
    state = Gathered.model_validate(
        {"session": given["session"], **channels, "event": event, "arrival": arrival}
    )
    return await writer(state, on_thread(event))


async def test_a_decision_ends_in_one_record(writer: WriteRecord, told: Told) -> None:
    event = event_of()
    state = await written(writer, event, salience=every_stage()["salience"])
    assert (state["record"].outcome, state["record"].reason) == ("passed", "dull")
    assert "record" not in await written(writer, event)
    ((kind, _tenant, data),) = told.notices
    assert (kind, data["decision_id"]) == ("decision", event.decision_id)


async def test_a_signal_is_noted_in_the_session(writer: WriteRecord) -> None:
    event = event_of("signal", kind="signal", payload={"busy": "call"})
    record = (await written(writer, event))["record"]
    assert (record.outcome, record.reason) == ("silent", "signal_noted")
    assert isinstance(writer.decisions, SqlDecisions)
    session: Session = await writer.decisions.session("default", "default")
    assert session.busy == "call"


async def test_a_hold_is_no_end(writer: WriteRecord) -> None:
    stage = every_stage()
    timing = stage["timing"].model_copy(update={"outcome": "queued", "reason": "busy:call"})
    event = event_of()
    state = await written(
        writer, event, salience=stage["salience"], relevance=stage["relevance"], timing=timing
    )
    assert (state["record"].outcome, state["record"].reason) == ("held", "busy:call")
    assert isinstance(writer.decisions, SqlDecisions)
    assert (await writer.decisions.find(event.decision_id))[2] == "held"
