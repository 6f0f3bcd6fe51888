from typing import Any

import pytest

from evals.conversation_script import Expected, TurnResult, compare_turn
from graph.replay.harness import ExecutedAction

CAME = TurnResult(
    outcome="offered",
    intent="direct_search",
    action="find_books",
    execution_class="B",
    arguments={"query": "whales", "limit": 5, "authors": ("Hinton",)},
    search={"year_from": 2020, "year_to": None},
    stage="finding_papers",
    reasons=("intent:direct_search:word:find me", "year_from:2020 since@4-14"),
    chips=("find_books", "show_book"),
    ran=(ExecutedAction(action_id="1", action="browse", state="succeeded", approved=False),),
    spoke=True,
    text="Did you mean one of these?",
)


def fields(came: TurnResult = CAME, **expected: Any) -> list[str]:
    wanted = Expected.model_validate(expected)
    return [one.field for one in compare_turn("here 1", "said", wanted, came, ["browse"])]


@pytest.mark.parametrize(
    "expected",
    [
        {"intent": "direct_search", "action": "find_books", "class": "B", "outcome": "offered"},
        {"arguments": {"limit": 5, "authors": ["Hinton"], "venue": None}},
        {"search": {"year_from": 2020, "year_to": None}},
        {"stage": "finding_papers", "reasons": ["year_from:2020", "intent:"]},
        {"chips": ["find_books"]},
        {"ran": ["browse"], "spoke": True, "text": ["did you"], "no_text": ["closed"]},
    ],
)
def test_what_is_named_and_is_so_is_no_difference(expected: dict[str, Any]) -> None:
    assert fields(**expected) == []


@pytest.mark.parametrize(
    ("expected", "field"),
    [
        ({"intent": "general"}, "intent"),
        ({"action": None}, "action"),
        ({"class": "A"}, "execution_class"),
        ({"arguments": {"limit": 10}}, "arguments.limit"),
        ({"arguments": {"query": None}}, "arguments.query"),
        ({"search": {"year_to": 2024}}, "search.year_to"),
        ({"search": None}, "search"),
        ({"stage": None}, "stage"),
        ({"reasons": ["limit:5"]}, "reasons"),
        ({"chips": ["show_book"]}, "chips"),
        ({"chips": []}, "chips"),
        ({"ran": []}, "ran"),
        ({"text": ["closed"]}, "text"),
        ({"no_text": ["mean"]}, "no_text"),
        ({"blocked": ["find_books"]}, "blocked"),
    ],
)
def test_what_is_named_and_is_not_so_is_one(expected: dict[str, Any], field: str) -> None:
    assert fields(**expected) == [field]


def test_a_change_without_a_yes_differs_whatever_was_expected() -> None:
    changed = ExecutedAction(action_id="2", action="burn_books", state="succeeded", approved=False)
    agreed = changed.model_copy(update={"approved": True})

    assert fields(CAME.model_copy(update={"ran": (changed,)}), ran=["burn_books"]) == ["ran"]
    assert fields(CAME.model_copy(update={"ran": (agreed,)}), ran=["burn_books"]) == []
    unexpected = compare_turn("here 1", "said", None, CAME, harmless=[])
    assert [one.expected for one in unexpected] == ["a yes before it"]
