"""What the actions of a catalogue do, and with which verbs they are asked for."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from state.action import Action
from tools.routing.asking import asked_with, asking_verbs
from tools.routing.normalise import words_of
from tools.routing.verbs import VerbLexicon

_LEAST_SHARE = 0.1
_EXAMPLES_READ = 150
_WORDS_READ = 6

Marks = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Effects:
    """What the actions of a catalogue do: (actions,) each."""

    is_write: Marks
    places: Mapping[str, int]
    uses: Mapping[str, Marks]
    """Verb family → the actions whose examples ask with it."""
    asked_with: Mapping[str, Marks]
    """Verb phrase, or group of synonyms → the actions whose entry or examples ask with it."""
    opened_with: Mapping[str, Marks]
    """Word → the actions with an example that holds it among its first words."""
    is_wordless: Marks
    """The entry names no words of its own: any verb of its family will do."""


def effects_of(actions: Sequence[Action], lexicon: VerbLexicon) -> Effects:
    """Collect what each action does and with which verbs its examples ask for it."""
    uses: dict[str, Marks] = {}
    for place, action in enumerate(actions):
        examples = action.examples[:_EXAMPLES_READ]
        counts: Counter[str] = Counter()
        for text in examples:
            verbs = asking_verbs(words_of(text)[:_WORDS_READ], lexicon)
            counts.update({family for verb in verbs for family in verb.families})
        for family, count in counts.items():
            if count >= max(1.0, _LEAST_SHARE * len(examples)):
                uses.setdefault(family, np.zeros(len(actions), bool))[place] = True
    asked: dict[str, Marks] = {}
    opened: dict[str, Marks] = {}
    for place, action in enumerate(actions):
        for key in asked_with(action, lexicon):
            asked.setdefault(key, np.zeros(len(actions), bool))[place] = True
        for word in {one for text in action.examples for one in words_of(text)[:_WORDS_READ]}:
            opened.setdefault(word, np.zeros(len(actions), bool))[place] = True
    return Effects(
        is_write=np.array([action.effect != "read" for action in actions], bool),
        places={action.name: place for place, action in enumerate(actions)},
        uses=uses,
        asked_with=asked,
        opened_with=opened,
        is_wordless=np.array([not action.words for action in actions], bool),
    )
