"""Route a text to an action: parse, rank, predict, fill the slots and apply the vetoes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Self

from state.action import Action
from state.errors import EncoderUnavailable
from state.policy import IMPLIED, Candidate, Hold, Routing
from tools.adapters.embedding.embedder import RequestEmbedder
from tools.catalog import Catalogue
from tools.nlu.actionability.classifier import load_classifier
from tools.nlu.actionability.decision import ASKS_ABOUT, Prediction
from tools.nlu.actionability.evidence import Evidence, PackExampleReader
from tools.nlu.intent_classifier.calibration import OFFERED
from tools.nlu.intent_classifier.lexical_model import LexicalPass
from tools.nlu.intent_classifier.training import trained_model
from tools.nlu.intent_classifier.training_examples import (
    CollectedExamples,
    collect_examples,
    training_set_of,
)
from tools.nlu.intents.explanation import (
    answer_of,
    container_of,
    entities_of,
    grounds_of,
    matched_words_of,
    remaining_words_of,
    target_of,
    verb_family_of,
)
from tools.nlu.intents.multi_intent import (
    MOST_REQUESTS,
    join_requests,
    requests_in,
    split_condition,
    with_order,
)
from tools.nlu.intents.prediction import Predictor
from tools.nlu.intents.ranking import MOST_ALTERNATIVES, PackPriors, Ranked, Ranking
from tools.nlu.intents.utterance import MOST_HELD, ParsedUtterance, UtteranceParser
from tools.nlu.lexicon.action_index import Effects, Wording, effects_of
from tools.nlu.reader import reading as segments
from tools.nlu.reader.reading import Reader, Reading
from tools.nlu.rejection.action_constraints import ActionConstraints, constraints_of
from tools.nlu.rejection.auto_run_veto import NO_SLOT_FOR, auto_run_veto_of, time_without_slot
from tools.nlu.rejection.read_limits import (
    asks_for_answer,
    is_judged,
    is_unmeant,
    limits_in,
    wants_no_change,
)
from tools.nlu.rejection.uncovered_phrases import uncovered_in
from tools.nlu.rejection.uncovered_tokens import UNCOVERED_TOKENS, uncovered_tokens_in
from tools.nlu.slots.answers import NO_ANSWER, fill_missing
from tools.nlu.slots.filling import FilledSlots, with_read_values
from tools.platform.process_resources import LRUCache


@dataclass(frozen=True)
class Prepared:
    """What follows from the actions of a catalogue and its wording."""

    effects: Effects
    lexical: LexicalPass
    collected: CollectedExamples

    @classmethod
    def of(cls, actions: Sequence[Action], wording: Wording) -> Self:
        """Prepare what routes to the actions."""
        return cls(effects_of(actions, wording), LexicalPass(actions), collect_examples(actions))


_HELD: LRUCache[Prepared] = LRUCache(MOST_HELD)


def prepared_for(content: str, actions: Sequence[Action], wording: Wording) -> Prepared:
    """Prepare, or take what was prepared for the same `content` (learning/content.py)."""
    return _HELD.get(content, lambda: Prepared.of(actions, wording))


def texts_to_encode(catalogue: Catalogue) -> list[str]:
    """List what an encoder is asked for when this catalogue is learnt."""
    actions = list(catalogue.actions.values())
    texts = training_set_of(collect_examples(actions), UtteranceParser(catalogue)).texts
    said = [text.said for text in texts] + [text.plain for text in texts]
    return list(dict.fromkeys(said))


_LEAST_ALTERNATIVE = 0.0001
_LIKE_AN_EXAMPLE = 0.75
"""Cosine to an example from which the words are a pack's own, and the grammar knows them."""
_ASKING = ("command", "request", "question", "conditional")
"""Acts of a part that is a request of its own."""
_ABOUT_WORDS = ("foreign_word", "unlike_examples")
"""Holds by words that no example has: the reader knows other people's questions."""
_WHY = "why"
"""Asks for a reason, which the journal has and no read."""
_LEAST_SURE, _SURE_SHARE, _SURE_READ = 0.6, 0.85, 0.8
"""Confidence and share of the best action from which a question in other words is answered by it,
and the confidence that it has then."""
_ALSO_OFFERED = 0.3
"""What a second request of the same text, or an equal fit, is worth: enough to be offered."""


class Router:
    """Routes texts to the actions of one catalogue. Pure: the same text gives the same answer."""

    def __init__(
        self,
        catalogue: Catalogue,
        *,
        cache: Path | None = None,
        embedder: RequestEmbedder | None = None,
        labels: Reader | None = None,
    ) -> None:
        """Train on the catalogue's examples.

        Args:
            catalogue: what can be asked for.
            cache: a folder that keeps what was learnt for the next start.
            embedder: an encoder of sentences; without one, words alone have to do.
            labels: tells limits and what is not meant, beside the grammar; None: nothing does.
        """
        self._labels = labels
        self._actions: list[Action] = list(catalogue.actions.values())
        self._reads = {one.name for one in self._actions if one.effect == "read"}
        self._reader = UtteranceParser(catalogue, cache=cache)
        prepared = prepared_for(self._reader.content, self._actions, self._reader.wording)
        self._effects, lexical = prepared.effects, prepared.lexical
        lessons = training_set_of(prepared.collected, self._reader)
        trained = trained_model(lessons, self._reader, lexical, cache, embedder)
        homes = PackPriors(catalogue, self._actions)
        ranking = Ranking(trained, lessons, lexical, homes, embedder)
        own = PackExampleReader(catalogue, self._reader, cache)
        self.settling = Predictor(self._actions, ranking, load_classifier(), self._reader, own)

    def route(
        self,
        text: str,
        *,
        data_dir: Path | None = None,
        today: date | None = None,
        roles: Sequence[str] = (),
        asker: str | None = None,
    ) -> Routing:
        """Read what somebody of these roles asks; in `data_dir` the lookups find their store."""
        reading = self._reader.read(text, data_dir, asker)
        whole = self._routed(reading, today, roles)
        if (parted := split_condition(reading, today)) is not None:
            order = self._reader.read(parted.order, data_dir, asker)
            return with_order(whole, self._routed(order, today, roles), parted)
        requests = requests_in(reading)
        is_read = len(requests) < 2
        if is_read:
            requests = self._cut(reading)
        if len(requests) < 2:
            return whole
        read = [self._reader.read(request, data_dir, asker) for request in requests]
        parts = [self._routed(one, today, roles) for one in read]
        if is_read and (not all(map(self._asks, read)) or _is_one(whole, parts)):
            return whole
        return join_requests(whole, parts)

    def _routed(
        self, reading: ParsedUtterance, today: date | None, roles: Sequence[str]
    ) -> Routing:
        says_something = any(token.text[0].isalpha() for token in reading.normal.tokens)
        if not self._actions or not says_something:
            return self._empty(reading)
        restraint = constraints_of(reading, self._effects)
        listened = self.settling.ranking.listen(reading)
        read, words = self._read(reading), reading.normal.words
        settled = self.settling.settle(listened, restraint, today, roles)
        ranked, is_named = settled.ranked, settled.is_named
        best = self._actions[ranked.order[0]]
        confidence, alternatives = self._held_back(ranked, restraint, settled.cap)
        if settled.asks_about is not None:  # who asks how things are changes nothing
            alternatives = tuple(one for one in alternatives if one.action in self._reads)
        is_known = _is_known(ranked)
        if read is not None and wants_no_change(read) and not is_known:
            alternatives = tuple(one for one in alternatives if one.action in self._reads)
            is_named = is_named and best.effect == "read"
        action = best if is_named else None
        filled = self.settling.filled(settled, reading, today) if is_named else FilledSlots({})
        if read is not None and is_named and is_judged(read):
            filled = with_read_values(best, filled, matched_words_of(reading, today), read)
        time = time_without_slot(reading, action, today=today) if action is not None else None
        if time is not None:
            confidence = min(confidence, OFFERED)  # asked for at another time
        unread = uncovered_tokens_in(reading, best, filled, self._effects) if is_named else ()
        uncovered = uncovered_in(reading, best, filled, self._effects, time) if is_named else ()
        held = (
            auto_run_veto_of(reading, best, settled, restraint, self._effects) if is_named else None
        )
        if read is not None and is_named:
            uncovered = (*uncovered, *limits_in(reading, read, best, filled, uncovered))
            held = self._held_as_read(held, settled, read, words)
        if unread:
            held = "unread"
        if read is not None and is_named and held is None and self._answers(settled, read, words):
            confidence = max(confidence, _SURE_READ)
        telling = self.settling.ranking.telling(ranked)
        reasons = (
            *restraint.reasons,
            *grounds_of(reading, best, ranked, filled, telling, is_named=is_named),
            *filled.reasons,
            *reading.names.failed,
            *((f"held:{held}",) if held is not None else ()),
            *((f"{NO_SLOT_FOR}{time.text}",) if time is not None else ()),
            *((f"{UNCOVERED_TOKENS}{' '.join(unread)}",) if unread else ()),
            *((f"wish:{settled.wish}",) if settled.wish is not None else ()),
            *((f"{ASKS_ABOUT}{settled.asks_about}",) if settled.asks_about is not None else ()),
            *((IMPLIED,) if is_named and settled.follows else ()),
        )
        routing = _routing(reading, action, confidence, alternatives, filled, reasons, held=held)
        return routing.model_copy(update={"uncovered": uncovered}) if uncovered else routing

    def _held_as_read(
        self, held: Hold | None, settled: Prediction, read: Reading, words: Sequence[str]
    ) -> Hold | None:
        """Hold what the reader is sure is not meant, and let go what only has other words."""
        ranked = settled.ranked
        is_change = self._actions[ranked.order[0]].effect != "read"
        if held is None and is_change and is_unmeant(read) and not _is_known(ranked):
            return "mood"
        return None if held in _ABOUT_WORDS and self._answers(settled, read, words) else held

    def _answers(self, settled: Prediction, read: Reading, words: Sequence[str]) -> bool:
        """Tell whether the best action is a read that answers a question in other words."""
        ranked, best = settled.ranked, settled.ranked.order[0]
        if ranked.twins or settled.follows:
            return False
        is_read = self._actions[best].effect == "read" and not _is_known(ranked)
        is_sure = ranked.confidence >= _LEAST_SURE and float(ranked.shares[best]) >= _SURE_SHARE
        return is_read and is_sure and _WHY not in words and asks_for_answer(read)

    def _cut(self, reading: ParsedUtterance) -> tuple[str, ...]:
        """Cut a text where the reader finds a further verb that asks; often into one piece."""
        read = self._read(reading)
        if read is None or read.want == "none" or not is_judged(read):
            return ()
        normal = reading.normal
        pieces = segments.requests_in(normal, read)[:MOST_REQUESTS]
        return tuple(segments.text_of(normal, one) for one in pieces)

    def _asks(self, reading: ParsedUtterance) -> bool:
        read = self._read(reading)
        return read is not None and read.want != "none" and read.act in _ASKING

    def _read(self, reading: ParsedUtterance) -> Reading | None:
        if self._labels is None:
            return None
        try:
            return self._labels.read(reading.normal)
        except EncoderUnavailable:
            return None  # the grammar alone has to do

    def seen(self, text: str, *, data_dir: Path | None, roles: Sequence[str]) -> Evidence | None:
        """Give what a wish is judged by, to learn from it; None: the text says nothing."""
        reading = self._reader.read(text, data_dir)
        if not any(token.text[0].isalpha() for token in reading.normal.tokens):
            return None
        listened = self.settling.ranking.listen(reading)
        return self.settling.seen(listened, constraints_of(reading, self._effects), None, roles)

    def answer(
        self,
        text: str,
        action: str,
        missing: Sequence[str],
        *,
        data_dir: Path | None = None,
        today: date | None = None,
        asker: str | None = None,
        given: Mapping[str, Any] | None = None,  # by slot type
    ) -> Routing | None:
        """Read a text as the answer to a question for slots; None: it is something else.

        Without any slot it names what was asked for and does not say that it is meant.

        Args:
            given: the arguments that are known already, which an answer may say again.
        """
        meant = next((one for one in self._actions if one.name == action), None)
        reading = self._reader.read(text, data_dir, asker)
        if meant is None or not reading.normal.tokens:
            return None
        takes_words = any(meant.slots[name].type in ("text", "list") for name in missing)
        asks = reading.act.mood == "question" or (
            reading.act.ask is not None and reading.act.ask.verb is not None
        )
        if asks and (not takes_words or reading.act.mood == "question"):
            return None
        heard, lexicon = matched_words_of(reading, today), self._reader.lexicon
        filled = fill_missing(meant, missing, heard, reading.act, given or {}, lexicon)
        is_said = filled.values or filled.choices or filled.not_found
        if not is_said and NO_ANSWER not in filled.reasons:
            return None
        return answer_of(reading, meant, missing, filled)

    def _held_back(
        self, ranked: Ranked, restraint: ActionConstraints, cap: float
    ) -> tuple[float, tuple[Candidate, ...]]:
        """Cap what must not be sure; alternatives share what the best leaves over, and less."""
        best = ranked.order[0]
        confidence = round(min(ranked.confidence, cap), 4)
        # Shares are rounded: what is nothing like any action leaves even the best one 0.
        ours = max(1e-6, float(ranked.shares[best]))
        rest = max(1e-6, 1.0 - ours)
        offered = restraint.also_asked | ranked.twins
        candidates = []
        for place in (*ranked.order, *sorted(offered - set(ranked.order))):
            share = float(ranked.shares[place])
            left_over = share / rest * (1.0 - ranked.confidence)
            in_line = share / ours * ranked.confidence
            value = confidence if place == best else min(left_over, in_line, confidence)
            if place in offered:
                value = max(value, min(_ALSO_OFFERED, confidence))
            value = round(min(value, float(restraint.caps[place])), 4)
            if value >= _LEAST_ALTERNATIVE:
                candidates.append(Candidate(action=self._actions[place].name, confidence=value))
        candidates.sort(key=lambda candidate: -candidate.confidence)
        return confidence, tuple(candidates)

    def _empty(self, reading: ParsedUtterance) -> Routing:
        return Routing(
            text=reading.normal.original,
            normalized=reading.normal.text,
            tokens=tuple(reading.normal.words),
            action=None,
            confidence=0.0,
            mood=reading.act.mood,
            sign=reading.act.reason,
            entities=entities_of(reading),
            reasons=("no_words" if not reading.normal.tokens else "no_actions",),
        )


def _is_one(whole: Routing, parts: Sequence[Routing]) -> bool:
    """Tell whether parts ask for one thing, or one of them for nothing known, which to drop."""
    slots = [slot for part in parts for slot in part.slots.items()]
    is_same = all(part.action == whole.action for part in parts)
    is_all = all(part.action is not None for part in parts)
    return not is_all or (is_same and all(whole.slots.get(name) == value for name, value in slots))


def _is_known(ranked: Ranked) -> bool:
    """Tell whether a text is said in a pack's own words.

    The grammar knows those, and the reader what is told in others.
    """
    return ranked.is_said or ranked.cosine >= _LIKE_AN_EXAMPLE


def _routing(
    reading: ParsedUtterance,
    action: Action | None,
    confidence: float,
    candidates: tuple[Candidate, ...],
    filled: FilledSlots,
    reasons: tuple[str, ...],
    *,
    held: Hold | None,
) -> Routing:
    name = action.name if action is not None else None
    others = [one for one in candidates if one.action != name][:MOST_ALTERNATIVES]
    return Routing(
        text=reading.normal.original,
        normalized=reading.normal.text,
        tokens=tuple(reading.normal.words),
        action=name,
        confidence=confidence,
        alternatives=tuple(others),
        mood=reading.act.mood,
        sign=reading.act.reason,
        denied=reading.act.denied,
        left=remaining_words_of(reading),
        held=held,
        verb_family=verb_family_of(reading, action),
        target_object=target_of(reading, action),
        target_container=container_of(reading, action),
        slots=filled.values,
        missing_slots=tuple(
            slot
            for slot, described in (action.slots.items() if action is not None else ())
            if described.required and slot not in filled.values
        ),
        entities=entities_of(reading, filled.found),
        choices=filled.choices,
        not_found=filled.not_found,
        reasons=reasons,
    )
