"""What the earlier stages found in a text, for filling slots."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from tools.routing.slots.texts.free_text import Spoken
from tools.routing.things.entities import Mention
from tools.routing.things.names import Names


@dataclass(frozen=True)
class Read:
    """What the earlier stages found, for filling slots."""

    spoken: Spoken
    mentions: Sequence[Mention]
    names: Names
    today: date | None
    asker: str | None = None
    """Who says it: `to me` names that person, where the pack knows one of that name."""

    @cached_property
    def beside_verb(self) -> Sequence[str]:
        """The words without those of the verb: `call off Ben's visit` takes nothing off Ben."""
        words = enumerate(self.spoken.normal.words)
        return ["" if place in self.spoken.verb_words else word for place, word in words]
