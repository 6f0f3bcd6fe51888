"""Estimate the log odds that a text wants something done now, from delexicalised n-grams.

The dialogue act and, where its encoder is there, the sentence vector.

The weights ship in `learnt.json`; `prefrontal evals wishes --write` learns them.
"""

import json
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from hashlib import sha256
from itertools import pairwise
from math import exp, sqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from state.errors import BadInput
from tools.nlu.dialogue_acts.dialogue_act import DialogueAct
from tools.nlu.intent_classifier.features import Floats
from tools.nlu.lexicon.cue_phrases import FUNCTION_WORDS
from tools.nlu.lexicon.normalization import word_set

_PIECE = re.compile(r"[a-z']+|\d+|[?.!,:;\"]")
_WORD = re.compile(r"[a-z']+")
_MARKS = frozenset("?.!,:;" + '"')
_GRAMMAR = (
    FUNCTION_WORDS
    | _MARKS
    | word_set("yes nope no none nobody nothing never ok okay thanks sorry oops because before")
    | word_set(
        "after already yesterday today tomorrow tonight later soon again longer else instead"
    )
)
_MOST_PIECES = 160
"""Of a text that is longer, the beginning."""
_EDGE = "|"

Run = str | tuple[str, ...]
"""A piece of a text, or some that stand side by side."""


def delexicalised_ngrams(text: str) -> Set[Run]:
    """Give each run of up to three places, every word that is none of the grammar's by its form.

    Args:
        text: in its normal form, see normalise.py.
    """
    forms = [_EDGE, *map(_form, _PIECE.findall(text)[:_MOST_PIECES]), _EDGE]
    return {
        *forms,
        *pairwise(forms),
        *zip(forms, forms[1:], forms[2:], strict=False),
    }


def word_ngrams(text: str) -> Set[Run]:
    """Give each word and each pair, to find those that several domains share."""
    words = _WORD.findall(text)[:_MOST_PIECES]
    return {*words, *pairwise(words)}


@lru_cache(4_096)
def _form(piece: str) -> str:
    if piece in _GRAMMAR:
        return piece
    if piece[0].isdigit():
        return "0"
    if piece.endswith("ing"):
        return "~ing"
    return "~ed" if piece.endswith("ed") else "~"


_OF_PIECES = 2.0
"""How far shapes and words count beside the grammar's own signs before anything is learnt."""
_WORDING = "="
"""Begins the name of a wording, which may look like a shape."""
_OF_GRAMMAR = ("mood:", "sign:", "doubt")
"""Begin the names of the grammar's own."""


class ActionabilityFeatures(NamedTuple):
    """The signs of one text, by where they come from."""

    grammar: Sequence[str]
    shapes: Set[Run]
    wordings: Set[Run]

    @property
    def shares(self) -> tuple[float, float, float]:
        """Weigh a sign of each: a long text weighs no more than a short one."""
        return 1.0, _share(self.shapes), _share(self.wordings)

    def weighed(self) -> Mapping[str, float]:
        """Give each by its name, as weights are learnt for."""
        of_grammar, of_shape, of_wording = self.shares
        return {
            **dict.fromkeys(self.grammar, of_grammar),
            **{_name(run): of_shape for run in self.shapes},
            **{_WORDING + _name(run): of_wording for run in self.wordings},
        }


def actionability_features(text: str, act: DialogueAct) -> ActionabilityFeatures:
    """Find the signs of a text.

    Args:
        text: in its normal form.
        act: how the grammar reads it.
    """
    grammar = (f"mood:{act.mood}", f"sign:{act.reason}", *(("doubt",) if act.doubt else ()))
    return ActionabilityFeatures(grammar, delexicalised_ngrams(text), word_ngrams(text))


def places_of(names: Sequence[str]) -> Sequence[Mapping[Run, int]]:
    """Say where each name stands among `names`, by its run, for each field of `Signs`."""
    grammar, shapes, wordings = dict[Run, int](), dict[Run, int](), dict[Run, int]()
    for place, name in enumerate(names):
        if name.startswith(_WORDING):
            wordings[_run(name.removeprefix(_WORDING))] = place
        else:
            (grammar if name.startswith(_OF_GRAMMAR) else shapes)[_run(name)] = place
    return grammar, shapes, wordings


def _share(runs: Set[Run]) -> float:
    return _OF_PIECES / sqrt(len(runs)) if runs else 0.0


def _name(run: Run) -> str:
    return run if isinstance(run, str) else " ".join(run)


def _run(name: str) -> Run:
    pieces = tuple(name.split(" "))
    return pieces if len(pieces) > 1 else name


WEIGHTS_FILE = Path(__file__).with_name("learnt.json")
_DIGITS = 16


@dataclass(frozen=True)
class LogisticModel:
    """A logistic model over the signs, in log odds: learnt from texts of several domains."""

    constant: float
    weights: Mapping[str, float]

    def odds(self, signs: Mapping[str, float]) -> float:
        """Give the log odds that a text of these signs wants something."""
        odds = self.constant
        known = [sign for sign in signs if sign in self.weights]
        for sign in sorted(known):  # the order decides the last bits
            odds += self.weights[sign] * signs[sign]
        return odds

    def odds_of(self, signs: ActionabilityFeatures) -> float:
        """Give the same for the signs of a text, to the last bit, without making their names."""
        odds, shares = self.constant, signs.shares
        known = [
            place
            for places, runs in zip(self._places, signs, strict=True)
            for run in runs
            if (place := places.get(run)) is not None
        ]
        for place in sorted(known):
            weight, origin = self._in_order[place]
            odds += weight * shares[origin]
        return odds

    @cached_property
    def _places(self) -> Sequence[Mapping[Run, int]]:
        """Say where the weight of each sign stands, for each field of `Signs`."""
        return places_of(sorted(self.weights))

    @cached_property
    def _in_order(self) -> Sequence[tuple[float, int]]:
        """Give each weight, and the field of `Signs` that its sign is of."""
        origins = {place: at for at, places in enumerate(self._places) for place in places.values()}
        named = enumerate(sorted(self.weights))
        return [(self.weights[name], origins[place]) for place, name in named]


@dataclass(frozen=True)
class VectorModel:
    """What the vector of how it is said adds to the signs: a logistic model, in log odds."""

    encoder: str
    """Whose vectors they are; another encoder's mean nothing to it."""
    constant: float
    share: float
    """What the odds of the signs count for beside the vector."""
    weights: Sequence[float]
    """(dimensions,)"""

    def odds(self, of_signs: float, vector: npt.ArrayLike) -> float:
        """Give the log odds by both."""
        of_vector = np.einsum("d,d->", np.asarray(vector, np.float64), np.asarray(self.weights))
        return self.constant + self.share * of_signs + float(of_vector)


@dataclass(frozen=True)
class ActionabilityClassifier:
    """Judges by the signs, and where its encoder is there by the sentence's vector too."""

    by_signs: LogisticModel
    by_both: VectorModel | None = None
    by_all: LogisticModel | None = None
    """Over the signs of weighing.py; learnt with the encoder of `by_both`, and no use without."""
    version: str = ""
    """Changes with all that was learnt; nothing: it was not read from a file."""

    def odds(
        self, text: str, act: DialogueAct, vector: Floats | None = None, encoder: str | None = None
    ) -> float:
        """Give the log odds, were half of such texts to want something.

        Args:
            text: in its normal form.
            act: how the grammar reads it.
            vector: (dimensions,), how `encoder` hears it said.
        """
        odds = self.by_signs.odds_of(actionability_features(text, act))
        if self.by_both is not None and vector is not None and self.hears(encoder):
            odds = self.by_both.odds(odds, vector)
        return odds

    def hears(self, encoder: str | None) -> bool:
        """Tell whether the vectors of this encoder mean something to it."""
        return self.by_both is not None and self.by_both.encoder == encoder


def probability_of(odds: float) -> float:
    """Give the chance of some log odds, as reasons tell it."""
    return round(1 / (1 + exp(-odds)), 3)


@cache
def load_classifier(file: Path = WEIGHTS_FILE) -> ActionabilityClassifier:
    """Read what ships; `prefrontal evals wishes --write` learns it anew.

    Raises:
        BadInput: the file is missing or damaged; nothing can be routed then.
    """
    try:
        raw = file.read_bytes()
        found = json.loads(raw)
        return ActionabilityClassifier(
            LogisticModel(**found["by_signs"]),
            VectorModel(**found["by_both"]),
            LogisticModel(**found["by_all"]),
            sha256(raw).hexdigest()[:_DIGITS],
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{file} is missing or damaged; install again") from error
