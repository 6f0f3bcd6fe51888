"""Decide what follows from the odds that something is wanted, and which read answers instead."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Literal, NamedTuple

from state.action import Action
from tools.nlu.actionability.fact_questions import asks_only, ends_in_question_of_fact
from tools.nlu.dialogue_acts.dialogue_act import DialogueAct
from tools.nlu.intent_classifier.calibration import DECLINED, OFFERED
from tools.nlu.intents.explanation import filled_of
from tools.nlu.intents.ranking import Ranked
from tools.nlu.intents.utterance import ParsedUtterance
from tools.nlu.lexicon.cue_phrases import FUNCTION_WORDS
from tools.nlu.lexicon.normalization import word_set
from tools.nlu.rejection.indirect_requests import only_names
from tools.nlu.slots.filling import FilledSlots

_WANTED, _WANTED_ELSE, _UNWANTED = 0.6, 0.8, 0.2
"""From the first what nobody asked for is offered; from the second, something else than its mood
alone would name; below the third nothing is."""
_LEAST_FIT = 0.3
"""Confidence from which an action is offered that nobody asked for."""
_CLEARLY_WANTED, _CLEAR_FIT = 0.85, 0.5
"""From these, whatever the grammar makes of it: "I deleted the wrong note, can I have it back?"
tells of a change, "nobody should keep that export" denies one, and both want one. Of talk that was
kept out .84 and .85 of the wishes are right so (.81 and .83 without), and .68 and .67 of what wants
nothing, as without. These and the above were chosen with such totals in view."""
_DONE = "already_done"
"""Something is told as done, of which this may be the consequence: "can that entry be deleted?"."""
_ASKS = frozenset({"command", "request"})
_OPEN = frozenset({"question", "statement"})
_LEFT_ALONE = frozenset(
    {"quoted", "mentioned", "how_to", "about_itself", "cancelled", "cancel", "empty"}
)
_MAY = word_set("can may could should do does are must")
_LOOKS_BACK = word_set("did didn't have haven't has hasn't had was wasn't were weren't")
"""A question that begins so asks whether a change was made, not for it."""

_LIKELY, _UNLIKELY = 0.6, 0.25
"""The same for the chance by all that is seen (weighing.py), which is asked last: from the first
what nobody named is offered, below the second nothing is. Of kept-out talk .795, .789 and .788 was
right with .6, .7 and .8 for the first, .767 without (each author judged by the others). For the
second .15, .25, .35 and .5 leave .785, .803, .817 and .828 of kept-out talk alone, and name .896,
.895, .890 and .880 of its wishes; of 150 intents, where all is wanted, hardly any is as low."""

Follows = Literal["as_said", "offer", "nothing"]


class Best(NamedTuple):
    """The action that would be asked for if the text asked."""

    reads: bool
    is_implied: bool
    """No verb of the text orders, tells or denies it."""
    is_spoken_of: bool
    """Some verb of the text is about it."""
    is_denied: bool
    """A verb that is denied is about it, and not about looking only."""
    is_other: bool
    """How the text is said speaks for another one."""
    confidence: float


def is_open(act: DialogueAct) -> bool:
    """Tell whether the grammar leaves open if anything is wanted."""
    return act.mood not in _ASKS


def follows_from(
    chance: float, reading: ParsedUtterance, best: Best, *, is_named: bool, may_decline: bool
) -> Follows:
    """Say what to make of a text that neither orders nor requests, or by a verb that fits nothing.

    What is quoted or called off is left alone, however it sounds. So is a change that is denied,
    told or supposed by its own verb, unless all else says that it is wanted.

    Args:
        chance: that something is wanted, 0 to 1.
        is_named: an action is named for how the text is said.
        may_decline: nothing else says whether what is named is wanted, and it is no clear read: a
            pack may be asked how a torch is made.
    """
    if is_named and may_decline and chance < _UNWANTED and not _begins_as_order(reading):
        return "nothing"
    if (is_named and not best.is_other) or reading.act.reason in _LEFT_ALONE:
        return "as_said"
    if _is_clearly_wanted(chance, reading, best):
        return "offer"
    if not is_open(reading.act) or not _may_be_meant(reading, best):
        return "as_said"
    least = _WANTED_ELSE if is_named else _WANTED
    return "offer" if chance >= least and best.confidence >= _LEAST_FIT else "as_said"


def follows_from_all(
    chance: float, reading: ParsedUtterance, best: Best, *, is_named: bool
) -> Follows:
    """Say what follows of a chance that knows the ranking and the slots too.

    It makes nothing run: what it names is offered. What is quoted, called off or denied by its own
    verb stays so.

    Args:
        is_named: an action is named, for how the text is said or for what was learnt of wishes.
    """
    if is_named:
        is_unlikely = is_open(reading.act) and chance < _UNLIKELY
        return "nothing" if is_unlikely and not _begins_as_order(reading) else "as_said"
    if reading.act.reason in _LEFT_ALONE or best.is_denied or _is_closed(reading, best):
        return "as_said"
    return "offer" if chance >= _LIKELY and best.confidence >= _LEAST_FIT else "as_said"


def _is_clearly_wanted(chance: float, reading: ParsedUtterance, best: Best) -> bool:
    act = reading.act
    if _is_closed(reading, best):
        return False
    is_told = best.is_denied if act.mood == "negated" else best.is_spoken_of
    if is_told and act.mood not in _ASKS and act.reason != _DONE:
        return False
    return chance >= _CLEARLY_WANTED and best.confidence >= _CLEAR_FIT


def _is_closed(reading: ParsedUtterance, best: Best) -> bool:
    """Tell a text that offers nothing more, whatever it sounds like."""
    normal = reading.normal
    if normal.is_cut or normal.is_disguised or only_names(reading) or _only_asks(reading, best):
        return True
    return reading.act.mood == "negated" and best.reads  # `don't find any papers` wants none


def _only_asks(reading: ParsedUtterance, best: Best) -> bool:
    """Tell who asks what is allowed, or how things are where the best action changes them."""
    return asks_of_rules(reading) or (not best.reads and ends_in_question_of_fact(reading))


def asks_of_rules(reading: ParsedUtterance) -> bool:
    """Tell `can engineers approve purchase orders?`, asked of all of a kind and for nobody."""
    words = reading.normal.words
    named = any(one.first == 1 and one.is_known for one in reading.mentions)
    is_kind = len(words) > 2 and words[1].endswith("s") and words[1] not in FUNCTION_WORDS
    return words[0] in _MAY and is_kind and not named


def asks_who_may(reading: ParsedUtterance) -> bool:
    """Tell `can engineers approve orders?` from `can deckhands see the certificates?`."""
    is_change = reading.verb is not None and reading.verb.nature == "write"
    return is_change and asks_of_rules(reading)


def _may_be_meant(reading: ParsedUtterance, best: Best) -> bool:
    act = reading.act
    if act.mood == "negated" or _only_asks(reading, best):
        return False
    if best.reads or best.is_implied:
        return True
    if only_names(reading):
        return False  # a bare name is read about at most
    looks_back = reading.normal.tokens[0].text in _LOOKS_BACK
    return act.mood in _OPEN and not looks_back and not _begins_as_order(reading)


def _begins_as_order(reading: ParsedUtterance) -> bool:
    """Tell `close it: is that allowed?` and `show it if you have time`: an order, and a doubt."""
    return any(verb.first == 0 and verb.form == "base" for verb in reading.verbs)


ASKS_ABOUT = "asks_about:"
"""Begins the reason that names the change in whose words somebody asks how things are."""
NONE_BELOW = 0.2
"""Below this confidence no action is named; the candidates are listed all the same."""
SURE = 0.7
"""A statement names a change only if it would have been as sure as this; and from here all that is
said outdoes the part that asks."""


class Prediction(NamedTuple):
    """The ranking that counts, and what is made of its best action."""

    ranked: Ranked
    cap: float
    is_barred: bool = False
    follows: bool = False
    """Nobody asks for it, and it is offered all the same."""
    wish: float | None = None
    """The chance that something is wanted, where that decided."""
    asks_about: str | None = None
    """The change whose words ask how things are, which the best action shows."""
    filled: FilledSlots | None = None
    """The slots of the best action by what counts of the text, where they were filled already."""

    @property
    def is_named(self) -> bool:
        """Tell whether the best action is named at all."""
        return min(self.ranked.confidence, self.cap) >= NONE_BELOW and not self.is_barred


def followed(settled: Prediction, freely: Ranked, follows: Follows, chance: float) -> Prediction:
    """Let what follows from the chance that something is wanted have its way."""
    if follows == "offer":
        return Prediction(freely, OFFERED, follows=True, wish=chance)
    if follows == "nothing":
        return settled._replace(cap=min(settled.cap, DECLINED), wish=chance)
    return settled


def as_likely_as(settled: Prediction, chance: float) -> Prediction:
    """Let a read that is offered though nobody ordered it be as sure as it is likely.

    Args:
        chance: that the text wants anything, as far as it follows from all that is seen. Times how
            sure the ranking is, it is the chance that this is wanted.
    """
    if not settled.follows or settled.cap < OFFERED:
        return settled
    return settled._replace(cap=max(settled.cap, chance * settled.ranked.confidence))


def outranks(freely: Ranked, as_said: Prediction) -> bool:
    """Tell whether all that is said fits another action better than the part that asks."""
    said = as_said.ranked
    return freely.order[0] != said.order[0] and freely.confidence > max(SURE, said.confidence)


def is_unheard(reading: ParsedUtterance, settled: Prediction) -> bool:
    """Tell what policy makes nothing of though it is named: it is told, or beside a denial."""
    if settled.follows:
        return False
    is_beside = bool(reading.act.denied) and settled.cap <= OFFERED
    return reading.act.mood in ("reported", "negated") or is_beside


_LEAST_SHARE = 0.8
"""Of what the reads of the pack have together, from which one shows what it neither is of nor
takes: what the topic is stands in the state of the research. With .5 the state of a machine showed
whether an export was deleted."""


class _Fit(NamedTuple):
    """How well a read shows what a change is made to; the first that differs decides."""

    is_of_it: bool
    """It reads what is changed, or what that is put in or taken from."""
    is_of_named: bool
    """It reads things of the kind that was named."""
    takes_named: bool
    is_of_place: bool
    """It reads what the changed thing is in: a note is seen in its work order."""
    share: float


def read_instead(
    reading: ParsedUtterance, ranked: Ranked, actions: Sequence[Action], today: date | None
) -> tuple[Ranked, str] | None:
    """Put first the read that shows what the best action changes, and name that action.

    `Was WO-1042 reopened?` is worded as every order to reopen it, and asks to see it. How sure the
    ranking is stays what it is of the change.

    Returns:
        None where the text asks for something, where the best action reads itself or is unlikely,
        and where no read shows what it changes.
    """
    change = actions[ranked.order[0]]
    if change.effect == "read" or ranked.confidence < NONE_BELOW:
        return None
    if reading.act.reason == "how_to" or reading.act.mood == "negated":
        return None
    if not asks_only(reading, change, filled_of(change, reading, today)):
        return None
    fits = _fits(reading, ranked, actions, change)
    if not fits:
        return None
    best = max(fits, key=lambda place: fits[place])
    fit, of_reads = fits[best], sum(one.share for one in fits.values())
    is_near = fit.is_of_it or fit.is_of_named or fit.takes_named
    if not is_near and fit.share <= _LEAST_SHARE * of_reads:
        return None
    order = (best, *(place for place in ranked.order if place != best))
    shown = ranked._replace(order=order, near=None, cosine=0.0, is_said=False)
    return shown._replace(is_sure_at_worst=False, twins=frozenset()), change.name


def _fits(
    reading: ParsedUtterance, ranked: Ranked, actions: Sequence[Action], change: Action
) -> Mapping[int, _Fit]:
    """Say of each read of the pack how well it shows what the change is made to."""
    named = {one.kind.type for one in reading.mentions if one.kind.pack == change.pack}
    taken = named & {slot.type for slot in change.slots.values()}
    return {
        place: _Fit(
            is_of_it=read.object in (change.container, change.object),
            is_of_named=read.object in taken,
            takes_named=any(slot.type in taken for slot in read.slots.values()),
            is_of_place=read.object == change.container,
            share=float(ranked.shares[place]),
        )
        for place, read in enumerate(actions)
        if read.effect == "read" and read.pack == change.pack and not _searches(read)
    }


def _searches(read: Action) -> bool:
    """Tell a read that takes free words: those of the question are none to search for."""
    return any(slot.required and slot.type in ("text", "list") for slot in read.slots.values())
