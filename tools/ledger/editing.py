"""An edit: other arguments, read and judged anew; it closes one action and opens another."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select, update

from state.action import PRIMITIVE_SLOT_TYPES, Action
from state.approval import ApprovalAnswer, LedgerAction
from state.errors import BadInput, Conflict
from state.principal import Principal
from tools.approvals.measures import measures_of
from tools.ledger.drafting import Draft, Drafting
from tools.ledger.frozen_rows import put_action
from tools.ledger.refusals import Refusals
from tools.ledger.rows import read_action
from tools.storage.database import Database
from tools.storage.tables.ledger import ledger_action


@dataclass(frozen=True)
class Editing:
    """What runs after an edit is exactly what the new row holds."""

    database: Database
    drafting: Drafting
    refusals: Refusals

    async def draft(self, standing: LedgerAction, answer: ApprovalAnswer) -> Draft | None:
        """Read an edit as its requester would have asked for it; None: it changes nothing.

        Raises:
            BadInput: it carries no arguments.
            InvalidArguments: they do not fit.
            Forbidden: the requester may not ask for it any more.
            LookupFailed: what it names cannot be looked up; the question stays open.
            AgentError: the preview says that it cannot be done; the question stays open.
        """
        if answer.arguments is None:
            raise BadInput("an edit carries all arguments of the action; send `arguments`")
        catalogue = self.drafting.catalogue
        if catalogue.arguments(standing.action, answer.arguments) == dict(standing.arguments):
            return None
        return await self.drafting.draft(
            standing.action,
            answer.arguments,
            requester_of(standing),
            at_least=standing.execution_class,
            raised=standing.raised,
        )

    def open(
        self, connection: Connection, standing: LedgerAction, draft: Draft, editor: Principal
    ) -> LedgerAction:
        """Write the edited action down in place of the one that stands.

        Raises:
            RefusedBeforehand: a standing refusal covers it.
            Conflict: this decision has proposed exactly that before.
        """
        self.refusals.demand_none(connection, draft.requester, standing.action, draft.arguments)
        values = self._values(connection, standing, draft, editor)
        is_new = put_action(
            connection, self.database, values, actor=editor.user, replaces=standing.action_id
        )
        if not is_new:
            raise Conflict(
                "these arguments were proposed for this decision before; choose others",
                standing.state,
            )
        connection.execute(
            update(ledger_action)
            .where(ledger_action.c.action_id == standing.action_id)
            .values(replaced_by=values["action_id"])
        )
        return read_action(connection, values["action_id"])

    def _values(
        self, connection: Connection, standing: LedgerAction, draft: Draft, editor: Principal
    ) -> dict[str, Any]:  # by column
        now = self.database.now()
        undone = read_action(connection, standing.undo_of) if standing.undo_of else None
        values = self.drafting.values(
            draft, standing.decision_id, now=now, asked=True, undone=undone
        )
        # It is the same question as before to whoever counts questions.
        asked_at = select(ledger_action.c.asked_at).where(
            ledger_action.c.action_id == standing.action_id
        )
        return values | {
            "editor": editor.user,
            "asked_at": connection.execute(asked_at).scalar(),
            "origin": standing.origin,
            "phase": standing.phase,
        }


def is_same_matter(standing: LedgerAction, edited: LedgerAction, action: Action) -> bool:
    """Tell whether whoever read the first question knows what the second one is about.

    The same targets, no more things, money or people, and nothing new that raises its class: what
    an editor writes beyond that has consequences that were never shown.
    """
    before, after = (
        measures_of(action, each.arguments, each.preview) for each in (standing, edited)
    )
    return (
        after.is_within(before)
        and set(edited.target_versions) <= set(standing.target_versions)
        and set(edited.raised) <= set(standing.raised)
        and all(
            edited.arguments.get(name) == standing.arguments.get(name)
            for name, slot in action.slots.items()
            if slot.type not in PRIMITIVE_SLOT_TYPES
        )
    )


def requester_of(standing: LedgerAction) -> Principal:
    """Tell who asked for an action, with the roles they asked with."""
    return Principal(
        user=standing.requester, tenant_id=standing.tenant_id, roles=standing.requester_roles
    )
