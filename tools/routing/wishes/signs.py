"""What tells whether a text wants something done now, whatever it is about."""

from collections.abc import Mapping, Sequence, Set
from math import sqrt
from typing import NamedTuple

from tools.routing.speech_acts.speech_act import SpeechAct
from tools.routing.wishes.shape import Run, shapes_of, wordings_of

_OF_PIECES = 2.0
"""How far shapes and words count beside the grammar's own signs before anything is learnt."""
_WORDING = "="
"""Begins the name of a wording, which may look like a shape."""
_OF_GRAMMAR = ("mood:", "sign:", "doubt")
"""Begin the names of the grammar's own."""


class Signs(NamedTuple):
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


def signs_of(text: str, act: SpeechAct) -> Signs:
    """Find the signs of a text.

    Args:
        text: in its normal form.
        act: how the grammar reads it.
    """
    grammar = (f"mood:{act.mood}", f"sign:{act.reason}", *(("doubt",) if act.doubt else ()))
    return Signs(grammar, shapes_of(text), wordings_of(text))


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
