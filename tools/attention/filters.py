"""Apply the relevance filters in their order; the first that decides gives the reason code.

Includes how old an event may be and how long it may be held. Source: executive.md §1.3.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

from state.judgement import Relevance, Verdict
from state.stages import Weighed
from state.tuning import Context, RelevanceTuning, SalienceTuning
from tools.attention.alarms import alarm_repeat_reason, duplicate_reason
from tools.attention.relevance import (
    LONGEST_QUIET,
    context_in,
    quiet_now,
    relevance_of,
    terms_of,
    threshold_of,
)
from tools.attention.response_type import is_conversational
from tools.platform.texts import t

MOMENT = 0.001
"""Seconds below which a time left is none: clocks are read in microseconds."""


def expired_after(state: Weighed, tuning: RelevanceTuning, context: Context) -> float | None:
    """Return the age in seconds that an event has passed and may not; None: it counts.

    An alarm that came late counts all the same. Its sender's own limit holds, and so does the word
    that it is sent as history.
    """
    arrival, life = state.arrival, state.event.expires_in_seconds
    if life is None and arrival.released_by is None:
        if _is_grave_news(state, tuning):
            return None
        life = max(tuning.stale_seconds[context], _lasting(state, tuning))
        # a hold has a life of its own
    # What waited until its own end is over then, else it is held again to the same moment.
    spared = MOMENT if arrival.released_by is not None else 0.0
    return None if life is None or arrival.age_seconds <= life - spared else life


def _lasting(state: Weighed, tuning: RelevanceTuning) -> float:
    """Tell how many seconds what is at stake is worth a word, though it comes late."""
    harm, how, reality = (state.salience.judged or "none, steady, denied").split(", ")
    is_history = state.event.payload.get("backfill") is True
    if is_history or how == "resolved" or reality != "real":
        return 0.0
    return tuning.lasting_seconds.get(harm, 0.0)


def is_late(state: Weighed, tuning: RelevanceTuning, context: Context) -> bool:
    """Tell whether what happened is older than most that is told, and told with its age."""
    arrival = state.arrival
    is_news = not state.event.is_addressed and arrival.initiative is None
    waited = arrival.released_by is not None
    return is_news and not waited and arrival.age_seconds > tuning.stale_seconds[context]


def longest_hold(state: Weighed) -> timedelta:
    """Tell how long an event may be kept: no longer than it is true."""
    life = state.event.expires_in_seconds
    if life is None:
        return LONGEST_QUIET
    left = max(0.0, life - state.arrival.age_seconds)
    return min(LONGEST_QUIET, timedelta(seconds=left))


def _is_grave_news(state: Weighed, tuning: RelevanceTuning) -> bool:
    is_history = state.event.payload.get("backfill") is True
    is_grave = state.salience.locked or state.salience.vector.threat >= tuning.threat
    return is_grave and not is_history


@dataclass(frozen=True)
class Ruling:
    """What a gate decided, and what would have changed it."""

    verdict: Verdict
    reason: str
    counterfactual: str
    rule: str | None = None
    until: datetime | None = None


@dataclass(frozen=True)
class _Case:
    state: Weighed
    now: datetime
    terms: Mapping[str, float]
    threshold: float

    @property
    def score(self) -> float:
        return relevance_of(self.terms)

    @property
    def fresh(self) -> float:
        """R as if it had neither been seen nor said before."""
        return relevance_of({**self.terms, "H": 0.0, "P": 0.0})

    @property
    def threat(self) -> float:
        return self.state.salience.vector.threat


@dataclass(frozen=True)
class RelevanceFilters:
    """Weighs an event against the threshold of this moment; pure."""

    salience: SalienceTuning
    tuning: RelevanceTuning
    context: Context
    zone: tzinfo = UTC

    def judge(self, state: Weighed) -> Relevance:
        """Judge an event at the time it was received."""
        now = state.arrival.received_at
        terms = terms_of(
            state,
            now.timestamp(),
            weights=self.salience.weights,
            tuning=self.tuning,
            context=context_in(state.session, self.context),
        )
        case = _Case(state, now, terms, threshold_of(terms, self.tuning))
        ruling = self._rule(case)
        return Relevance(
            score=case.score,
            threshold=case.threshold,
            threat=case.threat,
            verdict=ruling.verdict,
            reason=ruling.reason,
            counterfactual=ruling.counterfactual,
            rule=ruling.rule,
            until=ruling.until,
            late=is_late(state, self.tuning, context_in(state.session, self.context)),
            terms={name: round(value, 6) for name, value in terms.items()},
        )

    def _rule(self, case: _Case) -> Ruling:
        gates: tuple[Callable[[_Case], Ruling | None], ...] = (
            _addressed,
            self._expired,
            self._threat,
            self._suppressed,
            self._quiet,
            _own,
            _stored,
            _inhibited,
        )
        for gate in gates:
            if ruling := gate(case):
                return ruling
        return self._weighed(case)

    def _context(self, case: _Case) -> Context:
        return context_in(case.state.session, self.context)

    def _expired(self, case: _Case) -> Ruling | None:
        life = expired_after(case.state, self.tuning, self._context(case))
        if life is None:
            return None
        return Ruling("drop", "expired", t("attention.instead.expired", life=life))

    def _threat(self, case: _Case) -> Ruling | None:
        """Tell a threat whatever else holds, unless the person left threats out by name."""
        if case.threat < self.tuning.threat:
            return None
        salience = case.state.salience
        left_out = salience.suppressed is not None and salience.suppressed_threats
        if left_out and case.threat < self.tuning.threat_in_text:
            return None
        late = is_late(case.state, self.tuning, self._context(case))
        told = alarm_repeat_reason(case.state, case.now.timestamp(), self.tuning)
        if told is not None:  # it is still an event and may be relevant like any other, if fresh
            return Ruling("pass", "threat_told", told) if late else None
        changed = t("attention.instead.threat", threat=self.tuning.threat)
        return Ruling("alert", "threat", changed)

    def _suppressed(self, case: _Case) -> Ruling | None:
        salience = case.state.salience
        topic = salience.suppressed
        if topic is None or _was_asked_for(case):
            return None
        past = salience.suppressed_until
        until = None if past is None else datetime.fromtimestamp(past, UTC)
        return Ruling(
            "pass",
            "suppressed",
            t("attention.instead.suppressed", topic=topic),
            rule=f"suppress:{topic}",
            until=until,
        )

    def _quiet(self, case: _Case) -> Ruling | None:
        """Keep it for the digest after the quiet; talk for its own sake is not kept."""
        session = case.state.session
        usual = self.tuning.quiet_hours
        quiet = quiet_now(session, case.now, zone=self.zone, usual=usual)
        if quiet is None:
            return None
        left = (quiet.until - case.now).total_seconds()
        changed = t("attention.instead.quiet", left=left, threat=self.tuning.threat)
        kept = not is_conversational(case.state, self._context(case), self.tuning)
        until = min(quiet.until, case.now + longest_hold(case.state))
        return Ruling("hold" if kept else "drop", quiet.reason, changed, until=until)

    def _weighed(self, case: _Case) -> Ruling:
        ruling = rule_by_relevance(case.score, case.threshold)
        if ruling.verdict == "continue":
            again = duplicate_reason(case.state, case.now.timestamp(), self.tuning)
            return Ruling("pass", "just_said", again) if again else ruling
        told = None
        if case.threat >= self.tuning.threat:
            told = alarm_repeat_reason(case.state, case.now.timestamp(), self.tuning)
        if told is not None:
            return Ruling("pass", "threat_told", told)
        if case.fresh < case.threshold:
            return ruling
        # It is one of two dampers that decides, and which one is told: they fade differently.
        reason = "just_said" if case.terms["P"] >= case.terms["H"] else "habituated"
        fresh = t("attention.instead.fresh", counterfactual=ruling.counterfactual, fresh=case.fresh)
        return Ruling("pass", reason, fresh)


def rule_by_relevance(score: float, threshold: float) -> Ruling:
    """Rule by relevance alone, when every gate before it is open."""
    if score >= threshold:
        changed = t("attention.instead.relevant", threshold=threshold, score=score)
        return Ruling("continue", "relevant", changed)
    changed = t("attention.instead.below_threshold", threshold=threshold, score=score)
    return Ruling("pass", "below_threshold", changed)


def _addressed(case: _Case) -> Ruling | None:
    if not case.state.event.is_addressed:
        return None
    return Ruling("continue", "addressed", t("attention.instead.addressed"))


def _own(case: _Case) -> Ruling | None:
    """Let our own clock speak: whether it may was judged when it found the occasion."""
    meant = case.state.arrival.initiative
    if meant is None:
        return None
    kind = meant.kind
    return Ruling("continue", kind, t(f"attention.instead.{kind}"), rule=f"{kind}:{meant.about}")


def _was_asked_for(case: _Case) -> bool:
    meant = case.state.arrival.initiative
    return meant is not None and meant.kind in ("reminder", "emitted")


def _stored(case: _Case) -> Ruling | None:
    event = case.state.event
    if event.payload.get("backfill") is True:
        return Ruling("pass", "backfill", t("attention.instead.backfill"))
    if event.intent == "informational":
        return Ruling("pass", "informational", t("attention.instead.informational"))
    return None


def _inhibited(case: _Case) -> Ruling | None:
    hidden_by = case.state.salience.hidden_by
    cause = case.state.session.causes.get(hidden_by or "")
    if cause is None:
        return None
    return Ruling(
        "pass",
        "inhibited",
        t("attention.instead.inhibited", text=cause.text[:80]),
        rule=f"{cause.rule}:{cause.decision_id}",
        until=datetime.fromtimestamp(cause.until, UTC),
    )
