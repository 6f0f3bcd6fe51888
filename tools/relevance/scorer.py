"""A salience vector for an event that comes without one, with the evidence for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from state.event import Event
from state.policy import Suggestion
from state.salience import DIMENSIONS, SalienceVector
from state.session import Session
from state.tuning import SalienceTuning
from tools.ports import Heuristics
from tools.relevance.scoring import strength
from tools.salience.conditions import words_of
from tools.salience.polarity import Polarity
from tools.salience.sender_status import SenderStatus, sender_status
from tools.salience.words import Lexicon, WordSalience, salience_of_words
from tools.situations.situations import Situation, Situations

REASSURED = 0.125
"""What the odds that a word is wanted are multiplied by where an event says that all is well."""


@dataclass(frozen=True)
class Scored:
    """The vector, and which words, example and prior it comes from."""

    vector: SalienceVector
    words: tuple[str, ...] = ()
    situation: Situation | None = None
    prior: str | None = None
    goal_match: float = 0.0
    locked: bool = False
    """A locked heuristic fits: an alarm, whatever its words."""


@dataclass(frozen=True)
class Scorer:
    """Scores by the words of any domain, by those of the packs, by source, and by meaning.

    With an encoder the general words count for threats alone: what a situation wants is told better
    by its meaning. Without one they are all there is.
    """

    heuristics: Heuristics
    tuning: SalienceTuning
    lexicon: Lexicon = field(default_factory=lambda: Lexicon.of({}))
    sources: Mapping[str, SalienceVector] = field(default_factory=dict)
    situations: Situations | None = None

    @property
    def is_blocking(self) -> bool:
        """Tell whether scoring asks an encoder."""
        return self.situations is not None

    def score(self, event: Event, session: Session) -> Scored:
        """Score an event; what somebody says to us needs no vector, but its words are kept."""
        general = salience_of_words(event.text)
        if event.is_addressed:
            return Scored(general.vector, general.words)
        own = salience_of_words(event.text, self.lexicon)
        status = sender_status(event.payload)
        general, own = (self._as_sent(each, status) for each in (general, own))
        prior = self.sources.get(event.source)
        goals = session.aims
        situation = self.situations.judge(event.text, goals) if self.situations else None
        if situation is not None and _reassures((general, own), session):
            situation = replace(situation, wanted=_less_likely(situation.wanted))
        if situation is None:
            found = [general.vector, own.vector]
        else:
            found = [SalienceVector(threat=general.vector.threat), own.vector]
            found.append(self._wanted(situation))
        found.extend([prior] if prior else [])
        known = self.heuristics.match(event)
        return Scored(
            _strongest([*found, _sure(known)] if known else found),
            tuple(dict.fromkeys((*general.words, *own.words))),
            situation,
            event.source if prior else None,
            situation.goal_match if situation else _shared(event.text, goals),
            locked=known is not None and known.locked,
        )

    def worded(self, event: Event, session: Session) -> Scored:
        """Read the words alone, for an event that brings its vector."""
        general = salience_of_words(event.text)
        goals = session.aims
        match = 0.0 if event.is_addressed else _shared(event.text, goals)
        return Scored(general.vector, general.words, goal_match=match)

    def _as_sent(self, read: WordSalience, status: SenderStatus | None) -> WordSalience:
        """Let what the sender says of its alert count before the words of it."""
        threat = read.vector.threat
        if status is None or not threat:
            return read
        if status == "info":
            threat = min(threat, self.tuning.situation_threat)
            return replace(read, vector=read.vector.model_copy(update={"threat": threat}))
        polarity: Polarity = "over" if status == "over" else "practised"
        denied = read.denied | {polarity}
        vector = read.vector.model_copy(update={"threat": 0.0})
        return replace(read, vector=vector, denied=denied)

    def _wanted(self, situation: Situation) -> SalienceVector:
        """Scale what a kind of situation adds, so that S is the probability of a word being wanted.

        The threshold is a statement of costs about just this probability (executive.md §1.2).
        """
        adds = situation.adds
        scale = situation.wanted / strength(adds, self.tuning.weights)
        scaled = {name: min(1.0, getattr(adds, name) * scale) for name in DIMENSIONS}
        scaled["threat"] = min(self.tuning.situation_threat, adds.threat * situation.wanted)
        return SalienceVector(**{name: round(value, 4) for name, value in scaled.items()})


def _sure(known: Suggestion) -> SalienceVector:
    """Let an event matter that the pack has a heuristic for, whatever its words are."""
    return SalienceVector(goal_relevance=known.confidence, actionability=known.confidence)


def _reassures(read: Sequence[WordSalience], session: Session) -> bool:
    """Tell whether an event says only that nothing is wrong.

    The end of an alarm is news where an alarm was told, and reassures nobody else.
    """
    if any(each.vector.threat for each in read):
        return False
    denied = {polarity for each in read for polarity in each.denied}
    return bool(denied - ({"over"} if session.threats else set()))


def _less_likely(wanted: float) -> float:
    odds = REASSURED * wanted / max(1e-9, 1 - wanted)
    return round(odds / (1 + odds), 4)


def _strongest(vectors: list[SalienceVector]) -> SalienceVector:
    return SalienceVector(
        **{name: max(getattr(vector, name) for vector in vectors) for name in DIMENSIONS}
    )


def _shared(text: str, goals: tuple[str, ...]) -> float:
    """Tell which share of a goal's longer words stands in a text, when no encoder can tell."""
    said = _long_words(text)
    shares = [len(said & words) / len(words) for goal in goals if (words := _long_words(goal))]
    return round(max(shares, default=0.0), 4)


def _long_words(text: str) -> frozenset[str]:
    return frozenset(word for word in words_of(text) if len(word) > 3)
