"""Now, together with others, at a break, at an opportunity, or never. Source: executive.md §1.4."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from state.held import Held
from state.initiative import KEPT, Initiative
from state.judgement import Timing, TimingOutcome
from state.stages import Assessed
from state.tuning import Context, TimingTuning
from tools.personality.conversational import is_small_talk, type_for
from tools.relevance.context import context_in
from tools.salience.threats import threat_key
from tools.timing.beside import judged_again
from tools.timing.rejudging import Rejudging
from tools.timing.worth import (
    BREAKS,
    DIGEST,
    EXPIRY,
    FLUSH,
    QUIET_ENDED,
    SPOKE_FIRST,
    deadline_of,
    group_of,
    urgency_of,
    value_of,
)

HARD_BUSY = ("combat", "speaking", "call")
HELD = ("queued", "batched", "deferred")


@dataclass(frozen=True)
class Choice:
    """The moment, and why it is that one."""

    outcome: TimingOutcome
    reason: str


@dataclass(frozen=True)
class Choosing:
    """Chooses the moment for what passed the gates; pure."""

    tuning: TimingTuning
    context: Context
    rejudging: Rejudging
    kept_seconds: float = 600.0
    """How long a reminder or a milestone waits for a break."""

    def choose(self, state: Assessed, waiting: Sequence[Held] = ()) -> Timing:
        """Choose the moment, and what of `waiting` is told with it.

        Args:
            waiting: what else waits in the session and would be told together with this.
        """
        chosen = type_for(
            state, context_in(state.session, self.context), self.rejudging.gates.tuning
        )
        alert = state.relevance.verdict == "alert"
        urgency = urgency_of(state.salience.vector, deadline_of(state.event))
        members = [held for held in waiting if held.timing == "batched"]
        value = self._value(state)
        choice = self._choice(
            state, urgency, value, idle=is_small_talk(chosen.type, state), members=members
        )
        held = choice.outcome in HELD
        is_told = choice.outcome == "immediate"
        group = DIGEST if state.relevance.verdict == "hold" else group_of(state.event)
        return Timing(
            outcome=choice.outcome,
            reason=choice.reason,
            response_type="alert" if alert else chosen.type,
            utilities=chosen.utilities,
            urgency=urgency,
            release_on=self._release_on(choice) if held else (),
            due_at=self._due(state, choice, members) if held else None,
            group="" if state.event.is_addressed else group,
            identity=threat_key(state.salience.pattern, state.event.text),
            life_seconds=self._life_seconds(state),
            value=value,
            beside=judged_again(waiting, state, self.rejudging) if is_told else (),
        )

    def _choice(
        self,
        state: Assessed,
        urgency: float,
        value: float | None,
        *,
        idle: bool,
        members: Sequence[Held],
    ) -> Choice:
        session, relevance = state.session, state.relevance
        if relevance.verdict == "alert":
            return Choice("immediate", "threat")
        if relevance.verdict == "hold":
            return Choice("deferred", relevance.reason)
        if state.event.is_addressed:
            return Choice("immediate", "asked")
        if (own := state.arrival.initiative) is not None:
            return _of_ours(own, state)
        if state.arrival.released_by == EXPIRY:
            late = urgency >= self.tuning.told_late_urgency
            return Choice("immediate", "told_late") if late else Choice("dropped", "hold_expired")
        if urgency >= self.tuning.immediate_urgency:
            return Choice("immediate", "urgent")
        eager = (
            session.traits.enthusiasm >= self.tuning.eager_enthusiasm
            and relevance.score >= self.tuning.eager_relevance
        )
        if eager and session.busy not in HARD_BUSY:
            return Choice("immediate", "eager")
        return self._moment(state, urgency, value, idle=idle, members=members)

    def _moment(
        self,
        state: Assessed,
        urgency: float,
        value: float | None,
        *,
        idle: bool,
        members: Sequence[Held],
    ) -> Choice:
        session, released_by = state.session, state.arrival.released_by
        if released_by is not None and released_by not in (FLUSH, QUIET_ENDED):
            if idle and value is not None and value < self._faded_below(state):
                return Choice("dropped", "faded")
            return Choice("immediate", f"break:{released_by}")
        if released_by is None and self._is_of_a_batch(state, members):
            if len(members) + 1 >= self.tuning.batch_members:
                return Choice("immediate", "batch_full")
            return Choice("batched", "batch")
        if session.busy is not None:
            return Choice("queued", f"busy:{session.busy}")
        if released_by is not None:
            return Choice("immediate", "quiet_ended" if released_by == QUIET_ENDED else "batch")
        if urgency < self.tuning.idle_urgency and idle:
            return Choice("deferred", "conversational")
        return Choice("immediate", "nobody_busy")

    def _is_of_a_batch(self, state: Assessed, members: Sequence[Held]) -> bool:
        """Tell whether a group of its kind is open, or one of its kind was told just now."""
        if members:
            return True
        now, group = state.arrival.received_at.timestamp(), group_of(state.event)
        window = self.tuning.batch_seconds[context_in(state.session, self.context)]
        return any(
            said.group == group and 0 <= now - said.at < window for said in state.session.spoken
        )

    def _value(self, state: Assessed) -> float | None:
        since = state.arrival.held_since
        if since is None or state.arrival.released_by in (FLUSH, QUIET_ENDED):
            return None  # it was kept on purpose, and loses nothing by that
        age = (state.arrival.received_at - since).total_seconds()
        return round(value_of(state.relevance.score, age, self._life_seconds(state)), 6)

    def _faded_below(self, state: Assessed) -> float:
        return self.tuning.faded_share * state.relevance.threshold

    def _release_on(self, choice: Choice) -> tuple[str, ...]:
        if choice.outcome == "batched":
            return ()
        if choice.reason in ("muted", "quiet_hours"):
            return (QUIET_ENDED,)
        return BREAKS if choice.outcome == "queued" else (*BREAKS, SPOKE_FIRST)

    def _due(self, state: Assessed, choice: Choice, members: Sequence[Held]) -> datetime:
        now = state.arrival.received_at
        if state.relevance.verdict == "hold":
            return state.relevance.until or now
        if choice.outcome == "batched":
            window = timedelta(
                seconds=self.tuning.batch_seconds[context_in(state.session, self.context)]
            )
            first = min((held.held_at for held in members), default=now)
            return min(now + window, first + window * self.tuning.batch_windows)
        # A wait begins once: what is held again after a break that was none lives no longer.
        begun = state.arrival.held_since
        if begun is None or state.arrival.released_by in (FLUSH, QUIET_ENDED):
            begun = now
        return begun + timedelta(seconds=self._life_seconds(state))

    def _life_seconds(self, state: Assessed) -> float:
        if state.arrival.initiative is not None and state.relevance.verdict != "hold":
            return self.kept_seconds
        until = state.relevance.until
        if state.relevance.verdict == "hold" and until is not None:
            return max(0.0, (until - state.arrival.received_at).total_seconds())
        return self.tuning.hold_seconds[context_in(state.session, self.context)] * (
            0.5 + state.relevance.score
        )


def _of_ours(own: Initiative, state: Assessed) -> Choice:
    """Speak now, or let whoever is busy be: what was asked for waits, the rest is let go of."""
    by, busy = state.arrival.released_by, state.session.busy
    if by == EXPIRY:
        return Choice("immediate", "told_late")
    if busy is None or by in BREAKS:
        return Choice("immediate", own.kind if by is None else f"break:{by}")
    return Choice("queued" if own.kind in KEPT else "dropped", f"busy:{busy}")
