"""Weigh an event: its vector, what one is used to, what was asked to be watched or left alone."""

from dataclasses import dataclass, field
from typing import Literal

from state.arrival import Arrival
from state.event import Event
from state.salience import DIMENSIONS, Salience, SalienceVector
from state.session import Session, TopicRule
from state.tuning import Context, HabituationTuning, SalienceTuning
from tools.ports import Heuristics
from tools.relevance.causes import Causes
from tools.salience.familiarity import level_on_arrival, pattern_of
from tools.salience.requests import matches_topic
from tools.salience.words import WordSalience, salience_of_words

WATCHED_BOOST = 2.0


@dataclass(frozen=True)
class Weighing:
    """Use the gateway's vector, or one computed from the event itself when there is none."""

    heuristics: Heuristics
    tuning: SalienceTuning
    habituation: HabituationTuning
    context: Context
    causes: Causes = field(default_factory=Causes)

    def weigh(self, event: Event, arrival: Arrival, session: Session) -> Salience:
        """Weigh an event in a session at the time it was received."""
        now = arrival.received_at.timestamp()
        worded = salience_of_words(event.text)
        vector = event.salience or self._known(event, worded.vector)
        pattern = pattern_of(event.source, event.kind, _entity(event, worded))
        level = level_on_arrival(
            session.familiar.get(pattern),
            vector,
            now,
            self.habituation.fade_seconds[self.context],
            self.habituation,
        )
        watch = _topic(session, "watch", event, now)
        suppress = _topic(session, "suppress", event, now)
        matches = self.causes.match(event, session.causes, now)
        return Salience(
            vector=vector,
            source=_source(event),
            pattern=pattern,
            habituation=0.0 if event.is_addressed else round(level, 6),
            boost=WATCHED_BOOST if watch else 1.0,
            watched=watch.topic if watch else None,
            suppressed=suppress.topic if suppress else None,
            suppressed_until=suppress.until if suppress else None,
            suppressed_threats=suppress.threats if suppress else False,
            opens=matches.opens,
            ends=matches.ends,
            hidden_by=matches.hidden_by,
            dull=not (event.is_addressed or watch)
            and standing_out(vector, level) < self.tuning.dull_below,
            words=() if event.salience else worded.words,
        )

    def _known(self, event: Event, vector: SalienceVector) -> SalienceVector:
        """Let an event matter that the pack has a heuristic for, whatever its words are."""
        suggestion = None if event.is_addressed else self.heuristics.match(event)
        if suggestion is None:
            return vector
        sure = suggestion.confidence
        return vector.model_copy(
            update={
                "goal_relevance": max(vector.goal_relevance, sure),
                "actionability": max(vector.actionability, sure),
            }
        )


def standing_out(vector: SalienceVector, habituation: float) -> float:
    """Tell how far the strongest dimension stands out; nobody gets used to a threat."""
    others = max(getattr(vector, name) for name in DIMENSIONS if name != "threat")
    return float(max(vector.threat, others * (1 - habituation)))


def _source(event: Event) -> Literal["given", "words", "addressed"]:
    if event.salience:
        return "given"
    return "addressed" if event.is_addressed else "words"


def _entity(event: Event, worded: WordSalience) -> str | None:
    # Without an entity the salient words stand for it: two different faults from one source are
    # two patterns, and the same reading with another figure is the same one.
    if event.entities:
        return event.entities[0].value
    return "+".join(sorted(worded.words)[:3]) or None


def _topic(session: Session, kind: str, event: Event, now: float) -> TopicRule | None:
    texts = (event.text, event.source, *(entity.value for entity in event.entities))
    for rule in session.topics:
        is_over = rule.until is not None and rule.until <= now
        if rule.kind == kind and not is_over and matches_topic(rule.topic, *texts):
            return rule
    return None
