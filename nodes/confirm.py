"""The gate: ask a person, and nothing else."""

import json
from dataclasses import dataclass
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.types import interrupt

from state.approval import LedgerAction, OriginalRequest
from state.channels import State
from state.event import Event
from state.execution import ExecutionTuning
from state.stages import Classified
from tools.access import server_run
from tools.gate import masked_arguments
from tools.gate.approvals.answer_formats import response_schema
from tools.gate.approvals.dialog import dialog_as_markdown, dialog_of
from tools.platform.texts import t
from tools.ports import Catalogue

LONGEST_REPLY = 65_536
"""Characters of JSON; what is longer is no answer."""


@dataclass(frozen=True)
class Confirm:
    """Stop until the thread is resumed, and hand on what it was resumed with, unread.

    The node restarts from its top on every resume, so nothing but the question may stand here.
    """

    catalogue: Catalogue
    tuning: ExecutionTuning

    async def __call__(self, state: Classified, config: RunnableConfig) -> State:
        frozen = state.classification.action
        if frozen is None:
            return {"reply": None}
        given = interrupt(self.question(frozen, state.event))
        return {"reply": {"value": _plain(given), "run_id": server_run.run_id_of(config)}}

    def question(
        self, frozen: LedgerAction, event: Event
    ) -> dict[str, Any]:  # JSON of the interrupt
        """Lay the question out as Agent Inbox reads it, with what others read beside it.

        Args:
            event: what it was asked in.

        Source: safety.md §5, A with extra keys; AG-UI takes `message` and `responseSchema`.
        """
        catalogue = self.catalogue.of_tenant(frozen.tenant_id)
        action = catalogue.actions.get(frozen.action)
        if action is None:
            return {"approval_id": frozen.action_id, "reason": t("gate.pack_not_loaded")}
        domains = catalogue.internal_domains(action.pack)
        dialog = dialog_of(_with_words(frozen, event), action, self.tuning.of(action), domains)
        schema = response_schema(frozen)
        expires_at = frozen.expires_at.isoformat() if frozen.expires_at else None
        return {
            "action_request": {
                "action": frozen.action,
                "args": masked_arguments(action, frozen.arguments),
            },
            "config": dict.fromkeys(
                ("allow_accept", "allow_edit", "allow_respond", "allow_ignore"), True
            ),
            "description": dialog_as_markdown(dialog),
            "approval_id": frozen.action_id,
            "payload_hash": frozen.digest,
            "class": frozen.execution_class,
            "reason": "approval",
            "message": dialog.title,
            "expires_at": expires_at,
            "expiresAt": expires_at,
            "response_schema": schema,
            "responseSchema": schema,
            "type_to_approve": dialog.type_to_approve,
        }


def _with_words(frozen: LedgerAction, event: Event) -> LedgerAction:
    # What the ledger put beside it is not in a checkpoint: asked again, the event stands there.
    if frozen.request is not None:
        return frozen
    request = OriginalRequest(
        decision_id=frozen.decision_id,
        words=event.text,
        user=event.user if event.is_addressed else None,
        source=event.source,
        relayed=event.relayed,
        agent=event.sender if event.call is not None else None,
        received_at=frozen.proposed_at,
    )
    return frozen.model_copy(update={"request": request})


def _plain(given: Any) -> Any:  # whatever a thread can be resumed with
    try:
        written = json.dumps(given, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return None
    return json.loads(written) if len(written) <= LONGEST_REPLY else None
