"""`prefrontal heuristics` and `prefrontal feedback`, as somebody at a terminal meets them."""

import asyncio
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from api.cli.data_folder import open_tables
from evals.langsmith import Opinion, read_opinions
from graph.settings import Settings
from tests.cli.conftest import SALIENT, Prefrontal, records
from tests.cli.test_ask import BEN, CHIEF, waiting
from tests.openai_server import OpenAIServer, Rule

ANSWER: Mapping[str, Any] = {
    "action": None,
    "arguments": [],
    "predicted_success": 0.7,
    "confidence": 0.8,
    "say": "Clean the strainer.",
}
STRAINER = {"event_id": "e-1", "source": "tank", "text": "The strainer is clogged"}


@pytest.fixture
def answered(
    prefrontal: Prefrontal,
    stream: Callable[..., str],
    openai_server: OpenAIServer,
    monkeypatch: pytest.MonkeyPatch,
) -> str:
    """Return the response_id of a model's answer to an event."""
    openai_server.rules.append(Rule(says=ANSWER))
    monkeypatch.setenv("EXECUTIVE_MODEL", "test")
    monkeypatch.setenv("EXECUTIVE_MODEL_BASE_URL", openai_server.base_url)
    monkeypatch.setenv("EXECUTIVE_EMBEDDER", "none")
    (record,) = records(
        prefrontal("run", stream({**STRAINER, "salience": SALIENT}), "--json", "--data-dir", "data")
    )
    assert (record["path"], record["text"]) == ("llm", "Clean the strainer.")
    return str(record["response_id"])


def learned(prefrontal: Prefrontal, *more: str) -> list[dict[str, Any]]:
    found = json.loads(prefrontal("heuristics", "list", "--json", *more).stdout)
    return [one for one in found if one["heuristic"]["origin"] == "learned"]


def test_a_good_answer_is_listed_changed_put_out_of_use_and_unlearned(
    prefrontal: Prefrontal, answered: str
) -> None:
    said = prefrontal("feedback", answered, "good", "--as", "ann:chief")
    assert (said.exit_code, said.stdout) == (0, "good: Clean the strainer.\n")
    (known,) = learned(prefrontal)
    assert (known["heuristic"]["condition"], round(known["confidence"]["usable"], 3)) == (
        "The strainer is clogged",
        0.409,
    )
    assert learned(prefrontal, "--tenant", "elsewhere") == []
    name = known["heuristic"]["heuristic_id"]
    told = prefrontal("heuristics", "show", name).stdout
    assert "0.409" in told
    assert "to ann, in the sessions it was taught in" in " ".join(told.split())
    assert "bilge" in " ".join(prefrontal("heuristics", "list").stdout.split())
    changed = prefrontal("heuristics", "edit", name, "--says", "Rinse it.", "--ceiling", "0.6")
    assert "Rinse it." in changed.stdout
    prefrontal("heuristics", "disable", name)
    assert [one["heuristic"]["disabled"] for one in learned(prefrontal)] == [
        "put out of use by hand"
    ]
    prefrontal("heuristics", "disable", name, "--enable")
    prefrontal("feedback", answered, "bad", "--because", "wrong_answer", "--as", "ann:chief")
    (after,) = learned(prefrontal)
    assert after["heuristic"]["disabled"] == "no good answer is left that it was learned from"


@pytest.mark.parametrize(
    ("words", "exit_code", "says"),
    [
        (("heuristics", "show", "nothing"), 1, "no heuristic 'nothing'"),
        (("heuristics", "edit", "bilge"), 2, "say what to change"),
        (("heuristics", "edit", "bilge", "--floor", "1.1"), 2, "less than or equal to 1"),
        (
            ("heuristics", "edit", "bilge", "--floor", "0.9", "--ceiling", "0.2"),
            2,
            "floor 0.9 is above ceiling 0.2",
        ),
        (("feedback", "nothing", "good", "--as", "ann:chief"), 1, "no response 'nothing'"),
        (("feedback", "nothing", "great", "--as", "ann:chief"), 2, "great"),
        (("feedback", "nothing", "good"), 2, "--as"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    prefrontal: Prefrontal, words: tuple[str, ...], exit_code: int, says: str
) -> None:
    result = prefrontal(*words)
    assert (result.exit_code, "Traceback" in result.output) == (exit_code, False)
    assert says in result.stderr


def test_what_ships_is_listed_before_anything_was_decided(prefrontal: Prefrontal) -> None:
    found = json.loads(prefrontal("heuristics", "list", "--json").stdout)
    assert [(one["heuristic"]["heuristic_id"], one["confidence"]["usable"]) for one in found] == [
        ("bilge", 0.95)
    ]


def test_what_ships_waits_for_an_approval_of_others(prefrontal: Prefrontal) -> None:
    refused = prefrontal("heuristics", "disable", "bilge")
    assert refused.exit_code == 1
    assert "--as" in refused.stderr
    asked = prefrontal("heuristics", "disable", "bilge", "--as", "ann:chief", "--json")
    shown = json.loads(asked.stdout)
    assert (shown["action"], shown["state"]) == ("change_heuristic", "pending")
    assert "bilge, disabled: " in prefrontal("approvals", "show", shown["action_id"]).stdout
    yes = ("approvals", "approve", shown["action_id"], shown["digest"], "--as")
    assert prefrontal(*yes, "ann:chief").exit_code == 1
    assert prefrontal(*yes, "ida:admin").exit_code == 0
    (known,) = json.loads(prefrontal("heuristics", "list", "--json").stdout)
    assert known["heuristic"]["disabled"] == "put out of use by hand"


# What people said on the command line, as it is told to LangSmith.


def test_yes_no_and_chips_are_opinions_on_their_decisions(prefrontal: Prefrontal, here: Path):
    note = prefrontal("ask", "jot on WO-1042 the note seal weeps", *BEN, "--json")
    offer = records(note)[0]["offer_id"]
    assert prefrontal("offers", "choose", offer, "chip-1", *BEN).exit_code == 0
    for word, text in (("approve", "close WO-1042"), ("reject", "close WO-1029")):
        prefrontal("approvals", word, *waiting(prefrontal, text), *CHIEF)
    answered = records(prefrontal("ask", "check stock of belts", *BEN, "--json"))[0]
    prefrontal("feedback", answered["response_id"], "bad", *CHIEF)

    async def read() -> list[Opinion]:
        async with open_tables(Settings(data_dir=here / "data")) as database:
            return await database.read(lambda at: read_opinions(at, "default", 0))

    said = asyncio.run(read())

    assert [(one.key, one.score) for one in said] == [
        ("approval", 1.0),
        ("approval", 0.0),
        ("rating", 0.0),
        ("primary_chip", 1.0),
    ]
    assert said[2].decision_id == answered["decision_id"]
