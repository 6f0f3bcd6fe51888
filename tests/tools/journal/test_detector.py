"""A decision is told from talk about one by the words and by what was said before."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.journal.detection import Spoken, own_cases
from tests.stages import TUNING
from tools.journal.detection.context_window import READ_CHARACTERS, ContextMessage, read_window
from tools.journal.detection.detector import Detector, features_of, shipped_weights

DETECTOR = Detector(TUNING.journal.detection_threshold)


def decides(*lines: str) -> bool:
    said = [ContextMessage(*line.split(": ", 1)) for line in lines]
    return DETECTOR.confirm(said[-1], said[:-1]).is_decision


@pytest.mark.parametrize("case", own_cases(), ids=lambda case: case.lines[-1][1][:40])
def test_our_own_conversations_are_read_as_meant(case: Spoken) -> None:
    said = [ContextMessage(speaker, text) for speaker, text in case.lines]
    assert DETECTOR.confirm(said[-1], said[:-1]).is_decision is case.decides


def test_the_same_yes_decides_after_a_proposal_only() -> None:
    assert decides("mia: how about the oak table?", "jon: agreed")
    assert not decides("mia: the oak table is heavy", "jon: agreed")


def test_nobody_accepts_their_own_proposal() -> None:
    assert not decides("mia: how about the oak table?", "mia: agreed")


def test_a_vote_against_keeps_it_open() -> None:
    assert not decides("mia: how about the oak table?", "kim: -1", "jon: agreed")


def test_among_three_one_yes_is_not_enough_and_two_are() -> None:
    talk = ("kim: good morning", "mia: how about the oak table?")
    assert not decides(*talk, "jon: +1")
    assert decides(*talk, "jon: +1", "kim: +1")


def test_the_next_item_is_no_decision_though_votes_came_just_before() -> None:
    votes = [f"{name}: +1" for name in ("ann", "bo", "cy", "di", "ed", "flo")]
    talk = ["chair: PROPOSED: go with index.html", *votes]
    assert decides(*talk, "chair: rename the manifest jsonld to publication.json, closing #43")
    assert not decides(*talk, "chair: Next is #43 - rename the manifest jsonld, closing #43")


def test_a_marked_decision_ends_what_stood_open() -> None:
    window = read_window(
        [
            ContextMessage("a", "PROPOSED: sail"),
            ContextMessage("b", "+1"),
            ContextMessage("a", "RESOLVED: sail"),
        ]
    )
    assert (window.proposals, window.voting, window.taken) == ((), frozenset(), ("sail",))


def test_every_weight_is_of_a_feature_and_told_as_a_reason() -> None:
    weights = shipped_weights()
    found = features_of("RESOLVED: sail at noon", "a", read_window([]))
    assert set(found) <= {*weights.words, *weights.setting}
    assert weights.reasons(found) == ("marked_decision +9.0",)


@given(st.text(max_size=300), st.lists(st.text(max_size=60), max_size=9))
def test_any_text_has_a_confidence(text: str, before: list[str]) -> None:
    found = DETECTOR.confirm(
        ContextMessage("a", text), [ContextMessage("b", one) for one in before]
    )
    assert 0 <= found.confidence <= 1


def test_a_very_long_message_is_read_by_its_beginning() -> None:
    assert not decides("a: " + "x " * READ_CHARACTERS + "\nDecision: moor here")


@pytest.mark.parametrize(
    "lines",
    [
        ("ann: thoughts on dropping Node 18?", "ben: fine with me", "ann: cool, dropping it"),
        ("ann: blocked on the format question", "ben: use CSV for now", "ann: ok, CSV for now"),
        ("ann: Vite or Webpack?", "ben: Vite builds in 4s", "ann: Vite then. I open the PR."),
        ("ann: We're cutting the export feature so we can hit the date.",),
        ("ann: design review outcome: the sidebar goes",),
        ("ann: Going forward, support answers in English only.",),
        ("clerk: The trustees approved the accounts without amendment.",),
    ],
)
def test_other_manners_of_deciding_are_heard(lines: tuple[str, ...]) -> None:
    assert decides(*lines)


@pytest.mark.parametrize(
    "lines",
    [
        ("ann: thoughts on dropping Node 18?", "ben: not yet", "ann: cool, dropping it"),
        ("ann: maybe we drop the old API", "ben: right, the old API is slow as well"),
        ("ann: We're merging two lists here and the order is lost.",),
        ("ann: Outcome: unknown so far",),
        ("ann: if we move to Kafka we should budget for ops", "ben: +1"),
        ("ann: then we replace the disk and it happens again",),
        ("clerk: The chair said that the budget had been approved in May.",),
    ],
)
def test_what_only_sounds_like_them_is_not(lines: tuple[str, ...]) -> None:
    assert not decides(*lines)


@pytest.mark.parametrize(
    "piece", ["ok ", "so, ", "'", "-", ", so ", "ok, ok. ", "a ", "it is ", "X! ", "going ", "x-"]
)
def test_no_text_keeps_the_patterns_searching(piece: str) -> None:
    long = piece * (READ_CHARACTERS // len(piece))
    assert DETECTOR.confirm(ContextMessage("a", long), [ContextMessage("b", long)]).confidence < 1
