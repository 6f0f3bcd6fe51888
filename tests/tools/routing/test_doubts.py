"""What stands beside an order and leaves open whether it is one."""

import pytest

from tools.routing.router import Router

pytestmark = pytest.mark.xdist_group("both-packs")  # one worker learns them, once


@pytest.mark.parametrize("tag", ["right?", "yes?", "yeah?", "correct?"])
def test_who_asks_whether_it_is_to_be_is_offered_it(both: Router, tag: str) -> None:
    routing = both.route(f"close WO-1042, {tag}")
    assert routing.confidence < 0.5
    assert "doubt:also_asks" in routing.reasons
    assert both.route(f"show WO-1042, {tag}").held is None


@pytest.mark.parametrize("end", ["right away", "ok?", "right now please"])
def test_what_only_hurries_an_order_leaves_no_doubt(both: Router, end: str) -> None:
    assert both.route(f"close WO-1042, {end}").confidence > 0.8
