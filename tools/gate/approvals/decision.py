"""Apply a person's answer to a pending action: approve, edit, reject or respond.

An edit supersedes the action and opens another with the new arguments; a response closes it
and is accepted as a message.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from sqlalchemy import Connection, insert, select, update
from sqlalchemy.exc import IntegrityError

from state.action import PRIMITIVE_SLOT_TYPES, Action
from state.approval import ApprovalAnswer, LedgerAction
from state.errors import AgentError, BadInput, Conflict, DigestMismatch, NotFound
from state.event import Event
from state.principal import Principal
from tools.catalog import Catalogue
from tools.gate.approvals.approval_rules import (
    Refusals,
    counts_as_yes,
    demand_answerer,
    demand_approver,
    demand_whole,
    put_refusal,
    refusal_from_wish,
    standing_yeses,
    takes_back,
    why_yes_is_void,
)
from tools.gate.approvals.approval_schedule import expire, is_expired
from tools.gate.ledger.conflicts import has_run_lately
from tools.gate.ledger.proposals import ActionDrafter, Draft
from tools.gate.ledger.rows import Policies, put_action, read_action, record_entry, yes_votes
from tools.gate.risk.execution_class import confirmation_phrase, matches_phrase, measures_of
from tools.platform.texts import t
from tools.platform.unicode_safety import passes_for_any
from tools.storage import Database
from tools.storage.decision_rows import accept_event
from tools.storage.tables.decisions import decision
from tools.storage.tables.ledger import ledger_action, ledger_approval

SOURCE = "approvals"


class ChannelAnswer(ApprovalAnswer):
    """An answer that came through a link or a button: made by code, and no form of the wire."""

    via: Literal["link", "slack"]


def method_of(answer: ApprovalAnswer) -> str:
    """Name how an answer was given, as the ledger keeps it."""
    return answer.via if isinstance(answer, ChannelAnswer) else answer.decision


def accept_response(
    connection: Connection,
    database: Database,
    standing: LedgerAction,
    said: str,
    principal: Principal,
) -> bool:
    """Accept what a person said, in the transaction that closes the action; False: known."""
    query = select(decision.c.session_id).where(decision.c.decision_id == standing.decision_id)
    session_id = connection.execute(query).scalar() or "default"
    return accept_event(connection, _response_to(standing, said, principal, session_id), database)


def response_id(standing: LedgerAction) -> str:
    """Name the decision on what was said instead of answering an action."""
    tenant_id, event_id = standing.tenant_id, _event_id(standing)
    return Event(text="", event_id=event_id, source=SOURCE, tenant_id=tenant_id).decision_id


def _response_to(standing: LedgerAction, said: str, principal: Principal, session_id: str) -> Event:
    """Make the message; the same action always gives the same event."""
    return Event(
        event_id=_event_id(standing),
        kind="message",
        source=SOURCE,
        text=said,
        session_id=session_id,
        tenant_id=standing.tenant_id,
        user=principal.user,
        role=",".join(principal.roles) or None,
        payload={"responds_to": standing.action_id},
    )


def _event_id(standing: LedgerAction) -> str:
    return f"respond-{standing.action_id}"


@dataclass(frozen=True)
class ActionEditor:
    """What runs after an edit is exactly what the new row holds."""

    database: Database
    drafting: ActionDrafter
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
            raise BadInput(t("gate.edit_needs_arguments"))
        catalogue = self.drafting.catalogue.of_tenant(standing.tenant_id)
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
                t("gate.same_arguments"),
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


def has_same_targets(standing: LedgerAction, edited: LedgerAction, action: Action) -> bool:
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


@dataclass(frozen=True)
class ApprovalDecider:
    """The second step of the ledger."""

    database: Database
    catalogue: Catalogue
    policies: Policies
    editing: ActionEditor

    async def decide(
        self, asked: LedgerAction | str, answer: ApprovalAnswer, principal: Principal
    ) -> LedgerAction:
        """Take a person's answer to a pending action; the first one that decides wins.

        To one that is queued nobody has an answer yet, but who asked may take it back.

        An edit closes the action and opens another with the new arguments; its editor has said
        yes to that one, unless four eyes are due, something has to be typed that was not, or it
        concerns other things or more than what was shown: then that one is asked.
        `respond` closes it too, and what was said is accepted as a message of that person.

        Args:
            asked: its id, or the action as it was just read; what has changed since is read again.

        Raises:
            NotFound: no such action in the tenant, or in the packs that are loaded.
            Forbidden: not a person, not an approver, or one who asked where four eyes are due and
                does not take it back.
            DigestMismatch: the answer is to something else.
            Conflict: queued and not taken back, decided or expired; `standing` says how.
            BadInput: something it needs is missing, such as the phrase to be typed.
            AgentError: an edit that does not fit or cannot be done; the question stays open.
        """
        demand_whole(answer)
        if isinstance(asked, str):
            asked = await self.database.read(partial(read_action, action_id=asked))
        if asked.tenant_id != principal.tenant_id:
            raise NotFound("approval", asked.action_id)
        seen, draft = asked, None
        if answer.decision == "edit":
            self._demand_open(seen, answer, principal)
            draft = await self.editing.draft(seen, answer)
        settled = await self.database.write(
            lambda connection: self._decide(connection, seen, answer, principal, draft),
            durable=True,
        )
        if isinstance(settled, AgentError):
            raise settled
        return settled

    def _demand_open(
        self, standing: LedgerAction, answer: ApprovalAnswer, principal: Principal
    ) -> None:
        demand_answerer(standing, principal, answer)
        self._action(standing)  # a yes is not spent where its pack is missing
        if standing.digest != answer.digest:
            raise DigestMismatch(standing.action_id)
        if standing.state == "proposed" and not takes_back(standing, principal, answer):
            raise Conflict(
                t("gate.queued", action_id=standing.action_id),
                standing.state,
            )
        if standing.state not in ("proposed", "pending"):
            raise _decided(standing)

    def _decide(
        self,
        connection: Connection,
        seen: LedgerAction,
        answer: ApprovalAnswer,
        principal: Principal,
        draft: Draft | None,
    ) -> LedgerAction | AgentError:
        standing = (
            seen if _is_as_seen(connection, seen) else read_action(connection, seen.action_id)
        )
        self._demand_open(standing, answer, principal)
        if is_expired(connection, self.database, standing.action_id):
            # Given back, not raised: raising would undo the expiry that it tells of.
            return _decided(expire(connection, self.database, standing.action_id))
        if answer.decision in ("reject", "respond"):
            return self._refuse(connection, standing, principal, answer)
        if draft is not None:
            return self._replace(connection, standing, draft, principal, answer)
        demand_approver(standing, principal)  # an edit that changes nothing is a plain yes
        phrase = self._phrase(standing)
        if phrase is not None and not matches_phrase(answer.typed, phrase):
            raise BadInput(t("gate.typed_missing", phrase=phrase))
        return self._say_yes(connection, standing, principal, answer)

    def _refuse(
        self,
        connection: Connection,
        standing: LedgerAction,
        principal: Principal,
        answer: ApprovalAnswer,
    ) -> LedgerAction:
        closed = self._close(connection, standing, "rejected", principal, answer)
        if answer.decision == "respond":
            accept_response(connection, self.database, standing, answer.reason or "", principal)
        if answer.standing is not None:
            refusal = refusal_from_wish(answer.standing, standing, answer.reason)
            put_refusal(connection, self.database, refusal, principal)
        return closed

    def _replace(
        self,
        connection: Connection,
        standing: LedgerAction,
        draft: Draft,
        principal: Principal,
        answer: ApprovalAnswer,
    ) -> LedgerAction:
        self._close(connection, standing, "superseded", principal, answer)
        edited = self.editing.open(connection, standing, draft, principal)
        phrase = self._phrase(edited)
        typed = phrase is None or matches_phrase(answer.typed, phrase)
        known = has_same_targets(standing, edited, self._action(edited))
        if not (typed and known and counts_as_yes(edited, principal, answer)):
            return edited
        minutes = self.policies.of(self._action(edited)).duplicate_minutes
        if has_run_lately(connection, self.database, edited, minutes):  # which nobody was shown
            return edited
        return self._say_yes(connection, edited, principal, answer)

    def _action(self, standing: LedgerAction) -> Action:
        return self.catalogue.of_tenant(standing.tenant_id).action(standing.action)

    def _phrase(self, standing: LedgerAction) -> str | None:
        action = self._action(standing)
        measures = measures_of(action, standing.arguments, standing.preview)
        return confirmation_phrase(action, measures, self.policies.of(action))

    def _say_yes(
        self,
        connection: Connection,
        standing: LedgerAction,
        principal: Principal,
        answer: ApprovalAnswer,
    ) -> LedgerAction:
        if passes_for_any(principal.user, self._counted(connection, standing)):
            raise Conflict(t("gate.voted_already", user=principal.user), "pending")
        user, roles = principal.user, standing.approver_roles
        void = why_yes_is_void(connection, self.database, standing.tenant_id, user, roles)
        self._vote(connection, standing, principal, answer, void)
        said_yes = yes_votes(connection, standing.action_id)
        votes = {"said_yes": said_yes, "approvals": len(said_yes)}
        voted = standing.model_copy(update=votes)
        # As they are counted again at the claim: a key revoked meanwhile leaves its yes worthless,
        # and the question open for another person.
        if len(self._counted(connection, voted)) >= voted.quorum:
            return self._close(connection, voted, "approved", principal, answer)
        return voted.model_copy(update={"reason": void or voted.reason})  # told, not kept

    def _counted(self, connection: Connection, standing: LedgerAction) -> list[str]:
        roles, four_eyes = standing.approver_roles, standing.four_eyes
        return standing_yeses(connection, self.database, standing, roles, four_eyes=four_eyes)

    def _vote(
        self,
        connection: Connection,
        standing: LedgerAction,
        principal: Principal,
        answer: ApprovalAnswer,
        void: str,
    ) -> None:
        try:
            connection.execute(
                insert(ledger_approval).values(
                    action_id=standing.action_id,
                    approver=principal.user,
                    decision="approve",
                    digest_seen=standing.digest,
                    method=method_of(answer),
                    decided_at=self.database.now(),
                )
            )
        except IntegrityError as error:
            told = void or t("gate.voted_already", user=principal.user)
            raise Conflict(told, "pending") from error
        self._enter(connection, standing, "yes", principal, answer)

    def _close(
        self,
        connection: Connection,
        standing: LedgerAction,
        state: str,
        principal: Principal,
        answer: ApprovalAnswer,
    ) -> LedgerAction:
        moved = connection.execute(
            update(ledger_action)
            .where(
                ledger_action.c.action_id == standing.action_id,
                ledger_action.c.state == standing.state,  # pending, or queued and taken back
            )
            .values(state=state, decided_by=principal.user, reason=answer.reason)
        )
        if moved.rowcount == 0:
            raise _decided(read_action(connection, standing.action_id))
        self._enter(connection, standing, state, principal, answer)
        closed = {"state": state, "decided_by": principal.user, "reason": answer.reason}
        return standing.model_copy(update=closed)

    def _enter(
        self,
        connection: Connection,
        standing: LedgerAction,
        event: str,
        principal: Principal,
        answer: ApprovalAnswer,
    ) -> None:
        record_entry(
            connection,
            self.database,
            tenant_id=standing.tenant_id,
            action_id=standing.action_id,
            actor=principal.user,
            event=event,
            body={"method": method_of(answer), "reason": answer.reason},
        )


def _is_as_seen(connection: Connection, seen: LedgerAction) -> bool:
    """Tell whether nothing has moved an action; what else of a row decides never changes."""
    query = select(ledger_action.c.action_id).where(
        ledger_action.c.action_id == seen.action_id,
        ledger_action.c.state == seen.state,
        ledger_action.c.digest == seen.digest,
    )
    return connection.execute(query).first() is not None


def _decided(standing: LedgerAction) -> Conflict:
    because = f" ({standing.reason})" if standing.state == "stale" and standing.reason else ""
    return Conflict(
        t(
            "gate.answered_already",
            action_id=standing.action_id,
            state=standing.state,
            because=because,
        ),
        standing.state,
    )
