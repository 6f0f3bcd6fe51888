"""Weigh an event: its vector, what one is used to, what was asked to be watched or left alone."""

from dataclasses import dataclass, field
from typing import Literal

from state.arrival import Arrival
from state.event import Event
from state.salience import DIMENSIONS, Salience, SalienceVector
from state.session import Session, TopicRule
from state.tuning import Context, HabituationTuning, SalienceTuning
from tools.relevance.causes import Causes
from tools.relevance.context import context_in
from tools.relevance.scorer import Scored, Scorer
from tools.salience.familiarity import level_on_arrival, pattern_of
from tools.salience.requests import matches_topic
from tools.situations.situations import Situation


@dataclass(frozen=True)
class Weighing:
    """Use the gateway's vector, or one computed from the event itself when there is none."""

    scorer: Scorer
    tuning: SalienceTuning
    habituation: HabituationTuning
    context: Context
    causes: Causes = field(default_factory=Causes)

    def asks_encoder(self, event: Event) -> bool:
        """Tell whether weighing this event blocks for an encoder's answer."""
        is_given = event.salience is not None or event.is_addressed
        return self.scorer.is_blocking and not is_given

    def weigh(self, event: Event, arrival: Arrival, session: Session) -> Salience:
        """Weigh an event in a session at the time it was received."""
        now = arrival.received_at.timestamp()
        scored = self._scored(event, session)
        pattern = pattern_of(event.source, event.kind, _entity(event, scored.words))
        is_new = self._is_new(event, pattern, session)
        vector = event.salience or self._with_novelty(scored.vector, is_new=is_new)
        level = level_on_arrival(
            session.familiar.get(pattern),
            vector,
            now,
            self.habituation.fade_seconds[context_in(session, self.context)],
            self.habituation,
        )
        watch = _topic(session, "watch", event, now)
        suppress = _topic(session, "suppress", event, now)
        # Nobody gets used to an answer, or to what we decided to say ourselves.
        is_ours = event.is_addressed or arrival.initiative is not None
        matches = self.causes.match(event, session.causes, now)
        situation = scored.situation
        return Salience(
            vector=vector,
            source=_source(event, situation),
            pattern=pattern,
            habituation=0.0 if is_ours else round(level, 6),
            boost=self.tuning.watched_boost if watch else 1.0,
            watched=watch.topic if watch else None,
            suppressed=suppress.topic if suppress else None,
            suppressed_until=suppress.until if suppress else None,
            suppressed_threats=suppress.threats if suppress else False,
            opens=matches.opens,
            ends=matches.ends,
            hidden_by=matches.hidden_by,
            goal_match=scored.goal_match,
            dull=not (is_ours or watch) and standing_out(vector, level) < self.tuning.dull_below,
            words=() if event.salience else scored.words,
            wanted=situation.wanted if situation else None,
            situation=situation.kind if situation else None,
            like=situation.like if situation else None,
            prior=scored.prior,
            locked=scored.locked,
            is_new=is_new,
        )

    def _scored(self, event: Event, session: Session) -> Scored:
        if event.salience is None:
            return self.scorer.score(event, session)
        # The words still tell two events of one source apart, and whether they are about a goal.
        return self.scorer.worded(event, session)

    def _is_new(self, event: Event, pattern: str, session: Session) -> bool:
        """Tell whether a source of which we know much tells something for the first time."""
        if event.salience is not None or event.is_addressed or pattern in session.familiar:
            return False
        known = sum(1 for each in session.familiar if each.startswith(f"{event.source}|"))
        return known >= self.tuning.known_patterns

    def _with_novelty(self, vector: SalienceVector, *, is_new: bool) -> SalienceVector:
        if not is_new:
            return vector
        novelty = max(vector.novelty, self.tuning.new_of_known_source)
        return vector.model_copy(update={"novelty": novelty})


def standing_out(vector: SalienceVector, habituation: float) -> float:
    """Tell how far the strongest dimension stands out; nobody gets used to a threat."""
    others = max(getattr(vector, name) for name in DIMENSIONS if name != "threat")
    return float(max(vector.threat, others * (1 - habituation)))


def _source(
    event: Event, situation: Situation | None
) -> Literal["given", "words", "meaning", "addressed"]:
    if event.salience:
        return "given"
    if event.is_addressed:
        return "addressed"
    return "meaning" if situation else "words"


def _entity(event: Event, words: tuple[str, ...]) -> str | None:
    # Without an entity the salient words stand for it: two different faults from one source are
    # two patterns, and the same reading with another figure is the same one.
    if event.entities:
        return event.entities[0].value
    return "+".join(sorted(words)[:3]) or None


def _topic(session: Session, kind: str, event: Event, now: float) -> TopicRule | None:
    texts = (event.text, event.source, *(entity.value for entity in event.entities))
    for rule in session.topics:
        is_over = rule.until is not None and rule.until <= now
        if rule.kind == kind and not is_over and matches_topic(rule.topic, *texts):
            return rule
    return None
