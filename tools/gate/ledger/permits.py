"""Permits for tools that agents keep: taking one is a START, the reported outcome its end.

The claim and its compare-and-set are the executor's own. What an agent does with its tool is
outside of our reach: a permit says that it may, once, with these arguments.
"""

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, select

from state.action import DECLARED, ActionResult
from state.approval import LedgerAction
from state.declared_tool import PermitOutcome
from state.errors import AgentError, Conflict, DigestMismatch, Forbidden
from state.principal import Principal
from tools.gate.ledger.claim import LEASE_MARGIN_SECONDS, Claim, Claims
from tools.gate.ledger.handler_runner import Effect
from tools.gate.ledger.rows import newest
from tools.gate.redaction import redacted_result, redacted_text
from tools.platform.serialization import sorted_json
from tools.platform.texts import t
from tools.storage import Database
from tools.storage.tables.ledger import ledger_action


@dataclass(frozen=True)
class TakenPermit:
    """A committed START of a tool that an agent keeps."""

    secret: str
    arguments: Mapping[str, Any]
    """By slot type, as approved, secrets and all: for the agent alone."""
    until: datetime


@dataclass(frozen=True)
class Permits:
    """Given and ended in the ledger alone; the secret of a permit is kept nowhere."""

    database: Database
    claiming: Claims
    seconds: float
    """How long a permit is good for; after that its action is `unknown`."""

    async def take(self, action_id: str, digest: str, holder: Principal) -> TakenPermit:
        """Start an approved tool for its agent.

        Args:
            digest: of what the agent is about to run; an edit has given it another one.

        Raises:
            NotFound: no such action.
            DigestMismatch: the digest is not that of what was approved.
            Conflict: it may not begin: taken before, not approved, over, or stale by now.
        """
        secret = secrets.token_urlsafe(32)

        def work(connection: Connection) -> TakenPermit | AgentError:
            standing = newest(connection, action_id)
            if standing.state != "approved":
                return Conflict(t("gate.permit.not_open", state=standing.state), standing.state)
            if standing.digest != digest:
                return DigestMismatch(standing.action_id)
            claims = self._claims(holder, secret, standing)
            found = claims.claim(connection, standing, None)
            if isinstance(found, Claim):
                return TakenPermit(secret, standing.arguments, _lease(connection, standing))
            told = found or newest(connection, action_id)
            reason = told.reason or told.state
            return Conflict(t("gate.permit.stale", reason=reason), told.state)

        taken = await self.database.write(work, durable=True)
        if isinstance(taken, AgentError):  # not raised inside: that it is stale is written down
            raise taken
        return taken

    async def withdraw(self, action_id: str, holder: Principal) -> LedgerAction:
        """Call off an agent's call that has not begun: it waits for people, or for its permit.

        Args:
            holder: who proposed it; it is told as who called it off.

        Raises:
            NotFound: no such action.
            Conflict: it has begun or is over; `standing` says how it stands.
        """

        def work(connection: Connection) -> LedgerAction:
            standing = newest(connection, action_id)
            is_permitted = standing.state == "approved" and standing.pack == DECLARED
            if standing.state not in ("proposed", "pending") and not is_permitted:
                raise Conflict(t("gate.permit.not_open", state=standing.state), standing.state)
            claims = replace(self.claiming, actor=holder.user)
            told, by = t("gate.withdrawn"), holder.user
            return claims.move(connection, standing, "rejected", told, decided_by=by)

        return await self.database.write(work, durable=True)

    async def end(self, action_id: str, given: PermitOutcome, holder: Principal) -> LedgerAction:
        """Write down what an agent says came of its tool.

        Raises:
            NotFound: no such action.
            Forbidden: the permit is none of this action, or another key's.
            Conflict: it never began, has ended, or its permit has run out.
        """

        def work(connection: Connection) -> LedgerAction:
            standing = newest(connection, action_id)
            if standing.state != "started":
                raise Conflict(t("gate.permit.not_running", state=standing.state), standing.state)
            at = ledger_action.c
            columns = (at.fence, at.owner, (at.lease_until > self.database.now()).label("is_good"))
            query = select(*columns).where(at.action_id == standing.action_id)
            row = connection.execute(query).one()
            claims = self._claims(holder, given.permit, standing)
            if not secrets.compare_digest(row.owner or "", claims.owner):
                raise Forbidden(t("gate.permit.not_yours"))
            if not row.is_good:
                raise Conflict(t("gate.permit.late"), standing.state)
            effect = self._effect(standing, given)
            return claims.settle(connection, standing, row.fence, effect)

        return await self.database.write(work, durable=True)

    def _claims(self, holder: Principal, secret: str, standing: LedgerAction) -> Claims:
        """Bind a claim to the permit, its key and what was approved."""
        bound = [secret, holder.tenant_id, holder.user, standing.action_id, standing.digest]
        return replace(
            self.claiming,
            owner=f"permit:{hashlib.sha256(sorted_json(bound)).hexdigest()}",
            handler_seconds=self.seconds - LEASE_MARGIN_SECONDS,
            claimed=set(),
            actor=holder.user,
            is_permit=True,
        )

    def _effect(self, standing: LedgerAction, given: PermitOutcome) -> Effect:
        known = self.claiming.catalogue.of_tenant(standing.tenant_id).actions
        action, asked = known.get(standing.action), standing.arguments
        if action is None:  # removed meanwhile: nobody can tell which of its arguments are secret
            given = given.model_copy(
                update={"text": t("gate.permit.removed"), "data": {}, "evidence": None}
            )
        said = ActionResult(text=given.text, data=given.data)
        result, evidence = said, given.evidence
        if action is not None:
            result = redacted_result(said, action, asked) or said
            evidence = redacted_text(evidence, action, asked)
        if given.outcome == "failed":
            return Effect("failed", reason=result.text, evidence=evidence)
        return Effect("succeeded", result, evidence=evidence)


def _lease(connection: Connection, standing: LedgerAction) -> datetime:
    at = ledger_action.c
    query = select(at.lease_until).where(at.action_id == standing.action_id)
    return datetime.fromtimestamp(connection.execute(query).scalar_one(), UTC)
