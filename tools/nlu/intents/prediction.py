"""Combine intent ranking, dialogue act and actionability into accept, offer or abstain.

Sets the confidence cap of the best action.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

import numpy as np

from state.action import PRIMITIVE_SLOT_TYPES, Action
from tools.nlu.actionability.classifier import (
    ActionabilityClassifier,
    actionability_features,
    probability_of,
)
from tools.nlu.actionability.decision import (
    NONE_BELOW,
    SURE,
    Prediction,
    as_likely_as,
    asks_who_may,
    followed,
    follows_from,
    follows_from_all,
    is_open,
    is_unheard,
    outranks,
    read_instead,
)
from tools.nlu.actionability.evidence import (
    Evidence,
    EvidenceCollector,
    PackExampleReader,
    evidence_features,
)
from tools.nlu.intent_classifier.calibration import DECLINED, OFFERED
from tools.nlu.intents.explanation import filled_of
from tools.nlu.intents.ranking import THE_SAME, Ranked, Ranking, Scored
from tools.nlu.intents.utterance import ParsedUtterance, UtteranceParser
from tools.nlu.lexicon.normalization import word_set
from tools.nlu.rejection.action_constraints import ActionConstraints
from tools.nlu.rejection.indirect_requests import is_statement_only, regrets
from tools.nlu.slots.filling import FilledSlots

_ASKED_CHANGE, _BY_ANOTHER_VERB = 0.5, 0.9
"""Confidence from which a change is named that somebody asked for, by its own verb or by one that
its examples never ask with. Of orders from ten other domains (CLINC150) 45 in 100 reached .2 on the
vessel and 18 .5; of phrasings of its own one in 150 is between.
A change whose own verb and object were said is named however unlike the examples it is: a tool with
three of them has no text near."""
_TOLD = 0.7
"""As above, in a sentence that asks for nothing. Most of them want nothing: half of the chat in the
datasets `vessel_indirect` and `research_indirect` was answered with an offer; of what is wished
there, nine in ten stay above."""


def is_too_unsure(
    reading: ParsedUtterance, best: Action, ranked: Ranked, restraint: ActionConstraints
) -> bool:
    """Tell whether the best action is not worth a word, as unlikely as it is."""
    if ranked.cosine >= THE_SAME:
        return False
    changes = best.effect != "read"
    if not is_statement_only(reading):
        if restraint.is_strange[ranked.order[0]]:
            return changes and ranked.confidence < _BY_ANOTHER_VERB
        return changes and not ranked.is_said and ranked.confidence < _ASKED_CHANGE
    return ranked.confidence < _TOLD


def lacks_thing(reading: ParsedUtterance, action: Action, filled: FilledSlots) -> bool:
    """Tell whether a change that nobody asked for names not even what it would change.

    Who asks is asked back; who chats is not.
    """
    named = {thing.name for thing in reading.things.all}
    if not is_statement_only(reading) or action.effect == "read" or action.object in named:
        return False
    return any(
        slot.required
        and slot.type not in PRIMITIVE_SLOT_TYPES
        and name not in {*filled.values, *filled.choices, *filled.not_found}
        for name, slot in action.slots.items()
    )


_RIVAL = 0.1
"""A change that the text denies or tells of is what it is about from this share of the best's."""
_SURE = 0.5
"""As sure as this it would have been, had it been asked for."""


def is_indirect_request(
    reading: ParsedUtterance, ranked: Ranked, restraint: ActionConstraints
) -> bool:
    """Tell whether the best action is implied, and none that the text speaks of is likelier.

    Who thinks about closing a job says much that would open it again: `closing it was too soon`
    asks for that, `I am thinking about closing it` does not.
    """
    best, *others = ranked.order
    if not restraint.is_implied[best] or ranked.confidence < _SURE:
        return False

    def weight(place: int) -> float:
        return float(ranked.shares[place] * np.exp(-restraint.handicap[place]))

    spoken_of = (
        one for one in others if restraint.is_barred[one] and not restraint.is_implied[one]
    )
    return regrets(reading) or all(weight(one) <= _RIVAL * weight(best) for one in spoken_of)


_CAUSES = word_set("let have get make remind ask tell allow want need like prefer")
"""Right before the name of a person these ask for a doing that is theirs."""
_BEFORE_CAUSES = word_set("i we i'd we'd would please really just also")
_BEFORE_NAMES = word_set("the our my")


def is_for_named(reading: ParsedUtterance, action: Action, filled: FilledSlots) -> bool:
    """Tell `let Chiara see our library`, where the person is the one that the action takes.

    `I want the chief to handle WO-1077` is told so too.
    """
    values = {
        str(value)
        for name, slot in action.slots.items()
        if slot.type not in PRIMITIVE_SLOT_TYPES
        for value in _each(filled.values.get(name))
    }
    person = next((one for one in reading.mentions if one.is_known), None)
    if person is None or person.value not in values:
        return False
    before = [token.text for token in reading.normal.tokens[: person.first]]
    *lead, cause = [word for word in before if word not in _BEFORE_NAMES] or [""]
    if cause not in _CAUSES or not _BEFORE_CAUSES.issuperset(lead):
        return False
    # `ask Ben to assign it` leaves the very doing to Ben.
    behind = (one for one in reading.verbs if one.first >= person.end)
    return not any(action.name in one.actions for one in behind)


def _each(value: Any) -> Iterable[Any]:  # one value of a slot, or several
    return value if isinstance(value, list) else [value] if value is not None else []


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
class Predictor:
    """Settles what the texts of one catalogue come to."""

    actions: Sequence[Action]
    ranking: Ranking
    wishes: ActionabilityClassifier
    reader: UtteranceParser
    own: PackExampleReader

    def settle(
        self,
        listened: Scored,
        restraint: ActionConstraints,
        today: date | None,
        roles: Sequence[str],
    ) -> Prediction:
        """Settle one text: what is asked for, or what shows that which is asked about."""
        listened = self._without_talk(listened, restraint, roles)
        settled = self._wanted(listened, restraint, today, roles)
        shown = read_instead(listened.reading, settled.ranked, self.actions, today)
        if shown is None:
            return settled
        return Prediction(shown[0], OFFERED, asks_about=shown[1])

    def filled(
        self, settled: Prediction, reading: ParsedUtterance, today: date | None
    ) -> FilledSlots:
        """Fill the slots of what a text was settled to; of what follows, by all of its words."""
        if settled.follows and reading.leaves_out:
            reading = reading.whole()
        elif settled.filled is not None:
            return settled.filled
        return filled_of(self.actions[settled.ranked.order[0]], reading, today)

    def _wanted(
        self,
        listened: Scored,
        restraint: ActionConstraints,
        today: date | None,
        roles: Sequence[str],
    ) -> Prediction:
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
        is_outdone = reading.leaves_out and outranks(freely, as_said)
        if is_order and not is_outdone:
            return as_said
        seen = self._seeing.see(listened, restraint, today, as_said, freely, counted)
        settled = self._by_chance(listened, as_said, seen, today, is_outdone=is_outdone)
        return as_said if is_order and not settled.follows else settled

    def seen(
        self,
        listened: Scored,
        restraint: ActionConstraints,
        today: date | None,
        roles: Sequence[str],
    ) -> Evidence:
        """Give all that a wish is judged by, to learn from it."""
        as_said = self._as_said(listened, restraint, today, roles)
        freely, counted = self._freely(listened, restraint, roles, as_said.ranked)
        return self._seeing.see(listened, restraint, today, as_said, freely, counted)

    def _without_talk(
        self, listened: Scored, restraint: ActionConstraints, roles: Sequence[str]
    ) -> Scored:
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
        self, listened: Scored, restraint: ActionConstraints, roles: Sequence[str], as_said: Ranked
    ) -> tuple[Ranked, ParsedUtterance]:
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
    def _seeing(self) -> EvidenceCollector:
        return EvidenceCollector(self.actions, self.ranking, self.wishes, self.own)

    def _by_chance(
        self,
        listened: Scored,
        as_said: Prediction,
        seen: Evidence,
        today: date | None,
        *,
        is_outdone: bool,
    ) -> Prediction:
        """Let the chance that something is wanted decide.

        Args:
            is_outdone: all that is said fits another action better than the part that asks does.
        """
        by_all = self.wishes.by_all if seen.is_heard else None
        asks_all, chance = by_all is not None, probability_of(seen.odds)
        settled = self._by_wish(listened, as_said, seen, chance, today, asks_all=asks_all)
        if by_all is not None:
            chance = probability_of(by_all.odds(evidence_features(seen)))
            settled = self._by_all(settled, seen, chance, is_outdone=is_outdone)
        reads = self.actions[settled.ranked.order[0]].effect == "read"
        return as_likely_as(settled, chance) if reads else settled

    def _by_wish(
        self,
        listened: Scored,
        as_said: Prediction,
        seen: Evidence,
        chance: float,
        today: date | None,
        *,
        asks_all: bool,
    ) -> Prediction:
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
            return Prediction(freely, OFFERED, follows=True)
        return followed(as_said, freely, follows, chance)

    def _by_all(
        self, settled: Prediction, seen: Evidence, chance: float, *, is_outdone: bool
    ) -> Prediction:
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
        signs = actionability_features(near.normal.text, near.act)
        return self.wishes.by_signs.odds_of(signs) < _SOUNDS_WANTED

    def _is_for_named(self, reading: ParsedUtterance, place: int, today: date | None) -> bool:
        best = self.actions[place]
        if reading.act.reason != "of_others" or best.effect == "read":
            return False
        return is_for_named(reading, best, filled_of(best, reading, today))

    def _as_said(
        self,
        listened: Scored,
        restraint: ActionConstraints,
        today: date | None,
        roles: Sequence[str],
    ) -> Prediction:
        ranked = self.ranking.rank(listened, restraint, roles)
        reading, place = listened.reading, ranked.order[0]
        best = self.actions[place]
        follows = is_indirect_request(reading, ranked, restraint)
        cap = OFFERED if follows else float(restraint.caps[place])
        filled = filled_of(best, reading, today)
        if is_too_unsure(reading, best, ranked, restraint) or lacks_thing(reading, best, filled):
            cap = min(cap, DECLINED)
        is_told = reading.act.mood == "statement" and best.effect != "read"
        is_barred = restraint.is_barred[place] or (is_told and ranked.confidence < SURE)
        is_barred = bool(is_barred) or asks_who_may(reading)
        is_barred = is_barred and not follows
        return Prediction(ranked, cap, is_barred=is_barred, follows=follows, filled=filled)
