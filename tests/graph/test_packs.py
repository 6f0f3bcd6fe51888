"""Many packs in one process: each acts in its own store, and all are routed to."""

import pytest

from state.principal import Principal
from tests.graph.conftest import OpenHarbour
from tests.graph.harbour import EVERY, Harbour

pytestmark = pytest.mark.xdist_group("every-pack")  # one worker learns them, once

ENGINEER = Principal(user="ben", tenant_id="default", roles=("engineer", "keeper"))
PLAYER = Principal(user="sam", tenant_id="default", roles=("player",))
CHIEF = Principal(user="marta", tenant_id="default", roles=("chief_engineer", "master"))


async def test_shipped_packs_and_one_of_ones_own_answer_side_by_side(open_harbour: OpenHarbour):
    async with open_harbour(EVERY, embedder="none") as every:
        packs = every.executive.catalogue.packs
        lock = await every.says("show lock LK-12", ENGINEER)
        stock = await every.says("check stock of oil filters", ENGINEER)
        places = await every.says("list my places", PLAYER)
        gated = await every.says("close WO-1042, the filter is changed", ENGINEER)
        assert [pack.name for pack in packs] == ["harbour", "vessel", "research", "companion"]
        assert (lock.outcome, lock.action) == ("executed", "show_lock")
        assert (stock.outcome, stock.action) == ("executed", "check_stock")
        assert (places.outcome, places.action) == ("executed", "show_places")
        assert (gated.outcome, gated.action) == ("awaiting_approval", "close_work_order")
        await every.answers(gated.action_id, who=CHIEF)
        assert (await every.record(gated.decision_id)).outcome == "executed"
        assert every.effects() == []


async def test_the_first_pack_gives_the_character(open_harbour: OpenHarbour) -> None:
    async with open_harbour(EVERY, embedder="none") as every:
        await every.happens("Wind 3 knots")
        assert (await every.session()).traits.proactive == 0.5


async def test_what_a_handler_writes_the_router_can_look_up(open_harbour: OpenHarbour) -> None:
    async with open_harbour(EVERY, embedder="none") as every:
        assert (await every.says("check stock", ENGINEER)).outcome == "executed"
        assert_one_store(every)


def assert_one_store(vessel: Harbour) -> None:
    stores = sorted(
        path.relative_to(vessel.data_dir).as_posix()
        for path in vessel.data_dir.rglob("*")
        if path.is_file() and path.parent.name == "default"
    )
    assert {path.rpartition("/")[0] for path in stores} == {"packs/default"}
