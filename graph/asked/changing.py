"""Changes of what everybody is told by: done at once where one may, else asked for and approved."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from graph.assembly.toolbox import Toolbox
from state.approval import LedgerAction
from state.errors import Conflict, Forbidden, NeedsApproval
from state.heuristic import KnownHeuristic
from state.offer import Chip
from state.principal import Principal
from state.record import DecisionRecord
from tools.catalogue.catalogue import Catalogue
from tools.heuristics.changing import CHANGE_HEURISTIC, arguments_of

SESSION = "default"


class Changing:
    """Takes changes of heuristics from people."""

    def __init__(self, box: Toolbox, decide: Callable[[str], Awaitable[DecisionRecord]]) -> None:
        self._box = box
        self._decide = decide

    @property
    def catalogue(self) -> Catalogue:
        """Tell what can be approved: what the packs can do, and the service's own changes."""
        return self._box.governed

    async def heuristic(
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
            return await self._ask(principal, arguments_of(heuristic_id, fields))

    async def _ask(
        self, principal: Principal, given: Mapping[str, Any]
    ) -> LedgerAction:  # by slot type
        catalogue = self._box.governed
        arguments = catalogue.arguments(CHANGE_HEURISTIC, given)
        chip = Chip(
            chip_id="chip-1",
            action=CHANGE_HEURISTIC,
            arguments=arguments,
            summary=catalogue.summary(CHANGE_HEURISTIC, arguments),
            confidence=1.0,
        )
        event = await self._box.offers.press(chip, principal, SESSION)
        record = await self._decide(event.decision_id)
        if record.action_id is None:
            refused = record.outcome == "refused"
            raise Forbidden(record.text) if refused else Conflict(record.text, record.reason)
        return await self._box.ledger.action(record.action_id, principal.tenant_id)
