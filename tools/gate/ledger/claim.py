"""Claim an approved action by compare-and-set, with a fence and a lease, and record how it ended.

Also closes what an abandoned decision left unstarted. Everything runs inside a transaction.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from uuid import uuid4

from sqlalchemy import (
    ColumnElement,
    Connection,
    Float,
    bindparam,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.sql.dml import ReturningUpdate

from state.action import DECLARED
from state.approval import ActionState, LedgerAction
from state.session import Session
from tools.catalog import Catalogue
from tools.gate.ledger.conflicts import current_digest, void_duplicates, why_stale
from tools.gate.ledger.entry_hooks import update_resolved_entry
from tools.gate.ledger.handler_runner import Effect
from tools.gate.ledger.operator_controls import why_frozen
from tools.gate.ledger.queries import session_context
from tools.gate.ledger.rows import (
    Policies,
    newest,
    read_action,
    record_entry,
    result_hash,
    undo_seal,
)
from tools.gate.ledger.undo import open_undo_window
from tools.platform.texts import t
from tools.storage import Database
from tools.storage.tables.ledger import ledger_action


# Built once: to build a statement takes longer than to run it.
@cache
def _start(now: ColumnElement[float], *, is_permit: bool) -> ReturningUpdate[Any]:
    its = ledger_action.c
    return (
        update(ledger_action)
        .where(
            its.action_id == bindparam("wanted"),
            its.state == "approved",
            its.pack == DECLARED if is_permit else its.pack != DECLARED,
            its.digest == bindparam("as_approved"),
            or_(its.expires_at.is_(None), its.expires_at > now),
        )
        .values(_started(now))
        .returning(its.fence)
    )


def _started(now: ColumnElement[float]) -> dict[str, Any]:  # SQLAlchemy's own values
    return {
        "state": "started",
        "fence": ledger_action.c.fence + 1,
        "owner": bindparam("claimer"),
        "started_at": now,
        "lease_until": now + bindparam("lease", type_=Float),
    }


BEGIN_WITHIN_SECONDS = 10.0
"""A claim that has waited longer is not run: others may soon take its end for granted."""
LEASE_MARGIN_SECONDS = 30.0
"""What beginning and writing an end down may take beyond the handler's own time."""


@dataclass(frozen=True)
class Claim:
    """A committed START: the right to run one action, this once, as its session stood."""

    action: LedgerAction
    fence: int
    at: float
    """By the process's own clock, which neither a pause nor a changed date turns back."""
    session: Session
    stages: Mapping[str, str]
    """Session → stage, where the action is one that sees them."""


@dataclass(frozen=True)
class Claims:
    """Moves rows, each time with its entry; everything here runs inside a transaction."""

    database: Database
    catalogue: Catalogue
    policies: Policies
    handler_seconds: float
    owner: str = field(default_factory=lambda: uuid4().hex)
    seconds_now: Callable[[], float] = time.monotonic
    claimed: set[str] = field(default_factory=set)
    """What this process has started and not ended."""
    actor: str = "executor"
    """Who starts and ends, as the entries name it."""
    is_permit: bool = False
    """It is for tools that agents keep, and for nothing else; otherwise for all but them."""

    def claim(
        self, connection: Connection, seen: LedgerAction, moved: str | None
    ) -> Claim | LedgerAction | None:
        """Start an approved action, or tell how it stands; None: look at its targets again.

        The row is read again only where the compare-and-set finds it changed.

        Args:
            seen: as it was read when its targets were looked at.
            moved: what was found to be different about them.
        """
        at = self.seconds_now()
        stale = self._why_not(connection, seen) or moved
        fence = None if stale else self._start(connection, seen)
        if fence is not None:
            return Claim(seen, fence, at, *session_context(connection, seen, self.catalogue))
        standing = newest(connection, seen.action_id)
        if standing.state != "approved":
            return standing
        if standing.action_id != seen.action_id:  # edited meanwhile: another set of targets
            return None
        if stale:
            return self.move(connection, standing, "stale", stale)
        return self.move(connection, standing, "expired", t("gate.not_started"))

    def claim_read(self, connection: Connection, action_id: str) -> Claim | LedgerAction:
        """Start an approved read, whose targets nobody asked about; tell how all else stands."""
        standing = newest(connection, action_id)
        is_ours = standing.execution_class == "A" and standing.pack != DECLARED
        if not is_ours or standing.state != "approved":
            return standing
        return self.claim(connection, standing, None) or standing

    def leave(self, connection: Connection, seen: LedgerAction) -> LedgerAction:
        """Leave a tool to the agent that keeps it; what must not begin any more becomes stale."""
        stale = self._why_not(connection, seen) if seen.state == "approved" else None
        return self.move(connection, seen, "stale", stale) if stale else seen

    def claim_again(self, connection: Connection, standing: LedgerAction, fence: int) -> Claim:
        """Take over what another left started; its late end is refused by the fence."""
        at = self.seconds_now()
        connection.execute(
            update(ledger_action)
            .where(
                ledger_action.c.action_id == standing.action_id,
                ledger_action.c.state == "started",
                ledger_action.c.fence == fence,
            )
            .values(_started(self.database.now())),
            self._claiming,
        )
        self._enter(connection, standing, "started", {"fence": fence + 1, "again": True})
        self.claimed.add(standing.action_id)
        return Claim(
            standing, fence + 1, at, *session_context(connection, standing, self.catalogue)
        )

    def is_late(self, claim: Claim) -> bool:
        """Tell whether a claim has waited too long to be begun."""
        return self.seconds_now() - claim.at > BEGIN_WITHIN_SECONDS

    def is_held(self, connection: Connection, claim: Claim) -> bool:
        """Tell whether a claim still is ours: nobody has settled it or taken it over."""
        query = select(ledger_action.c.action_id).where(*self._is_ours(claim))
        return connection.execute(query).first() is not None

    def end(self, connection: Connection, claim: Claim, effect: Effect) -> LedgerAction:
        """Write down what came of a claim; one that is no longer ours changes nothing."""
        return self._end(connection, claim.action, effect, self._is_ours(claim))

    def settle(
        self, connection: Connection, standing: LedgerAction, fence: int, effect: Effect
    ) -> LedgerAction:
        """Write down what became of an action that was left started."""
        is_left = (
            ledger_action.c.action_id == standing.action_id,
            ledger_action.c.state == "started",
            ledger_action.c.fence == fence,
        )
        if effect.state == "approved":  # a read: it may simply be read again
            return self.move(connection, standing, "approved", effect.reason or "")
        return self._end(connection, standing, effect, is_left)

    def move(
        self,
        connection: Connection,
        standing: LedgerAction,
        state: ActionState,
        reason: str,
        *,
        decided_by: str | None = None,
    ) -> LedgerAction:
        """Move an action from where it stands, with its reason and who decided it."""
        decided = {} if decided_by is None else {"decided_by": decided_by}
        moved = connection.execute(
            update(ledger_action)
            .where(
                ledger_action.c.action_id == standing.action_id,
                ledger_action.c.state == standing.state,
            )
            .values(state=state, reason=reason, **decided)
        )
        if moved.rowcount:
            self._enter(connection, standing, state, {"reason": reason})
        return self._kept(connection, standing)

    def _kept(self, connection: Connection, standing: LedgerAction) -> LedgerAction:
        """Read how an action stands now; of an agent's own tool its entry in the journal says so.

        Its decision was recorded when the agent was let run it, so that no record tells.
        """
        kept = read_action(connection, standing.action_id)
        if kept.pack == DECLARED and kept.execution_class != "A":
            update_resolved_entry(connection, kept)
        return kept

    def _why_not(self, connection: Connection, standing: LedgerAction) -> str | None:
        if standing.execution_class != "A" and (frozen := why_frozen(connection)):
            return t("gate.frozen_ask_again", frozen=frozen)
        return why_stale(connection, self.database, self.catalogue, self.policies, standing)

    def _start(self, connection: Connection, standing: LedgerAction) -> int | None:
        given = {
            "wanted": standing.action_id,
            "as_approved": current_digest(self.catalogue, self.policies, standing),
        }
        start = _start(self.database.now(), is_permit=self.is_permit)
        fence: int | None = connection.execute(start, given | self._claiming).scalar()
        if fence is not None:
            self._enter(connection, standing, "started", {"fence": fence})
            self.claimed.add(standing.action_id)
        return fence

    @property
    def _claiming(self) -> dict[str, Any]:  # parameters of _started
        return {"claimer": self.owner, "lease": self.handler_seconds + LEASE_MARGIN_SECONDS}

    def _is_ours(self, claim: Claim) -> tuple[Any, ...]:  # SQLAlchemy's conditions
        return (
            ledger_action.c.action_id == claim.action.action_id,
            ledger_action.c.state == "started",
            ledger_action.c.owner == self.owner,
            ledger_action.c.fence == claim.fence,
        )

    def _end(
        self,
        connection: Connection,
        standing: LedgerAction,
        effect: Effect,
        conditions: tuple[Any, ...],  # SQLAlchemy's
    ) -> LedgerAction:
        result, told = _kept(effect)
        way_back = {"told": told, "left": effect.left}
        known = {name: value for name, value in way_back.items() if value is not None}
        more: dict[str, Any] = {"undo_arguments": known} if known else {}
        if effect.evidence is not None:
            more["evidence"] = effect.evidence
        moved = connection.execute(
            update(ledger_action)
            .where(*conditions)
            .values(
                state=effect.state,
                finished_at=self.database.now(),
                result=result,
                reason=effect.reason,
                **more,
            )
        )
        if moved.rowcount:
            body = ended(effect.reason, result)
            if effect.evidence is not None:
                body["evidence"] = effect.evidence
            if told is not None:
                body["undo_seal"] = undo_seal(self.database.seal, standing.action_id, told)
            if effect.left is not None:
                body["left_seal"] = undo_seal(self.database.seal, standing.action_id, effect.left)
            self._enter(connection, standing, effect.state, body)
            if effect.state == "succeeded" and standing.execution_class != "A":
                open_undo_window(connection, self.database, self.catalogue, standing)
            if effect.state in ("succeeded", "unknown") and standing.execution_class != "A":
                void_duplicates(connection, self.database, standing)
        return self._kept(connection, standing)

    def _enter(
        self, connection: Connection, standing: LedgerAction, event: str, body: Mapping[str, Any]
    ) -> None:
        record_entry(
            connection,
            self.database,
            tenant_id=standing.tenant_id,
            action_id=standing.action_id,
            actor=self.actor,
            event=event,
            body=body,
        )


def ended(reason: str | None, result: Mapping[str, Any] | None) -> dict[str, Any]:
    """Lay out the entry of an end; the result stands in it by its hash."""
    body: dict[str, Any] = {"reason": reason}
    if result is not None:
        body["result_sha256"] = result_hash(result)
    return body


def _kept(effect: Effect) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    """Part what everybody may read of a result from what undoes it, which may hold secrets."""
    if effect.result is None:
        return None, None
    kept = effect.result.model_dump(mode="json")
    return kept, kept.pop("undo")


@dataclass(frozen=True)
class AbandonedActions:
    """Takes the way on from what has not begun; what was done, or may have been, stays as it is."""

    claiming: Claims

    def close(self, connection: Connection, decision_id: str) -> tuple[LedgerAction, ...] | None:
        """Close a decision's actions that have not begun and tell of all of them, newest first.

        It is done in the transaction that records the end of the decision: what is proposed before
        is closed by it, and what comes after finds the decision over.

        None, and nothing is changed: one has begun and not ended. What became of it is for the
        ledger to find out first.
        """
        query = (
            select(ledger_action.c.action_id)
            .where(ledger_action.c.decision_id == decision_id)
            .order_by(ledger_action.c.proposed_at.desc(), text("rowid DESC"))
        )
        found = [read_action(connection, one) for one in connection.scalars(query).all()]
        if any(one.state == "started" for one in found):
            return None
        return tuple(self._closed(connection, one) for one in found)

    def _closed(self, connection: Connection, standing: LedgerAction) -> LedgerAction:
        match standing.state:
            case "approved":
                return self.claiming.move(connection, standing, "stale", t("gate.unfinished"))
            case "proposed" | "pending":
                return self.claiming.move(connection, standing, "expired", t("gate.unfinished"))
            case _:
                return standing
