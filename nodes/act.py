"""Have the action done: one id goes to the ledger, an outcome comes back."""

from dataclasses import dataclass

from state.channels import State
from state.stages import Classified
from tools.ports import Ledger


@dataclass(frozen=True)
class Act:
    """Ask the ledger to execute; whether it may is the ledger's business alone."""

    ledger: Ledger

    async def __call__(self, state: Classified) -> State:
        frozen = state.classification.action
        if frozen is None:
            return {"outcome": None}
        return {"outcome": await self.ledger.execute(frozen.action_id)}
