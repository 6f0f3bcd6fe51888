"""What may not be sure, whatever the scores say: mood, read against write, disguise, length."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from state.policy import Hold, Mood
from tools.routing.holding_back.contents import asked_in_content
from tools.routing.holding_back.implied import (
    asked_by,
    denied_in,
    implied_actions,
    only_names,
    spoken_of_in,
)
from tools.routing.holding_back.key_words import turns_strangely
from tools.routing.holding_back.of_verb import clashes, named_by_another_verb, opened_strangely
from tools.routing.holding_back.telling import lists_past, only_tells
from tools.routing.learning.features import Floats
from tools.routing.reading import Reading
from tools.routing.speech_acts.speech_act import is_beside_denial
from tools.routing.words.effects import Effects, Marks
from tools.routing.worth import DECLINED, OFFERED

_HANDICAP = 3.0
"""Subtracted from a statistical score, natural log: e^3 is odds of 20 to 1."""
_LONGEST_NAME = 5
"""Words in quotes that may still be the name of a thing; more are a text."""
_CAPS_OF_WRITE: Mapping[Mood, float] = {
    "command": 1.0,
    "request": 1.0,
    "statement": OFFERED,
    "question": OFFERED,
    "hypothetical": OFFERED,
    "reported": OFFERED,
    "negated": DECLINED,
}
_HANDICAP_OF_IMPLIED: Mapping[Mood, float] = {
    "command": 0.0,
    "request": 0.0,
    "statement": 0.0,
    "reported": 0.0,
    "negated": 0.0,
    "question": -1.0,
    "hypothetical": -1.0,
}
_NOT_ASKED = frozenset({"reason", "declared", "unable", "unknown_verb", "unknown_word"})
"""Reasons of a clause that uses the words of a request and does not make one that is known."""
_BARRING: frozenset[Mood] = frozenset({"question", "hypothetical", "reported", "negated"})
"""Moods in which a state-changing action is a candidate at most, never the one named."""


@dataclass(frozen=True)
class Restraint:
    """For each action: the highest confidence, a handicap, and whether it may be named at all."""

    caps: Floats
    handicap: Floats
    unless_implied: Floats
    """The handicap where nothing is implied: what is not asked for takes nothing from a read."""
    is_barred: Sequence[bool]
    is_implied: Sequence[bool]
    """What no verb orders, tells or denies: it may be named where all else speaks for it."""
    is_spoken_of: Sequence[bool]
    """What some verb of the text is about, whether it orders, tells or denies it."""
    is_denied: Sequence[bool]
    """What a verb of a denying clause is about."""
    is_strange: Sequence[bool]
    """A change that neither its entry nor its examples ask for by the verb that was said."""
    also_asked: frozenset[int]
    """Actions that a second clause asks for by their own words."""
    reasons: tuple[str, ...]
    held: Sequence[Hold | None]
    """For each action why it does not run by itself: its confidence stays what it is."""


def restrain(reading: Reading, effects: Effects) -> Restraint:
    """Hold back by everything but similarity; caps only ever lower."""
    is_write = effects.is_write
    mood = reading.act.mood
    reasons = [f"mood:{mood}:{reading.act.reason}"]
    if reading.act.doubt:
        reasons.append(f"doubt:{reading.act.doubt}")
    reasons += [f"denied:{family}" for family in reading.act.denied]
    denied = denied_in(reading, effects)
    caps = _caps_of_act(reading, effects, denied)
    # A bare name asks for no change: at most it is read about.
    barred = is_write & (mood in _BARRING or (mood == "statement" and only_names(reading)))
    handicap = np.where(barred, -_HANDICAP, 0.0)
    is_bare = _is_bare(reading)
    if is_bare or lists_past(reading):
        handicap = np.where(is_write, handicap - _HANDICAP, handicap)
    clash = clashes(reading, effects)
    if clash.any():
        reasons.append("only:read" if bool((clash & is_write).any()) else "only:write")
        if is_write.any():  # else a changing verb speaks for no other action, and only holds
            caps = np.where(clash, np.minimum(caps, OFFERED), caps)
            handicap = np.where(clash, handicap - _HANDICAP, handicap)
        barred = barred | (clash & is_write)
    written = asked_in_content(reading, effects)
    foreign = named_by_another_verb(reading, effects) | written
    handicap = np.where(written, handicap - _HANDICAP, handicap)
    strange = opened_strangely(reading, effects) | turns_strangely(reading, effects)
    caps = np.where(strange & is_write, np.minimum(caps, OFFERED), caps)
    # What is named by nothing but a pasted mail is not worth a chip: nobody here asks for it.
    is_pasted = len(reading.act.cut.quoted) > _LONGEST_NAME
    caps = np.where(foreign, np.minimum(caps, DECLINED if is_pasted else OFFERED), caps)
    barred = barred | foreign
    is_hidden = reading.normal.is_cut or reading.normal.is_disguised
    if is_hidden:
        reasons.append("text_too_long" if reading.normal.is_cut else "text_disguised")
        caps = np.where(is_write, np.minimum(caps, OFFERED), caps)
        barred = barred | is_write
    unless_implied = handicap
    implied = implied_actions(reading, effects) & (not is_hidden and not is_bare)
    handicap = np.where(implied, np.maximum(handicap, _HANDICAP_OF_IMPLIED[mood]), handicap)
    also_asked: frozenset[int] = frozenset()
    if _asks_several(reading):
        others = [verb.actions for verb in reading.act.asking if verb != reading.verb]
        also_asked = frozenset(effects.places[min(names)] for names in others if len(names) == 1)
        reasons.append("several_requests")
        caps = np.minimum(caps, np.where(is_write, OFFERED, 1.0))
    held = _hold(reading)
    return Restraint(
        caps.astype(np.float32),
        handicap.astype(np.float32),
        unless_implied.astype(np.float32),
        barred.tolist(),
        implied.tolist(),
        spoken_of_in(reading, effects).tolist(),
        denied.tolist(),
        (foreign | (strange & is_write)).tolist(),
        also_asked,
        tuple(reasons),
        [
            held or ("foreign_word" if is_strange else "verb" if is_clash else None)
            for is_clash, is_strange in zip(clash.tolist(), strange.tolist(), strict=True)
        ],
    )


def _caps_of_act(reading: Reading, effects: Effects, denied: Marks) -> Floats:
    """Cap by the mood, by what puts it in doubt, and by what is denied beside it."""
    is_write, act = effects.is_write, reading.act
    caps = np.where(is_write, _CAPS_OF_WRITE[act.mood], 1.0)
    # Without a verb of ours it denies something else: `don't talk so slow`.
    if act.mood == "negated" and reading.verb is not None:
        caps[~is_write] = DECLINED
    if act.asks:  # `don't discard the report, keep it`: by another verb it stays denied
        denied = denied & ~_ordered(reading, effects)
    if is_beside_denial(act) or act.asks:
        caps = np.where(denied, np.minimum(caps, DECLINED), caps)
    if act.mood == "hypothetical" or act.reason in _NOT_ASKED or act.doubt:
        caps = np.minimum(caps, np.where(is_write, OFFERED, 1.0))
    if act.mood == "reported":
        caps = np.minimum(caps, _of_reported(reading, effects))
    return caps.astype(np.float32)


def _ordered(reading: Reading, effects: Effects) -> Marks:
    ordered = np.zeros(len(effects.is_write), bool)
    for _clause, verb in reading.act.asks:
        if verb is not None:
            ordered |= asked_by(verb, effects)
    return ordered


def _of_reported(reading: Reading, effects: Effects) -> Floats:
    """Cap what somebody said, and decline the reads that are told as done: `I compared them`."""
    caps = np.full(len(effects.is_write), OFFERED, np.float32)
    if reading.act.reason == "already_done":
        caps[:] = 1.0
    if not reading.normal.text.endswith("?"):
        caps[spoken_of_in(reading, effects) & ~effects.is_write] = DECLINED
    return caps


def _hold(reading: Reading) -> Hold | None:
    """Say what in the words alone leaves a read to a person."""
    act = reading.act
    if _asks_several(reading):
        return "several_requests"
    if act.mood == "reported" or is_beside_denial(act) or only_tells(reading):
        return "mood"
    is_asked = act.mood != "hypothetical" and act.reason not in _NOT_ASKED and not act.doubt
    return None if is_asked or act.doubt == "also_asks" else "mood"


def _is_bare(reading: Reading) -> bool:
    """Tell whether no verb, object or thing is named: nothing says that something changes."""
    is_named = bool(reading.things.all or reading.evidence.kinds or reading.evidence.other_verbs)
    is_told = reading.act.cut.content_first is not None
    return (
        reading.act.reason in ("statement", "unknown_verb")
        and reading.verb is None
        and not is_named
        and not is_told
    )


def _asks_several(reading: Reading) -> bool:
    """Tell whether a second clause asks for something by another verb."""
    return len({(verb.families, verb.actions) for verb in reading.act.asking}) > 1
