"""Should we respond? The event's relevance against the threshold of this moment.

Source: executive.md §1.1 to §1.3; what a person may tune stands in policy.toml.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from state.channels import State
from state.judgement import Relevance, Verdict
from state.salience import SalienceVector
from state.session import Session, ThreatTold
from state.stages import Weighed
from state.tuning import Context, RelevanceTuning, SalienceTuning
from tools.salience.similarity import similarity
from tools.salience.threats import is_burst, threat_key

LOAD_WINDOW_SECONDS = 600.0


@dataclass(frozen=True)
class AssessRelevance:
    """Walk the gates in order; the first that decides gives the reason code."""

    salience: SalienceTuning
    tuning: RelevanceTuning
    context: Context

    async def __call__(self, state: Weighed) -> State:
        now = state.arrival.received_at.timestamp()
        terms = self._terms(state, now)
        score = relevance_of(terms)
        threshold = threshold_of(terms, self.tuning)
        verdict, reason, counterfactual = self._gate(state, score, threshold, now)
        return {
            "relevance": Relevance(
                score=score,
                threshold=threshold,
                threat=state.salience.vector.threat,
                verdict=verdict,
                reason=reason,
                counterfactual=counterfactual,
                terms={name: round(value, 6) for name, value in terms.items()},
            )
        }

    def _gate(
        self, state: Weighed, score: float, threshold: float, now: float
    ) -> tuple[Verdict, str, str]:
        event, session, threat = state.event, state.session, state.salience.vector.threat
        if event.is_addressed:
            return "continue", "addressed", "nothing: what a person says to us is always heard"
        life = event.expires_in_seconds
        if life is None and state.arrival.released_by is None:
            life = self.tuning.stale_seconds[self.context]  # a hold has a life of its own
        if life is not None and state.arrival.age_seconds > life:
            return "drop", "expired", f"would count if it were at most {life:g} s old"
        is_threat = threat >= self.tuning.threat
        told = already_told(state, now, self.tuning) if is_threat else None
        if is_threat and told is None:
            return "alert", "threat", f"below threat {self.tuning.threat:g} it would be weighed"
        if state.salience.suppressed:
            topic = state.salience.suppressed
            return "pass", "suppressed", f"would be weighed if {topic!r} were not to be left alone"
        if session.muted_until is not None and now < session.muted_until:
            left = session.muted_until - now
            return (
                "pass",
                "muted",
                f"would be weighed in {left:.0f} s, or at threat {self.tuning.threat:g}",
            )
        if event.intent == "informational":
            return "pass", "informational", "would be weighed if its sender did not call it so"
        if score < threshold:
            # Only here: a told threat is still an event, and may be relevant like any other.
            if told is not None:
                return "pass", "threat_told", told
            return (
                "pass",
                "below_threshold",
                f"would have spoken at relevance {threshold:.2f}, was {score:.2f}",
            )
        return "continue", "relevant", f"would be silent below {threshold:.2f}, was {score:.2f}"

    def _terms(self, state: Weighed, now: float) -> dict[str, float]:
        session, salience = state.session, state.salience
        return {
            "S": strength(salience.vector, self.salience.weights),
            "F": 0.7 + 0.6 * session.focus,
            "H": salience.habituation,
            "P": just_said(state.event.text, session, now, self.tuning),
            "B": salience.boost,
            "theta0": self.tuning.threshold[self.context],
            "proactive": -self.tuning.proactive_weight * (2 * session.traits.proactive - 1),
            "helpfulness": -self.tuning.helpfulness_weight
            * max(0.0, 2 * session.traits.helpfulness - 1)
            * (salience.vector.actionability >= 0.5),
            "quiet": quiet(session, now, self.tuning) + session.talk_bias,
            "load": load(session, now, self.tuning),
            "annoyance": annoyance(session, now, self.tuning),
            "watched": -self.tuning.watch_weight * (salience.watched is not None),
        }


def strength(vector: SalienceVector, weights: Mapping[str, float]) -> float:
    """Compute S, 0 to 1: the weighted power mean of order 4 over all but threat.

    Order 4 lets one strong reason carry an event without letting it decide alone.
    """
    powered = sum(weight * getattr(vector, name) ** 4 for name, weight in weights.items())
    return float((powered / sum(weights.values())) ** 0.25)


def relevance_of(terms: Mapping[str, float]) -> float:
    """Compute R = S F (1-H) (1-P) B, 0 to 1."""
    product = terms["S"] * terms["F"] * (1 - terms["H"]) * (1 - terms["P"]) * terms["B"]
    return round(min(1.0, max(0.0, product)), 6)


def threshold_of(terms: Mapping[str, float], tuning: RelevanceTuning) -> float:
    """Compute theta: what it is by context, moved by personality, mutes, load and watches."""
    moved = sum(
        terms[name]
        for name in ("theta0", "proactive", "helpfulness", "quiet", "load", "annoyance", "watched")
    )
    return round(min(tuning.highest_threshold, max(tuning.lowest_threshold, moved)), 6)


def just_said(text: str, session: Session, now: float, tuning: RelevanceTuning) -> float:
    """Compute P: how much this was said a moment ago."""
    return tuning.repeat_weight * max(
        (
            similarity(text, said.text) * _halved(now - said.at, tuning.repeat_half_seconds)
            for said in session.spoken
        ),
        default=0.0,
    )


def quiet(session: Session, now: float, tuning: RelevanceTuning) -> float:
    """Compute q: the rise left of "be quiet"; small rests count as forgotten."""
    if session.quiet_asked_at is None:
        return 0.0
    rise = tuning.quiet_rise * _halved(now - session.quiet_asked_at, tuning.quiet_half_seconds)
    return rise if rise >= tuning.quiet_forgotten_below else 0.0


def load(session: Session, now: float, tuning: RelevanceTuning) -> float:
    """Compute l: the cost of having talked much in the last ten minutes."""
    lately = sum(1 for said in session.spoken if 0 <= now - said.at <= LOAD_WINDOW_SECONDS)
    allowed = 3 * (0.5 + session.traits.proactive)
    return min(tuning.load_highest, tuning.load_step * max(0.0, lately - allowed))


def annoyance(session: Session, now: float, tuning: RelevanceTuning) -> float:
    """Compute an: what is left of bad reactions."""
    left = sum(
        tuning.annoyance_step * _halved(now - at, tuning.annoyance_half_seconds)
        for at in session.annoyed_at
    )
    return min(tuning.annoyance_highest, left)


def already_told(state: Weighed, now: float, tuning: RelevanceTuning) -> str | None:
    """Say in what way a threat was told already; None: it has to be told now."""
    threats, pattern = state.session.threats, state.salience.pattern
    told = threats.get(threat_key(pattern, state.event.text))
    if told is None:
        burst = is_burst(threats, pattern, now)
        return "one of many at once; told when fewer come" if burst else None
    if told_again(told, state.salience.vector.threat, now, tuning):
        return None
    return f"told {told.times} time(s); told again when it rises"


def told_again(told: ThreatTold, threat: float, now: float, tuning: RelevanceTuning) -> bool:
    """Tell whether a threat that was told is due again: it rose, or its next turn has come.

    Told at a time that is still to come means that the clock was set back: then it is due once.
    """
    waits = tuning.threat_again_seconds
    due = not 0 <= now - told.at < waits[min(told.times, len(waits)) - 1]
    return due or threat - told.level >= tuning.threat_rise - 1e-9


def _halved(age_seconds: float, half_seconds: float) -> float:
    return float(2.0 ** (-max(0.0, age_seconds) / half_seconds))
