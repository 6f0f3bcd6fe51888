"""What an event says that was not said before: other words, or a figure that moved."""

import pytest

from tools.attention.news import (
    Wordings,
    ends_matter,
    figures_of,
    moved,
    news_in,
    with_wording,
)


def _after(*texts: str) -> Wordings:
    known: Wordings = {}
    for text in texts:
        known = with_wording(known, text)
    return known


@pytest.mark.parametrize(
    ("before", "now", "news"),
    [
        ("Tank at 40 %", "Tank at 40 %", 0.0),
        ("Tank at 40 %", "tank is at 40 %", 0.0),
        ("Tank at 40 %", "Tank at 39 %", 0.025),
        ("Tank at 40 %", "Tank at 20 %", 0.5),
        ("Disk 97 % full", "Disk 99 % full", 0.667),
        ("Health 20 of 30", "Health 2 of 30", 0.9),
        ("Wind 3.5 m/s", "Wind 7 m/s", 0.5),
        ("Frost -2 C", "Frost 2 C", 1.0),
        ("Queue 0", "Queue 9", 1.0),
        ("Ferry seen north", "Ferry seen east", 1.0),
        ("Gate open", "Gate closed", 1.0),
        ("Sold 1,200", "Sold 1,200", 0.0),
        ("Order 8812 waits", "Order 8813 waits", 0.0),
        ("12:02 smoke", "12:41 smoke", 0.0),
        ("2026-10-05 smoke", "2026-11-26 smoke", 0.0),
        ("Request 10023 failed", "Request 99812 failed", 0.0),
        ("Methane 30\x1c% LEL", "Methane 60\x1c% LEL", 0.5),
    ],
)
def test_other_words_and_figures_that_moved_are_news(before: str, now: str, news: float) -> None:
    assert news_in(now, _after(before)) == pytest.approx(news, abs=0.005)


def test_each_wording_keeps_its_own_figures_and_the_oldest_is_forgotten() -> None:
    known = _after("Tank at 40 %", "Pump on", "Tank at 38 %")
    assert news_in("Tank at 38 %", known) == 0.0
    assert news_in("Pump on", known) == 0.0
    crowded = _after("Tank at 40 %", *(f"Boat {name} left" for name in "abcdefgh"))
    assert news_in("Tank at 40 %", crowded) == 1.0


def test_figures_without_a_like_before_have_not_moved() -> None:
    assert moved("Smoke in cabin 4 at 80 C", figures_of("Smoke in cabin 4")) == 0.0
    assert moved("Smoke", ()) == 0.0


@pytest.mark.parametrize(
    ("held", "ending", "is_its"),
    [
        ("Internet connection lost", "Internet connection restored", True),
        ("Laundry room door open for an hour", "The laundry room door is closed again", True),
        ("Floor wet, 20 mm", "Floor dry, valve shut", False),  # one word in common: in doubt no
        ("Pump 2 of line A failed", "Pump 1 of line A works again", False),
        ("node 2 disk full", "node 1 disk ok", False),
        ("Smoke in the kitchen", "No smoke in the cellar", False),
        ("Backup of db-2 failed", "Backup of db-1 succeeded", False),
    ],
)
def test_an_end_is_that_of_what_names_the_same_things(held: str, ending: str, is_its: bool) -> None:
    assert ends_matter(ending, held) == is_its
