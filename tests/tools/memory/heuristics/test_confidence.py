"""How sure a heuristic may be. Source of every golden value: executive.md §1.9."""

from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from state.heuristic import Heuristic, Sign, Signal
from tests.stages import TUNING
from tools.memory.heuristics.rows import confidence_of, weight_of

LEARNING = TUNING.learning
LEARNED = Heuristic(
    heuristic_id="h", tenant_id="t", condition="high water", says="Close the gates.", made_at=0
)
GOOD: list[Sign] = ["good"]
BAD: list[Sign] = ["bad"]
AGREED: list[Sign] = ["agreed"]
_SESSIONS = count()


def said(*signs: Sign, session: str | None = None, **fields: object) -> list[Signal]:
    return [
        Signal.model_validate(
            {"sign": sign, "session_id": session or f"s-{next(_SESSIONS)}", **fields}
        )
        for sign in signs
    ]


def usable(signals: list[Signal], heuristic: Heuristic = LEARNED) -> float:
    return round(confidence_of(heuristic, signals, LEARNING).usable, 3)


def test_the_fifth_good_answer_lets_it_speak_alone() -> None:
    goods = said(*GOOD * 5)
    bounds = [usable(goods[:n]) for n in range(1, 6)]
    assert bounds == [0.409, 0.541, 0.624, 0.681, 0.722]
    threshold = TUNING.strategy.heuristic_threshold
    assert [bound >= threshold for bound in bounds] == [False] * 4 + [True]


def test_bad_answers_take_more_than_good_ones_gave() -> None:
    goods = said(*GOOD * 8)
    bads = said("bad", "bad", "bad")
    assert [usable(goods + bads[:n]) for n in (1, 2, 3)] == [0.667, 0.574, 0.502]


def test_two_bad_in_a_row_stop_it_until_the_next_good() -> None:
    mature = said(*GOOD * 60)
    one = confidence_of(LEARNED, mature + said("bad"), LEARNING)
    two = confidence_of(LEARNED, mature + said("bad", "bad"), LEARNING)
    again = confidence_of(LEARNED, mature + said("bad", "bad", "good"), LEARNING)
    assert (one.blocked, two.blocked, again.blocked) == (False, True, False)
    assert two.usable >= TUNING.strategy.heuristic_threshold  # its confidence alone would not


@pytest.mark.parametrize(
    ("signs", "attribution", "is_doubted"),
    [
        (["bad"], "wrong_answer", True),
        (["bad", "silence", "meh"], None, True),
        (["undone"], None, True),
        (["bad"], "not_wanted", False),
        (["bad"], "bad_timing", False),
        (["bad", "good"], "wrong_answer", False),
    ],
)
def test_a_wrong_answer_is_doubted_until_the_next_good(
    signs: list[Sign], attribution: str | None, is_doubted: bool
) -> None:
    signals = said(*GOOD * 60) + said(*signs, attribution=attribution)
    found = confidence_of(LEARNED, signals, LEARNING)
    assert (found.doubted, found.blocked) == (is_doubted, False)


def test_three_bad_of_the_last_five_stop_it() -> None:
    mixed = said(*GOOD * 20, "bad", "meh", "bad", "meh", "bad")
    assert confidence_of(LEARNED, mixed, LEARNING).blocked
    assert not confidence_of(LEARNED, mixed[:-1], LEARNING).blocked


def test_without_a_person_it_stays_below_every_bar() -> None:
    agreed = confidence_of(LEARNED, said(*AGREED * 300), LEARNING)
    assert agreed.lower > LEARNING.without_person
    assert agreed.usable == LEARNING.without_person < TUNING.strategy.heuristic_threshold


def test_the_nth_of_one_kind_from_one_session_counts_less() -> None:
    many, few = said(*GOOD * 5, session="one"), said(*GOOD * 5)
    assert usable(many) < usable(few)
    weights = [1 / (1 + 0.25 * n) for n in range(5)]
    a, b = 0.6, 1.4
    for weight in weights:
        a = 0.6 + 0.98 * (a - 0.6) + weight
    assert confidence_of(LEARNED, many, LEARNING).a == pytest.approx(a)
    assert confidence_of(LEARNED, many, LEARNING).b == pytest.approx(b)


@pytest.mark.parametrize(
    ("signal", "weight"),
    [
        (Signal(sign="good"), 1.0),
        (Signal(sign="meh"), 0.1),
        (Signal(sign="bad", attribution="not_wanted"), 1.5),
        (Signal(sign="bad", attribution="wrong_answer"), 1.5),
        (Signal(sign="bad", attribution="bad_timing"), 0.0),
        (Signal(sign="undone"), 1.0),
        (Signal(sign="ignored"), 0.3),
        (Signal(sign="silence"), 0.1),
        (Signal(sign="agreed", strength=0.8), 0.2),
        (Signal(sign="agreed", strength=0.74), 0.0),
    ],
)
def test_each_signal_has_its_weight(signal: Signal, weight: float) -> None:
    assert weight_of(signal, LEARNING) == pytest.approx(weight)


def test_a_locked_one_does_not_move() -> None:
    locked = LEARNED.model_copy(update={"declared": 0.95, "locked": True, "origin": "pack"})
    found = confidence_of(locked, said(*BAD * 10), LEARNING)
    assert (found.usable, found.blocked) == (0.95, False)


def test_a_floor_and_a_ceiling_hold() -> None:
    bounded = LEARNED.model_copy(update={"floor": 0.3, "ceiling": 0.6})
    assert usable(said(*BAD * 10), bounded) == 0.3
    assert usable(said(*GOOD * 20), bounded) == 0.6
    assert usable(said(*GOOD * 500)) == 0.95


def test_a_shipped_one_starts_where_its_pack_put_it_and_moves_from_there() -> None:
    shipped = LEARNED.model_copy(update={"declared": 0.75, "origin": "pack"})
    assert usable([], shipped) == 0.75
    assert usable(said("good"), shipped) > 0.75 > usable(said("bad"), shipped)


def test_a_weight_of_its_own_makes_it_learn_faster_or_slower() -> None:
    slow = LEARNED.model_copy(update={"weight": 0.5})
    assert usable(said("good"), slow) < usable(said("good"))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(["good", "meh", "bad", "undone", "ignored", "silence"])))
def test_it_stays_inside_its_bounds_and_a_good_one_never_lowers_it(signs: list[Sign]) -> None:
    before = said(*signs)
    after = before + said("good")
    found, more = (confidence_of(LEARNED, each, LEARNING) for each in (before, after))
    assert 0.05 <= found.usable <= more.usable <= 0.95
