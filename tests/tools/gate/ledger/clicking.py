"""A click on a chip, with nothing between it and the tables."""

from typing import Any

from state.event import Event
from state.offer import Chip, Offer
from tests.safety.benches import ENGINEER
from tools.gate.ledger.ledger import Ledger
from tools.storage.offers import SqlOffers


async def click(ledger: Ledger, *, sent: dict[str, Any] | None = None, **shown: Any) -> Event:
    """Show one chip and have it clicked."""
    offers = SqlOffers(ledger.database)
    chip = Chip(
        chip_id="chip-1",
        action="label_valve",
        arguments=shown,
        summary="Label a valve",
        confidence=0.6,
    )
    offer = Offer(
        offer_id="offer-1",
        decision_id="decision-1",
        tenant_id="aurora",
        session_id="default",
        chips=(chip,),
        reason="several_plausible",
    )
    await offers.put(offer, minutes=5)
    return await offers.choose("offer-1", "chip-1", ENGINEER, sent or {})
