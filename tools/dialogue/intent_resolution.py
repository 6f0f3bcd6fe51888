"""Resolve the action of one message in its session, with arguments, rivals and open questions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from state.action import Action
from state.event import Event
from state.execution import ExecutionTuning
from state.policy import (
    ASKS_NOTHING,
    IMPLIED,
    READ_OR_CHANGE,
    Candidate,
    Hold,
    PolicyDecision,
    Routing,
)
from state.session import OpenQuestion
from tools.catalog.pack_schema import EntityType
from tools.dialogue.dialogue_state import DialogueState, transition_of, transition_reasons
from tools.dialogue.pack_intents import (
    IntentMatch,
    denies,
    intent_of_action,
    is_actionable,
    is_unlikely,
    may_force,
    only_denies,
)
from tools.dialogue.pack_intents import intent_of_text as intent_in
from tools.dialogue.reference_resolution import ResolvedReferences
from tools.dialogue.reply_decisions import reply
from tools.dialogue.type_coercion import TypeCoercion, references_in
from tools.dialogue.unsupported_constraints import (
    amount_slots,
    constraint_question,
    uncovered_limits,
    uncovered_rest,
    unsupported_constraints,
    unsupported_note,
)
from tools.nlu.entities.references import Ambiguity, ambiguity_of
from tools.nlu.replies.corrections import repeat_targets
from tools.nlu.search_query.actionability import only_talks_of_papers
from tools.nlu.search_query.requests import (
    ResolvedSearch,
    SearchInterpreter,
    arguments_with,
    is_about_something,
    is_thing,
    narrows_by_fields,
    takes_search,
)
from tools.platform.texts import t
from tools.ports import Catalogue


@dataclass(frozen=True)
class ResolvedAction:
    """One action with its arguments; `sought` is the search behind them."""

    action: Action
    confidence: float
    intent: str
    arguments: Mapping[str, Any]  # by slot type
    reasons: tuple[str, ...] = ()
    force_tool: str | None = None
    sought: ResolvedSearch | None = None

    @classmethod
    def refined(
        cls, action: Action, intent: str, sought: ResolvedSearch, sure: float
    ) -> "ResolvedAction":
        """Make the change of a search that a follow-up asks for; it runs, whatever was routed."""
        given = arguments_with(action, sought.search, {})
        reasons = (f"forced:{action.name}",)
        return cls(action, sure, intent, given, reasons, force_tool=action.name, sought=sought)

    def held_as(self, routing: Routing) -> Hold | None:
        """Keep even a forced read from running where a text turns on a word for something else.

        `Hide the most cited papers on it from the auditors` names papers on it all the same. A
        search that only talk came to is the person's to start: `papers on bees bore me to death`.
        """
        if self.sought is not None and only_talks_of_papers(routing.text):
            return "mood"
        held = routing.held
        return held if self.force_tool is None or held == "foreign_word" else None

    def is_only_offered(self, routing: Routing, tuning: ExecutionTuning) -> bool:
        """Tell what neither runs nor is asked about, however sure it is.

        The first of several requests is not for that: what stands beside it is asked for too.
        """
        is_held = self.held_as(routing) not in (None, "several_requests")
        return is_held or self.confidence < tuning.ask_confidence


_CHANCE = 0.07
"""A rival of the other kind of this confidence leaves open what is only offered. Of 3,880 right
ones of labelled sets 6 are left open by it: docs/explanation/understanding.md, `To be shown, or
to be changed`."""


def read_write_rivals(
    found: ResolvedAction,
    routing: Routing,
    others: Sequence[Candidate],
    catalogue: Catalogue,
    roles: tuple[str, ...],
) -> tuple[Candidate, ...]:
    """List all that may be meant, where something of the other kind than the routed action may be.

    A read taken for a change, or the reverse, is the worst a reading can get wrong short of doing
    something. Of several of one kind the likelier is named; so is what is sure enough to ask for a
    yes, of which nobody should ask here.

    Args:
        others: what else is offered.

    Returns:
        The routed action with what was read for it, its rivals, the others; nothing: it is clear.

    Source: action execution contract §4: several valid combinations are shown as chips.
    """
    rivals = [one for one in routing.alternatives if _is_rival(one, found, routing, catalogue)]
    rivals = [one for one in rivals if catalogue.may_ask(one.action, roles)]
    if not rivals:
        return ()
    slots = dict(found.arguments)
    first = Candidate(action=found.action.name, confidence=found.confidence, slots=slots)
    named = {one.action for one in rivals}
    return (first, *rivals, *(one for one in others if one.action not in named))


def _is_rival(
    one: Candidate, found: ResolvedAction, routing: Routing, catalogue: Catalogue
) -> bool:
    """Tell what is likely enough, and may be meant at all: no change is in a question."""
    reads = catalogue.actions[one.action].effect == "read"
    asks_nothing = routing.mood == "question" or routing.mood in ASKS_NOTHING
    return (
        one.confidence >= _CHANCE
        and reads != (found.action.effect == "read")
        and (reads or not asks_nothing)
        and not routing.only_guesses(one.confidence, catalogue.actions[one.action])
    )


@dataclass(frozen=True)
class IntentResolver:
    """One reading of a text, with what its session remembers: decide.py has its ways in order."""

    catalogue: Catalogue
    tuning: ExecutionTuning
    forced_confidence: float
    event: Event
    routing: Routing
    recall: DialogueState
    policy_first: bool

    def same_again(self) -> PolicyDecision | None:
        """Ask what is meant where words only say `the same` of a thing."""
        routing = self._as_said.routing
        things = repeat_targets(self.event.text, routing)
        if not things:
            return None
        named = " and ".join(one.value for one in things)
        says = t("dialogue.same_as_what", named=named)
        return reply(says, "same_again", *routing.reasons, routing=routing)

    def conditional(self) -> "IntentResolver | None":
        """Return the resolver of a change that hangs on a condition; None: none does."""
        order = self.routing.order
        action = self.catalogue.actions.get(order.action or "") if order is not None else None
        if order is None or action is None or action.floor == "A":
            return None
        if not self.catalogue.may_ask(action.name, self.event.roles):
            return None
        return replace(self, routing=order)

    def forced(self) -> PolicyDecision | None:
        """Decide on the read that a pack's intent forces."""
        return self._found(self._forced())

    def refined(self) -> PolicyDecision | None:
        """Decide on a change to the last search."""
        return self._found(self._refined())

    def read_or_change(self) -> PolicyDecision | None:
        """Offer all that may be meant, where what is offered may be a read or a change."""
        found = self._routed
        if found is None or not found.is_only_offered(self._pointed.routing, self.tuning):
            return None
        either = read_write_rivals(
            found, self._pointed.routing, self._others(found), self.catalogue, self.event.roles
        )
        return self._without_action(either, READ_OR_CHANGE) if either else None

    def routed(self) -> PolicyDecision | None:
        """Decide on the action that was routed."""
        return self._found(self._routed)

    def no_action(self) -> PolicyDecision:
        """Offer what is likely, or nothing."""
        return self._without_action(self._likely)

    def _found(self, found: ResolvedAction | None) -> PolicyDecision | None:
        return None if found is None else self._decided(found, self._others(found))

    def _others(self, found: ResolvedAction) -> tuple[Candidate, ...]:
        return tuple(one for one in self._likely if one.action != found.action.name)

    @cached_property
    def _likely(self) -> tuple[Candidate, ...]:
        is_left = not only_denies(self.routing, self.tuning)
        return tuple(filter(self._is_worth_it, self.routing.alternatives if is_left else ()))

    def answer(self, action: Action, question: OpenQuestion) -> PolicyDecision:
        """Decide on the answer to a question for slots of an action."""
        given = {**question.arguments, **self._as_said.arguments(action)}
        sought = None
        if takes_search(action) and self.policy_first:
            sought = self._seeker(action).sought(self.event.text)
            given = arguments_with(action, sought.search, dict(question.arguments))
        sure, intent, reasons = question.confidence, self._intent(action), ("answers_a_question",)
        found = ResolvedAction(action, sure, intent, given, reasons, sought=sought)
        routing = self._as_said.routing.model_copy(update={"confidence": sure})
        decided = self._decided(found, ())
        return decided.model_copy(update={"routing": routing, "held": question.held})

    def _forced(self) -> ResolvedAction | None:
        """Find the read that an intent forces, unless something else is clearly meant."""
        meant = self._meant
        if meant is None or meant.rule.force_tool is None or not may_force(self.routing):
            return None
        action = self.catalogue.actions.get(meant.rule.force_tool)
        if action is None or not self.catalogue.may_ask(action.name, self.event.roles):
            return None
        if denies(self.routing, action) or is_unlikely(self.routing, action, self.tuning):
            return None
        if self._is_clearly_other(action):
            return None
        reasons = (meant.reason, f"forced:{action.name}")
        found = self._with_fields(action, self.forced_confidence, self._intent(action), reasons)
        routed = self._routed_action
        if not takes_search(action) and routed is not None and routed.name != action.name:
            # Another action keeps its place unless it is a guess and all is there for this one.
            is_guess = self.routing.asked_confidence < self.tuning.ask_confidence
            if not is_guess or self.catalogue.missing(action.name, found.arguments):
                return None
        return replace(found, force_tool=action.name)

    def _refined(self) -> ResolvedAction | None:
        """Read a short follow-up as a change to the last search of a pack."""
        is_told = self.routing.mood in ASKS_NOTHING - {"negated"}  # as `closed ones too` sounds
        for pack in self.catalogue.packs if self.policy_first else ():
            last = self.recall.last_search(pack)
            action = self.catalogue.actions.get(last.action) if last else None
            if action is None or not self.catalogue.may_ask(action.name, self.event.roles):
                continue
            if pack.name in self._pointed.things:
                continue  # `more like the second one` is about that one, and no change
            seeker, is_other = self._seeker(action), self._is_clearly_other(action)
            if is_other and self._is_whole and not seeker.takes_back(self.event.text):
                continue  # but `drop the year limit` names nothing that could be removed
            sought = seeker.refined(self.event.text, wholly=is_told)
            if sought is not None:
                return ResolvedAction.refined(
                    action, self._intent(action), sought, self.forced_confidence
                )
        return None

    def _is_clearly_other(self, action: Action) -> bool:
        """Tell whether the router is sure of another action; a change needs less for that."""
        routed = self._routed_action
        if routed is None or routed.name == action.name:
            return False
        clear = self.tuning.auto_confidence if routed.floor == "A" else self.tuning.ask_confidence
        if self.routing.held not in (None, "unread"):  # of several requests the first is picked
            return self.routing.held == "several_requests"
        return self._is_whole and self.routing.confidence >= clear

    @cached_property
    def _is_whole(self) -> bool:
        """Tell whether the routed action has all that it needs."""
        routed = self._routed_action
        return routed is not None and not self.catalogue.missing(
            routed.name, self._pointed.arguments(routed)
        )

    @cached_property
    def _routed(self) -> ResolvedAction | None:
        action = self._routed_action
        if action is None or only_denies(self.routing, self.tuning):
            return None
        confidence = self._pointed.routing.confidence
        if not self._is_worth_it(Candidate(action=action.name, confidence=confidence)):
            return None
        return self._with_fields(action, confidence, self._intent(action), ())

    def _with_fields(
        self, action: Action, confidence: float, intent: str, reasons: tuple[str, ...]
    ) -> ResolvedAction:
        """Give an action its arguments: by slot, or by search fields where it takes them."""
        given = self._pointed.arguments(action)
        searches = takes_search(action)
        if not searches and not (self.policy_first and narrows_by_fields(action)):
            return ResolvedAction(action, confidence, intent, given, reasons)
        if not self.policy_first:
            plain = {"query": self.event.text.strip()}
            return ResolvedAction(action, confidence, intent, plain, (*reasons, "policy_first_off"))
        sought = self._seeker(action).sought(self.event.text)
        others = {name: value for name, value in given.items() if is_thing(action, name)}
        arguments = arguments_with(action, sought.search, others)
        kept = sought if searches else None
        return ResolvedAction(action, confidence, intent, arguments, reasons, sought=kept)

    def _decided(self, found: ResolvedAction, likely: tuple[Candidate, ...]) -> PolicyDecision:
        action = found.action
        pack = self.catalogue.pack(action.pack)
        kinds, given = pack.entities, found.arguments
        missing = self.catalogue.missing(action.name, given)
        limits, rest = self._not_followed(found, kinds, missing)
        sketch, chips = self.catalogue.summary(action.name, {}), self.tuning.chips
        unclear = (
            self._left_open(found)
            or constraint_question(
                limits, action, self.catalogue.summary(action.name, given), missing
            )
            or ambiguity_of(action, self._pointed.routing, given, chips=chips, sketch=sketch)
        )
        transition = transition_of(action, pack.policy, self.recall.of(pack))
        fields = found.sought.reasons if found.sought else ()
        steps = transition_reasons(transition)
        return PolicyDecision(
            intent=found.intent,
            routing=self._pointed.routing,
            action=action.name,
            arguments=found.arguments,
            confidence=found.confidence,
            held=found.held_as(self._pointed.routing),
            alternatives=likely,
            variants=unclear.variants,
            unclear=unclear.question,
            asks=amount_slots(limits, action) if unclear.question else (),
            force_tool=found.force_tool,
            search=found.sought.search if found.sought else None,
            left_out=found.sought.left_out if found.sought else unsupported_note(limits or rest),
            stage_transition=transition,
            blocked=self._blocked((action.name, *(one.action for one in likely))),
            reasons=(*found.reasons, *self._pointed.routing.reasons, *fields, *steps),
        )

    def _not_followed(
        self, found: ResolvedAction, kinds: Mapping[str, EntityType], missing: Sequence[str]
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Name the words it may not be done without, and those that only have to be shown."""
        if found.sought:
            return (), ()
        known = unsupported_constraints(found.action, self.routing, found.arguments, kinds)
        # What points at a list stands for a thing of it: `assign the first to Ben`.
        bare = not self._pointed.things
        more = uncovered_limits(found.action, self.routing, missing, bare=bare)
        said = tuple(dict.fromkeys((*more, *known)))
        limits = tuple(one for one in said if not any(one != two and one in two for two in said))
        return limits, uncovered_rest(found.action, self.routing)

    def _left_open(self, found: ResolvedAction) -> Ambiguity | None:
        """Ask for what the words alone leave open: a place beyond the list, or any topic at all."""
        if found.sought is not None and not is_about_something(found.sought.search):
            return Ambiguity(
                question=t("dialogue.on_what", action=self.catalogue.summary(found.action.name, {}))
            )
        return self._pointed.beyond_list(found.action, found.arguments)

    def _without_action(self, likely: tuple[Candidate, ...], *why: str) -> PolicyDecision:
        meant = self._meant
        intent = meant.intent if meant and may_force(self.routing) and not likely else None
        return PolicyDecision(
            intent=intent or ("clarify" if likely else "general"),
            routing=self._pointed.routing,
            confidence=self.routing.confidence,
            alternatives=likely,
            blocked=self._blocked([one.action for one in likely]),
            reasons=(*why, *((meant.reason,) if meant and intent else ()), *self.routing.reasons),
        )

    @cached_property
    def _meant(self) -> IntentMatch | None:
        if not self.policy_first:
            return None
        home, said = self.catalogue.at_home(self.event.roles), self.routing.left or self.event.text
        packs = [pack for pack in self.catalogue.packs if pack.name in home]
        return intent_in(said, packs, self.routing, self.catalogue)

    @property
    def _routed_action(self) -> Action | None:
        return self.catalogue.actions.get(self._pointed.routing.action or "")

    @cached_property
    def _pointed(self) -> ResolvedReferences:
        return TypeCoercion(self.catalogue, self.recall, self.forced_confidence).turned(
            self._as_said
        )

    @cached_property
    def _as_said(self) -> ResolvedReferences:
        return references_in(self.event.text, self.routing, self.catalogue, self.recall)

    def _is_worth_it(self, meant: Candidate) -> bool:
        is_implied = IMPLIED in self.routing.reasons and meant.action == self.routing.action
        mood = "statement" if is_implied else self.routing.mood
        return is_actionable(meant, mood, self.event, self.catalogue, tuning=self.tuning)

    def _blocked(self, names: Sequence[str]) -> tuple[str, ...]:
        return tuple(name for name in names if not self.catalogue.may_ask(name, self.event.roles))

    def _intent(self, action: Action) -> str:
        intents = self.catalogue.pack(action.pack).policy.intents
        return (self.policy_first and intent_of_action(action, intents)) or "action"

    def _seeker(self, action: Action) -> SearchInterpreter:
        return self.recall.seeker(self.catalogue.pack(action.pack), action)
