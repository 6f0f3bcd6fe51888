"""Two packs in one process: each acts in its own store, and both are routed to."""

import pytest

from state.principal import Principal
from tests.graph.conftest import OpenHarbour
from tests.graph.harbour import HARBOUR, Harbour

pytestmark = pytest.mark.xdist_group("harbour-and-vessel")  # one worker learns them, once

BOTH = (str(HARBOUR), "vessel")
ENGINEER = Principal(user="ben", tenant_id="default", roles=("engineer", "keeper"))
PLAYER = Principal(user="sam", tenant_id="default", roles=("player",))
CHIEF = Principal(user="marta", tenant_id="default", roles=("chief_engineer", "master"))


async def test_two_packs_answer_side_by_side(open_harbour: OpenHarbour) -> None:
    async with open_harbour(BOTH) as both:
        lock = await both.says("show lock LK-12", ENGINEER)
        stock = await both.says("check stock of oil filters", ENGINEER)
        gated = await both.says("close WO-1042, the filter is changed", ENGINEER)
        assert (lock.outcome, lock.action) == ("executed", "show_lock")
        assert (stock.outcome, stock.action) == ("executed", "check_stock")
        assert (gated.outcome, gated.action) == ("awaiting_approval", "close_work_order")
        await both.answers(gated.action_id, who=CHIEF)
        assert (await both.record(gated.decision_id)).outcome == "executed"
        assert both.effects() == []


async def test_all_shipped_packs_serve_together(open_harbour: OpenHarbour) -> None:
    async with open_harbour(("vessel", "research", "companion"), embedder="none") as every:
        packs = every.executive.catalogue.packs
        stock = await every.says("check stock of oil filters", ENGINEER)
        places = await every.says("list my places", PLAYER)
    assert [pack.name for pack in packs] == ["vessel", "research", "companion"]
    assert (stock.outcome, stock.action) == ("executed", "check_stock")
    assert (places.outcome, places.action) == ("executed", "show_places")


async def test_the_first_pack_gives_the_character(open_harbour: OpenHarbour) -> None:
    async with open_harbour(BOTH) as both:
        await both.happens("Wind 3 knots")
        assert (await both.session()).traits.proactive == 0.5


async def test_what_a_handler_writes_the_router_can_look_up(open_harbour: OpenHarbour) -> None:
    async with open_harbour(BOTH) as both:
        assert (await both.says("check stock", ENGINEER)).outcome == "executed"
        assert_one_store(both)


def assert_one_store(vessel: Harbour) -> None:
    stores = sorted(
        path.relative_to(vessel.data_dir).as_posix()
        for path in vessel.data_dir.rglob("*")
        if path.is_file() and path.parent.name == "default"
    )
    assert {path.rpartition("/")[0] for path in stores} == {"packs/default"}
