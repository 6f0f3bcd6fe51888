"""An office on one pack: an Executive, and what is said to it."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from itertools import count

from graph.executive import Executive
from state.approval import ApprovalAnswer, LedgerAction
from state.event import Event
from state.principal import Principal
from state.record import DecisionRecord

ADA = Principal(user="ada", tenant_id="default", roles=("clerk",))
_NUMBERS = count(1)


class Office:
    """An Executive on one pack, and what is said to it."""

    def __init__(self, executive: Executive) -> None:
        self.executive = executive

    async def says(self, text: str) -> DecisionRecord:
        return await self.executive.submit(
            Event(
                event_id=f"said-{next(_NUMBERS)}",
                kind="message",
                source="desk",
                text=text,
                user=ADA.user,
                role="clerk",
            )
        )

    async def approves(self, record: DecisionRecord) -> LedgerAction:
        assert record.action_id is not None, record
        standing = await self.executive.approvals.get(record.action_id, "default")
        answer = ApprovalAnswer(decision="approve", digest=standing.digest)
        return await self.executive.approvals.answer(record.action_id, answer, ADA)


OpenOffice = Callable[..., AbstractAsyncContextManager[Office]]
