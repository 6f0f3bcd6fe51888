"""What is asked, and what is allowed? Code decides, before any model is near."""

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, TypedDict

from state.action import Action
from state.channels import State
from state.errors import Conflict
from state.event import Event
from state.execution import ExecutionTuning
from state.policy import ASKS_NOTHING, Candidate, Mood, PolicyDecision, Routing
from state.session import OpenQuestion
from state.stages import Timed
from tools.journal.detect import detect_decision
from tools.ports import Catalogue, Heuristics, Offers, Router, Undos
from tools.routing.unclear import Unclear, unclear_of
from tools.routing.undo_words import asks_undo
from tools.salience.requests import talk_request

_WHY = re.compile(
    r"^\s*(?:so |and |remind me |tell me )*(?:why (?:did|do|are|were|was|is|have|had|aren't|didn't)"
    r"|what (?:did we|was|have we|had we) (?:decide|decided)|what was (?:the )?decision)\b",
    re.IGNORECASE,
)
_NEVER_MIND = re.compile(
    r"\W*(?:no|nope|nothing|none|never ?mind|cancel(?: (?:it|that))?|forget (?:it|that)|leave it"
    r"|stop)(?:[ ,]+(?:thanks|thank you|please))?\W*",
    re.IGNORECASE,
)
QUESTION_SECONDS = 600.0
"""How long a question about a slot stays open for the person it was put to."""


class LooksIn(TypedDict):
    """Where and when a text is read."""

    data_dir: Path
    today: date | None


@dataclass(frozen=True)
class DecidePolicy:
    """Read messages with the router, choices from the store, notices with heuristics."""

    catalogue: Catalogue
    router: Router
    heuristics: Heuristics
    offers: Offers
    undoing: Undos
    tuning: ExecutionTuning
    detection_threshold: float
    data_dir: Path

    async def __call__(self, state: Timed) -> State:
        match state.event.kind:
            case "choice":
                return {"policy": await self._choice(state)}
            case "message":
                return {"policy": await self._message(state)}
            case "ambient" | "signal" | "tick":
                return {"policy": self._notice(state)}

    async def _message(self, state: Timed) -> PolicyDecision:
        event = state.event
        if asks_undo(event.text):
            return await self._undo(event)
        asked = state.session.questions.get(event.user or "")
        now = state.arrival.received_at.timestamp()
        # `be quiet` answers nothing but itself.
        if asked and now - asked.at < QUESTION_SECONDS and talk_request(event.text) is None:
            answered = await asyncio.to_thread(self._answered, event, asked)
            if answered is not None:
                return answered
        # On a thread: entities are looked up in the pack's own store.
        return await asyncio.to_thread(self.read, event)

    async def _undo(self, event: Event) -> PolicyDecision:
        """Find the person's own last action of this session; its undo is offered, never run."""
        reasons: tuple[str, ...] = ("nothing_to_undo",)
        says = "There is nothing of yours here that I could undo."
        if event.user is not None:
            try:
                undo = await self.undoing.newest(event.tenant_id, event.session_id, event.user)
            except Conflict as conflict:
                undo, reasons, says = None, (conflict.standing,), str(conflict)
            if undo is not None:
                return PolicyDecision(
                    intent="undo",
                    action=undo.action,
                    arguments=undo.arguments,
                    confidence=1.0,
                    undo_of=undo.of.action_id,
                    reasons=(f"undo_of:{undo.of.action_id}",),
                )
        return PolicyDecision(intent="undo", confidence=1.0, says=says, reasons=reasons)

    def _answered(self, event: Event, asked: OpenQuestion) -> PolicyDecision | None:
        """Complete what was asked for before with what is said now; None: it is no answer."""
        action = self.catalogue.actions.get(asked.action)
        if action is None:
            return None
        still = [*self.catalogue.missing(action.name, asked.arguments), *asked.slots]
        wanted = [name for name in dict.fromkeys(still) if name in action.slots]
        may_be_no = any(action.slots[name].type == "boolean" for name in wanted)
        if not may_be_no and _NEVER_MIND.fullmatch(event.text):
            return PolicyDecision(
                intent="control",
                confidence=1.0,
                says="All right, I leave it.",
                reasons=("question_dropped",),
            )
        routing = self.router.answer(event.text, action.name, wanted, **self._looks_in(event))
        if routing is None:
            return None
        arguments = {**asked.arguments, **routing.slots}
        unclear = self._unclear(action, routing, arguments)
        return PolicyDecision(
            intent="action",
            routing=routing.model_copy(update={"confidence": asked.confidence}),
            action=action.name,
            arguments=arguments,
            confidence=asked.confidence,
            blocked=() if self.catalogue.may_ask(action.name, event.roles) else (action.name,),
            variants=unclear.variants,
            unclear=unclear.question,
            reasons=("answers_a_question", *routing.reasons),
        )

    def _unclear(
        self, action: Action, routing: Routing, arguments: Mapping[str, Any]
    ) -> Unclear:  # arguments by slot type
        return unclear_of(
            action,
            routing,
            arguments,
            chips=self.tuning.chips,
            sketch=self.catalogue.summary(action.name, {}),
        )

    def _looks_in(self, event: Event) -> LooksIn:
        today = event.occurred_at.date() if event.occurred_at else None
        return {"data_dir": self.data_dir / event.tenant_id, "today": today}

    def _notice(self, state: Timed) -> PolicyDecision:
        suggestion = self.heuristics.match(state.event)
        reasons = (f"heuristic:{suggestion.heuristic_id}",) if suggestion else ()
        return PolicyDecision(intent="notice", suggestion=suggestion, reasons=reasons)

    async def _choice(self, state: Timed) -> PolicyDecision:
        # The click is read from our own table: what the event says about itself is no authority.
        chosen = await self.offers.request(state.arrival.decision_id)
        if chosen is None:
            return PolicyDecision(intent="choice", reasons=("no_such_click",))
        chip = (f"chip:{chosen.chip_id} of {chosen.offer_id}",) if chosen.offer_id else ()
        undo = (f"undo_of:{chosen.undo_of}",) if chosen.undo_of else ()
        return PolicyDecision(
            intent="choice",
            action=chosen.action,
            arguments=chosen.arguments,
            confidence=1.0,
            explicit=True,
            offer_id=chosen.offer_id,
            undo_of=chosen.undo_of,
            reasons=(*chip, *undo),
        )

    def read(self, event: Event) -> PolicyDecision:
        """Read a message, whoever asks: the same text, roles and catalogue mean the same."""
        if request := talk_request(event.text):
            return PolicyDecision(
                intent="control",
                confidence=1.0,
                talk=request,
                reasons=(f"talk_request:{request.kind}",),
            )
        routing = self.router.route(event.text, **self._looks_in(event))
        if _WHY.match(event.text) and routing.confidence < self.tuning.ask_confidence:
            return PolicyDecision(intent="journal", routing=routing, reasons=("asks_why",))
        detected = detect_decision(event.text) if routing.mood == "statement" else None
        if detected is not None and detected.confidence >= self.detection_threshold:
            return PolicyDecision(
                intent="decision", routing=routing, detected=detected, reasons=("decision_taken",)
            )
        likely = tuple(
            candidate
            for candidate in routing.alternatives
            if self._is_worth_it(candidate, routing.mood, event.roles)
        )
        action = None
        if routing.action is not None:
            meant = Candidate(action=routing.action, confidence=routing.confidence)
            action = meant.action if self._is_worth_it(meant, routing.mood, event.roles) else None
        unclear = Unclear()
        if action is not None:
            meant_action = self.catalogue.actions[action]
            unclear = self._unclear(meant_action, routing, routing.slots)
        named = (action, *(candidate.action for candidate in likely))
        return PolicyDecision(
            intent="action" if action else "clarify" if likely else "general",
            routing=routing,
            action=action,
            arguments=routing.slots if action else {},
            confidence=routing.confidence,
            alternatives=likely,
            variants=unclear.variants,
            unclear=unclear.question,
            blocked=tuple(
                name for name in named if name and not self.catalogue.may_ask(name, event.roles)
            ),
            reasons=routing.reasons,
        )

    def _is_worth_it(self, meant: Candidate, mood: Mood, roles: tuple[str, ...]) -> bool:
        """Tell whether an action that may be meant is worth a word.

        What is no command or request at most reads, what asks for nothing reads only when it is
        clear, and what is refused is not done at all. Somebody who may not do it is told so only
        when it is clear that they asked.
        """
        clear = meant.confidence >= self.tuning.ask_confidence
        reads = self.catalogue.actions[meant.action].floor == "A"
        if mood == "negated" or (not reads and (mood == "question" or mood in ASKS_NOTHING)):
            return False
        if mood in ASKS_NOTHING and not clear:
            return False
        return meant.confidence >= self.tuning.offer_confidence and (
            clear or self.catalogue.may_ask(meant.action, roles)
        )
