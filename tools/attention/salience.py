"""Assess the salience of an event.

Its vector with evidence, habituation, watched and suppressed topics, and inhibition by known
causes.

The sender's vector counts; without one it is computed from words, source and similar situations.
Source: executive.md §1.3, step 6 (inhibition).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self

from state.arrival import Arrival
from state.attention import OpenCause
from state.event import Event
from state.policy import Suggestion
from state.salience import DIMENSIONS, Salience, SalienceVector
from state.session import Session, TopicRule
from state.stages import Gathered
from state.tuning import Context, HabituationTuning, SalienceTuning, Tuning
from tools.adapters import Embedder
from tools.attention.alarms import SenderStatus, sender_status
from tools.attention.judge import EventJudge, Judgement, parted_names
from tools.attention.lexicon import LexiconSalience, SalienceLexicon, salience_from_words
from tools.attention.news import said_before
from tools.attention.polarity import Polarity
from tools.attention.relevance import context_in, habituation_on_arrival, pattern_of, strength
from tools.attention.situations import Situation, Situations
from tools.catalog import Catalogue
from tools.catalog.pack_schema import Inhibition
from tools.nlu import matches_topic
from tools.platform.text_comparison import (
    keywords_of,
    long_words,
    meets_condition,
)
from tools.ports import Heuristics


@dataclass(frozen=True)
class InhibitionMatches:
    """What an event has to do with causes, each named by its rule and the keys it shares."""

    opens: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    hidden_by: str | None = None


@dataclass(frozen=True)
class InhibitionRules:
    """The packs' rules about causes."""

    rules: Sequence[Inhibition] = ()

    def match(
        self, event: Event, open_causes: Mapping[str, OpenCause], now: float
    ) -> InhibitionMatches:
        """Find the causes that an event is, ends, or is explained by; `now` since 1970."""
        if not self.rules or event.is_addressed:
            return InhibitionMatches()
        said = keywords_of(f"{event.text} {' '.join(entity.value for entity in event.entities)}")
        opens: list[str] = []
        ends: list[str] = []
        hidden_by: str | None = None
        for rule in self.rules:
            name = _named(rule, event)
            if rule.ends and meets_condition(rule.ends, said):
                ends.append(name)
            elif rule.source in (None, event.source) and meets_condition(rule.cause, said):
                opens.append(name)
            elif any(meets_condition(condition, said) for condition in rule.hides):
                cause = open_causes.get(name)
                if hidden_by is None and cause is not None and cause.at <= now < cause.until:
                    hidden_by = name
        return InhibitionMatches(tuple(opens), tuple(ends), hidden_by)

    def explained(self, session: Session, gathered: Gathered, now: float) -> dict[str, Any]:
        """Return the open causes after a decision, as a field of the session."""
        salience = gathered.salience
        if salience is None or not (session.causes or salience.opens):
            return {}
        matches = InhibitionMatches(salience.opens, salience.ends, salience.hidden_by)
        told = gathered.delivery is not None and gathered.delivery.output != "silent"
        causes = self.after(session.causes, gathered.event, matches, now=now, told=told)
        return {"causes": causes}

    def after(
        self,
        open_causes: Mapping[str, OpenCause],
        event: Event,
        matches: InhibitionMatches,
        *,
        now: float,
        told: bool,
    ) -> dict[str, OpenCause]:
        """Return the open causes after an event; only one that was told explains anything."""
        kept = {
            name: cause
            for name, cause in open_causes.items()
            if now < cause.until and name not in matches.ends
        }
        if told:
            lives = {rule.id: rule.minutes * 60 for rule in self.rules}
            for name in matches.opens:
                rule = name.partition("|")[0]
                kept[name] = OpenCause(
                    rule=rule,
                    decision_id=event.decision_id,
                    text=event.text[:200],
                    at=now,
                    until=now + lives[rule],
                )
        return kept


def _named(rule: Inhibition, event: Event) -> str:
    entity = event.entities[0].value if event.entities else ""
    shared = {"source": event.source, "entity": entity}
    return "|".join((rule.id, *(shared[key] for key in rule.equal)))


_AT_STAKE = SalienceVector(goal_relevance=1.0, actionability=1.0)
_FEW = 4
"""Words of a title such as `smoke alarm`: too few for the judge to overrule their words."""
REASSURED = 0.125
"""What the odds that a word is wanted are multiplied by where an event says that all is well."""


@dataclass(frozen=True)
class ScoredSalience:
    """The vector, and which words, example and prior it comes from."""

    vector: SalienceVector
    words: tuple[str, ...] = ()
    situation: Situation | None = None
    prior: str | None = None
    goal_match: float = 0.0
    judged: Judgement | None = None
    locked: bool = False
    """A locked heuristic fits: an alarm, whatever its words."""


@dataclass(frozen=True)
class SalienceScorer:
    """Scores by the words of any domain, by those of the packs, by source, and by meaning.

    With an encoder the judge says what an event calls for, beside what packs say of their domains;
    general words count for threats alone. Without one they are all there is.
    """

    heuristics: Heuristics
    tuning: SalienceTuning
    lexicon: SalienceLexicon = field(default_factory=lambda: SalienceLexicon.of({}))
    sources: Mapping[str, SalienceVector] = field(default_factory=dict)
    situations: Situations | None = None
    judge: EventJudge | None = None
    """Judges events by what is at stake; None: words and situations have to do."""

    @property
    def is_blocking(self) -> bool:
        """Tell whether scoring asks an encoder."""
        return self.situations is not None or self.judge is not None

    def score(self, event: Event, session: Session, *, waited: bool = False) -> ScoredSalience:
        """Score an event; what somebody says to us needs no vector, but its words are kept.

        Args:
            waited: it was held, and what its sender said last came after it.
        """
        parted = event.text if event.is_addressed else parted_names(event.text)
        general = salience_from_words(parted)
        if event.is_addressed:
            return ScoredSalience(general.vector, general.words)
        own = salience_from_words(parted, self.lexicon)
        status = sender_status(event.payload)
        general, own = (self._as_sent(each, status) for each in (general, own))
        prior = self.sources.get(event.source)
        goals = session.concerns
        judged = self._judgement(event, None if waited else session)
        situation = self._situation(event.text, goals, judged)
        is_well = _reassures((general, own), session)
        if situation is not None and is_well:
            situation = replace(situation, wanted=_less_likely(situation.wanted))
        if judged is not None:
            judged = judged.beside(situation.wanted) if situation and judged.is_idle else judged
            is_unwanted = situation is not None and situation.is_own and situation.is_unwanted
            judged = judged.times(REASSURED) if is_well or is_unwanted else judged
            is_short = len(parted.split()) <= _FEW
            found = [own.vector, self._judged(judged, general, status, is_short=is_short)]
            found.extend([self._wanted(situation)] if situation and situation.is_own else [])
        elif situation is None:
            found = [general.vector, own.vector]
        else:
            found = [SalienceVector(threat=general.vector.threat), own.vector]
            found.append(self._wanted(situation))
        if judged is None and status == "urgent" and not is_well:
            found.append(self._at_stake(self.tuning.urgent_now))
        found.extend([prior] if prior else [])
        known = self.heuristics.match(event)
        return ScoredSalience(
            _strongest([*found, _sure(known)] if known else found),
            tuple(dict.fromkeys((*general.words, *own.words))),
            situation,
            event.source if prior else None,
            situation.goal_match if situation else _shared(event.text, goals),
            locked=known is not None and known.locked,
            judged=judged,
        )

    def _judgement(self, event: Event, session: Session | None) -> Judgement | None:
        if self.judge is None:
            return None
        before = said_before(event, session) if session is not None else ""
        return self.judge.judge(event.source, event.text, before)

    def _situation(
        self, text: str, goals: Sequence[str], judged: Judgement | None
    ) -> Situation | None:
        """Compare with known situations.

        Beside the judge only where nothing is at stake, for goals, and with those of packs.
        """
        if self.situations is None:
            return None
        is_needed = judged is None or judged.is_idle or bool(goals) or self.situations.has_own
        return self.situations.judge(text, goals) if is_needed else None

    def worded(self, event: Event, session: Session) -> ScoredSalience:
        """Read the words alone, for an event that brings its vector."""
        general = salience_from_words(event.text)
        goals = session.concerns
        match = 0.0 if event.is_addressed else _shared(event.text, goals)
        return ScoredSalience(general.vector, general.words, goal_match=match)

    def _as_sent(self, read: LexiconSalience, status: SenderStatus | None) -> LexiconSalience:
        """Let what the sender says of its alert count before the words of it."""
        threat = read.vector.threat
        if status in (None, "urgent") or not threat:
            return read
        if status == "info":
            threat = min(threat, self.tuning.situation_threat)
            return replace(read, vector=read.vector.model_copy(update={"threat": threat}))
        polarity: Polarity = "over" if status == "over" else "practised"
        denied = read.denied | {polarity}
        vector = read.vector.model_copy(update={"threat": 0.0})
        return replace(read, vector=vector, denied=denied)

    def _judged(
        self,
        judged: Judgement,
        general: LexiconSalience,
        status: SenderStatus | None,
        *,
        is_short: bool,
    ) -> SalienceVector:
        """Scale what is at stake, so that S is the chance that a word is wanted at once.

        Words of alarm count where the judge does not rule one out, and in the few of a short title.
        """
        odds = self.tuning.now_odds * judged.now / max(1e-9, 1 - judged.now)
        now = odds / (1 + odds) if status in (None, "info", "urgent") else 0.0
        if status == "urgent" and judged.is_grave:
            now = max(now, self.tuning.urgent_now)
        is_plain = is_short and general.vector.threat > self.tuning.situation_threat
        now = max(now, general.vector.threat) if is_plain else now
        adds = self._at_stake(now).model_dump()
        adds["threat"] = now * self.tuning.gravity.get(judged.harm, 0.0)
        if status == "info" or not judged.is_grave:
            adds["threat"] = min(adds["threat"], self.tuning.situation_threat)
        if now >= self.tuning.words_from or is_plain:
            adds["threat"] = max(adds["threat"], general.vector.threat)
        return SalienceVector(**{name: round(value, 4) for name, value in adds.items()})

    def _at_stake(self, now: float) -> SalienceVector:
        share = now / strength(_AT_STAKE, self.tuning.weights)
        return SalienceVector(
            **{name: min(1.0, getattr(_AT_STAKE, name) * share) for name in DIMENSIONS}
        )

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


def _reassures(read: Sequence[LexiconSalience], session: Session) -> bool:
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
    said = long_words(text)
    shares = [len(said & words) / len(words) for goal in goals if (words := long_words(goal))]
    return round(max(shares, default=0.0), 4)


@dataclass(frozen=True)
class SalienceAssessor:
    """Use the gateway's vector, or one computed from the event itself when there is none."""

    scorer: SalienceScorer
    tuning: SalienceTuning
    habituation: HabituationTuning
    context: Context
    causes: InhibitionRules = field(default_factory=InhibitionRules)

    @classmethod
    def of(
        cls,
        catalogue: Catalogue,
        heuristics: Heuristics,
        tuning: Tuning,
        embedder: Embedder | None,
        judge: EventJudge | None = None,
    ) -> Self:
        """Build it by what the packs say of their domains."""
        files = [pack.attention for pack in catalogue.packs]
        rules = tuple(
            rule.model_copy(update={"id": f"{pack.name}.{rule.id}"})
            for pack in catalogue.packs
            for rule in pack.attention.inhibits
        )
        scorer = SalienceScorer(
            heuristics,
            tuning.salience,
            SalienceLexicon.of_packs(files),
            {source: vector for file in files for source, vector in file.sources.items()},
            Situations.of_packs(files, embedder, tuning.salience.usually_wanted)
            if embedder
            else None,
            judge,
        )
        causes = InhibitionRules(rules)
        return cls(scorer, tuning.salience, tuning.habituation, catalogue.context, causes)

    def asks_encoder(self, event: Event) -> bool:
        """Tell whether weighing this event blocks for an encoder's answer."""
        is_given = event.salience is not None or event.is_addressed
        return self.scorer.is_blocking and not is_given

    def weigh(self, event: Event, arrival: Arrival, session: Session) -> Salience:
        """Weigh an event in a session at the time it was received."""
        now = arrival.received_at.timestamp()
        waited = arrival.held_since is not None
        scored = self._scored(event, session, waited=waited)
        pattern = pattern_of(event.source, event.kind, _entity(event, scored.words))
        is_new = self._is_new(event, pattern, session)
        vector = event.salience or self._with_novelty(scored.vector, is_new=is_new)
        level = habituation_on_arrival(
            session.familiar.get(pattern),
            vector,
            now,
            self.habituation.fade_seconds[context_in(session, self.context)],
            self.habituation,
            event.text,
        )
        watch = _topic(session, "watch", event, now)
        suppress = _topic(session, "suppress", event, now)
        # Nobody gets used to an answer, or to what we decided to say ourselves.
        is_ours = event.is_addressed or arrival.initiative is not None
        matches = self.causes.match(event, session.causes, now)
        situation, judged = scored.situation, scored.judged
        stands_out = max(prominence(vector, level), scored.goal_match * (1 - level))
        is_like = judged is None or judged.is_idle or (situation is not None and situation.is_own)
        return Salience(
            vector=vector,
            source=_source(event, scored),
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
            dull=not (is_ours or watch) and stands_out < self.tuning.dull_below,
            words=() if event.salience else scored.words,
            wanted=judged.now if judged else situation.wanted if situation else None,
            worth=_worth(vector, judged),
            judged=f"{judged.harm}, {judged.state}, {judged.reality}" if judged else None,
            situation=situation.kind if situation and is_like else None,
            like=situation.like if situation and is_like else None,
            prior=scored.prior,
            locked=scored.locked,
            is_new=is_new,
        )

    def _scored(self, event: Event, session: Session, *, waited: bool) -> ScoredSalience:
        if event.salience is None:
            return self.scorer.score(event, session, waited=waited)
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


def _worth(vector: SalienceVector, judged: Judgement | None) -> float:
    """Give the chance that it belongs in a digest; of a vector that was sent its strongest side."""
    if judged is None:
        return round(max(map(float, vector.model_dump().values())), 4)
    return min(1.0, round(judged.levels["now"] + judged.levels["later"], 4))


def prominence(vector: SalienceVector, habituation: float) -> float:
    """Tell how far the strongest dimension stands out; nobody gets used to a threat."""
    others = max(getattr(vector, name) for name in DIMENSIONS if name != "threat")
    return float(max(vector.threat, others * (1 - habituation)))


def _source(
    event: Event, scored: ScoredSalience
) -> Literal["given", "words", "meaning", "addressed"]:
    if event.salience:
        return "given"
    if event.is_addressed:
        return "addressed"
    return "meaning" if scored.judged or scored.situation else "words"


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
