"""Receive an event: assign its decision and load the session's snapshot."""

from dataclasses import dataclass, field

from langchain_core.runnables import RunnableConfig

from state.arrival import Arrival
from state.channels import State
from state.errors import Forbidden
from state.event import Event
from state.session import Session
from state.stages import Opened
from tools.access import SessionReaders, server_run
from tools.access.permissions import as_visitor, attribute_event, require_reporter
from tools.attention import Inbox
from tools.platform.clock import Clock, elapsed_ns, instant_of
from tools.platform.texts import t
from tools.ports import Catalogue, Decisions
from tools.response import Character, SkillSelection


@dataclass(frozen=True)
class Receive:
    """Claim the decision for this thread; a duplicate is answered with the first record.

    What a client of a LangGraph server sends is in the name of its key, as at our own API:
    otherwise whoever may answer could choose in whose name they are asked.
    """

    decisions: Decisions
    clock: Clock
    character: Character
    catalogue: Catalogue
    skills: SkillSelection = field(default_factory=SkillSelection)
    inbox: Inbox | None = None
    readers: SessionReaders = field(default_factory=SessionReaders)

    async def __call__(self, state: Opened, config: RunnableConfig) -> State:
        """Take an event in.

        Raises:
            Forbidden: its sender may not speak for the tenant, user or role that it names, or in
                its session; or it is an agent's call, which comes in at our own API.
            Conflict: a message under an event_id that its sender used for another one.
        """
        now = self.clock.now()
        event = self._named(state.event, config).at(now)
        thread_id: str = config["configurable"]["thread_id"]
        delivered = await self.decisions.open(event, thread_id)
        event = delivered.event
        arrival = Arrival(
            decision_id=delivered.decision_id,
            standing=delivered.standing,
            received_at=now,
            age_seconds=(now - (event.occurred_at or now)).total_seconds(),
            released_by=delivered.released_by,
            held_since=instant_of(delivered.held_at),
            initiative=delivered.initiative,
            repeats=1 + len(self.inbox.twins_of(delivered.decision_id)) if self.inbox else 1,
            started_ns=elapsed_ns(self.clock),
        )
        received: State = {
            "event": event,
            "arrival": arrival,
            "session": self._started(delivered.session, event, now.timestamp()),
        }
        if delivered.released_by is not None:
            # What was decided when it began to wait is no part of this run.
            received |= {"relevance": None, "timing": None}
        if delivered.standing == "duplicate" and delivered.record is not None:
            received["record"] = delivered.record
        return received

    def _named(self, event: Event, config: RunnableConfig) -> Event:
        if not server_run.is_hosted(config):
            return event
        if event.call is not None:  # its words are ours: people read them beside the question
            raise Forbidden(t("proposal.elsewhere"))
        caller = server_run.caller_of(config)
        if caller is None:
            return as_visitor(event)
        named = attribute_event(event, caller)
        self.readers.demand(caller, [named.session_id])
        require_reporter(named, caller, self.catalogue)
        return named

    def _started(self, session: Session, event: Event, now: float) -> Session:
        context = self.skills.context_of(event, session)
        begun = session.model_copy(
            update={"started_at": session.started_at or now, "active_context": context}
        )
        return self.character.present(begun, now)
