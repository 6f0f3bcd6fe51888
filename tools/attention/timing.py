"""Choose when to speak: now, batched, at a break, at an opportunity, or never.

Reassess held events.

Source: executive.md §1.4.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from typing import Self

from state.arrival import Arrival
from state.attention import QuietHours
from state.held import Beside, Held
from state.initiative import KEPT, Initiative
from state.judgement import Relevance, Timing, TimingOutcome
from state.output import DeliveryContext
from state.release import (
    ASKED,
    BREAKS,
    BREATH,
    DIGEST,
    EXPIRY,
    FLUSH,
    QUIET_ENDED,
    SPOKE_FIRST,
    deadline_of,
    decayed_relevance,
    group_of,
    urgency_of,
)
from state.session import Session
from state.stages import Assessed, Weighed
from state.tuning import Context, TimingTuning, Tuning
from tools.attention.alarms import threat_key
from tools.attention.filters import RelevanceFilters
from tools.attention.news import is_well_again
from tools.attention.relevance import context_in, quiet_now
from tools.attention.response_type import is_small_talk, joked_recently, type_for
from tools.attention.salience import SalienceAssessor
from tools.platform.texts import t

_WEAK = ("below_threshold", "habituated")
"""Why it would not be said unasked; who asks wants to hear it all the same."""


@dataclass(frozen=True)
class HeldReassessment:
    """The gates once more: superseded, over, muted, said already, or still worth telling."""

    weighing: SalienceAssessor
    gates: RelevanceFilters
    tuning: TimingTuning

    def judge(self, held: Held, session: Session, now: datetime, by: str | None) -> Beside:
        """Say what becomes of a held decision when another one is told.

        Args:
            by: what released that other one; at the end of its life only what is urgent is told,
                and to somebody who asked (`ASKED`) all that is still true, quiet or not.
        """
        happened = held.event.occurred_at or held.held_at
        arrival = Arrival(
            decision_id=held.decision_id,
            standing="held",
            received_at=now,
            age_seconds=(now - happened).total_seconds(),
            released_by=by or (FLUSH if held.timing == "batched" else "beside"),
            held_since=held.held_at,
            initiative=held.initiative,
            started_ns=0,
        )
        salience = self.weighing.weigh(held.event, arrival, session)
        weighed = Weighed(event=held.event, arrival=arrival, session=session, salience=salience)
        relevance = self.gates.judge(weighed)
        was_kept = arrival.released_by in (
            FLUSH,
            QUIET_ENDED,
        )  # on purpose: it loses nothing by that
        ending, reason, changed = "told", "told_with", t("attention.instead.told_with")
        if held.urgency < self.tuning.told_late_urgency and is_well_again(
            held.event, session, held.held_at.timestamp()
        ):
            ending, reason = "passed", "superseded"
            changed = t("attention.instead.superseded")
        elif salience.dull:
            ending, reason, changed = "passed", "dull", t("attention.instead.dull")
        elif by == ASKED and (relevance.verdict == "hold" or relevance.reason in _WEAK):
            ending, reason, changed = "told", "told_with", t("attention.instead.asked")
        elif relevance.verdict in ("pass", "drop"):
            ending, reason, changed = "passed", relevance.reason, relevance.counterfactual
        elif relevance.verdict == "hold":
            ending, reason, changed = "stays", relevance.reason, relevance.counterfactual
        elif by == EXPIRY and held.due_at <= now and held.urgency < self.tuning.told_late_urgency:
            late = self.tuning.told_late_urgency
            changed = t("attention.instead.hold_expired", due_at=held.due_at, late=late)
            ending, reason = "passed", "hold_expired"
        elif by != ASKED and not was_kept and self._has_faded(weighed, relevance, held, now):
            ending, reason, changed = "passed", "faded", t("attention.instead.faded")
        return Beside.model_validate(
            {
                "decision_id": held.decision_id,
                "text": held.event.text,
                "salience": salience,
                "relevance": relevance.score,
                "ending": ending,
                "reason": reason,
                "counterfactual": changed,
            }
        )

    def _has_faded(self, weighed: Weighed, relevance: Relevance, held: Held, now: datetime) -> bool:
        context = context_in(weighed.session, self.gates.context)
        if not is_small_talk(type_for(weighed, context, self.gates.tuning).type, weighed):
            return False
        life = self.tuning.hold_seconds[context] * (0.5 + relevance.score)
        age = (now - held.held_at).total_seconds()
        left = decayed_relevance(relevance.score, age, life)
        return left < self.tuning.faded_share * relevance.threshold


def reassess_held(
    waiting: Sequence[Held], state: Assessed, rejudging: HeldReassessment
) -> tuple[Beside, ...]:
    """Say what becomes of each that waited, oldest first."""
    now, asked = state.arrival.received_at, state.event.is_addressed
    by = ASKED if asked else state.arrival.released_by
    newest_first = sorted(waiting, key=lambda held: (held.held_at, held.decision_id), reverse=True)
    said = set() if asked else {threat_key(state.salience.pattern, state.event.text)}
    judged: list[Beside] = []
    for held in newest_first:
        one = rejudging.judge(held, state.session, now, by)
        thing = threat_key(one.salience.pattern, one.text)
        if one.ending == "told" and thing in said:
            one = one.model_copy(
                update={
                    "ending": "passed",
                    "reason": "superseded",
                    "counterfactual": t("attention.instead.superseded"),
                }
            )
        said.add(thing)
        judged.append(one)
    return tuple(reversed(judged))


HARD_BUSY = ("combat", "speaking", "call")
HELD = ("queued", "batched", "deferred")


@dataclass(frozen=True)
class TimingChoice:
    """The moment, and why it is that one."""

    outcome: TimingOutcome
    reason: str


@dataclass(frozen=True)
class TimingPolicy:
    """Chooses the moment for what passed the gates; pure."""

    tuning: TimingTuning
    context: Context
    rejudging: HeldReassessment
    kept_seconds: float = 600.0
    """How long a reminder or a milestone waits for a break."""

    @classmethod
    def of(
        cls, salience: SalienceAssessor, filters: RelevanceFilters, tuning: Tuning, context: Context
    ) -> Self:
        """Build it with the reassessment of what waits."""
        reassessment = HeldReassessment(salience, filters, tuning.timing)
        return cls(tuning.timing, context, reassessment, tuning.proactive.kept_seconds)

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
        if choice.outcome == "batched" and not self._is_of_its_group(state, members):
            group = BREATH
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
            beside=reassess_held(waiting, state, self.rejudging) if is_told else (),
        )

    def _choice(
        self,
        state: Assessed,
        urgency: float,
        value: float | None,
        *,
        idle: bool,
        members: Sequence[Held],
    ) -> TimingChoice:
        session, relevance = state.session, state.relevance
        if relevance.verdict == "alert":
            return TimingChoice("immediate", "threat")
        if relevance.verdict == "hold":
            return TimingChoice("deferred", relevance.reason)
        if state.event.is_addressed:
            return TimingChoice("immediate", "asked")
        if (own := state.arrival.initiative) is not None:
            return _of_ours(own, state)
        if state.arrival.released_by == EXPIRY:
            late = urgency >= self.tuning.told_late_urgency
            return (
                TimingChoice("immediate", "told_late")
                if late
                else TimingChoice("dropped", "hold_expired")
            )
        if urgency >= self.tuning.immediate_urgency:
            return TimingChoice("immediate", "urgent")
        eager = (
            session.traits.enthusiasm >= self.tuning.eager_enthusiasm
            and relevance.score >= self.tuning.eager_relevance
        )
        if eager and session.busy not in HARD_BUSY:
            return TimingChoice("immediate", "eager")
        return self._moment(state, urgency, value, idle=idle, members=members)

    def _moment(
        self,
        state: Assessed,
        urgency: float,
        value: float | None,
        *,
        idle: bool,
        members: Sequence[Held],
    ) -> TimingChoice:
        session, released_by = state.session, state.arrival.released_by
        if released_by is not None and released_by not in (FLUSH, QUIET_ENDED):
            if idle and value is not None and value < self._faded_below(state):
                return TimingChoice("dropped", "faded")
            return TimingChoice("immediate", f"break:{released_by}")
        if released_by is None and self._is_of_a_batch(state, members):
            if len(members) + 1 >= self.tuning.batch_members:
                return TimingChoice("immediate", "batch_full")
            return TimingChoice("batched", "batch")
        if session.busy is not None:
            return TimingChoice("queued", f"busy:{session.busy}")
        if released_by is not None:
            return TimingChoice(
                "immediate", "quiet_ended" if released_by == QUIET_ENDED else "batch"
            )
        if urgency < self.tuning.idle_urgency and idle:
            return TimingChoice("deferred", "conversational")
        return TimingChoice("immediate", "nobody_busy")

    def _is_of_a_batch(self, state: Assessed, members: Sequence[Held]) -> bool:
        """Tell whether one of its kind, or anything within a breath, waits or was told just now."""
        is_of_kind = bool(members) or self._is_of_its_group(state, members)
        is_free = state.session.busy is None
        return is_of_kind or (is_free and self._was_told(state, self.tuning.breath_seconds))

    def _is_of_its_group(self, state: Assessed, members: Sequence[Held]) -> bool:
        """Tell whether a group of its kind is open, or one of its kind was told just now."""
        group = group_of(state.event)
        window = self.tuning.batch_seconds[context_in(state.session, self.context)]
        return any(one.group == group for one in members) or self._was_told(state, window, group)

    def _was_told(self, state: Assessed, seconds: float, group: str | None = None) -> bool:
        now = state.arrival.received_at.timestamp()
        return any(
            group in (None, said.group) and 0 <= now - said.at < seconds
            for said in state.session.spoken
            if said.group
        )

    def _value(self, state: Assessed) -> float | None:
        since = state.arrival.held_since
        if since is None or state.arrival.released_by in (FLUSH, QUIET_ENDED):
            return None  # it was kept on purpose, and loses nothing by that
        age = (state.arrival.received_at - since).total_seconds()
        return round(decayed_relevance(state.relevance.score, age, self._life_seconds(state)), 6)

    def _faded_below(self, state: Assessed) -> float:
        return self.tuning.faded_share * state.relevance.threshold

    def _release_on(self, choice: TimingChoice) -> tuple[str, ...]:
        if choice.outcome == "batched":
            return ()
        if choice.reason in ("muted", "quiet_hours"):
            return (QUIET_ENDED,)
        return BREAKS if choice.outcome == "queued" else (*BREAKS, SPOKE_FIRST)

    def _due(self, state: Assessed, choice: TimingChoice, members: Sequence[Held]) -> datetime:
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


def _of_ours(own: Initiative, state: Assessed) -> TimingChoice:
    """Speak now, or let whoever is busy be: what was asked for waits, the rest is let go of."""
    by, busy = state.arrival.released_by, state.session.busy
    if by == EXPIRY:
        return TimingChoice("immediate", "told_late")
    if busy is None or by in BREAKS:
        return TimingChoice("immediate", own.kind if by is None else f"break:{by}")
    return TimingChoice("queued" if own.kind in KEPT else "dropped", f"busy:{busy}")


def delivery_context(
    state: Weighed,
    now: datetime,
    *,
    zone: tzinfo,
    usual_quiet: QuietHours | None,
    quip_seconds: float,
    has_voice: bool,
) -> DeliveryContext:
    """Sum up the moment in which a response is delivered.

    Args:
        quip_seconds: so long after a joke it counts as made lately.
    """
    quiet = quiet_now(state.session, now, zone=zone, usual=usual_quiet)
    return DeliveryContext(
        has_voice=has_voice,
        is_busy=state.session.busy is not None,
        is_quiet=quiet is not None,
        quipped_lately=joked_recently(state, quip_seconds),
    )
