"""Actions of packs whose examples sound like talk with us: their pack is meant, and not we."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from tools.dialogue.chitchat import is_small_talk
from tools.nlu import control_request, reaction
from tools.nlu.control.meta_questions import recall_question, self_question
from tools.ports import Catalogue

FORMS: Mapping[str, Callable[[str], object]] = {
    "control": control_request,
    "self_question": self_question,
    "recall_question": recall_question,
    "small_talk": is_small_talk,
    "reaction": reaction,
}


@dataclass(frozen=True)
class PackOverrides:
    """Knows which of a catalogue's actions have examples of a form."""

    catalogue: Catalogue

    def sounding_like(self, forms: Iterable[str]) -> frozenset[str]:
        """Name the actions that have an example of one of these forms.

        A pack that keeps reminders of its own is asked for them by `remind me to …`, and its
        author has written so.
        """
        return frozenset().union(*map(self._having, forms))

    def _having(self, form: str) -> frozenset[str]:
        """Look through all examples, once: some ten thousand take a fifth of a second."""
        if form not in self._known:
            self._known[form] = frozenset(
                name
                for name, action in self.catalogue.actions.items()
                if any(map(FORMS[form], action.examples))
            )
        return self._known[form]

    @cached_property
    def _known(self) -> dict[str, frozenset[str]]:
        return {}
