"""What a decision asks of a person: the chips it shows, the approval it waits for."""

from contextlib import suppress

from api.payloads.common import DecisionDetails
from graph.runner import Executive
from state.errors import NotFound
from state.principal import Principal
from state.record import DecisionRecord


async def details_of(
    record: DecisionRecord, executive: Executive, caller: Principal
) -> DecisionDetails:
    """Put the offer and the approval of a caller's record beside it, as they may read them."""
    offer = approval = None
    if record.offer_id:
        offer = await executive.offer(record.offer_id, record.tenant_id)
    if record.outcome == "awaiting_approval" and record.action_id:
        with suppress(NotFound):  # it waits in a session that is closed to them
            standing = await executive.approval(record.action_id, executive.reader(caller))
            approval = executive.show(standing)
    return DecisionDetails.model_validate(
        record.model_dump() | {"offer": offer, "approval": approval}
    )
