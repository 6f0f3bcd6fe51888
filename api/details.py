"""What a decision asks of a person: the chips it shows, the approval it waits for."""

from api.payloads.common import DecisionDetails
from graph.runner import Executive
from state.record import DecisionRecord


async def details_of(record: DecisionRecord, executive: Executive) -> DecisionDetails:
    """Put the offer and the approval of a record beside it."""
    offer = approval = None
    if record.offer_id:
        offer = await executive.offer(record.offer_id, record.tenant_id)
    if record.outcome == "awaiting_approval" and record.action_id:
        standing = await executive.approval(record.action_id, record.tenant_id)
        approval = executive.show(standing)
    return DecisionDetails.model_validate(
        record.model_dump() | {"offer": offer, "approval": approval}
    )
