"""A model that knows the labels is followed; one that lies or fails leaves the journal whole."""

from typing import Any

import pytest

from evals.journal.extraction import compare_with_models, read_labelled_talks
from evals.runner.measures import Measure
from state.errors import BadInput

CONTEXT = [{"speaker": "ann", "text": "Is anybody against the oak table?"}]


def minutes(number: int, text: str, label: int) -> dict[str, Any]:
    return {
        "id": f"row-{number}",
        "date": "2024-05-01" if number else "2023-01-01",
        "meeting": f"m{number}",
        "context": CONTEXT,
        "text_plain": text,
        "label": label,
    }


def discussion() -> dict[str, Any]:
    said = [("bo", "What about the oak table?"), ("cy", "RESOLVED: the oak table it shall be")]
    gold = {"decision": "the oak table it shall be", "proposer": "bo"}
    messages = [{"speaker": speaker, "text": text} for speaker, text in said]
    return {"id": "d", "date": "2024-05-01", "meeting": "m1", "messages": messages, "gold": gold}


ROWS = [
    minutes(0, "We decided long ago to sit.", 1),
    minutes(1, "We decided to eat cake at noon, in my dream.", 0),
    discussion(),
]


def test_the_last_meetings_are_taken_and_their_markers_off() -> None:
    assert [(one.messages[-1].content, one.decides) for one in read_labelled_talks(ROWS)] == [
        ("We decided to eat cake at noon, in my dream.", False),
        ("the oak table it shall be", True),
    ]
    with pytest.raises(BadInput):
        read_labelled_talks([{"label": 1}])


@pytest.mark.torture
def test_each_model_is_measured_and_the_journal_stays_whole() -> None:
    found = compare_with_models(read_labelled_talks(ROWS), 0.7)
    told = {name: _values(measures) for name, measures in found.items()}
    assert told["competent"] | {"questions_asked": 0} == {
        "f1": 1.0,
        "decision_f1": 1.0,
        "maker": 1.0,
        "cited": 1.0,
        "as_rules_alone": 0.0,
        "journal_is_whole": 1.0,
        "questions_asked": 0,
    }
    assert told["competent"]["questions_asked"]
    assert told["broken"]["as_rules_alone"] == 1.0
    assert told["broken"]["f1"] == told["rules alone"]["f1"]
    assert told["lying"]["journal_is_whole"] == 1.0
    assert told["lying"]["cited"] in (None, 1.0)


def _values(measures: Any) -> dict[str, float | None]:
    given: list[Measure] = list(measures)
    return {one.name: one.value for one in given}
