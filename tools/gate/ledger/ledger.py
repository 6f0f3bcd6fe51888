"""The ledger's facade: propose, decide, execute, resolve and list actions; and its construction."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError
from sqlalchemy import Connection, and_, select
from sqlalchemy import func as sql

from state.approval import ActionState, ApprovalAnswer, LedgerAction
from state.errors import DigestMismatch, Forbidden, NotFound
from state.execution import ExecutionTuning
from state.grant import GrantTuning
from state.outcome import ActionOutcome
from state.principal import Principal
from state.proposal import Proposal
from state.reader import Reader, reader_of
from tools.catalog import Catalogue
from tools.gate.agent_calls import SqlAgentCalls
from tools.gate.approvals.approval_rules import Refusals
from tools.gate.approvals.approval_schedule import ApprovalScheduler
from tools.gate.approvals.decision import ActionEditor, ApprovalDecider
from tools.gate.approvals.grants import Grants
from tools.gate.ledger.conflicts import with_duplicates
from tools.gate.ledger.executor import Executor
from tools.gate.ledger.handler_runner import Previewer
from tools.gate.ledger.operator_controls import ExecutionFreeze, ManualResolution
from tools.gate.ledger.permits import Permits
from tools.gate.ledger.proposals import ActionDrafter, Proposer
from tools.gate.ledger.queries import (
    is_visible,
    read_with_requests,
    visible_to,
    with_request,
)
from tools.gate.ledger.rows import Policies, newest, read_action
from tools.platform.clock import Clock
from tools.platform.texts import t
from tools.storage import Database, KeysetPage
from tools.storage.tables.ledger import ledger_action

WAITING: frozenset[ActionState] = frozenset({"pending", "proposed"})
"""The states in which something still waits: for people, or for its turn to be asked."""
_NEVER = 1e12
_URGENT_FIRST = (
    sql.coalesce(ledger_action.c.expires_at, _NEVER),
    ledger_action.c.proposed_at,
    ledger_action.c.action_id,
)
_NEWEST_FIRST = (-ledger_action.c.proposed_at, ledger_action.c.action_id)


@dataclass(frozen=True)
class Ledger:
    """Every action ever proposed, and the only way to have one done."""

    database: Database
    proposing: Proposer
    deciding: ApprovalDecider
    executing: Executor
    asking: ApprovalScheduler
    refusals: Refusals
    grants: Grants
    settling: ManualResolution
    freezing: ExecutionFreeze
    calls: SqlAgentCalls
    permits: Permits
    duplicate_minutes: float
    """So long what ran is named to whoever is asked for the same again."""

    async def propose(self, proposal: Proposal) -> LedgerAction:
        """Write an action down; what people are asked carries its words and its duplicates.

        See Proposer.propose.
        """
        frozen = await self.proposing.propose(proposal)
        if frozen.execution_class != "C":
            return frozen
        ours = reader_of(frozen.tenant_id)
        return await self.database.read(lambda connection: self._named(connection, frozen, ours))

    async def decide(
        self, asked: LedgerAction | str, answer: ApprovalAnswer, principal: Principal
    ) -> LedgerAction:
        """Take a person's answer. See ApprovalDecider.decide.

        Raises:
            Busy: the ledger is frozen; a yes now would be spent on nothing.
        """
        if answer.decision in ("approve", "edit"):
            await self.freezing.demand_thawed()
        return await self.deciding.decide(asked, answer, principal)

    async def take_back(self, asked: LedgerAction, principal: Principal) -> LedgerAction:
        """Reject what somebody asked for and does not want any more; it is never a yes.

        Raises:
            Forbidden: somebody else asked for it, or it is no person who takes it back.
            DigestMismatch: it is not what they saw.
            Conflict: it is decided or expired; `standing` says how.
        """
        if principal.user != asked.requester:
            raise Forbidden(t("gate.only_asker", action=asked.action))
        try:
            answer = ApprovalAnswer(
                decision="reject", digest=asked.digest, reason=t("gate.withdrawn")
            )
        except ValidationError as error:  # none, or nothing that any digest is made of
            raise DigestMismatch(asked.action_id) from error
        return await self.deciding.decide(asked, answer, principal)

    async def execute(self, action_id: str) -> ActionOutcome:
        """Have an approved action done, once. See Executor.execute."""
        return await self.executing.execute(action_id)

    async def settle(
        self, action_id: str, principal: Principal, happened: bool, evidence: str
    ) -> LedgerAction:
        """Record a person's word on an unknown action. See ManualResolution.settle."""
        return await self.settling.settle(action_id, principal, happened, evidence)

    async def action(self, action_id: str, whose: Reader | str | None = None) -> LedgerAction:
        """Read one action; what another may not see is not there for them.

        Raises:
            NotFound: there is none.
        """

        def work(connection: Connection) -> LedgerAction:
            if whose is not None and not is_visible(connection, action_id, reader_of(whose)):
                raise NotFound("approval", action_id)
            found = read_action(connection, action_id)
            return self._named(connection, found, reader_of(whose or found.tenant_id))

        return await self.database.read(work)

    async def told(self, action_id: str, reader: Reader) -> LedgerAction:
        """Read what became of an action for who has just answered it, and may see it no more.

        Raises:
            NotFound: there is none in the tenant.
        """

        def work(connection: Connection) -> LedgerAction:
            found = read_action(connection, action_id, reader.tenant_id)
            return self._named(connection, found, reader)

        return await self.database.read(work)

    async def newest(self, action_id: str) -> LedgerAction:
        """Read what an action has become by being edited; itself when it was not.

        Raises:
            NotFound: there is none.
        """

        def work(connection: Connection) -> LedgerAction:
            found = newest(connection, action_id)
            return self._named(connection, found, reader_of(found.tenant_id))

        return await self.database.read(work)

    async def actions(
        self,
        whose: Reader | str,
        *,
        state: ActionState | None = "pending",
        limit: int = 100,
        after: str | None = None,
    ) -> list[LedgerAction]:
        """List a tenant's Class C actions in a state, in the order of `queue`; None: in any.

        Args:
            after: the last action of the page before.

        Raises:
            BadInput: the tenant has none of that id.
        """
        keys = _URGENT_FIRST if state in WAITING else _NEWEST_FIRST
        reader = reader_of(whose)
        paging = KeysetPage(visible_to(reader), keys)
        query = select(ledger_action).where(ledger_action.c.execution_class == "C")
        if state is not None:
            query = query.where(ledger_action.c.state == state)

        def work(connection: Connection) -> list[LedgerAction]:
            page = paging.page(connection, query, limit=limit, after=after)
            return self._named_all(connection, read_with_requests(connection, page, reader), reader)

        return await self.database.read(work)

    async def queue(
        self, whose: Reader | str, states: Collection[ActionState], *, limit: int
    ) -> tuple[list[LedgerAction], int]:
        """List Class C actions in some states, and tell how many there are without the limit.

        What waits comes by what runs out first, and what has no end last: a limit never cuts off
        the most urgent. What has ended comes newest first.
        """
        at = ledger_action.c
        by = _URGENT_FIRST if set(states) <= WAITING else _NEWEST_FIRST
        reader = reader_of(whose)
        fits = and_(visible_to(reader), at.execution_class == "C", at.state.in_(sorted(states)))

        def work(connection: Connection) -> tuple[list[LedgerAction], int]:
            query = select(ledger_action).where(fits).order_by(*by).limit(limit)
            listed = self._named_all(
                connection, read_with_requests(connection, query, reader), reader
            )
            counted = select(sql.count()).select_from(ledger_action).where(fits)
            return listed, connection.execute(counted).scalar_one()

        return await self.database.read(work)

    def _named(
        self, connection: Connection, standing: LedgerAction, reader: Reader
    ) -> LedgerAction:
        whole = with_request(connection, standing, reader)
        [named] = self._named_all(connection, [whole], reader)
        return named

    def _named_all(
        self, connection: Connection, listed: Sequence[LedgerAction], reader: Reader
    ) -> list[LedgerAction]:
        return with_duplicates(connection, self.database, listed, self.duplicate_minutes, reader)


LONGEST_PREVIEW_SECONDS = 5.0
"""A preview only reads, and a person waits for it."""


def build_executing(
    database: Database,
    catalogue: Catalogue,
    tuning: ExecutionTuning,
    clock: Clock,
    data_dir: Path,
    grants: GrantTuning | None = None,
) -> Executor:
    """Build the executor; see Executor for `data_dir`."""
    seconds = tuning.handler_seconds
    return Executor(database, catalogue, Policies(tuning, grants), clock, data_dir, seconds)


def build_ledger(executing: Executor, tuning: ExecutionTuning) -> Ledger:
    """Build the steps before an execution on what the executor stands on."""
    database, catalogue, policies = executing.database, executing.catalogue, executing.policies
    seconds = min(executing.handler_seconds, LONGEST_PREVIEW_SECONDS)
    previewing = Previewer(catalogue, executing.clock, executing.data_dir, seconds)
    drafting = ActionDrafter(catalogue, policies, previewing)
    refusals, grants = Refusals(database, catalogue), Grants(database, catalogue, policies)
    return Ledger(
        database=database,
        proposing=Proposer(database, catalogue, drafting, refusals, grants),
        deciding=ApprovalDecider(
            database, catalogue, policies, ActionEditor(database, drafting, refusals)
        ),
        executing=executing,
        asking=ApprovalScheduler(
            database,
            catalogue,
            refusals,
            tuning,
        ),
        refusals=refusals,
        grants=grants,
        settling=ManualResolution(database, catalogue),
        freezing=ExecutionFreeze(database),
        calls=SqlAgentCalls(database),
        permits=Permits(database, executing.claiming, tuning.permit_seconds),
        duplicate_minutes=tuning.duplicate_minutes,
    )
