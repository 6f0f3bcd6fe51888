"""Whether an event is the one that a reminder waits for: measured pairs, and what rules out."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.tools.journal.topics import Topics
from tools.adapters import Vectors
from tools.adapters.embedding.minilm import MiniLM
from tools.memory.event_match import EventMatcher

PAIRS = [
    line.split("\t")
    for line in Path(__file__).with_name("event_pairs.tsv").read_text("utf-8").splitlines()
]


def matcher() -> EventMatcher:
    return EventMatcher(MiniLM(None))


def test_most_matches_are_found_and_hardly_a_near_miss_fires():
    judged = [(is_match == "1", matcher().matches(when, said)) for is_match, when, said in PAIRS]
    assert len(judged) >= 160
    found = [fired for is_match, fired in judged if is_match]
    false = [fired for is_match, fired in judged if not is_match]
    assert sum(found) >= 0.75 * len(found)
    assert sum(false) <= 0.03 * len(false)


@pytest.mark.parametrize(
    "said",
    [
        "The washing machine is not done",
        "The washing machine isn't done",
        "Washing machine started",
        "The washing machine will be done in ten minutes",
        "The washing machine failed",
    ],
)
def test_denied_other_and_coming_states_do_not_fire(said: str):
    assert not matcher().matches("the washing machine is done", said)


def test_somebody_else_does_not_fire():
    assert matcher().matches("Lena is home", "Lena came home")
    assert not matcher().matches("Lena is home", "Tom came home")


def test_without_an_encoder_the_words_have_to_stand_there():
    plain = EventMatcher(None)
    assert plain.matches("ferry arrives", "The ferry arrives at pier 4")
    assert not plain.matches("ferry arrives", "The boat arrives")


def test_a_stream_of_events_displaces_no_condition():
    embedded: list[str] = []

    class Counting(Topics):
        def embed(self, texts: Sequence[str]) -> Vectors:
            embedded.extend(texts)
            return super().embed(texts)

    counting = EventMatcher(Counting())
    for number in range(1_500):
        counting.matches("a crossing opens", f"bridge {number} stands there")
    assert embedded.count("a crossing opens") == 1
    assert len(embedded) == 1_501
