"""What a message asks for, in the light of its session: one decision, by code alone."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from state.event import Event
from state.execution import ExecutionTuning
from state.policy import PolicyDecision, Routing
from state.session import Session
from state.tuning import PolicyTuning
from tools.clock import Clock
from tools.journal.single_message import detect_decision
from tools.looks_in import Here
from tools.policy.about_us import about_us
from tools.policy.asked import Asked
from tools.policy.asked_reasons import asks_why, asks_why_done
from tools.policy.beside import with_quiet
from tools.policy.dialogue_acts import DialogueActs
from tools.policy.facts import learnt_in, with_learnt
from tools.policy.hushing import SURE, hushed, is_open_hush, names_object, speaking_again
from tools.policy.last_word import is_program, of_program
from tools.policy.manners import answer_to_manners
from tools.policy.no_search import without_search
from tools.policy.own_words import OwnWords
from tools.policy.recall import Recall
from tools.policy.recall_questions import loose_recall_question
from tools.policy.search_slots import enriched, takes_search
from tools.policy.searching import ready_to_seek
from tools.policy.small_talk import is_small_talk
from tools.policy.talk_rights import NOT_NOTED, may_change
from tools.ports import Catalogue, Router
from tools.proactive.proposals import Proposals
from tools.salience.reactions import reaction


@dataclass(frozen=True)
class MessageReader:
    """Reads messages with the router, the packs' policies and what the session remembers."""

    catalogue: Catalogue
    router: Router
    tuning: ExecutionTuning
    policy: PolicyTuning
    detection_threshold: float
    clock: Clock
    here: Here
    policy_first: bool = True
    """False: the rollback; the router alone decides, and a search takes the text as its query."""
    proposals: Proposals | None = None
    """Proposes what somebody may want who asks for nothing; None: nothing is."""
    acts: DialogueActs = field(default_factory=DialogueActs)

    def __post_init__(self) -> None:
        """Get ready for searches at the start, and not at the first message."""
        ready_to_seek(self.catalogue.actions.values())

    def read(self, event: Event, session: Session | None = None) -> PolicyDecision:
        """Read a message: the same text, roles, session and catalogue mean the same."""
        return with_quiet(
            event, self.catalogue, lambda rest: self._read(rest, session)
        ) or self._read(event, session)

    def _read(self, event: Event, session: Session | None) -> PolicyDecision:
        if is_program(event.text):
            told, reasons = of_program(event, self.catalogue), ("program",)
            return PolicyDecision(intent="control", confidence=1.0, says=told, reasons=reasons)
        ours = self._about_us(event, session)
        if ours is not None and not is_open_hush(ours):
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
        if no_search := without_search(routing, event.roles, recall, self.catalogue):
            return no_search
        asked = self.asked(event, routing, session)
        home = self.catalogue.at_home(event.roles)
        packs = [pack for pack in self.catalogue.packs if pack.name in home]
        learnt = learnt_in(
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
        return with_learnt(decided, learnt)

    def _decision_taken(self, event: Event, routing: Routing) -> PolicyDecision | None:
        """Note what people decide; None: nobody decides anything."""
        states = routing.mood == "statement"
        detected = detect_decision(event.text, self.detection_threshold) if states else None
        if detected is not None and not may_change(self.catalogue, event.roles):
            reasons = ("decision_not_noted",)
            return PolicyDecision(
                intent="decision", routing=routing, says=NOT_NOTED, confidence=1.0, reasons=reasons
            )
        if detected is not None:
            return PolicyDecision(
                intent="decision", routing=routing, detected=detected, reasons=("decision_taken",)
            )
        return None

    def _about_us(self, event: Event, session: Session | None) -> PolicyDecision | None:
        now, lasting = self.clock.now().timestamp(), self.policy.question_seconds
        ours = about_us(event, session, self.catalogue, now, lasting_seconds=lasting)
        return None if ours is None or self._is_packs_own(event) else ours

    def _talk(self, event: Event, routing: Routing) -> PolicyDecision | None:
        """Answer a call for help, thanks and a nod; None: there is more in a text."""
        if says := answer_to_manners(event.text, self.catalogue, event.roles, event.user):
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
            return speaking_again(event, routing, self.catalogue) if action is None else None
        now = self.clock.now().astimezone(self.here.zone)
        return hushed(event, routing, likely, now, self.catalogue)

    def _is_packs_own(self, event: Event) -> bool:
        least, text = self.tuning.ask_confidence, event.text
        return self._own_words.may_be_meant(text) and self._own_words.are_meant(
            text, self.routed(event), least=least
        )

    @cached_property
    def _own_words(self) -> OwnWords:
        return OwnWords(self.catalogue)

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
        return enriched(action, sought.search, given)

    def left_out(self, name: str | None, event: Event, session: Session) -> str:
        """Say what of a message the search that a model chose does not follow; often nothing."""
        action = self.catalogue.actions.get(name or "")
        if action is None or not takes_search(action) or not self.policy_first:
            return ""
        recall = self._recall(event, session)
        return recall.seeker(self.catalogue.pack(action.pack), action).sought(event.text).left_out

    def _recall(self, event: Event, session: Session | None) -> Recall:
        memory = session.memory if session is not None else {}
        # By our clock, as what it follows was remembered: a sender's clock may be days off.
        shown = session.shown.get(event.user or "") if session is not None else None
        now = self.clock.now().astimezone(self.here.zone)
        return Recall(memory, now, self.policy.follow_up_seconds, shown)

    def asked(self, event: Event, routing: Routing, session: Session | None) -> Asked:
        """Read a message with what its session remembers."""
        return Asked(
            catalogue=self.catalogue,
            tuning=self.tuning,
            forced_confidence=self.policy.forced_confidence,
            event=event,
            routing=routing,
            recall=self._recall(event, session),
            policy_first=self.policy_first,
        )
