"""Who ends by asking how things are is answered, whatever was told before."""

from pathlib import Path

import pytest

from tests.tools.nlu.conftest import ORDERS
from tools.catalog.action_catalog import Catalogue
from tools.nlu.actionability.fact_questions import ends_in_question_of_fact
from tools.nlu.intents.router import Router
from tools.nlu.intents.utterance import UtteranceParser

FACTS = [
    "we closed WO-1042 on Monday, whose is it now",
    "Before I order a fuel filter, do we have one",
    "before I write a note on the watermaker, what is there already?",
    "I must assign something to the bosun, what is his name again?",
    "they said it was reopened. Is it still open?",
    "has WO-1042 been closed or not",
    "who was put on WO-1042",
    "There should be a note on the watermaker, is it still there? Thanks",
    "I wrote down a note in March; what does it say?",
    "is the yard able to look at our jobs?",
    "does WO-1042 hold up WO-1038",
    "we returned half of PO-1992, so what's its state now",
]
OTHERS = [
    "can WO-1042 go back to Priya, who had it before?",
    "close WO-1042",
    "Is there any chance that WO-1042 is closed today?",
    "what about closing WO-1042?",
    "are you able to close WO-1042?",
    "who could close WO-1042 for me?",
    "do you mind closing WO-1042?",
    "it was closed too early. Have it open again",
    "I think I should. Do it",
    "do the filter replacement",
    "Question: does the purifier leak?",
    "note on the watermaker: is the membrane new?",
    "what's in that order is none of their business now",
    "what I deleted this morning is wanted again",
    "the job is done, so has no business on the list",
    "the watermaker was 2480, is 2486",
    "would it be possible to reopen WO-1042",
    "show me who has WO-1042",
    "ask Ana if it is done",
    "",
]


@pytest.fixture(scope="module")
def reader(catalogue: Catalogue) -> UtteranceParser:
    return UtteranceParser(catalogue)


@pytest.mark.parametrize("text", FACTS)
def test_a_question_of_fact_at_the_end(reader: UtteranceParser, text: str) -> None:
    assert ends_in_question_of_fact(reader.read(text))


@pytest.mark.parametrize("text", OTHERS)
def test_what_is_none_or_asks_for_something(reader: UtteranceParser, text: str) -> None:
    assert not ends_in_question_of_fact(reader.read(text))


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("Before I add an impeller to WO-1040, do we have one", "check_stock"),
        ("has WO-1040 been assigned to Tom or not", "list_work_orders"),
    ],
)
def test_it_is_answered_and_no_change_is_offered_for_it(
    hearing: Router, data_dir: Path, text: str, action: str
) -> None:
    (data_dir / "orders.json").write_text(ORDERS)
    routing = hearing.route(text, data_dir=data_dir)

    assert routing.action == action
    assert "implied" not in routing.reasons
