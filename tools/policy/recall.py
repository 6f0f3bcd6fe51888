"""What of a session's memory still counts when the next message comes."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from state.action import Action
from state.memory import PackMemory, Searched
from state.session import Shown
from tools.catalogue.pack import Pack
from tools.policy.searching import Seeker
from tools.routing.words.normalise import words_of
from tools.routing.words.phrases import singular

_NOTHING = PackMemory()


@dataclass(frozen=True)
class Recall:
    """The memory of the packs at one moment."""

    memory: Mapping[str, PackMemory]
    now: datetime
    follow_up_seconds: float
    shown: Shown | None = None
    """What whoever speaks was shown or changed last."""

    @property
    def since(self) -> float:
        """Tell from when on lists and searches are remembered, seconds since 1970."""
        return self.now.timestamp() - self.follow_up_seconds

    def of(self, pack: Pack) -> PackMemory:
        """Give what is kept for a pack."""
        return self.memory.get(pack.name, _NOTHING)

    def last_search(self, pack: Pack) -> Searched | None:
        """Give the search that a follow-up may be about."""
        last = self.of(pack).searched
        return last if last is not None and last.at >= self.since else None

    def seeker(self, pack: Pack, action: Action) -> Seeker:
        """Read searches by an action of a pack."""
        kind = frozenset(map(singular, words_of(action.object)))
        day, last = self.now.date(), self.last_search(pack)
        return Seeker(pack.policy, self.of(pack), day, kind, last)
