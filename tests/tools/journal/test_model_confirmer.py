"""A model confirms and reads decisions; a liar adds nothing, a broken one changes nothing."""

from collections.abc import AsyncIterator, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from state.journal import Decision, JournalMessage
from tests.openai_server import ModelRequest, OpenAIServer, Rule
from tests.stages import NOW
from tools.adapters.chat_model import OpenAIChat
from tools.journal.conversation import read_conversations
from tools.journal.detection.detector import Detector
from tools.journal.detection.llm_detector import MOST_FAILURES, ModelConfirmer
from tools.journal.journal import Journal
from tools.journal.search.search import JournalSearch
from tools.journal.store.store import JournalStore
from tools.storage.database import Database

RULES = Detector(0.7)
TALK = (
    ("ann", "The ferry touched ground again, it is too shallow there."),
    ("bo", "What about dredging the north channel in May?"),
    ("cy", "Dredging is dear. A smaller ferry would do, but it needs a new pier."),
    ("ann", "I can live with that."),
)
NOTHING: dict[str, Any] = {
    "score": 0.0,
    "explanation": "talk",
    "decision": None,
    "rationale": [],
    "pros": [],
    "cons": [],
    "risks": [],
    "assumptions": [],
    "alternatives": [],
    "decision_maker": None,
}
READ = NOTHING | {
    "score": 0.93,
    "explanation": "Ann settles what Bo has proposed.",
    "decision": {"message": 2, "words": "dredging the north channel in May"},
    "rationale": [{"message": 1, "words": "The ferry touched ground again"}],
    "cons": [{"message": 3, "words": "Dredging is dear"}],
    "alternatives": [{"message": 3, "words": "A smaller ferry"}],
    "decision_maker": "Bo",
}


class _Standing:
    def now(self) -> datetime:
        return NOW


def messages(*said: tuple[str, str]) -> list[JournalMessage]:
    return [
        JournalMessage(message_id=f"m{number}", speaker=speaker, content=text)
        for number, (speaker, text) in enumerate(said, 1)
    ]


def competent(asked: ModelRequest) -> dict[str, Any]:
    return READ if "Does message 4 take" in asked.last else NOTHING


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer() as server:
        yield server


@pytest.fixture
async def journal(server: OpenAIServer, data_dir: Path) -> AsyncIterator[Journal]:
    database = Database(f"sqlite:///{data_dir / 'prefrontal.sqlite'}")
    model = OpenAIChat("test", base_url=server.base_url, api_key=SecretStr("none"), seconds=60)
    search = JournalSearch(JournalStore(database), 0.4)
    yield Journal(search, RULES, _Standing(), ModelConfirmer(RULES, model, 0.7))
    await model.close()
    await database.close()


async def taken(journal: Journal, *said: tuple[str, str]) -> list[Decision]:
    done = await journal.take(messages(*said), [], "default")
    return [one.decision for one in done.messages if one.decision is not None]


def by_rules(*said: tuple[str, str]) -> list[Decision]:
    found = read_conversations(messages(*said), RULES)
    return [one.decision for one in found if one.decision is not None]


async def test_what_rules_are_not_sure_of_a_model_confirms_and_reads(
    server: OpenAIServer, journal: Journal
) -> None:
    assert by_rules(*TALK) == []
    server.rules.append(Rule(says=competent))
    (made,) = await taken(journal, *TALK)
    assert made.decision == "dredging the north channel in May"
    assert (made.rationale, made.decision_maker) == ("The ferry touched ground again", "bo")
    assert [one.option for one in made.alternatives] == ["A smaller ferry"]
    assert made.trade_offs is not None
    assert made.trade_offs.cons == ("Dredging is dear",)
    content = {one.message_id: one.content for one in messages(*TALK)}
    for spans in made.evidence.values():
        assert all(content[one.message_id][one.start : one.end] for one in spans)
    [said] = made.evidence["decision"]
    assert content[said.message_id][said.start : said.end] == made.decision


async def test_a_model_says_that_it_was_only_talk(server: OpenAIServer, journal: Journal) -> None:
    said = (("ann", "We are going with the oak table, I dreamt."),)
    assert len(by_rules(*said)) == 1
    server.rules.append(Rule(says=NOTHING))
    assert await taken(journal, *said) == []


async def test_nothing_that_a_liar_invents_is_kept(server: OpenAIServer, journal: Journal) -> None:
    said = (("bo", "How about the oak table?"), ("ann", "We decided to take the oak table."))
    lie = NOTHING | {
        "score": 1.0,
        "decision": {"message": 2, "words": "fire everybody"},
        "rationale": [{"message": 9, "words": "because"}, {"message": 1, "words": "the elm table"}],
        "alternatives": [{"message": -1, "words": "oak"}, {"message": 1, "words": "  "}],
        "decision_maker": "mallory",
    }
    server.rules.append(Rule(says=lie))
    (made,) = await taken(journal, *said)
    (expected,) = by_rules(*said)
    assert made.model_copy(update={"confidence": expected.confidence}) == expected


@pytest.mark.parametrize("fault", ["garbage", "server_error", "half_json", "half_body", "refusal"])
async def test_without_an_answer_in_form_the_rules_decide(
    server: OpenAIServer, journal: Journal, fault: Any
) -> None:
    server.rules.append(Rule(fault=fault))
    said = (("ann", "We decided to take the oak table."),)
    assert await taken(journal, *said) == by_rules(*said)


async def test_a_model_that_keeps_failing_is_left_alone(
    server: OpenAIServer, journal: Journal
) -> None:
    server.rules.append(Rule(fault="server_error"))
    said = [("ann", f"We decided to paint door {number}.") for number in range(20)]
    assert await taken(journal, *said) == by_rules(*said)
    assert MOST_FAILURES <= len(server.asked) < 10


async def test_a_model_is_shown_five_messages_before_and_no_plain_talk(
    server: OpenAIServer, journal: Journal
) -> None:
    server.rules.append(Rule(says=NOTHING))
    said = [("ann", f"Soup number {number} is good.") for number in range(9)]
    await taken(journal, *said, ("bo", "We decided to have the soup."))
    [asked] = server.asked
    assert "[6] bo:" in asked.last
    assert "Soup number 3" not in asked.last
