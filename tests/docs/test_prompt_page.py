"""The prompt that docs/explanation/strategies.md prints is the one that a model is sent."""

import re
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from graph.settings import ROOT
from nodes.decide_by_model import DecideByModel
from state.attention import Goal
from state.event import EventEntity
from state.memory import Learnt, PackMemory
from state.personality import Mood
from state.policy import PolicyDecision, Suggestion
from state.session import Session, Spoken
from state.stages import Decided
from tests.nodes.conftest import messages_of
from tests.openai_server import OpenAIServer, Rule
from tests.stages import NOW, SECONDS, arrival_of, event_of, every_stage, session_of
from tests.strategies import strategies_of
from tools.adapters.chat_model import ChatModels, OpenAIChat
from tools.catalog.action_catalog import Catalogue
from tools.response.llm_answer import EVENT_CHARACTERS, LINE_CHARACTERS, NEWEST

PAGE = (ROOT / "docs" / "explanation" / "strategies.md").read_text("utf-8")
ANSWER: dict[str, Any] = {
    "action": None,
    "arguments": [],
    "predicted_success": 0.7,
    "confidence": 0.9,
    "say": "The back door is standing open.",
}


def known() -> Session:
    """Return a session in which some things are known."""
    return session_of(
        person="sam",
        active_context="home",
        mood=Mood(valence=0.2),
        goals=(Goal(text="keep the house warm", at=SECONDS),),
        memory={
            "home": PackMemory(
                facts={
                    "cat": Learnt(
                        value="stays inside in winter",
                        source="said",
                        at=SECONDS,
                        decision_id="d-0",
                    )
                }
            )
        },
        spoken=(
            Spoken(
                at=SECONDS - 1200,
                text="The heating is on again.",
                pattern="observation|",
                about="Heating on",
            ),
        ),
    )


def decided() -> Decided:
    """Return the decision that the page tells of."""
    event = event_of(
        "The back door is open",
        source="hall sensor",
        entities=(EventEntity(type="door", value="back door"),),
        payload={"outside": -4.5},
    )
    arrival = arrival_of(event, decision_id="d-1", received_at=NOW + timedelta(minutes=4))
    pattern = Suggestion(
        heuristic_id="h-1",
        confidence=0.4,
        condition_text="door open",
        suggested_action="A door is open.",
    )
    timing = every_stage()["timing"].model_copy(update={"response_type": "observation"})
    policy = PolicyDecision(intent="notice", suggestion=pattern)
    given = {"event": event, "arrival": arrival, "session": known(), "timing": timing}
    return Decided.model_validate({**every_stage(), **given, "policy": policy})


async def test_the_page_prints_what_a_model_is_sent(openai_server: OpenAIServer) -> None:
    openai_server.rules.append(Rule(says=ANSWER))
    catalogue = Catalogue.of([])
    chat = OpenAIChat("test", base_url=openai_server.base_url, api_key=None, seconds=20)
    zone = ZoneInfo("Europe/Athens")
    node = DecideByModel(
        strategies_of(catalogue), ChatModels(chat), catalogue, messages_of(catalogue), None, zone
    )
    try:
        await node(decided())
        await node(decided())
    finally:
        await chat.close()
    first, again = openai_server.asked
    assert first.body["messages"] == again.body["messages"]
    system, human = (message["content"].strip() for message in first.body["messages"])
    assert re.findall(r"```text\n(.*?)\n```", PAGE, re.DOTALL) == [system, human]


def test_the_page_says_how_much_a_model_is_told() -> None:
    bounds = f"{EVENT_CHARACTERS:,} characters", f"newest {NEWEST}", f"{LINE_CHARACTERS} characters"
    assert all(bound in PAGE for bound in bounds)
