"""Collect the evidence that something is wanted: text, act, ranking, slots, the pack's examples."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from math import log
from pathlib import Path
from typing import NamedTuple

import numpy as np
from pydantic import TypeAdapter, ValidationError

from state.action import Action
from state.errors import EncoderUnavailable
from tools.adapters import Embedder
from tools.catalog import Catalogue
from tools.nlu.actionability.classifier import ActionabilityClassifier
from tools.nlu.actionability.decision import Best, Prediction
from tools.nlu.intents.explanation import filled_of
from tools.nlu.intents.ranking import THE_SAME, Ranked, Ranking, Scored
from tools.nlu.intents.utterance import ParsedUtterance, UtteranceParser, key_beside
from tools.nlu.rejection.action_constraints import ActionConstraints
from tools.nlu.slots.filling import FilledSlots
from tools.platform.process_resources import write_atomically

_USUAL = 1.5
"""Log odds of the examples of most packs."""
_LEAST, _MOST = 0.3, 4.0
"""Log odds of the packs that `by_all` was learnt from, about: beyond, nothing is known. A made-up
museum's are -1; so far out 76 of 96 texts that want nothing were offered something, from here 56,
and of 25 wishes as many."""
_SAMPLE = 128
_USUAL_COUNTS = 10
"""As so many examples: a few of a small pack tell little."""


@dataclass(frozen=True)
class PackExampleStats:
    """How those of one pack sound, and how many there are."""

    odds: float = _USUAL
    """Mean log odds that they want something, by themselves."""
    each: float = 0.0
    """Examples an action, in the mean."""


_KEPT = TypeAdapter(dict[str, PackExampleStats])


@dataclass(frozen=True)
class PackExampleReader:
    """Those of every pack of a catalogue; to hear them takes a third of a second."""

    catalogue: Catalogue
    reader: UtteranceParser
    cache: Path | None
    """A folder that keeps what was heard for the next start."""

    def heard(
        self, judge: ActionabilityClassifier, manner: Embedder
    ) -> Mapping[str, PackExampleStats]:
        """Listen to some examples of each pack, or find them heard: by its name.

        Args:
            manner: hears how a text is said, as `judge` learnt it.

        Raises:
            EncoderUnavailable: it does not answer.
        """
        if self.cache is None or not judge.version:
            return self._heard(judge, manner)
        key = key_beside(self.reader.content, f"{manner.name}, {judge.version}")
        file = self.cache / f"heard-{key}.json"
        found = _load(file)
        if found is None:
            found = self._heard(judge, manner)
            write_atomically(file, _KEPT.dump_json(found))
        return found

    def _heard(
        self, judge: ActionabilityClassifier, manner: Embedder
    ) -> dict[str, PackExampleStats]:
        actions = self.catalogue.actions.values()
        examples: dict[str, list[str]] = defaultdict(list)
        for action in actions:
            examples[action.pack] += action.examples
        count = Counter(action.pack for action in actions)
        return {
            pack: PackExampleStats(
                _odds(texts, self.reader, judge, manner), len(texts) / count[pack]
            )
            for pack, texts in examples.items()
        }


def _load(file: Path) -> dict[str, PackExampleStats] | None:
    try:
        return _KEPT.validate_json(file.read_bytes())
    except (OSError, ValidationError):
        return None  # absent or damaged: it is only a cache


def _odds(
    texts: Sequence[str], reader: UtteranceParser, judge: ActionabilityClassifier, manner: Embedder
) -> float:
    if not texts:
        return _USUAL
    places = np.linspace(0, len(texts) - 1, min(_SAMPLE, len(texts)), dtype=int)
    readings = [reader.read(texts[place]) for place in places]
    vectors = manner.embed([reading.said for reading in readings])
    found = sum(
        judge.odds(reading.normal.text, reading.act, vector, manner.name)
        for reading, vector in zip(readings, vectors, strict=True)
    )
    mean = (found + _USUAL_COUNTS * _USUAL) / (len(readings) + _USUAL_COUNTS)
    # Rounded before it decides: the last bits are the machine's.
    return round(min(max(mean, _LEAST), _MOST), 3)


_NEAR = 0.85
"""Cosine from which the nearest example says much the same."""
_SUREST = 0.999
"""Confidences beyond, and below one less this, tell no more."""
_MOST_CONFIDENCE = 3
"""Things and slots beyond so many tell no more."""
_MOST_EACH = 300
"""Examples an action, beyond which more tell no more."""


class Evidence(NamedTuple):
    """All that is known of a text and of the action that it would ask for if it asked."""

    reading: ParsedUtterance
    odds: float
    """Log odds that the text wants something, by itself."""
    own: PackExampleStats
    """Of the pack that has the action."""
    freely: Ranked
    best: Best
    filled: FilledSlots
    lacks_slot: bool
    """One that is required is not said."""
    is_named: bool
    """An action is named for how the text is said."""
    is_barred: bool
    is_strange: bool
    is_heard: bool
    """The odds know how it is said, by its vector, and so do those of the pack's own examples."""


def evidence_features(seen: Evidence) -> Mapping[str, float]:
    """Name the signs of what is seen, each of about the size of one."""
    odds, sure = seen.odds / 2, _log_odds(seen.freely.confidence) / 2
    signs = {"wish": odds, "sure": sure, "wish·sure": odds * sure}
    own = {"own": seen.own.odds / 2, "taught": log(1 + min(seen.own.each, _MOST_EACH)) / 4}
    for sign, value in own.items():
        signs |= {
            sign: value,
            f"{sign}·wish": value * odds,
            f"{sign}·sure": value * sure,
            f"{sign}·near": value * seen.freely.cosine,
        }
    signs |= {sign: float(value) for sign, value in _plain(seen)}
    mood = f"mood:{seen.reading.act.mood}"
    reads, spoken_of = signs["reads"], signs["spoken_of"]
    return signs | {
        mood: 1.0,
        f"{mood}·wish": odds,
        f"{mood}·sure": sure,
        f"{mood}·spoken_of": spoken_of,
        f"{mood}·reads": reads,
        "reads·wish": reads * odds,
        "reads·sure": reads * sure,
        "implied·wish": signs["implied"] * odds,
        "spoken_of·wish": spoken_of * odds,
    }


def _plain(seen: Evidence) -> Iterator[tuple[str, float]]:
    reading, best, freely = seen.reading, seen.best, seen.freely
    act = reading.act
    yield f"sign:{act.reason}", 1
    if act.doubt:
        yield "doubt", 1
        yield f"doubt:{act.doubt}", 1
    yield "nearness", 2 * freely.cosine
    yield "near", freely.cosine >= _NEAR
    yield "the_same", freely.cosine >= THE_SAME
    yield "said", freely.is_said
    yield "sure_at_worst", freely.is_sure_at_worst
    yield "reads", best.reads
    yield "implied", best.is_implied
    yield "spoken_of", best.is_spoken_of
    yield "other", best.is_other
    yield "named", seen.is_named
    yield "barred", seen.is_barred
    yield "strange", seen.is_strange
    yield "lacks_slot", seen.lacks_slot
    yield "slots", min(_MOST_CONFIDENCE, len(seen.filled.values)) / 2
    yield "not_found", bool(seen.filled.not_found)
    yield "things", min(_MOST_CONFIDENCE, sum(one.is_known for one in reading.mentions)) / 2
    yield "length", log(1 + len(reading.normal.tokens)) - 2
    yield "asks_back", reading.said.rstrip().endswith("?")
    yield "verbs", len(reading.verbs)
    yield "no_verb", not reading.verbs
    for verb in reading.verbs:  # a sign that is given twice counts once
        yield f"verb:{verb.form}", 1
        yield f"verb:{verb.form}:{verb.nature}", 1


def _log_odds(chance: float) -> float:
    within = min(max(chance, 1 - _SUREST), _SUREST)
    return log(within / (1 - within))


@dataclass(frozen=True)
class EvidenceCollector:
    """Sees the texts of one catalogue."""

    actions: Sequence[Action]
    ranking: Ranking
    wishes: ActionabilityClassifier
    own: PackExampleReader

    def see(
        self,
        listened: Scored,
        restraint: ActionConstraints,
        today: date | None,
        as_said: Prediction,
        freely: Ranked,
        whole: ParsedUtterance,
    ) -> Evidence:
        """See one text.

        Args:
            as_said: what is made of it for how it is said.
            freely: the ranking as if it asked, however it is said.
            whole: the text with all words that the ranking heard.
        """
        reading, embedder = listened.reading, self.ranking.manner_embedder
        encoder = embedder.name if embedder is not None else None
        place = freely.order[0]
        action = self.actions[place]
        own = self._own(action.pack)
        manner = self.ranking.manner(listened) if own is not None else None
        is_as_said = place == as_said.ranked.order[0]
        filled = as_said.filled if is_as_said and whole is reading else None
        if filled is None:
            filled = filled_of(action, whole, today)
        best = Best(
            reads=action.effect == "read",
            is_implied=bool(restraint.is_implied[place]),
            is_spoken_of=bool(restraint.is_spoken_of[place]),
            is_denied=bool(restraint.is_denied[place]),
            is_other=not is_as_said,
            confidence=freely.confidence,
        )
        return Evidence(
            reading,
            self.wishes.odds(reading.normal.text, reading.act, manner, encoder),
            own or PackExampleStats(),
            freely,
            best,
            filled,
            lacks_slot=any(
                slot.required and name not in filled.values for name, slot in action.slots.items()
            ),
            is_named=as_said.is_named,
            is_barred=bool(restraint.is_barred[place]),
            is_strange=bool(restraint.is_strange[place]),
            is_heard=manner is not None and self.wishes.hears(encoder),
        )

    def _own(self, pack: str) -> PackExampleStats | None:
        try:
            return self._own_examples.get(pack, PackExampleStats())
        except EncoderUnavailable:
            return None  # nor is the text heard; they are listened to again with the next one

    @cached_property
    def _own_examples(self) -> Mapping[str, PackExampleStats]:
        """Listen to them with the first text that needs it: no start has to wait."""
        manner = self.ranking.manner_embedder
        if manner is None or not self.wishes.hears(manner.name):
            return {}
        return self.own.heard(self.wishes, manner)
