"""Hand what the gate was answered with to the ledger, when a person stands behind it."""

from dataclasses import dataclass
from typing import Any

import structlog
from langchain_core.runnables import RunnableConfig

from state.approval import LedgerAction
from state.channels import State
from state.errors import AgentError, NotFound
from state.principal import Principal
from state.stages import Answered
from tools.access import server_run
from tools.gate.approvals.answer_formats import read_answer
from tools.ports import Catalogue, Ledger

log = structlog.get_logger()

_SHOWN = ("action", "arguments", "digest", "summary", "preview", "raised")
"""What the question was drawn from: when it is not what the ledger holds, it was tampered with."""


@dataclass(frozen=True)
class TakeAnswer:
    """Only the person whom the LangGraph server has authenticated in this very run may answer.

    A bare resume, a reply written into the thread by somebody else, an anonymous visitor: all of
    them change nothing, and the question stays open.
    """

    ledger: Ledger
    catalogue: Catalogue

    async def __call__(self, state: Answered, config: RunnableConfig) -> State:
        shown = state.classification.action
        principal = server_run.caller_of(config)
        if shown is None:
            return {"reply": None}
        if principal and principal.kind == "person" and _is_of_this_run(state.reply, config):
            await self._take(shown, state.reply.get("value"), principal)
        # Should the gate ask again, it asks what is open now: an edit has put another action in
        # the place of the one that was shown, or one yes of two has been given.
        standing = await self._newest(shown)
        asked = state.classification.model_copy(update={"action": standing})
        return {"reply": None, "classification": asked}

    async def _newest(self, shown: LedgerAction) -> LedgerAction:
        try:
            return await self.ledger.newest(shown.action_id)
        except NotFound:  # a thread that was written into: execute says the same
            return shown

    async def _take(self, shown: LedgerAction, given: Any, principal: Principal) -> None:
        try:
            standing = await self.ledger.action(shown.action_id, principal.tenant_id)
            known = self.catalogue.of_tenant(standing.tenant_id).actions
            action = known.get(standing.action)
            if action is None or any(
                getattr(standing, name) != getattr(shown, name) for name in _SHOWN
            ):
                return
            answer = read_answer(given, standing, action)
            if answer is not None:
                await self.ledger.decide(standing, answer, principal)
        except AgentError as refusal:  # the question comes back, with its reason in the log
            log.warning("answer_not_taken", action_id=shown.action_id, error=type(refusal).__name__)


def _is_of_this_run(reply: Any, config: RunnableConfig) -> bool:  # whatever the thread holds
    # Written by the gate in this run, and not into the thread beforehand by somebody else.
    run_id = server_run.run_id_of(config)
    return run_id is not None and isinstance(reply, dict) and reply.get("run_id") == run_id
