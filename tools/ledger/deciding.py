"""Decide: the one function through which a person's answer reaches the ledger."""

from dataclasses import dataclass

from sqlalchemy import Connection, insert, update
from sqlalchemy.exc import IntegrityError

from state.approval import ApprovalAnswer, LedgerAction
from state.errors import AgentError, BadInput, Conflict, DigestMismatch
from state.principal import Principal
from tools.approvals.measures import is_typed, measures_of, phrase_to_type
from tools.catalogue.catalogue import Catalogue
from tools.ledger.approvers import (
    counts_as_yes,
    demand_answerer,
    demand_approver,
    demand_whole,
    takes_back,
)
from tools.ledger.asking import expire, is_over
from tools.ledger.digest import Policies
from tools.ledger.drafting import Draft
from tools.ledger.duplicates import has_run_lately
from tools.ledger.editing import Editing, is_same_matter
from tools.ledger.refusals import put_refusal, wished
from tools.ledger.responding import accept_response
from tools.ledger.rows import enter, read_action
from tools.ledger.votes import standing_yeses
from tools.storage.database import Database
from tools.storage.tables.ledger import ledger_action, ledger_approval


@dataclass(frozen=True)
class Deciding:
    """The second step of the ledger."""

    database: Database
    catalogue: Catalogue
    policies: Policies
    editing: Editing

    async def decide(
        self, action_id: str, answer: ApprovalAnswer, principal: Principal
    ) -> LedgerAction:
        """Take a person's answer to a pending action; the first one that decides wins.

        To one that is queued nobody has an answer yet, but who asked may take it back.

        An edit closes the action and opens another with the new arguments; its editor has said
        yes to that one, unless four eyes are due, something has to be typed that was not, or it
        concerns other things or more than what was shown: then that one is asked.
        `respond` closes it too, and what was said is accepted as a message of that person.

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
        draft = None
        if answer.decision == "edit":
            standing = await self.database.read(
                lambda connection: read_action(connection, action_id, principal.tenant_id)
            )
            self._demand_open(standing, answer, principal)
            draft = await self.editing.draft(standing, answer)
        settled = await self.database.write(
            lambda connection: self._decide(connection, action_id, answer, principal, draft),
            durable=True,
        )
        if isinstance(settled, AgentError):
            raise settled
        return settled

    def _demand_open(
        self, standing: LedgerAction, answer: ApprovalAnswer, principal: Principal
    ) -> None:
        demand_answerer(standing, principal, answer)
        self.catalogue.action(standing.action)  # a yes is not spent where its pack is missing
        if standing.digest != answer.digest:
            raise DigestMismatch(standing.action_id)
        if standing.state == "proposed" and not takes_back(standing, principal, answer):
            raise Conflict(
                f"approval {standing.action_id} is queued: its asker has caused many questions "
                "this hour; it is asked when there is room",
                standing.state,
            )
        if standing.state not in ("proposed", "pending"):
            raise _decided(standing)

    def _decide(
        self,
        connection: Connection,
        action_id: str,
        answer: ApprovalAnswer,
        principal: Principal,
        draft: Draft | None,
    ) -> LedgerAction | AgentError:
        standing = read_action(connection, action_id, principal.tenant_id)
        self._demand_open(standing, answer, principal)
        if is_over(connection, self.database, action_id):
            # Given back, not raised: raising would undo the expiry that it tells of.
            return _decided(expire(connection, self.database, action_id))
        if answer.decision in ("reject", "respond"):
            return self._refuse(connection, standing, principal, answer)
        if draft is not None:
            return self._replace(connection, standing, draft, principal, answer)
        demand_approver(standing, principal)  # an edit that changes nothing is a plain yes
        phrase = self._phrase(standing)
        if phrase is not None and not is_typed(answer.typed, phrase):
            raise BadInput(f"a yes to this must carry `typed`: {phrase!r}")
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
            refusal = wished(answer.standing, standing, answer.reason)
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
        typed = phrase is None or is_typed(answer.typed, phrase)
        known = is_same_matter(standing, edited, self.catalogue.action(edited.action))
        if not (typed and known and counts_as_yes(edited, principal, answer)):
            return edited
        minutes = self.policies.of(self.catalogue.action(edited.action)).duplicate_minutes
        if has_run_lately(connection, self.database, edited, minutes):  # which nobody was shown
            return edited
        return self._say_yes(connection, edited, principal, answer)

    def _phrase(self, standing: LedgerAction) -> str | None:
        action = self.catalogue.action(standing.action)
        measures = measures_of(action, standing.arguments, standing.preview)
        return phrase_to_type(action, measures, self.policies.of(action))

    def _say_yes(
        self,
        connection: Connection,
        standing: LedgerAction,
        principal: Principal,
        answer: ApprovalAnswer,
    ) -> LedgerAction:
        self._vote(connection, standing, principal, answer)
        counted = read_action(connection, standing.action_id)
        # As they are counted again at the claim: a key revoked meanwhile leaves its yes worthless,
        # and the question open for another person.
        standing_now = standing_yeses(
            connection,
            self.database,
            counted,
            counted.approver_roles,
            four_eyes=counted.four_eyes,
        )
        if standing_now < counted.quorum:
            return counted
        return self._close(connection, counted, "approved", principal, answer)

    def _vote(
        self,
        connection: Connection,
        standing: LedgerAction,
        principal: Principal,
        answer: ApprovalAnswer,
    ) -> None:
        try:
            connection.execute(
                insert(ledger_approval).values(
                    action_id=standing.action_id,
                    approver=principal.user,
                    decision="approve",
                    digest_seen=standing.digest,
                    method=answer.decision,
                    decided_at=self.database.now(),
                )
            )
        except IntegrityError as error:
            raise Conflict(
                f"{principal.user} said yes to this already; another person is needed", "pending"
            ) from error
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
        return read_action(connection, standing.action_id)

    def _enter(
        self,
        connection: Connection,
        standing: LedgerAction,
        event: str,
        principal: Principal,
        answer: ApprovalAnswer,
    ) -> None:
        enter(
            connection,
            self.database,
            tenant_id=standing.tenant_id,
            action_id=standing.action_id,
            actor=principal.user,
            event=event,
            body={"method": answer.decision, "reason": answer.reason},
        )


def _decided(standing: LedgerAction) -> Conflict:
    because = f" ({standing.reason})" if standing.state == "stale" and standing.reason else ""
    return Conflict(
        f"approval {standing.action_id} is {standing.state} already{because}; nothing was changed",
        standing.state,
    )
