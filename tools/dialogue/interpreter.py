"""Turn a message in its session into one PolicyDecision, by code alone.

MessageInterpreter tries control and meta requests, chitchat, decisions, facts and actions in a
fixed order; SlotQuestions reads a message as the answer to an open question for slots.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from state.action import Action
from state.event import Event
from state.execution import ExecutionTuning
from state.policy import ASKS_NOTHING, IMPLIED, Mood, PolicyDecision, Routing
from state.session import OpenQuestion, Session
from state.tuning import PolicyTuning
from tools.access.permissions import DECISION_REFUSAL, may_change
from tools.dialogue.chitchat import chitchat_reply, code_reply, is_code, is_small_talk
from tools.dialogue.dialogue_acts import DialogueActs
from tools.dialogue.dialogue_state import DialogueState, facts_in, with_facts
from tools.dialogue.intent_resolution import IntentResolver
from tools.dialogue.meta_requests import (
    PackOverrides,
    asks_why,
    asks_why_done,
    decide_meta_request,
)
from tools.dialogue.proposals import Proposals
from tools.dialogue.quiet_requests import (
    SURE,
    decide_quiet,
    decide_quiet_end,
    decide_with_quiet,
    is_open_ended_quiet,
    names_object,
)
from tools.dialogue.yes_no import drops_question, plain_answer
from tools.journal.conversation import detect_decision
from tools.nlu.control.meta_questions import loose_recall_question
from tools.nlu.feedback import reaction
from tools.nlu.search_query.requests import preload_search_rules, takes_search, with_model_terms
from tools.nlu.slots.answers import NO_ANSWER
from tools.platform.clock import Clock
from tools.ports import Catalogue, Router, RoutingEnvironment

_NO_SEARCH_YET = (
    "Nothing was searched for here yet, so there are no filters: say what to search for."
)


def reply_without_search(
    routing: Routing, roles: tuple[str, ...], recall: DialogueState, catalogue: Catalogue
) -> PolicyDecision | None:
    """Tell who takes filters back that there is no search yet; None: something else is said.

    Where a pack that searches nothing is understood, `clear the filters` may be of an engine's.
    """
    if routing.mood in ASKS_NOTHING:
        return None
    searches = {
        action.pack: action
        for action in catalogue.actions.values()
        if takes_search(action) and catalogue.may_ask(action.name, roles)
    }
    routed = catalogue.actions.get(routing.action or "")
    if routed is not None and routed.pack not in searches:
        return None
    seekers = [recall.seeker(catalogue.pack(pack), action) for pack, action in searches.items()]
    if not seekers or not all(one.has_nothing_to_take_back(routing.text) for one in seekers):
        return None
    return PolicyDecision(
        intent="control",
        routing=routing,
        says=_NO_SEARCH_YET,
        confidence=1.0,
        reasons=("no_search",),
    )


@dataclass(frozen=True)
class MessageInterpreter:
    """Reads messages with the router, the packs' policies and what the session remembers."""

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
    acts: DialogueActs = field(default_factory=DialogueActs)

    def __post_init__(self) -> None:
        """Get ready for searches at the start, and not at the first message."""
        preload_search_rules(self.catalogue.actions.values())

    def read(self, event: Event, session: Session | None = None) -> PolicyDecision:
        """Read a message: the same text, roles, session and catalogue mean the same."""
        return decide_with_quiet(
            event, self.catalogue, lambda rest: self._read(rest, session)
        ) or self._read(event, session)

    def _read(self, event: Event, session: Session | None) -> PolicyDecision:
        if is_code(event.text):
            told, reasons = code_reply(event, self.catalogue), ("program",)
            return PolicyDecision(intent="control", confidence=1.0, says=told, reasons=reasons)
        ours = self._about_us(event, session)
        if ours is not None and not is_open_ended_quiet(ours):
            return ours
        routing = self.routed(event)
        if (talk := self._hushed(event, routing) or ours or self._talk(event, routing)) is not None:
            return talk
        if self._asks_why(event.text, routing):
            return PolicyDecision(intent="journal", routing=routing, reasons=("asks_why",))
        loose = loose_recall_question(event.text)
        bar = (
            self.tuning.auto_confidence if loose and loose.happened else self.tuning.ask_confidence
        )
        if loose is not None and routing.asked_confidence < bar:
            return PolicyDecision(intent="recall", routing=routing, reasons=("asks_what_was_said",))
        if (noted := self._decision_taken(event, routing)) is not None:
            return noted
        recall = self._recall(event, session)
        if no_search := reply_without_search(routing, event.roles, recall, self.catalogue):
            return no_search
        asked = self.asked(event, routing, session)
        home = self.catalogue.at_home(event.roles)
        packs = [pack for pack in self.catalogue.packs if pack.name in home]
        learnt = facts_in(
            event.text,
            routing.mood,
            packs,
            event.roles,
            memory=session.memory if session is not None else {},
            may_ask=lambda action: self.catalogue.may_ask(action, event.roles),
        )
        decided = asked.decision()
        if not learnt and self.proposals is not None:
            aims = session.aims_of(event.user) if session is not None else ()
            is_open = decided.intent == "general" or self._is_hardly_asked(routing)
            decided = (is_open and self._told_instead(event, decided, aims)) or decided
        return with_facts(decided, learnt)

    def _decision_taken(self, event: Event, routing: Routing) -> PolicyDecision | None:
        """Note what people decide; None: nobody decides anything."""
        states = routing.mood == "statement"
        detected = detect_decision(event.text, self.detection_threshold) if states else None
        if detected is not None and not may_change(self.catalogue, event.roles):
            reasons = ("decision_not_noted",)
            return PolicyDecision(
                intent="decision",
                routing=routing,
                says=DECISION_REFUSAL,
                confidence=1.0,
                reasons=reasons,
            )
        if detected is not None:
            return PolicyDecision(
                intent="decision", routing=routing, detected=detected, reasons=("decision_taken",)
            )
        return None

    def _about_us(self, event: Event, session: Session | None) -> PolicyDecision | None:
        now, lasting = self.clock.now().timestamp(), self.policy.question_seconds
        ours = decide_meta_request(event, session, self.catalogue, now, lasting_seconds=lasting)
        return None if ours is None or self._is_packs_own(event) else ours

    def _talk(self, event: Event, routing: Routing) -> PolicyDecision | None:
        """Answer a call for help, thanks and a nod; None: there is more in a text."""
        if says := chitchat_reply(event.text, self.catalogue, event.roles, event.user):
            reasons = ("manners", *routing.reasons)
            return PolicyDecision(
                intent="general", routing=routing, says=says, confidence=1.0, reasons=reasons
            )
        is_nod = is_small_talk(event.text) or reaction(event.text)
        if is_nod and not self._is_packs_own(event):
            reasons = ("small_talk", *routing.reasons)
            return PolicyDecision(intent="general", routing=routing, reasons=reasons)
        return None

    def _hushed(self, event: Event, routing: Routing) -> PolicyDecision | None:
        """Take a wish for quiet in free words, unless an action is asked for by its own words."""
        if is_small_talk(event.text):
            return None
        heard = self.acts.likely(event.text)
        likely, again = heard.get("hush", 0.0), heard.get("speak_again", 0.0)
        if max(likely, again) < max(heard.values(), default=0.0) and likely < SURE:
            return None
        action = self.catalogue.actions.get(routing.action or "")
        sure = self.tuning.auto_confidence
        is_sure = routing.asked_confidence >= sure and likely < sure
        if action is not None and (is_sure or names_object(routing, action)):
            return None
        if again >= SURE:
            return decide_quiet_end(event, routing, self.catalogue) if action is None else None
        now = self.clock.now().astimezone(self.here.zone)
        return decide_quiet(event, routing, likely, now, self.catalogue)

    def _is_packs_own(self, event: Event) -> bool:
        least, text = self.tuning.ask_confidence, event.text
        return self._own_words.may_be_meant(text) and self._own_words.are_meant(
            text, self.routed(event), least=least
        )

    @cached_property
    def _own_words(self) -> PackOverrides:
        return PackOverrides(self.catalogue)

    def _told_instead(
        self, event: Event, decided: PolicyDecision, aims: tuple[str, ...]
    ) -> PolicyDecision | None:
        """Take a goal that is told; where nothing else is said, propose one, or a reminder."""
        if self.proposals is None:
            return None
        told = self.proposals.told(event, aims)
        is_general = told is None and decided.intent == "general"
        return self.proposals.inferred(event) if is_general else told

    def _is_hardly_asked(self, routing: Routing) -> bool:
        """Tell whether an action is asked for by a verb that is not its own."""
        action = self.catalogue.actions.get(routing.action or "")
        return (
            action is not None
            and routing.verb_family != action.verb
            and routing.asked_confidence < self.tuning.auto_confidence
            and not routing.entities
        )

    def _asks_why(self, text: str, routing: Routing) -> bool:
        if asks_why(text) and routing.asked_confidence < self.tuning.ask_confidence:
            return True
        is_sure = routing.asked_confidence >= self.tuning.auto_confidence
        return not is_sure and asks_why_done(text, self.catalogue.actions.values())

    def routed(self, event: Event) -> Routing:
        """Read the words of a message alone, whatever follows from them."""
        return self.router.route(event.text, **self.here.looks_in(event), roles=event.roles)

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
        recall = self._recall(event, session)
        sought = recall.seeker(self.catalogue.pack(action.pack), action).sought(event.text)
        return with_model_terms(action, sought.search, given)

    def left_out(self, name: str | None, event: Event, session: Session) -> str:
        """Say what of a message the search that a model chose does not follow; often nothing."""
        action = self.catalogue.actions.get(name or "")
        if action is None or not takes_search(action) or not self.policy_first:
            return ""
        recall = self._recall(event, session)
        return recall.seeker(self.catalogue.pack(action.pack), action).sought(event.text).left_out

    def _recall(self, event: Event, session: Session | None) -> DialogueState:
        memory = session.memory if session is not None else {}
        # By our clock, as what it follows was remembered: a sender's clock may be days off.
        shown = session.shown.get(event.user or "") if session is not None else None
        now = self.clock.now().astimezone(self.here.zone)
        return DialogueState(memory, now, self.policy.follow_up_seconds, shown)

    def asked(self, event: Event, routing: Routing, session: Session | None) -> IntentResolver:
        """Read a message with what its session remembers."""
        return IntentResolver(
            catalogue=self.catalogue,
            tuning=self.tuning,
            forced_confidence=self.policy.forced_confidence,
            event=event,
            routing=routing,
            recall=self._recall(event, session),
            policy_first=self.policy_first,
        )


_DROPPED = PolicyDecision(
    intent="control",
    confidence=1.0,
    says="All right, I leave it.",
    reasons=("question_dropped",),
)
_LIMITED = PolicyDecision(
    intent="control",
    confidence=1.0,
    says="Not as it was said: I cannot follow all of it. Say it again without that, or in full.",
    reasons=("limit_not_followed",),
)
_CALLED_OFF = frozenset({"denied", "cancelled"})
"""Signs of an answer that denies a doing, or takes it back: `don't cancel WO-1032`."""
_ASKS: frozenset[Mood] = frozenset({"command", "request", "question"})


@dataclass(frozen=True)
class SlotQuestions:
    """Reads messages for the value that was asked for."""

    reader: MessageInterpreter

    def answered(
        self, event: Event, question: OpenQuestion, session: Session | None = None
    ) -> PolicyDecision | None:
        """Complete what was asked for before with what is said now; None: it is no answer."""
        action = self.reader.catalogue.actions.get(question.action)
        if action is None:
            return None
        still = [*self.reader.catalogue.missing(action.name, question.arguments), *question.slots]
        wanted = [name for name in dict.fromkeys(still) if name in action.slots]
        may_be_no = any(action.slots[name].type == "boolean" for name in wanted)
        plain = None if may_be_no else plain_answer(event.text)
        is_whole = not self.reader.catalogue.missing(action.name, question.arguments)
        if plain is not None and plain.kind == "yes" and is_whole:
            return _LIMITED
        if not may_be_no and drops_question(event.text):
            return _DROPPED
        routing = self.reader.router.answer(
            event.text,
            action.name,
            wanted,
            given=question.arguments,
            **self.reader.here.looks_in(event),
        )
        # `PO-1997 please` has no verb, and sounds like whatever is mostly asked of an order.
        is_value = routing is not None and NO_ANSWER not in routing.reasons
        is_free = any(action.slots[name].type in ("text", "list") for name in wanted)
        is_clear = is_value and not is_free
        if routing is None or (not is_clear and self._is_request(event, action, is_free=is_free)):
            return _DROPPED if routing is None and self._takes_back(event) else None
        if NO_ANSWER in routing.reasons and routing.sign in _CALLED_OFF:
            return _DROPPED
        return self.reader.asked(event, routing, session).answer(action, question)

    def _is_request(self, event: Event, asked: Action, *, is_free: bool) -> bool:
        """Tell whether a text asks for something of its own, and answers no question for slots.

        Free words may sound like a request and be the note that was asked for: then it takes
        as much confidence as running it would.
        """
        routing = self.reader.routed(event)
        if routing.action is None or routing.mood not in _ASKS or IMPLIED in routing.reasons:
            return False
        if routing.action == asked.name:
            return not self.reader.catalogue.missing(asked.name, routing.slots)
        bar = self.reader.tuning.auto_confidence if is_free else self.reader.tuning.ask_confidence
        return routing.confidence >= bar and routing.verb_family is not None

    def _takes_back(self, event: Event) -> bool:
        heard = self.reader.acts.of(event.text)
        if heard is None or heard.act != "takes_back":
            return False
        routed = self.reader.routed(event)
        return routed.mood != "question" and not (routed.action and routed.verb_family)
