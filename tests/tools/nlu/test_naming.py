"""When is what a text may come to too unlikely, or too incomplete, to be worth a word?"""

import pytest

from tools.nlu.intents.router import Router

pytestmark = pytest.mark.xdist_group("both-packs")  # one worker learns them, once


def test_an_order_without_its_thing_is_asked_back_and_a_remark_is_not(both: Router) -> None:
    asked = both.route("close the work order")
    told = both.route("Hugo fixed the satellite dome in ten minutes")

    assert asked.action == "close_work_order"
    assert told.action is None


@pytest.mark.parametrize(
    "text", ["turn the deck lights off", "pay my electricity bill", "play some jazz in the saloon"]
)
def test_an_order_that_no_action_covers_names_no_change(both: Router, text: str) -> None:
    assert both.route(text).action is None
