"""What sounds like talk with us, and is what a pack's own examples ask for."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from state.policy import Routing
from tools.policy.recall_questions import recall_question
from tools.policy.self_questions import self_question
from tools.policy.small_talk import is_small_talk
from tools.ports import Catalogue
from tools.salience.reactions import reaction
from tools.salience.requests import talk_request

Recogniser = Callable[[str], object]
_OURS: tuple[Recogniser, ...] = (
    talk_request,
    self_question,
    recall_question,
    is_small_talk,
    reaction,
)


@dataclass(frozen=True)
class OwnWords:
    """Knows which of a catalogue's actions have examples that sound like talk with us."""

    catalogue: Catalogue

    def may_be_meant(self, text: str) -> bool:
        """Tell whether any action has examples which sound like us in the way that a text does."""
        return any(map(self._having, _heard(text)))

    def are_meant(self, text: str, routing: Routing, *, least: float) -> bool:
        """Tell whether the action that was routed has them.

        A pack that keeps reminders of its own is asked for them by `remind me to …`, and its
        author has written so.

        Args:
            least: confidence from which that action may be what is meant.
        """
        is_likely = routing.action is not None and routing.confidence >= least
        return is_likely and any(routing.action in self._having(ours) for ours in _heard(text))

    def _having(self, ours: Recogniser) -> frozenset[str]:
        """Look through all examples, once: some ten thousand take a fifth of a second."""
        if ours not in self._known:
            self._known[ours] = frozenset(
                name
                for name, action in self.catalogue.actions.items()
                if any(map(ours, action.examples))
            )
        return self._known[ours]

    @cached_property
    def _known(self) -> dict[Recogniser, frozenset[str]]:
        return {}


def is_about_us(text: str) -> bool:
    """Tell whether a text is about the talking, our doing or what was said before, by its form."""
    return any(ours(text) is not None for ours in (talk_request, self_question, recall_question))


def _heard(text: str) -> list[Recogniser]:
    return [ours for ours in _OURS if ours(text)]
