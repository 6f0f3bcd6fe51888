"""Is the best action named, and how sure at most: how it is said decides, then what is wanted."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import Any

from state.action import PRIMITIVE_SLOT_TYPES, Action
from tools.routing.described import heard_of
from tools.routing.holding_back.implication import is_implied
from tools.routing.holding_back.naming import is_too_unsure, lacks_thing
from tools.routing.holding_back.restraint import Restraint
from tools.routing.ranking import Listened, Ranked, Ranking
from tools.routing.reading import Reader
from tools.routing.slots.filling import fill_slots
from tools.routing.wishes.deciding import Follows, follows_from, follows_from_all, is_open
from tools.routing.wishes.judge import WishJudge, chance_of
from tools.routing.wishes.seeing import Seeing
from tools.routing.wishes.signs import signs_of
from tools.routing.wishes.weighing import Seen, signs_of_all
from tools.routing.words.phrases import word_set

_NONE_BELOW = 0.2
"""Below this confidence no action is named; the candidates are listed all the same."""
_DECLINED = 0.15
"""Below what is named or offered."""
_OFFERED_ONLY = 0.45
"""What is not asked for is offered and never sure."""
_SURE = 0.7
"""A statement names a state-changing action only if it would have been as sure as this."""

_CLEAR = 0.8
"""A read as sure as this keeps its confidence, however little its text seems to want: of 150
intents it costs 3 in 100 of what is asked to leave such alone."""
_SOUNDS_WANTED = 1.0
"""Log odds, by its words alone, of an example that sounds like a wish (`what is my balance`). Where
that nearest to a clear read sounds like none (`are you a robot`, `I broke my card`), neither has
the text to. Of what 150 intents cover .92 keeps a confidence of .5 so, as without any judging of
clear reads, and .88 where all are judged; of kept-out talk .786, .777 and .795 is right."""

_CAUSES = word_set("let have get make remind ask tell allow")
"""Right before the name of a person these ask for a doing that is theirs."""


@dataclass(frozen=True)
class Settled:
    """The ranking that counts, and what is made of its best action."""

    ranked: Ranked
    cap: float
    is_barred: bool = False
    follows: bool = False
    """Nobody asks for it, and it is offered all the same."""
    wish: float | None = None
    """The chance that something is wanted, where that decided."""

    @property
    def is_named(self) -> bool:
        """Tell whether the best action is named at all."""
        return min(self.ranked.confidence, self.cap) >= _NONE_BELOW and not self.is_barred


@dataclass(frozen=True)
class Settling:
    """Settles what the texts of one catalogue come to."""

    actions: Sequence[Action]
    ranking: Ranking
    wishes: WishJudge
    reader: Reader

    def settle(
        self, listened: Listened, restraint: Restraint, today: date | None, roles: Sequence[str]
    ) -> Settled:
        """Settle one text; where the grammar names nothing, what was learnt of wishes says."""
        ranked = self.ranking.rank(listened, restraint, roles)
        as_said = self._as_said(listened, ranked, restraint, today)
        act = listened.reading.act
        if not is_open(act) and as_said.is_named:
            return as_said
        freely = self.ranking.rank_freely(listened, restraint, roles)
        seen = self._seeing.see(listened, restraint, today, as_said, freely)
        is_whole = seen.is_heard and self.wishes.by_all is not None
        settled = self._by_wish(listened, as_said, seen, today, is_whole=is_whole)
        return self._by_all(settled, seen) if is_whole else settled

    def seen(
        self, listened: Listened, restraint: Restraint, today: date | None, roles: Sequence[str]
    ) -> Seen:
        """Give all that a wish is judged by, to learn from it."""
        ranked = self.ranking.rank(listened, restraint, roles)
        as_said = self._as_said(listened, ranked, restraint, today)
        freely = self.ranking.rank_freely(listened, restraint, roles)
        return self._seeing.see(listened, restraint, today, as_said, freely)

    @cached_property
    def _seeing(self) -> Seeing:
        return Seeing(self.actions, self.ranking, self.wishes, self.reader)

    def _by_wish(
        self,
        listened: Listened,
        as_said: Settled,
        seen: Seen,
        today: date | None,
        *,
        is_whole: bool,
    ) -> Settled:
        """Let how likely the text wants something decide, where the grammar does not.

        Args:
            is_whole: all that is seen is asked afterwards, and alone says what is left alone.
        """
        chance, ranked, freely = chance_of(seen.odds), as_said.ranked, seen.freely
        follows = follows_from(
            chance,
            seen.reading,
            seen.best,
            is_named=as_said.is_named,
            may_decline=not is_whole and not self._is_clear(ranked),
        )
        is_asked = freely.confidence >= _SURE
        if is_asked and self._is_for_named(listened, freely.order[0], today):
            return Settled(freely, _OFFERED_ONLY, follows=True)
        return _followed(as_said, freely, follows, chance)

    def _by_all(self, settled: Settled, seen: Seen) -> Settled:
        """Let the ranking and the slots have a say in it too."""
        if self.wishes.by_all is None:
            return settled
        chance = chance_of(self.wishes.by_all.odds(signs_of_all(seen)))
        follows = follows_from_all(chance, seen.reading, seen.best, is_named=settled.is_named)
        if follows == "nothing" and self._is_said_so(settled.ranked):
            return settled
        return _followed(settled, seen.freely, follows, chance)

    def _is_clear(self, ranked: Ranked) -> bool:
        reads = self.actions[ranked.order[0]].effect == "read"
        return reads and (ranked.is_sure_at_worst or ranked.confidence >= _CLEAR)

    def _is_said_so(self, ranked: Ranked) -> bool:
        """Tell a clear read whose nearest example hardly sounds like a wish either."""
        if not self._is_clear(ranked) or ranked.near is None:
            return False
        near = self.reader.read(ranked.near)
        signs = signs_of(near.normal.text, near.act)
        return self.wishes.by_signs.odds(signs) < _SOUNDS_WANTED

    def _is_for_named(self, listened: Listened, place: int, today: date | None) -> bool:
        """Tell `let Chiara see our library`, where the person is the one that the action takes."""
        reading, best = listened.reading, self.actions[place]
        if reading.act.reason != "of_others" or best.effect == "read":
            return False
        filled = fill_slots(best, heard_of(reading, today))
        values = {
            str(value)
            for name, slot in best.slots.items()
            if slot.type not in PRIMITIVE_SLOT_TYPES
            for value in _each(filled.values.get(name))
        }
        first = reading.normal.tokens[0].text
        person = next((one for one in reading.mentions if one.first == 1 and one.is_known), None)
        if person is None or person.value not in values or first not in _CAUSES:
            return False
        # `ask Ben to assign it` leaves the very doing to Ben.
        behind = (one for one in reading.verbs if one.first in (person.end, person.end + 1))
        return not any(best.name in one.actions for one in behind)

    def _as_said(
        self, listened: Listened, ranked: Ranked, restraint: Restraint, today: date | None
    ) -> Settled:
        reading, place = listened.reading, ranked.order[0]
        best = self.actions[place]
        follows = is_implied(reading, ranked, restraint)
        cap = _OFFERED_ONLY if follows else float(restraint.caps[place])
        filled = fill_slots(best, heard_of(reading, today))
        if is_too_unsure(reading, best, ranked, restraint) or lacks_thing(reading, best, filled):
            cap = min(cap, _DECLINED)
        is_told = reading.act.mood == "statement" and best.effect != "read"
        is_barred = restraint.is_barred[place] or (is_told and ranked.confidence < _SURE)
        return Settled(ranked, cap, is_barred=is_barred and not follows, follows=follows)


def _followed(settled: Settled, freely: Ranked, follows: Follows, chance: float) -> Settled:
    if follows == "offer":
        return Settled(freely, _OFFERED_ONLY, follows=True, wish=chance)
    if follows == "nothing":
        return replace(settled, cap=min(settled.cap, _DECLINED), wish=chance)
    return settled


def _each(value: Any) -> Iterable[Any]:  # one value of a slot, or several
    return value if isinstance(value, list) else [value] if value is not None else []
