"""The Executive: accept events, decide each exactly once, and pass people's answers on."""

import asyncio
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from graph.execution.maintenance import Maintenance
from graph.execution.run_limiter import RunLimiter
from graph.execution.threads import Accepted, ThreadRunner
from graph.services.approvals import ApprovalService, PinnedTools
from graph.services.heuristic_learning import FeedbackService, HeuristicChanges
from graph.services.initiative import InitiativeService
from graph.services.recall import RecallService
from graph.services.session_state import PersonalityService, SessionControls, SessionStates
from graph.services.supersession_notices import SupersessionNotifier
from graph.settings import Settings
from graph.wiring.toolbox import Toolbox
from state.approval import LedgerAction
from state.cursor import read_cursor
from state.errors import Busy, Forbidden
from state.event import Event
from state.offer import whole_choice
from state.principal import Principal
from state.reader import Reader
from state.record import DecisionRecord, DecisionTrace
from tools.catalog.action_catalog import Catalogue
from tools.gate.ledger.undo import list_changes
from tools.journal.journal import Journal
from tools.storage.credentials import SqlKeys

UNDER_WAY_SECONDS = 60.0
"""An accepted event is left to whoever accepted it for this long, then it is picked up."""


class Executive(ApprovalService):
    """One process's door to the graph; the API, the command line and the evals stand on it."""

    def __init__(self, box: Toolbox, threads: ThreadRunner, keeping: Maintenance) -> None:
        super().__init__(box, RunLimiter(threads, box.decisions, box.inbox))
        self.keeping = keeping
        self.attention = SessionControls(box, self.submit)
        self.speaking, self.recollection = box.voice, RecallService(box)
        self.states = SessionStates(box, self.attention, self.recollection)
        self.initiating = InitiativeService(box, self.decide)
        self.webhooks = box.webhooks
        self.informing = SupersessionNotifier(box, self.submit)
        self.rating, self.tools = FeedbackService(box, self.submit), PinnedTools(box)
        self.characters, self.changing = (
            PersonalityService(box, self.attention),
            HeuristicChanges(box, self.decide),
        )
        self._finding = asyncio.Lock()
        self._releasing: set[asyncio.Task[int]] = set()

    @property
    def settings(self) -> Settings:
        """Tell where it runs and with what."""
        return self._box.settings

    @property
    def catalogue(self) -> Catalogue:
        """Tell what can be done."""
        return self._box.catalogue

    @property
    def journal(self) -> Journal:
        """Hand out the decisions people took."""
        return self._box.journal

    @property
    def keys(self) -> SqlKeys:
        """Hand out the keys of the service."""
        return self._box.keys

    @property
    def degraded(self) -> list[str]:
        """Say what is missing and what that means; nothing of it stops the work."""
        return [*self._box.lessened, *self.keeping.degraded]

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
        return (await self._box.records.trace(decision_id)).record

    async def submit(self, event: Event) -> DecisionRecord:
        """Accept an event and decide it."""
        return await self.decide_accepted(await self.accept(event))

    async def decide_accepted(self, accepted: Accepted) -> DecisionRecord:
        """Decide an event that was accepted just now; of several at once the gravest is first."""
        if accepted.duplicate:
            return accepted.mark(await self.decide(accepted.decision_id))
        return await self._decided(accepted.event, accepted.decision_id)

    async def decision(self, decision_id: str, whose: Reader | str) -> DecisionTrace:
        """Read a decision whole; NotFound when they see none of that id."""
        return await self._box.records.trace(decision_id, whose)

    async def decisions(
        self,
        whose: Reader | str,
        *,
        session_id: str | None = None,
        outcome: str | None = None,
        before: str | None = None,
        limit: int = 50,
    ) -> list[DecisionRecord]:
        """List decisions, newest first; `before` is the cursor of the last one seen.

        Raises:
            BadInput: `before` is no cursor.
        """
        return await self._box.records.newest(
            whose,
            session_id=session_id,
            outcome=outcome,
            before=read_cursor(before) if before else None,
            limit=limit,
        )

    async def choose(
        self,
        offer_id: str,
        chip_id: str,
        principal: Principal,
        arguments: Mapping[str, Any] | None = None,
    ) -> DecisionRecord:
        """Take a person's click on a chip: an event of its own, judged again.

        Raises:
            NotFound, Conflict: see SqlOffers.choose.
            InvalidArguments, Forbidden: it could not run; the chip stays.
        """
        shown = await self._box.offers.get(offer_id, self.reader(principal))
        for chip in shown.chips:
            if chip.chip_id == chip_id:
                whole = whole_choice(chip, arguments or {})
                self._box.catalogue.arguments(chip.action, whole)
                if not self._box.catalogue.may_ask(chip.action, principal.roles):
                    raise Forbidden(f"your roles may not ask for {chip.action}; the chip stays")
        event = await self._box.offers.choose(offer_id, chip_id, principal, arguments or {})
        return await self.decide(event.decision_id)

    async def undo(self, action_id: str, principal: Principal) -> DecisionRecord:
        """Take back what was done: an event of its own, judged again.

        Raises:
            NotFound, Forbidden, Conflict: see Undoing.ask.
        """
        reader = self.reader(principal)
        event = await self._box.undoing.ask(action_id, principal, reader=reader)
        return await self.decide(event.decision_id)

    async def actions(
        self,
        whose: Reader | str,
        *,
        undoable_only: bool = False,
        limit: int = 100,
        after: str | None = None,
    ) -> list[LedgerAction]:
        """List what was asked to be changed, newest first, and how it stands. See list_changes."""
        return await list_changes(
            self._box.database, whose, undoable_only=undoable_only, limit=limit, after=after
        )

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
            # Turns keep the order in a session; sessions do not wait for each other.
            await asyncio.gather(*(self._attempting.attempt(self._start, *each) for each in new))

    async def release_due(self) -> int:
        """Judge the holds again whose life is over, say what is due; tell how many they were."""
        released = await self._box.holds.release_due(self._box.clock.now().timestamp())
        if released:
            await self.resume_unfinished(older_seconds=UNDER_WAY_SECONDS)
        return released + await self.initiating.tick()

    async def next_due(self, until: datetime | None = None) -> datetime | None:
        """Tell when the next hold ends or reminder is due; up to `until`, any other occasion."""
        return await self.initiating.next_due(until)

    async def problems(self) -> list[str]:
        """Say what keeps us from working; nothing means ready."""
        try:
            await self._box.holds.next_due()
            return [*await self.keeping.problems(), *await self.alarm.problems()]
        except Busy as busy:
            return [str(busy)]
        except Exception as error:  # noqa: BLE001  # readiness must answer, whatever is wrong with the store
            return [f"the store does not answer: {type(error).__name__}"]

    async def close(self) -> None:
        """Let what is under way come to its end."""
        await asyncio.gather(*self._releasing, return_exceptions=True)
        await self._turns.close()

    async def _decided(self, event: Event, thread_id: str) -> DecisionRecord:
        record = await self._start(event, thread_id)
        return record or (await self._box.records.trace(event.decision_id)).record

    async def _start(self, event: Event, thread_id: str) -> DecisionRecord | None:
        record = await self._turns.start(event, thread_id)
        if event.kind in ("signal", "message"):
            asyncio.get_running_loop().call_soon(self._released_by_signal)
        return record

    def _released_by_signal(self) -> None:
        task = asyncio.create_task(self.resume_unfinished(older_seconds=UNDER_WAY_SECONDS))
        self._releasing.add(task)
        task.add_done_callback(self._releasing.discard)
