"""Learn heuristics from feedback, and change them: at once where one may, else after approval."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from uuid import uuid4

from graph.toolbox import Toolbox
from state.approval import LedgerAction
from state.errors import Conflict, Forbidden, NeedsApproval
from state.event import Event
from state.heuristic import Feedback, KnownHeuristic
from state.offer import Chip
from state.principal import Principal
from state.record import DecisionRecord
from state.strategy import Traced
from tools.access.permissions import may_change
from tools.memory import change_chip
from tools.platform.texts import t

SOURCE = "feedback"


class FeedbackService:
    """Takes feedback on a response; each time it is an event with its record."""

    def __init__(self, box: Toolbox, submit: Callable[[Event], Awaitable[DecisionRecord]]) -> None:
        self._box = box
        self._submit = submit

    async def rate(self, principal: Principal, given: Feedback) -> Traced:
        """Take what a person says of a response; the last word of anybody counts, once.

        Raises:
            NotFound: there is no such response in the tenant.
            Forbidden: these roles change nothing here, and what is learned is learned for all.
        """
        reader = self._box.readers.of(principal)
        traced = await self._box.learned.response(given.response_id, reader)
        if not may_change(self._box.catalogue, principal.roles):
            raise Forbidden(t("dialogue.refused.control"))
        await self._submit(
            Event(
                event_id=f"{SOURCE}-{uuid4().hex}",
                kind="signal",
                source=SOURCE,
                text=f"{given.rating}: {traced.trace.response[:200]}",
                session_id=traced.trace.session_id,
                tenant_id=principal.tenant_id,
                user=principal.user,
                role=",".join(principal.roles) or None,
                payload={"feedback": given.model_dump(mode="json", exclude_none=True)},
            )
        )
        return await self._box.learned.response(given.response_id, principal.tenant_id)


CHANGES_SESSION = "default"


class HeuristicChanges:
    """Takes changes of heuristics from people."""

    def __init__(self, box: Toolbox, decide: Callable[[str], Awaitable[DecisionRecord]]) -> None:
        self._box = box
        self._decide = decide

    async def change(
        self, heuristic_id: str, principal: Principal, fields: Mapping[str, Any]
    ) -> KnownHeuristic | LedgerAction:
        """Change a learned heuristic; of a shipped or locked one give the question it leads to.

        Raises:
            NotFound: none that they may see.
            BadInput: it would not fit, or nothing would change.
            Forbidden: not a person, or it has been refused beforehand.
            Conflict: nobody can be asked now; the sentence says why.
        """
        reader = self._box.readers.of(principal)
        try:
            return await self._box.learned.change(heuristic_id, reader, **fields)
        except NeedsApproval:
            chip = change_chip(self._box.governed, heuristic_id, fields)
            return await self._ask(principal, chip)

    async def _ask(self, principal: Principal, chip: Chip) -> LedgerAction:
        event = await self._box.offers.press(chip, principal, CHANGES_SESSION)
        record = await self._decide(event.decision_id)
        if record.action_id is None:
            refused = record.outcome == "refused"
            raise Forbidden(record.text) if refused else Conflict(record.text, record.reason)
        return await self._box.ledger.action(record.action_id, principal.tenant_id)
