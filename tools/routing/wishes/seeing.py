"""Collect what tells whether a text wants something: itself, the ranking, the slots, the pack."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from state.action import Action
from state.errors import EncoderUnavailable
from tools.routing.described import filled_of
from tools.routing.holding_back.restraint import Restraint
from tools.routing.ranking import Listened, Ranked, Ranking
from tools.routing.reading import Reading
from tools.routing.settled import Settled
from tools.routing.wishes.deciding import Best
from tools.routing.wishes.judge import WishJudge
from tools.routing.wishes.own_examples import OwnExamples, OwnExamplesIn
from tools.routing.wishes.weighing import Seen


@dataclass(frozen=True)
class Seeing:
    """Sees the texts of one catalogue."""

    actions: Sequence[Action]
    ranking: Ranking
    wishes: WishJudge
    own: OwnExamplesIn

    def see(
        self,
        listened: Listened,
        restraint: Restraint,
        today: date | None,
        as_said: Settled,
        freely: Ranked,
        whole: Reading,
    ) -> Seen:
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
        return Seen(
            reading,
            self.wishes.odds(reading.normal.text, reading.act, manner, encoder),
            own or OwnExamples(),
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

    def _own(self, pack: str) -> OwnExamples | None:
        try:
            return self._own_examples.get(pack, OwnExamples())
        except EncoderUnavailable:
            return None  # nor is the text heard; they are listened to again with the next one

    @cached_property
    def _own_examples(self) -> Mapping[str, OwnExamples]:
        """Listen to them with the first text that needs it: no start has to wait."""
        manner = self.ranking.manner_embedder
        if manner is None or not self.wishes.hears(manner.name):
            return {}
        return self.own.heard(self.wishes, manner)
