"""Is the best action named, and how sure at most: how it is said decides, then what is wanted."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from state.action import Action
from tools.routing.described import filled_of
from tools.routing.holding_back.implication import is_implied
from tools.routing.holding_back.naming import is_too_unsure, lacks_thing
from tools.routing.holding_back.restraint import Restraint
from tools.routing.ranking import Listened, Ranked, Ranking
from tools.routing.reading import Reader, Reading
from tools.routing.settled import (
    NONE_BELOW,
    SURE,
    Settled,
    as_likely_as,
    followed,
    is_unheard,
    outdoes,
)
from tools.routing.slots.filling import Filled
from tools.routing.wishes.deciding import (
    asks_who_may,
    follows_from,
    follows_from_all,
    is_open,
)
from tools.routing.wishes.for_named import is_for_named
from tools.routing.wishes.judge import WishJudge, chance_of
from tools.routing.wishes.own_examples import OwnExamplesIn
from tools.routing.wishes.seeing import Seeing
from tools.routing.wishes.shown import shown_instead
from tools.routing.wishes.signs import signs_of
from tools.routing.wishes.weighing import Seen, signs_of_all
from tools.routing.worth import DECLINED, OFFERED

_SURE_BY_ITSELF = 0.8
"""From here an order is taken as it stands, though something is told or denied beside it."""
_CLEAR = 0.8
"""A read as sure as this keeps its confidence, however little its text seems to want: of 150
intents it costs 3 in 100 of what is asked to leave such alone."""
_SOUNDS_WANTED = 1.0
"""Log odds, by its words alone, of an example that sounds like a wish (`what is my balance`). Where
that nearest to a clear read sounds like none (`are you a robot`, `I broke my card`), neither has
the text to. Of what 150 intents cover .92 keeps a confidence of .5 so, as without any judging of
clear reads, and .88 where all are judged; of kept-out talk .786, .777 and .795 is right."""


@dataclass(frozen=True)
class Settling:
    """Settles what the texts of one catalogue come to."""

    actions: Sequence[Action]
    ranking: Ranking
    wishes: WishJudge
    reader: Reader
    own: OwnExamplesIn

    def settle(
        self, listened: Listened, restraint: Restraint, today: date | None, roles: Sequence[str]
    ) -> Settled:
        """Settle one text: what is asked for, or what shows that which is asked about."""
        listened = self._without_talk(listened, restraint, roles)
        settled = self._wanted(listened, restraint, today, roles)
        shown = shown_instead(listened.reading, settled.ranked, self.actions, today)
        if shown is None:
            return settled
        return Settled(shown[0], OFFERED, asks_about=shown[1])

    def filled(self, settled: Settled, reading: Reading, today: date | None) -> Filled:
        """Fill the slots of what a text was settled to; of what follows, by all of its words."""
        if settled.follows and reading.leaves_out:
            reading = reading.whole()
        elif settled.filled is not None:
            return settled.filled
        return filled_of(self.actions[settled.ranked.order[0]], reading, today)

    def _wanted(
        self, listened: Listened, restraint: Restraint, today: date | None, roles: Sequence[str]
    ) -> Settled:
        """Settle what is wanted; where the grammar names nothing, what was learnt says."""
        as_said = self._as_said(listened, restraint, today, roles)
        reading = listened.reading
        is_heard = as_said.is_named and not is_unheard(reading, as_said)
        is_order = is_heard and not is_open(reading.act)
        if is_order and (not reading.leaves_out or as_said.ranked.confidence >= _SURE_BY_ITSELF):
            return as_said
        freely, counted = self._freely(listened, restraint, roles, as_said.ranked)
        if not as_said.is_named and freely.confidence < NONE_BELOW:
            return as_said  # like nothing, however it is meant: nobody has to hear how it is said
        is_outdone = reading.leaves_out and outdoes(freely, as_said)
        if is_order and not is_outdone:
            return as_said
        seen = self._seeing.see(listened, restraint, today, as_said, freely, counted)
        settled = self._by_chance(listened, as_said, seen, today, is_outdone=is_outdone)
        return as_said if is_order and not settled.follows else settled

    def seen(
        self, listened: Listened, restraint: Restraint, today: date | None, roles: Sequence[str]
    ) -> Seen:
        """Give all that a wish is judged by, to learn from it."""
        as_said = self._as_said(listened, restraint, today, roles)
        freely, counted = self._freely(listened, restraint, roles, as_said.ranked)
        return self._seeing.see(listened, restraint, today, as_said, freely, counted)

    def _without_talk(
        self, listened: Listened, restraint: Restraint, roles: Sequence[str]
    ) -> Listened:
        """Listen to the order alone where its verb may be of another action than all of it."""
        reading = listened.reading
        if reading.verb is None or reading.act.mood not in ("command", "request"):
            return listened
        if (order := reading.order()) is None:
            return listened
        whole = self.ranking.rank(listened, restraint, roles)
        if reading.verb.actions == {self.actions[whole.order[0]].name}:
            return listened
        alone = self.ranking.listen(order)
        said = self.ranking.rank(alone, restraint, roles)
        asked, of_all = (self.actions[one.order[0]].name for one in (said, whole))
        # What another verb tells orders nothing: `close it, we shared it`.
        least = whole.confidence if of_all in reading.verb.actions else _SURE_BY_ITSELF
        is_clear = said.confidence >= max(_SURE_BY_ITSELF, least)
        return alone if is_clear and asked != of_all and asked in reading.verb.actions else listened

    def _freely(
        self, listened: Listened, restraint: Restraint, roles: Sequence[str], as_said: Ranked
    ) -> tuple[Ranked, Reading]:
        """Rank as if the text asked, by all of its words: however and by whom it is said."""
        whole = listened
        if not listened.reading.leaves_out and not restraint.unless_implied.any():
            return as_said, listened.reading
        if listened.reading.leaves_out:
            whole = self.ranking.listen(listened.reading.whole())
            if listened.vector is not None and whole.vector is None:
                whole = listened  # the encoder failed: two judges are not to be compared
        return self.ranking.rank_freely(whole, restraint, roles), whole.reading

    @cached_property
    def _seeing(self) -> Seeing:
        return Seeing(self.actions, self.ranking, self.wishes, self.own)

    def _by_chance(
        self,
        listened: Listened,
        as_said: Settled,
        seen: Seen,
        today: date | None,
        *,
        is_outdone: bool,
    ) -> Settled:
        """Let the chance that something is wanted decide.

        Args:
            is_outdone: all that is said fits another action better than the part that asks does.
        """
        by_all = self.wishes.by_all if seen.is_heard else None
        asks_all, chance = by_all is not None, chance_of(seen.odds)
        settled = self._by_wish(listened, as_said, seen, chance, today, asks_all=asks_all)
        if by_all is not None:
            chance = chance_of(by_all.odds(signs_of_all(seen)))
            settled = self._by_all(settled, seen, chance, is_outdone=is_outdone)
        reads = self.actions[settled.ranked.order[0]].effect == "read"
        return as_likely_as(settled, chance) if reads else settled

    def _by_wish(
        self,
        listened: Listened,
        as_said: Settled,
        seen: Seen,
        chance: float,
        today: date | None,
        *,
        asks_all: bool,
    ) -> Settled:
        """Let how likely the text wants something decide, where the grammar does not.

        Args:
            asks_all: all that is seen is asked afterwards, and alone says what is left alone.
        """
        ranked, freely = as_said.ranked, seen.freely
        follows = follows_from(
            chance,
            seen.reading,
            seen.best,
            is_named=as_said.is_named,
            may_decline=not asks_all and not self._is_clear(ranked),
        )
        is_asked = freely.confidence >= SURE
        if is_asked and self._is_for_named(seen.reading, freely.order[0], today):
            return Settled(freely, OFFERED, follows=True)
        return followed(as_said, freely, follows, chance)

    def _by_all(self, settled: Settled, seen: Seen, chance: float, *, is_outdone: bool) -> Settled:
        """Let the ranking and the slots have a say in it too."""
        is_named = settled.is_named and not is_unheard(seen.reading, settled)
        follows = follows_from_all(
            chance, seen.reading, seen.best, is_named=is_named and not is_outdone
        )
        if settled.is_named and follows != "offer":
            follows = follows_from_all(chance, seen.reading, seen.best, is_named=True)
        if follows == "nothing" and self._is_said_so(settled.ranked):
            return settled
        return followed(settled, seen.freely, follows, chance)

    def _is_clear(self, ranked: Ranked) -> bool:
        reads = self.actions[ranked.order[0]].effect == "read"
        return reads and (ranked.is_sure_at_worst or ranked.confidence >= _CLEAR)

    def _is_said_so(self, ranked: Ranked) -> bool:
        """Tell a clear read whose nearest example hardly sounds like a wish either."""
        if not self._is_clear(ranked) or ranked.near is None:
            return False
        near = self.reader.read(ranked.near)
        signs = signs_of(near.normal.text, near.act)
        return self.wishes.by_signs.odds_of(signs) < _SOUNDS_WANTED

    def _is_for_named(self, reading: Reading, place: int, today: date | None) -> bool:
        best = self.actions[place]
        if reading.act.reason != "of_others" or best.effect == "read":
            return False
        return is_for_named(reading, best, filled_of(best, reading, today))

    def _as_said(
        self, listened: Listened, restraint: Restraint, today: date | None, roles: Sequence[str]
    ) -> Settled:
        ranked = self.ranking.rank(listened, restraint, roles)
        reading, place = listened.reading, ranked.order[0]
        best = self.actions[place]
        follows = is_implied(reading, ranked, restraint)
        cap = OFFERED if follows else float(restraint.caps[place])
        filled = filled_of(best, reading, today)
        if is_too_unsure(reading, best, ranked, restraint) or lacks_thing(reading, best, filled):
            cap = min(cap, DECLINED)
        is_told = reading.act.mood == "statement" and best.effect != "read"
        is_barred = restraint.is_barred[place] or (is_told and ranked.confidence < SURE)
        is_barred = bool(is_barred) or asks_who_may(reading)
        is_barred = is_barred and not follows
        return Settled(ranked, cap, is_barred=is_barred, follows=follows, filled=filled)
