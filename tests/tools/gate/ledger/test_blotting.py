"""What an action says about itself never repeats a secret it was given."""

import json
from pathlib import Path
from typing import Any

import pytest

from state.action import Action, ActionResult, Slot
from tests.safety.benches import CAPTAIN, opened_ledger, proposal, sql, yes
from tests.safety.valves import write_valves
from tools.gate.redaction import redacted_result, redacted_text
from tools.platform.redaction import MASK

SECRET = ("note: {type: text}", "note: {type: text, secret: true}")


@pytest.mark.parametrize(
    ("note", "state"),
    [
        ("refuse canary-4711", "failed"),
        ("break canary-4711", "unknown"),
        ("say canary-4711", "succeeded"),
    ],
)
async def test_a_secret_that_a_handler_repeats_is_kept_nowhere_but_in_the_arguments(
    data_dir: Path, tmp_path: Path, note: str, state: str
) -> None:
    async with opened_ledger(data_dir, write_valves(tmp_path, SECRET)) as ledger:
        shown = await ledger.propose(proposal(valve="V-101", note=note))
        await ledger.decide(shown.action_id, yes(shown), CAPTAIN)
        outcome = await ledger.execute(shown.action_id)
    assert outcome.state == state
    assert "canary" not in outcome.model_dump_json()
    kept = sql(data_dir, "select reason, result, summary, evidence from ledger_action")
    kept += sql(data_dir, "select event, body from ledger_entry")
    assert "canary" not in str(kept)
    assert sql(data_dir, "select 1 from ledger_action where arguments like '%canary%'") == [(1,)]


@pytest.mark.parametrize(
    ("kind", "value", "told"),
    [
        ("integer", 471100, {"pin": 471100, "pins": [1, 471100], "not": 471101, "is": True}),
        ("number", 4711.0, {"pin": 4711, "as": 4711.0}),
        ("json", {"token": "abcdef", "deep": [{"of": 98765}]}, {"a": "abcdef", "b": [98765]}),
        ("list", ["abcdef", "ghijkl"], {"abcdef": "ghijkl"}),
        ("text", 'a"bc\nd\\é', {"quoted": json.dumps('a"bc\nd\\é'), "repr": repr('a"bc\nd\\é')}),
    ],
)
def test_a_secret_is_blotted_in_every_form(kind: str, value: Any, told: dict[str, Any]) -> None:
    action = _action(kind)
    result = ActionResult(text=f"it is {told!r}", data=told, changed=(f"{value!r}",))
    blotted = redacted_result(result, action, {"code": value})
    assert blotted is not None
    left = blotted.model_dump_json()
    assert not [word for word in _leaves(value) if word in left]
    assert MASK in left
    assert blotted.data.get("not") == told.get("not")
    assert blotted.data.get("is") == told.get("is")


def test_a_key_of_a_json_secret_is_no_secret() -> None:
    told = redacted_text("refused token abcdef", _action("json"), {"code": {"token": "abcdef"}})
    assert told == f"refused token {MASK}"


def test_what_undoes_it_stays_whole() -> None:
    undo = {"code": "4711-old", "day": "2026-01-01"}
    blotted = redacted_result(
        ActionResult(text="4711-old became 4711", undo=undo),
        _action("text"),
        {"code": "4711"},
        _action("text"),
    )
    assert blotted == ActionResult(text=f"{MASK} became {MASK}", undo=undo)


def _action(kind: str) -> Action:
    return Action(
        name="set_code",
        pack="locks",
        summary="Set the code",
        verb="set",
        object="code",
        slots={"code": Slot(type=kind, secret=True), "day": Slot(type="date")},
        effect="write",
        handler="handlers:set_code",
        undo="set_code",
    )


def _leaves(value: Any) -> list[str]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [leaf for item in value for leaf in _leaves(item)]
    return [json.dumps(value).strip('"')]
