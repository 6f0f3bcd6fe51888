"""Whether an event is the one that a reminder waits for: measured pairs, and what rules out."""

from pathlib import Path

import pytest

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
