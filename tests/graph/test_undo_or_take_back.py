"""`Undo that` means what came last: what was done, or what still waits for a yes."""

from state.principal import Principal
from tests.graph.conftest import OpenHarbour

ANN = Principal(user="ann", tenant_id="default", roles=("engineer",))
CLOSE = "close WO-1042, the filter is changed"


async def test_undo_means_what_waits_only_where_it_was_asked_after(open_harbour: OpenHarbour):
    async with open_harbour(packs=("vessel",)) as ship:
        before = await ship.says(CLOSE, ANN)
        noted = await ship.says("add a note to WO-1042: filter changed", ANN)
        done = await ship.executive.offers.choose(noted.offer_id or "", "chip-1", ANN)
        assert done.outcome == "executed"
        assert "Withdrawn" not in (await ship.says("undo that", ANN)).text
        asked = await ship.says(CLOSE.replace("WO-1042", "WO-1043"), ANN)
        assert (await ship.says("undo that", ANN)).text.startswith("Withdrawn")
        states = [
            (await ship.executive.approvals.get(one.action_id or "", "default")).state
            for one in (before, asked)
        ]
    assert states == ["pending", "rejected"]
