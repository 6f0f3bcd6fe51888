"""When? Now, or at a better moment. Source: executive.md §1.4."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from state.channels import State
from state.judgement import Timing, TimingOutcome
from state.salience import SalienceVector
from state.session import Session
from state.stages import Assessed
from state.tuning import Context, TimingTuning
from tools.personality.response_type import choose_response_type

HARD_BUSY = ("combat", "speaking", "call")
CONVERSATIONAL = ("quip", "check_in", "observation")
QUIP_PAUSE_SECONDS = 120.0
BREAKS = ("typing_pause", "menu_closed", "combat_ended", "speech_ended", "call_ended", "prompt")
"""Signals that end a hold. Source: Executive decision loop §5.2.2."""


@dataclass(frozen=True)
class ChooseTiming:
    """Respond now, or hold the decision until a break, an opportunity or the end of its life."""

    tuning: TimingTuning
    context: Context

    async def __call__(self, state: Assessed) -> State:
        now = state.arrival.received_at
        session = state.session
        chosen = choose_response_type(
            state.salience.vector,
            session.traits,
            confidence=1.0,
            context=self.context,
            busy=session.busy is not None,
            quipped_lately=_quipped(session, now),
        )
        urgency = urgency_of(state.salience.vector, _deadline(state))
        outcome, reason = self._choose(state, chosen.type, urgency)
        return {
            "timing": Timing(
                outcome=outcome,
                reason=reason,
                response_type="alert" if state.relevance.verdict == "alert" else chosen.type,
                utilities=chosen.utilities,
                urgency=urgency,
                release_on=BREAKS if outcome in ("queued", "deferred") else (),
                due_at=now + self._life(state.relevance.score)
                if outcome in ("queued", "deferred")
                else None,
            )
        }

    def _choose(
        self, state: Assessed, response_type: str, urgency: float
    ) -> tuple[TimingOutcome, str]:
        session, relevance, released_by = state.session, state.relevance, state.arrival.released_by
        if relevance.verdict == "alert":
            return "immediate", "threat"
        if state.event.is_addressed:
            return "immediate", "asked"
        if released_by == "expiry":
            if urgency >= self.tuning.told_late_urgency:
                return "immediate", "told_late"
            return "dropped", "hold_expired"
        if urgency >= self.tuning.immediate_urgency:
            return "immediate", "urgent"
        eager = (
            session.traits.enthusiasm >= self.tuning.eager_enthusiasm
            and relevance.score >= self.tuning.eager_relevance
        )
        if eager and session.busy not in HARD_BUSY:
            return "immediate", "eager"
        if released_by is not None:
            return "immediate", f"break:{released_by}"
        if session.busy is not None:
            return "queued", f"busy:{session.busy}"
        if urgency < self.tuning.idle_urgency and response_type == "quip":
            return "deferred", "conversational"
        return "immediate", "nobody_busy"

    def _life(self, relevance: float) -> timedelta:
        return timedelta(seconds=self.tuning.hold_seconds[self.context] * (0.5 + relevance))


def urgency_of(vector: SalienceVector, deadline_seconds: float | None) -> float:
    """Compute u, 0 to 1: threat, or a goal whose deadline comes near."""
    if deadline_seconds is None:
        near = 0.0
    elif deadline_seconds <= 60:
        near = 1.0
    else:
        near = 2.0 ** (-(deadline_seconds - 60) / 300)
    return float(round(max(vector.threat, 0.8 * vector.goal_relevance * near), 6))


def _deadline(state: Assessed) -> float | None:
    seconds = state.event.payload.get("deadline_seconds")
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        return None
    return float(seconds)


def _quipped(session: Session, now: datetime) -> bool:
    return any(
        said.pattern.startswith("quip|") and now.timestamp() - said.at < QUIP_PAUSE_SECONDS
        for said in session.spoken
    )
