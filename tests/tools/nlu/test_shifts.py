"""By how much a day is moved, and which day that is."""

from datetime import date

import pytest

from state.action import Action
from tools.nlu.lexicon.normalization import normalise
from tools.nlu.values.date_offsets import days_away_in, direction_of, offsets_in
from tools.nlu.values.numbers import days_in
from tools.platform.clock import clean_shift, shifted


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("push it back a week", ["+1 week"]),
        ("postpone WO-1042 by ten days", ["+10 days"]),
        ("put WO-1042 off by a fortnight", ["+2 weeks"]),
        ("WO-1042 three days earlier please", ["-3 days"]),
        ("bring WO-1045 forward by 3 days", ["-3 days"]),
        ("give it one more month", ["+1 month"]),
        ("leave it for another couple of days", []),
        ("it can wait a couple of weeks longer", ["+2 weeks"]),
        ("extend the class certificate by a year", ["+1 year"]),
        # Back is earlier for who brings, forward is later for who pushes: not told.
        ("bring it back a week", []),
        ("push it forward a week", []),
        ("it is due in two weeks", []),
        ("show the last 3 weeks", []),
        ("postpone it by half a week", []),
        ("postpone it by 2.5 weeks", []),
        ("the pump ran two weeks", []),
        ("postpone it 0 days", []),
        ("push it back 999 fortnights", []),
    ],
)
def test_a_move_needs_an_amount_and_a_direction(text: str, moves: list[str]) -> None:
    assert [one.value for one in offsets_in(normalise(text))] == moves


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("two weeks", ["+2 weeks"]),
        ("by a month", ["+1 month"]),
        ("add two weeks to loan L-3001", ["+2 weeks"]),
        ("renew L-3001 for a month", ["+1 month"]),
        ("+2 weeks", ["+2 weeks"]),
        ("-3 days", ["-3 days"]),
        ("two weeks earlier", ["-2 weeks"]),
        ("push it forward a week", []),
        ("in two weeks", []),
    ],
)
def test_who_extends_something_need_not_say_that_it_is_later(text: str, moves: list[str]) -> None:
    assert [one.value for one in offsets_in(normalise(text), direction=1)] == moves


@pytest.mark.parametrize(
    ("words", "direction"),
    [
        (("extend", "renew"), 1),
        (("postpone",), 1),
        (("bring forward",), -1),
        (("move", "change"), 0),
        (("postpone", "bring forward"), 0),
        (("push back", "bring forward"), 0),
        (("put off",), 1),
        (("snooze",), 1),
    ],
)
def test_an_action_goes_the_way_that_its_words_go(words: tuple[str, ...], direction: int) -> None:
    action = Action(
        name="move_loan",
        pack="shop",
        summary="Loan {loan}",
        verb="update",
        words=words,
        object="loan",
        effect="write",
        handler="handlers:move_loan",
    )
    assert direction_of(action) == direction


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("due in two weeks", "2026-02-14"),
        ("due in a month", "2026-02-28"),
        ("ten days from now", "2026-02-10"),
        ("since three days ago", "2026-01-28"),
        ("within two weeks", None),
        ("every two weeks", None),
    ],
)
def test_a_day_so_far_away_is_counted_from_today(text: str, day: str | None) -> None:
    found = [one.value for one in days_in(normalise(text), date(2026, 1, 31))]

    assert found == ([day] if day else [])


@pytest.mark.parametrize(
    ("by", "day"),
    [
        ("+1 month", "2024-02-29"),
        ("-11 months", "2023-02-28"),
        ("+1 year", "2025-01-31"),
        ("-1 day", "2024-01-30"),
    ],
)
def test_a_day_that_the_month_has_not_is_its_last(by: str, day: str) -> None:
    assert shifted(date(2024, 1, 31), by).isoformat() == day


@pytest.mark.parametrize("written", ["1 week", "+0 days", "+1 hour", "+1000 days", "", 7])
def test_what_is_no_move_is_refused(written: object) -> None:
    with pytest.raises(ValueError, match="must be a move"):
        clean_shift(written)


def test_a_move_out_of_the_calendar_is_refused() -> None:
    assert clean_shift("+1 weeks") == "+1 week"
    with pytest.raises(ValueError, match="calendar"):
        shifted(date(9990, 1, 1), "+999 years")


@pytest.mark.parametrize("text", ["in 0 days", "500 fortnights ago", "in 999 years"])
def test_a_day_that_no_calendar_has_is_none(text: str) -> None:
    assert list(days_away_in(normalise(text), date(9001, 1, 1))) == []
