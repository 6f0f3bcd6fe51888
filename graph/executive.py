"""The Executive: accept events, decide each exactly once, hold the services around decisions."""

import asyncio
from collections.abc import Mapping
from datetime import timedelta
from functools import partial
from typing import Any

from graph.execution.maintenance import Maintenance
from graph.execution.retry import Retrier, build_dead_letters
from graph.execution.run_limiter import Accepted, RunLimiter, ThreadRunner
from graph.services.approvals import (
    ActionService,
    ApprovalService,
    GrantService,
    OfferService,
    PinnedTools,
    RefusalService,
)
from graph.services.call_spans import CallSpans
from graph.services.channels import ChannelService
from graph.services.declared_tools import DeclaredToolService, PermitService
from graph.services.heuristic_learning import FeedbackService, HeuristicChanges
from graph.services.initiative import InitiativeService
from graph.services.proposals import ProposalService
from graph.services.session_state import PersonalityService, SessionControls, SessionStates
from graph.services.supersession_notices import SupersessionNotifier
from graph.telemetry import HarmAlarm
from graph.toolbox import Toolbox
from state.errors import Busy
from state.event import Event
from state.notice import NoticeKind
from state.record import DecisionRecord
from tools.ingest import IngestKinds
from tools.memory.recall import UtteranceVectors
from tools.observability import SqlRegrets
from tools.observability.metrics_export import backlog_exposition
from tools.platform.texts import t
from tools.storage import SqlIdempotency
from tools.storage.reminders import SqlReminders

UNDER_WAY_SECONDS = 60.0
"""An accepted event is left to whoever accepted it for this long, then it is picked up."""


class Executive:
    """The front door of one process; API, command line and evals use it.

    Its own methods accept and decide events. Everything else is a service of its own name:
    approvals, refusals, offers, actions, controls, personality, recall, reminders and so on.
    """

    def __init__(self, box: Toolbox, threads: ThreadRunner, maintenance: Maintenance) -> None:
        self._box = box
        self._turns = RunLimiter(threads, box.decisions, box.inbox)
        attempts = box.tuning.service.decision_attempts
        self._attempting = Retrier(partial(build_dead_letters, box), self._turns, attempts)
        box.bus.hear = self._hear
        self._call_spans = CallSpans.of(box)
        self._finding = asyncio.Lock()
        self._releasing: set[asyncio.Task[int]] = set()
        # What the deployment is made of.
        self.settings, self.catalogue, self.governed = box.settings, box.catalogue, box.governed
        self.service_tuning, self.encoders = box.tuning.service, box.encoders
        self.keys, self.readers, self.tools = box.keys, box.readers, PinnedTools(box)
        self.maintenance, self.alarm = maintenance, HarmAlarm(box.queries)
        # What was decided, and what people make of it.
        self.records, self.queries, self.quality = box.records, box.queries, box.quality
        self.journal, self.heuristics = box.journal, box.learned
        self.feedback = FeedbackService(box, self.submit)
        self.regrets = SqlRegrets(box.database, box.clock)
        self.heuristic_changes = HeuristicChanges(box, self.decide)
        # What people are asked.
        self.approvals = ApprovalService(box, self._turns, self._attempting, self.decide)
        self.proposals = ProposalService(box, self.approvals)
        self.declared = DeclaredToolService(box, self.proposals)
        self.permits = PermitService(box, self.proposals)
        self.channels = ChannelService(box, self.approvals)
        self.refusals, self.grants = RefusalService(box), GrantService(box)
        self.offers = OfferService(box, self.decide, self.proposals.chosen)
        self.actions = ActionService(box, self.decide)
        self.idempotency = SqlIdempotency(box.database)
        is_named = box.settings.ingest_dir is not None
        self.ingest = IngestKinds.open(box.settings.ingest_folder, is_named=is_named)
        # A session and what is said in it.
        self.controls, self.recall = SessionControls(box, self.submit), box.recall
        self.personality = PersonalityService(box, self.controls)
        self.states = SessionStates(box, self.controls)
        self.utterance_vectors = UtteranceVectors(box.database, box.encoder)
        self.reminders = SqlReminders(box.database)
        # What we say without being asked, and who hears it.
        self.initiative = InitiativeService(box, self.decide)
        self.supersession = SupersessionNotifier(box, self.submit)
        self.notices, self.voice, self.webhooks = box.bus, box.voice, box.webhooks

    def _hear(self, kind: NoticeKind, tenant_id: str, data: Mapping[str, Any]) -> None:
        self._turns.observing.hear(kind, tenant_id, data)
        self.proposals.hear(kind, data)
        if self._call_spans is not None:
            self._call_spans.hear(kind, tenant_id, data)

    @property
    def degraded(self) -> list[str]:
        """Say what is missing and what that means; nothing of it stops the work."""
        return [*self._box.lessened, *self.maintenance.degraded]

    async def accept(self, event: Event) -> Accepted:
        """Put an event on disk; what is accepted will be decided, whatever happens to us."""
        return (await self.accept_all([event]))[0]

    async def accept_all(self, events: list[Event]) -> list[Accepted]:
        """Put several events on disk in one go, all or none.

        Raises:
            Busy: another process holds the store.
            Conflict: a message under an event_id that its sender used for another one.
        """
        now = self._box.clock.now()
        # Those without a time of their own keep the order they were sent in.
        timed = [event.at(now + timedelta(microseconds=n)) for n, event in enumerate(events)]
        taken = await self._box.decisions.accept(tuple(timed))
        return [Accepted(event, duplicate=not is_new) for event, is_new in taken]

    async def decide(self, decision_id: str) -> DecisionRecord:
        """Run a decision until its record, a hold or the gate; one that ended is only read.

        Raises:
            NotFound: no such event was accepted.
        """
        async with self._finding:  # the store has several readers: the second could overtake
            event, thread_id, standing = await self._box.decisions.find(decision_id)
        if standing in ("accepted", "released"):
            return await self._decided(event, thread_id)
        return (await self.records.trace(decision_id)).record

    async def submit(self, event: Event) -> DecisionRecord:
        """Accept an event and decide it."""
        return await self.decide_accepted(await self.accept(event))

    async def decide_accepted(self, accepted: Accepted) -> DecisionRecord:
        """Decide an event that was accepted just now; of several at once the gravest is first."""
        if accepted.duplicate:
            return accepted.mark(await self.decide(accepted.decision_id))
        return await self._decided(accepted.event, accepted.decision_id)

    async def resume_unfinished(self, *, older_seconds: float = 0.0) -> int:
        """Decide what was accepted or released and not decided, oldest first; tell how many.

        Args:
            older_seconds: leave out what was accepted just now; somebody is at it.
        """
        tried: set[str] = set()
        while True:
            found = await self._box.decisions.unfinished(older_seconds=older_seconds)
            if not (new := [one for one in found if one[0].decision_id not in tried]):
                return len(tried)
            tried.update(event.decision_id for event, _thread in new)
            # The run limiter keeps the order in a session; sessions do not wait for each other.
            await asyncio.gather(*(self._attempting.attempt(self._start, *each) for each in new))

    async def release_due(self) -> int:
        """Judge the holds again whose life is over, say what is due; tell how many they were."""
        released = await self._box.holds.release_due(self._box.clock.now().timestamp())
        if released:
            await self.resume_unfinished(older_seconds=UNDER_WAY_SECONDS)
        return released + await self.initiative.tick()

    async def operating(self, tenant_id: str) -> str:
        """Write what operators watch, for Prometheus: counters since the start, and what waits."""
        waiting = await backlog_exposition(self._box.database, tenant_id)
        return self._turns.observing.exposition(tenant_id) + waiting

    async def problems(self) -> list[str]:
        """Say what keeps us from working; nothing means ready."""
        try:
            await self._box.holds.next_due()
            return [*await self.maintenance.problems(), *await self.alarm.problems()]
        except Busy as busy:
            return [str(busy)]
        except Exception as error:  # noqa: BLE001  # readiness must answer, whatever is wrong with the store
            return [t("problem.store_down", error=type(error).__name__)]

    async def close(self) -> None:
        """Let what is under way come to its end."""
        await asyncio.gather(*self._releasing, return_exceptions=True)
        await self._turns.close()
        if self._call_spans is not None:
            await self._call_spans.close()

    async def _decided(self, event: Event, thread_id: str) -> DecisionRecord:
        record = await self._start(event, thread_id)
        return record or (await self.records.trace(event.decision_id)).record

    async def _start(self, event: Event, thread_id: str) -> DecisionRecord | None:
        record = await self._turns.start(event, thread_id)
        if event.kind in ("signal", "message"):
            asyncio.get_running_loop().call_soon(self._released_by_signal)
        return record

    def _released_by_signal(self) -> None:
        task = asyncio.create_task(self.resume_unfinished(older_seconds=UNDER_WAY_SECONDS))
        self._releasing.add(task)
        task.add_done_callback(self._releasing.discard)
