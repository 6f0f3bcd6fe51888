"""Arguments that a model writes reach an action as it wrote them: a list stays a list."""

from pathlib import Path
from typing import Any

import pytest

from nodes.decide_by_model import DecideByModel
from state.policy import PolicyDecision
from tests.nodes.conftest import message, messages_of
from tests.nodes.test_strategy import decided
from tests.openai_server import OpenAIServer, Rule
from tests.strategies import strategies_of
from tools.adapters.chat_model import ChatModels, OpenAIChat
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import load_pack

ACTIONS = """\
actions:
  plan_meeting:
    summary: "Meet {guests} in {room}"
    verb: create
    object: meeting
    slots:
      guests: {type: list, required: true}
      room: {type: text}
      seats: {type: integer}
      share: {type: number}
      is_public: {type: boolean}
      floors: {type: integer, many: true}
      extra: {type: json}
    effect: write
    handler: "handlers:plan_meeting"
"""
HANDLER = """\
def plan_meeting(
    context, *, guests, room=None, seats=None, share=None, is_public=None, floors=None, extra=None
): ...
"""


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ({"guests": ["Smith, Jane", "Bo"]}, {"guests": ["Smith, Jane", "Bo"]}),
        ({"guests": '["a@b.example", "c, d"]'}, {"guests": ["a@b.example", "c, d"]}),
        ({"guests": "Ann, Bo"}, {"guests": ["Ann", "Bo"]}),
        ({"guests": ["1"], "seats": 12, "share": 0.5}, {"seats": 12, "share": 0.5}),
        ({"guests": ["1"], "seats": "12", "share": "2"}, {"seats": 12, "share": 2}),
        ({"guests": ["1"], "is_public": False, "room": 7}, {"is_public": False, "room": "7"}),
        ({"guests": ["1"], "floors": [1, 2], "extra": '{"a": 1}'}, {"floors": [1, 2]}),
        ({"guests": ["a, b"], "seats": "many"}, {"guests": ["a, b"], "seats": "many"}),
    ],
)
async def test_a_list_a_number_and_a_boolean_arrive_as_such(
    tmp_path: Path, openai_server: OpenAIServer, written: dict[str, Any], read: dict[str, Any]
) -> None:
    (tmp_path / "actions.yaml").write_text(ACTIONS, encoding="utf-8")
    (tmp_path / "handlers.py").write_text(HANDLER, encoding="utf-8")
    catalogue = Catalogue.of([load_pack(tmp_path)])
    slots = [{"slot": name, "value": value} for name, value in written.items()]
    says = {
        "action": "plan_meeting",
        "arguments": slots,
        "predicted_success": 0.7,
        "confidence": 0.9,
        "say": "",
    }
    openai_server.rules.append(Rule(says=says))
    chat = OpenAIChat("test", base_url=openai_server.base_url, api_key=None, seconds=20)
    node = DecideByModel(
        strategies_of(catalogue), ChatModels(chat), catalogue, messages_of(catalogue)
    )
    try:
        result = (await node(decided(PolicyDecision(intent="general"), message("meet"))))["result"]
    finally:
        await chat.close()
    assert result.action == "plan_meeting"
    assert {name: result.arguments[name] for name in read} == read
    [asked] = openai_server.asked
    assert "- plan_meeting(guests: list of texts, room?: text, seats?: whole number" in asked.text
