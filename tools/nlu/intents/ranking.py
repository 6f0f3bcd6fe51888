"""Rank the actions for an utterance with calibrated confidence, and find ambiguous intents."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from state.action import Action
from state.errors import EncoderUnavailable
from tools.adapters import Embedder
from tools.adapters.embedding.embedder import RequestEmbedder
from tools.catalog import Catalogue
from tools.nlu.intent_classifier.calibration import Calibrator, PassScores
from tools.nlu.intent_classifier.features import Floats
from tools.nlu.intent_classifier.lexical_model import LexicalPass
from tools.nlu.intent_classifier.linear_models import ClassProximity
from tools.nlu.intent_classifier.training import TrainedModel
from tools.nlu.intent_classifier.training_examples import TrainingSet
from tools.nlu.intents.utterance import ParsedUtterance
from tools.nlu.rejection.action_constraints import ActionConstraints

_ABROAD = 1e-3
"""What the share of an action is worth in a pack that knows none of somebody's roles."""


@dataclass(frozen=True)
class PackPriors:
    """Weighs the actions of a catalogue by who asks."""

    catalogue: Catalogue
    actions: Sequence[Action]

    def weighed(self, shares: Floats, roles: Sequence[str]) -> Floats:
        """Weigh down what is abroad; `shares`: (actions + 1,), the last is none of them."""
        if len(self.catalogue.packs) == 1:
            return shares
        home = self.catalogue.at_home(roles)
        if len(home) == len(self.catalogue.packs):
            return shares
        weights = [1.0 if action.pack in home else _ABROAD for action in self.actions]
        left: Floats = shares * np.asarray([*weights, 1.0], shares.dtype)
        weighed: Floats = left / left.sum()
        return weighed


_FITS, _EQUALLY = 0.6, 0.08
"""Lexical scores from which, and within which, actions fit a text equally well."""
_AS_LIKELY = 0.02
"""Share, of the best one's, below which what the examples say tells two apart."""
_MOST_TWINS = 3


def ambiguous_with(
    reading: ParsedUtterance,
    order: tuple[int, ...],
    lexical: Floats,
    restraint: ActionConstraints,
    shares: Floats,
) -> frozenset[int]:
    """Find actions that fit as well where no object is named: `add it to the work order`."""
    best = order[0]
    if lexical[best] < _FITS or reading.things.targets or not reading.things.containers:
        return frozenset()
    equal = [
        place
        for place in order[1:]
        if lexical[place] >= lexical[best] - _EQUALLY
        and shares[place] >= _AS_LIKELY * shares[best]
        and not restraint.is_barred[place]
    ]
    return frozenset(equal[:_MOST_TWINS])


MOST_ALTERNATIVES = 4
THE_SAME = 0.97
"""Cosine from which a text is an example said again: no other is like the examples, if not this."""
_MOST_TELLING, _TELLS, _LITTLE = 3, 0.4, 0.39
"""Words named as grounds, how far one has to speak for an action against the others, and what no
rounding brings there."""


class Ranked(NamedTuple):
    """The best actions in order, and how sure to be of the first."""

    order: tuple[int, ...]
    shares: Floats
    confidence: float
    is_said: bool
    """Its own verb and object were said."""
    is_sure_at_worst: bool
    """It would be sure too if many more of the texts asked for something else."""
    twins: frozenset[int]
    """Others that fit the verb, the objects and the things as well as the first."""
    words: tuple[str, ...]
    """Those it was ranked by."""
    near: str | None
    """The example of the first that the text is nearest to; None without an encoder."""
    cosine: float


class Scored(NamedTuple):
    """What every pass makes of one text, and who judges it."""

    reading: ParsedUtterance
    heard: PassScores
    judge: Calibrator
    vector: Floats | None
    """(dimensions,), what the text means; None without an encoder."""


@dataclass(frozen=True)
class Ranking:
    """Joins the passes; it ranks by words alone where the encoder is not there or fails."""

    trained: TrainedModel
    lessons: TrainingSet
    lexical: LexicalPass
    homes: PackPriors
    embedder: RequestEmbedder | None

    def manner(self, listened: Scored) -> Floats | None:
        """Give the vector of how a text is said: (dimensions,), None where nobody tells."""
        return (
            _vector(self.manner_embedder, listened.reading) if listened.vector is not None else None
        )

    def listen(self, reading: ParsedUtterance) -> Scored:
        """Score all actions by every pass."""
        trained, meaning = self.trained, self.trained.meaning
        vector = _vector(self.embedder, reading) if meaning is not None else None
        heard = PassScores(
            words=trained.resemblance.scores_of(trained.vocabulary.row(reading.model_words)),
            lexical=self.lexical.scores(reading.evidence),
            known=trained.vocabulary.known(reading.evidence.words),
            meaning=meaning.scores(vector) if meaning and vector is not None else None,
        )
        judge = trained.hearing if vector is not None and trained.hearing else trained.judge
        return Scored(reading, heard, judge, vector)

    def rank(self, listened: Scored, restraint: ActionConstraints, roles: Sequence[str]) -> Ranked:
        """Rank all actions for one text, as it is said."""
        judge, heard = listened.judge, listened.heard
        shares = self._shares(judge, heard, restraint.handicap, roles)
        is_other = restraint.unless_implied is not restraint.handicap
        if is_other and not restraint.is_implied[int(shares[:-1].argmax())]:
            shares = self._shares(judge, heard, restraint.unless_implied, roles)
        return self._ranked(listened, shares, restraint)

    def rank_freely(
        self, listened: Scored, restraint: ActionConstraints, roles: Sequence[str]
    ) -> Ranked:
        """Rank all actions for one text as if it asked, however it is said."""
        shares = self._shares(listened.judge, listened.heard, restraint.never, roles)
        return self._ranked(listened, shares, restraint)

    def telling(self, ranked: Ranked) -> tuple[str, ...]:
        """Name the words that the examples of the best action have and those of others have not."""
        known, best = self.trained.vocabulary.places, ranked.order[0]
        words = sorted({word for word in ranked.words if word in known})
        places = np.array([known[word] for word in words], np.int64)
        resemblance = self.trained.resemblance
        beyond = resemblance.weights[places, best] - resemblance.means[places]
        # Rounded before they decide: the last bits are the machine's. What says little needs none.
        by_word = zip(words, beyond.tolist(), strict=True)
        speaks = {word: round(how, 3) for word, how in by_word if how > _LITTLE}
        telling = sorted(speaks, key=lambda word: -speaks[word])
        return tuple(word for word in telling[:_MOST_TELLING] if speaks[word] >= _TELLS)

    @property
    def manner_embedder(self) -> Embedder | None:
        """Give the encoder whose vectors say how a text is said; None: nobody does."""
        return self.embedder.manner if self.embedder is not None else None

    def _ranked(self, listened: Scored, shares: Floats, restraint: ActionConstraints) -> Ranked:
        reading, judge, heard = listened.reading, listened.judge, listened.heard
        meaning, vector = self.trained.meaning, listened.vector
        order = tuple((-shares[:-1]).argsort(kind="stable")[: MOST_ALTERNATIVES + 1].tolist())
        best = order[0]
        near = meaning.nearness(vector, best) if meaning and vector is not None else None
        signs = judge.signs(best, shares, heard, near)
        sure = judge.sureness(signs)
        return Ranked(
            order,
            shares,
            sure.confidence,
            signs.is_said,
            sure.is_at_worst or (near is not None and near.nearest >= THE_SAME),
            ambiguous_with(reading, order, heard.lexical, restraint, shares),
            reading.model_words,
            self._example(near),
            near.nearest if near is not None else 0.0,
        )

    def _shares(
        self, judge: Calibrator, heard: PassScores, handicap: Floats | None, roles: Sequence[str]
    ) -> Floats:
        # Rounded before they decide: the last bits are the machine's.
        return self.homes.weighed(judge.joined(heard, handicap), roles).round(6)

    def _example(self, near: ClassProximity | None) -> str | None:
        if near is None or near.place is None:
            return None
        return self.lessons.written[near.place]


def _vector(embedder: Embedder | None, reading: ParsedUtterance) -> Floats | None:
    if embedder is None:
        return None
    try:
        (vector,) = embedder.embed([reading.said])
    except EncoderUnavailable:
        return None  # a server that does not answer: the words alone have to do
    return np.asarray(vector, np.float32)
