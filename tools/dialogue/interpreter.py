"""One message in its session, and the services that it is read with.

Each fact about the words of a Message is computed once, when it is first asked for.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from state.errors import EncoderUnavailable
from state.event import Event
from state.execution import ExecutionTuning
from state.policy import PolicyDecision, Routing
from state.session import OpenQuestion, Session
from state.talk import TalkRequest
from state.tuning import PolicyTuning
from tools.dialogue.chitchat import is_small_talk
from tools.dialogue.dialogue_state import DialogueState
from tools.dialogue.intent_resolution import IntentResolver
from tools.dialogue.pack_intents import PackOverrides
from tools.dialogue.proposals import Proposals
from tools.nlu import control_request, reaction
from tools.nlu.control.meta_questions import (
    RecallQuestion,
    SelfQuestion,
    recall_question,
    self_question,
)
from tools.nlu.control.read_requests import POINTERS
from tools.nlu.feedback import Reaction
from tools.nlu.lexicon.normalization import Normal, normalise
from tools.nlu.reader.reading import Reader, Reading
from tools.nlu.replies.yes_no import PlainAnswer, plain_answer
from tools.nlu.search_query.requests import (
    preload_search_rules,
    takes_search,
    with_model_terms,
)
from tools.platform.clock import Clock
from tools.ports import Catalogue, Router, RoutingEnvironment

SURE = 0.6
"""Chance from which a label of the reader counts."""


@dataclass(frozen=True)
class Interpreter(ABC):
    """The router, the packs' policies and the tuning; decide.py reads messages with them."""

    catalogue: Catalogue
    router: Router
    tuning: ExecutionTuning
    policy: PolicyTuning
    detection_threshold: float
    clock: Clock
    here: RoutingEnvironment
    policy_first: bool = True
    """False: the rollback; the router alone decides, and a search takes the text as its query."""
    proposals: Proposals | None = None
    """Proposes what somebody may want who asks for nothing; None: nothing is."""
    labels: Reader | None = None
    """Reads what a message is about; None: fixed phrases have to do."""

    def __post_init__(self) -> None:
        """Get ready for searches at the start, and not at the first message."""
        preload_search_rules(self.catalogue.actions.values())

    @abstractmethod
    def read_message(self, message: "Message") -> PolicyDecision:
        """Decide on a message by its words alone, whatever it may answer."""

    @abstractmethod
    def resolve(self, resolver: IntentResolver) -> PolicyDecision:
        """Decide on the action that a reading comes to, if any."""

    def read(
        self, event: Event, session: Session | None = None, *, is_part: bool = False
    ) -> PolicyDecision:
        """Decide on a text by itself: same text, roles, session and catalogue, same decision.

        Args:
            is_part: the text stood beside another request, which was taken out of it.
        """
        return self.read_message(self.message(event, session, is_part=is_part))

    def message(
        self, event: Event, session: Session | None = None, **fields: Any
    ) -> "Message":  # the other fields of Message
        """Return a message to be read with these services."""
        return Message(event, session, self, **fields)

    def routed(self, event: Event) -> Routing:
        """Read the words of a message alone, whatever follows from them."""
        return self.router.route(event.text, **self.here.looks_in(event), roles=event.roles)

    @cached_property
    def overrides(self) -> PackOverrides:
        """Return the actions whose examples sound like talk with us."""
        return PackOverrides(self.catalogue)

    @property
    def now(self) -> datetime:
        """Tell the time by our clock, in the zone of the clock on the wall."""
        return self.clock.now().astimezone(self.here.zone)

    def arguments(
        self,
        name: str,
        given: Mapping[str, Any],  # by slot type
        event: Event,
        session: Session,
    ) -> Mapping[str, Any]:
        """Let a model's arguments stand inside what the message itself says of a search."""
        action = self.catalogue.actions.get(name)
        if action is None or not takes_search(action) or not self.policy_first:
            return given
        recall = self.recall(event, session)
        sought = recall.seeker(self.catalogue.pack(action.pack), action).sought(event.text)
        return with_model_terms(action, sought.search, given)

    def left_out(self, name: str | None, event: Event, session: Session) -> str:
        """Say what of a message the search that a model chose does not follow; often nothing."""
        action = self.catalogue.actions.get(name or "")
        if action is None or not takes_search(action) or not self.policy_first:
            return ""
        recall = self.recall(event, session)
        return recall.seeker(self.catalogue.pack(action.pack), action).sought(event.text).left_out

    def recall(self, event: Event, session: Session | None) -> DialogueState:
        """Return what the session remembers for whoever speaks."""
        memory = session.memory if session is not None else {}
        # By our clock, as what it follows was remembered: a sender's clock may be days off.
        shown = session.shown.get(event.user or "") if session is not None else None
        return DialogueState(memory, self.now, self.policy.follow_up_seconds, shown)

    def resolver(self, event: Event, routing: Routing, session: Session | None) -> IntentResolver:
        """Return the resolver of one reading of a message."""
        return IntentResolver(
            catalogue=self.catalogue,
            tuning=self.tuning,
            forced_confidence=self.policy.forced_confidence,
            event=event,
            routing=routing,
            recall=self.recall(event, session),
            policy_first=self.policy_first,
        )


@dataclass(frozen=True)
class Message:
    """A message in its session: made where it comes in, and handed to every recogniser."""

    event: Event
    session: Session | None
    reader: Interpreter
    decision_id: str = ""
    at: float = 0.0
    """When it came in, seconds since 1970."""
    question: OpenQuestion | None = None
    """The question for slots that it may answer."""
    is_part: bool = False
    """It stood beside another request."""

    @property
    def text(self) -> str:
        """Return the words as they came in."""
        return self.event.text

    @cached_property
    def routing(self) -> Routing:
        """Return what the router reads from the words alone."""
        return self.reader.routed(self.event)

    @cached_property
    def normal(self) -> Normal:
        """Return the words in their plain form."""
        return normalise(self.text)

    @cached_property
    def reading(self) -> Reading | None:
        """Return what the reader labels; None: there is none, or its files are broken."""
        if self.reader.labels is None or not self.normal.tokens:
            return None
        try:
            return self.reader.labels.read(self.normal)
        except EncoderUnavailable:
            return None

    @cached_property
    def control(self) -> TalkRequest | None:
        """Return the request about the talking that the words are."""
        return control_request(self.text, self.reader.now)

    @cached_property
    def self_question(self) -> SelfQuestion | None:
        """Return the question about our own doing that the words are."""
        return self_question(self.text)

    @cached_property
    def recall_question(self) -> RecallQuestion | None:
        """Return the question about what was said before that the words are."""
        return recall_question(self.text)

    @property
    def is_meta(self) -> bool:
        """Tell whether it is about the talking, our doing or what was said, by its form."""
        found = (self.control, self.self_question, self.recall_question)
        return any(one is not None for one in found)

    @cached_property
    def reaction(self) -> Reaction | None:
        """Return the praise or annoyance that the words are."""
        return reaction(self.text)

    @cached_property
    def is_small_talk(self) -> bool:
        """Tell whether it is made of greetings, thanks and nods alone."""
        return is_small_talk(self.text)

    @cached_property
    def plain(self) -> PlainAnswer | None:
        """Return the yes, the no or the place in a list that the words are."""
        return plain_answer(self.text)

    @property
    def takes_back(self) -> bool:
        """Tell whether it calls off what was asked before, and names nothing of its own."""
        reading = self.reading
        if reading is None:
            return False
        is_no = reading.wants["none"] >= SURE and reading.act in ("denied", "retracted")
        is_told = self.routing.mood in ("statement", "reported")
        return (is_no and not is_told) or self._is_about("cancel")

    @property
    def asks_pending(self) -> bool:
        """Tell whether it asks what waits for a yes, or of nothing but `it`."""
        reading = self.reading
        if reading is None:
            return False
        words = self.normal.words
        things = {word for word, tag in zip(words, reading.tags, strict=True) if tag == "o"}
        is_about = self._is_about("missed") and not POINTERS.isdisjoint(words)
        points = things <= POINTERS and (bool(things) or is_about)
        asks_of_it = reading.act == "question" and points
        return asks_of_it or self._is_about("pending")

    def _is_about(self, label: str) -> bool:
        reading = self.reading
        return reading is not None and reading.control == label and reading.control_chance >= SURE

    @cached_property
    def is_packs_own(self) -> bool:
        """Tell whether it sounds like talk with us and is what a pack's own examples ask for."""
        own = self.reader.overrides.sounding_like(self.forms)
        routing = self.routing if own else None
        if routing is None or routing.action is None:
            return False
        return routing.action in own and routing.confidence >= self.reader.tuning.ask_confidence

    @property
    def forms(self) -> frozenset[str]:
        """Name the forms of talk with us that the words have: see pack_intents.py."""
        found = {
            "control": self.control,
            "self_question": self.self_question,
            "recall_question": self.recall_question,
            "small_talk": self.is_small_talk,
            "reaction": self.reaction,
        }
        return frozenset(name for name, one in found.items() if one)

    @cached_property
    def recall(self) -> DialogueState:
        """Return what the session remembers for whoever speaks."""
        return self.reader.recall(self.event, self.session)

    @cached_property
    def resolved(self) -> PolicyDecision:
        """Return what the words come to as a request for an action."""
        return self.reader.resolve(self.resolver)

    @property
    def resolver(self) -> IntentResolver:
        """Return the resolver of the routed words."""
        return self.reader.resolver(self.event, self.routing, self.session)
