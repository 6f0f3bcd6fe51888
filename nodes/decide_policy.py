"""What is asked, and what is allowed? Code decides, before any model is near."""

import asyncio
import re
from dataclasses import dataclass
from pathlib import Path

from state.channels import State
from state.event import Event
from state.execution import ExecutionTuning
from state.policy import ASKS_NOTHING, Candidate, Mood, PolicyDecision
from state.stages import Timed
from tools.journal.detect import detect_decision
from tools.ports import Catalogue, Heuristics, Offers, Router
from tools.salience.requests import talk_request

_WHY = re.compile(
    r"^\s*(?:so |and |remind me |tell me )*(?:why (?:did|do|are|were|was|is|have|had|aren't|didn't)"
    r"|what (?:did we|was|have we|had we) (?:decide|decided)|what was (?:the )?decision)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class DecidePolicy:
    """Read messages with the router, choices from the store, notices with heuristics."""

    catalogue: Catalogue
    router: Router
    heuristics: Heuristics
    offers: Offers
    tuning: ExecutionTuning
    detection_threshold: float
    data_dir: Path

    async def __call__(self, state: Timed) -> State:
        match state.event.kind:
            case "choice":
                return {"policy": await self._choice(state)}
            case "message":
                # On a thread: entities are looked up in the pack's own store.
                return {"policy": await asyncio.to_thread(self.read, state.event)}
            case "ambient" | "signal" | "tick":
                return {"policy": self._notice(state)}

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
        routing = self.router.route(
            event.text,
            data_dir=self.data_dir / event.tenant_id,
            today=event.occurred_at.date() if event.occurred_at else None,
        )
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
        named = (action, *(candidate.action for candidate in likely))
        return PolicyDecision(
            intent="action" if action else "clarify" if likely else "general",
            routing=routing,
            action=action,
            arguments=routing.slots if action else {},
            confidence=routing.confidence,
            alternatives=likely,
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
