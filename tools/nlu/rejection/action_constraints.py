"""Which actions may not be sure whatever their scores: by mood, effect, content or undoing."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from state.policy import Hold, Mood
from tools.nlu.dialogue_acts.dialogue_act import DialogueAct, is_beside_denial
from tools.nlu.intent_classifier.calibration import DECLINED, OFFERED
from tools.nlu.intent_classifier.features import Floats
from tools.nlu.intents.utterance import ParsedUtterance
from tools.nlu.lexicon.action_index import Effects, Marks, any_of, keys_of
from tools.nlu.lexicon.cue_phrases import undone_noun, verbs_of_noun
from tools.nlu.rejection.indirect_requests import (
    denied_in,
    indirectly_requested,
    is_statement_only,
    lists_past,
    only_names,
    says_no_doing,
    spoken_of_in,
)
from tools.nlu.rejection.lexical_mismatch import (
    clashes,
    named_by_another_verb,
    opened_strangely,
    turns_strangely,
)


def asked_in_content(reading: ParsedUtterance, effects: Effects) -> Marks:
    """Mark changes that a told text asks for, behind an order that is none of theirs.

    `add to the handover: approve PO-1997` enters a text. Approving is asked for by a synonym of
    `add` too (`put my OK on it`), but it has no slot that could take what stands behind the colon.
    """
    nothing = effects.nothing()
    place, verb = reading.act.cut.content_first, reading.verb
    if place is None or verb is None or verb.end > place or verb.nature != "write":
        return nothing
    held = nothing.copy()
    for one in reading.verbs:
        if one.first >= place and set(keys_of(verb)).isdisjoint(keys_of(one)):
            held |= effects.asked_by(one)
    by_itself = effects.asked_with.get(verb.base, nothing) & effects.takes_text
    marks: Marks = held & effects.is_write & ~by_itself
    for action in verb.actions:
        marks[effects.places[action]] = False
    return marks


_UN = "un"


def undone_in(reading: ParsedUtterance, effects: Effects) -> Marks:
    """Mark the changes that are not asked for where a doing is to be undone: none where none is.

    That is the doing itself, and all that the verb which was said does not mean: what undoes it is
    in no other word. An `un-` is judged only where the catalogue does not know the word: `unread`.
    """
    verbs = set(_undone_verbs(reading, effects))
    undone = effects.marked(effects.asked_with, verbs)
    if not verbs or not any_of(undone & effects.is_write):
        return effects.nothing()
    if reading.verb is None or reading.verb.base in verbs:
        often = effects.marked(effects.often_asked_with, verbs)
        meant = _taking_back(often, effects)
        undone = often | (undone & ~meant)
    else:
        meant = effects.asked_by(reading.verb)
        for action in reading.verb.actions:  # an example of reopening may cancel a closing
            undone[effects.places[action]] = False
    meant &= _may_be_of(reading, undone, effects)
    marks: Marks = effects.is_write & (undone | ~meant)
    return marks


def _taking_back(done: Marks, effects: Effects) -> Marks:
    """Mark what the entries say undoes some doings."""
    marks = effects.nothing()
    for place in _places(done):
        if place in effects.takes_back:
            marks[effects.takes_back[place]] = True
    return marks


def _undone_verbs(reading: ParsedUtterance, effects: Effects) -> Iterator[str]:
    words = reading.normal.words
    verb = reading.verb
    for place in reading.asked:
        if words[place] == _UN and _is_hyphened(reading, place):
            yield words[place + 1]
        yield from _without_un(words[place], effects)
    if verb is None:
        return
    yield from _without_un(verb.base, effects)
    noun = undone_noun(words, verb.base, verb.end, reading.asked.stop)
    if noun is not None and not _is_named(reading, noun):
        yield from (one for one in verbs_of_noun(words[noun]) if not _looks(one, effects))


def _is_hyphened(reading: ParsedUtterance, place: int) -> bool:
    """Tell `un-cancel it` from `cancel the UN visit`."""
    pair = reading.normal.tokens[place : place + 2]
    return len(pair) > 1 and reading.normal.text[pair[0].end : pair[1].start] == "-"


def _may_be_of(reading: ParsedUtterance, undone: Marks, effects: Effects) -> Marks:
    """Mark the actions that take what is named: no work order is reopened for an invoice.

    That is told by the things of the undone doings: a job may be named by its pump.
    """
    kinds = frozenset().union(*(effects.kinds[place] for place in _places(undone)))
    named = kinds & {one.kind.type for one in reading.mentions if one.is_known}
    return np.array([not named or not named.isdisjoint(own) for own in effects.kinds], bool)


def _places(marks: Marks) -> list[int]:
    return np.flatnonzero(marks).tolist()


def _without_un(word: str, effects: Effects) -> Iterator[str]:
    if word.startswith(_UN) and word not in effects.said_with:
        yield word.removeprefix(_UN)


def _looks(verb: str, effects: Effects) -> bool:
    """Tell a verb of looking, which undoes nothing: `undo the reading of the meter`."""
    often = effects.often_asked_with.get(verb)
    return often is not None and any_of(often & ~effects.is_write)


def _is_named(reading: ParsedUtterance, place: int) -> bool:
    """Tell the booking that is a thing from a booking of something."""
    named = {at for one in reading.mentions for at in range(one.first, one.end)}
    return place in named or any(one.first <= place < one.end for one in reading.things.all)


_HANDICAP = 3.0
"""Subtracted from a statistical score, natural log: e^3 is odds of 20 to 1."""
_NEVER = 30.0
"""What leaves nothing of any score."""
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


class ActionConstraints(NamedTuple):
    """For each action: the highest confidence, a handicap, and whether it may be named at all."""

    caps: Floats
    handicap: Floats
    unless_implied: Floats
    """The handicap where nothing is implied: what is not asked for takes nothing from a read. The
    same array where nothing is implied at all."""
    never: Floats
    """The handicap of what is not meant, however the text is said: what it asks to undo."""
    is_barred: Marks
    is_implied: Marks
    """What no verb orders, tells or denies: it may be named where all else speaks for it."""
    is_spoken_of: Marks
    """What some verb of the text is about, whether it orders, tells or denies it."""
    is_denied: Marks
    """What a verb of a denying clause is about."""
    is_strange: Marks
    """A change that neither its entry nor its examples ask for by the verb that was said."""
    also_asked: frozenset[int]
    """Actions that a second clause asks for by their own words."""
    reasons: tuple[str, ...]
    hold: Hold | None
    """Why no action runs by itself, for how the text is said."""
    clash: Marks
    """What the verb that was said speaks against."""
    is_unknown: Marks
    """What nobody asks for by the verb, or by the first word, that was said."""

    def hold_of(self, place: int) -> Hold | None:
        """Say why an action does not run by itself; its confidence stays what it is."""
        by_verb: Hold | None = "verb" if self.clash[place] else None
        return self.hold or ("foreign_word" if self.is_unknown[place] else by_verb)


def constraints_of(reading: ParsedUtterance, effects: Effects) -> ActionConstraints:
    """Hold back by everything but similarity; caps only ever lower."""
    is_write = effects.is_write
    mood = reading.act.mood
    reasons = _reasons_of(reading.act)
    denied = denied_in(reading, effects)
    is_no_doing = says_no_doing(reading)
    caps = _caps_of_act(reading, effects, denied, is_no_doing=is_no_doing)
    handicap = np.zeros(len(is_write), np.float32)
    # A bare name asks for no change: at most it is read about.
    is_barring = mood in _BARRING or ((mood == "statement" or is_no_doing) and only_names(reading))
    barred = is_write.copy() if is_barring else np.zeros(len(is_write), bool)
    _take(handicap, barred)
    is_bare = _is_bare(reading)
    if is_bare or is_no_doing or lists_past(reading):
        _take(handicap, is_write)
    clash = clashes(reading, effects)
    if any_of(clash):
        reasons.append("only:read" if any_of(clash & is_write) else "only:write")
        if any_of(is_write):  # else a changing verb speaks for no other action, and only holds
            _cap(caps, clash, OFFERED)
            _take(handicap, clash)
        barred |= clash & is_write
    written = asked_in_content(reading, effects)
    foreign = named_by_another_verb(reading, effects) | written
    _take(handicap, written)
    unknown = opened_strangely(reading, effects) | turns_strangely(reading, effects)
    strange = unknown & is_write
    _cap(caps, strange, OFFERED)
    # What is named by nothing but a pasted mail is not worth a chip: nobody here asks for it.
    is_pasted = len(reading.act.cut.quoted) > _LONGEST_NAME
    _cap(caps, foreign, DECLINED if is_pasted else OFFERED)
    barred |= foreign
    is_hidden = reading.normal.is_cut or reading.normal.is_disguised
    if is_hidden:
        reasons.append("text_too_long" if reading.normal.is_cut else "text_disguised")
        _cap(caps, is_write, OFFERED)
        barred |= is_write
    undone = undone_in(reading, effects)
    never = _leave(caps, undone)
    unless_implied = handicap = handicap + never
    implied = indirectly_requested(reading, effects) & (not is_hidden and not is_bare)
    if any_of(implied):
        handicap = handicap.copy()
        np.maximum(handicap, _HANDICAP_OF_IMPLIED[mood], out=handicap, where=implied)
    also_asked: frozenset[int] = frozenset()
    if _asks_several(reading):
        others = [verb.actions for verb in reading.act.asking if verb != reading.verb]
        also_asked = frozenset(effects.places[min(names)] for names in others if len(names) == 1)
        reasons.append("several_requests")
        _cap(caps, is_write, OFFERED)
    return ActionConstraints(
        caps,
        handicap,
        unless_implied,
        never,
        barred | undone,
        implied,
        spoken_of_in(reading, effects),
        denied,
        foreign | strange,
        also_asked,
        tuple(reasons),
        _hold(reading),
        clash,
        unknown,
    )


def _reasons_of(act: DialogueAct) -> list[str]:
    doubt = [f"doubt:{act.doubt}"] if act.doubt else []
    return [f"mood:{act.mood}:{act.reason}", *doubt, *(f"denied:{one}" for one in act.denied)]


def _cap(caps: Floats, where: Marks, most: float) -> None:
    if any_of(where):
        np.minimum(caps, most, out=caps, where=where)


def _take(handicap: Floats, where: Marks) -> None:
    if any_of(where):
        np.subtract(handicap, _HANDICAP, out=handicap, where=where)


def _leave(caps: Floats, undone: Marks) -> Floats:
    """Leave alone what is to be undone, and give the handicap that keeps it so."""
    _cap(caps, undone, 0.0)
    never = np.zeros(len(undone), np.float32)
    never[undone] = -_NEVER
    return never


def _caps_of_act(
    reading: ParsedUtterance, effects: Effects, denied: Marks, *, is_no_doing: bool
) -> Floats:
    """Cap by the mood, by what puts it in doubt, and by what is denied beside it."""
    is_write, act = effects.is_write, reading.act
    caps = np.ones(len(is_write), np.float32)
    caps[is_write] = _CAPS_OF_WRITE[act.mood]
    # Without a verb of ours it denies something else: `don't talk so slow`.
    if act.mood == "negated" and reading.verb is not None:
        caps[~is_write] = DECLINED
    # `Don't discard the report, keep it`: by another verb it stays denied.
    if act.asks and any_of(denied):
        denied = denied & ~_ordered(reading, effects)
    if is_beside_denial(act) or act.asks:
        _cap(caps, denied, DECLINED)
    is_open = act.reason in _NOT_ASKED or bool(act.doubt) or is_no_doing
    if act.mood == "hypothetical" or is_open:
        _cap(caps, is_write, OFFERED)
    if act.mood == "reported":
        np.minimum(caps, _of_reported(reading, effects), out=caps)
    return caps


def _ordered(reading: ParsedUtterance, effects: Effects) -> Marks:
    ordered = effects.nothing()
    for _clause, verb in reading.act.asks:
        if verb is not None:
            ordered |= effects.asked_by(verb)
    return ordered


def _of_reported(reading: ParsedUtterance, effects: Effects) -> Floats:
    """Cap what somebody said, and decline the reads that are told as done: `I compared them`."""
    caps = np.full(len(effects.is_write), OFFERED, np.float32)
    if reading.act.reason == "already_done":
        caps[:] = 1.0
    if not reading.normal.text.endswith("?"):
        caps[spoken_of_in(reading, effects) & ~effects.is_write] = DECLINED
    return caps


def _hold(reading: ParsedUtterance) -> Hold | None:
    """Say what in the words alone leaves a read to a person."""
    act = reading.act
    if _asks_several(reading):
        return "several_requests"
    if act.mood == "reported" or is_beside_denial(act) or is_statement_only(reading):
        return "mood"
    is_asked = act.mood != "hypothetical" and act.reason not in _NOT_ASKED and not act.doubt
    return None if is_asked or act.doubt == "also_asks" else "mood"


def _is_bare(reading: ParsedUtterance) -> bool:
    """Tell whether no verb, object or thing is named: nothing says that something changes."""
    is_named = bool(reading.things.all or reading.evidence.kinds or reading.evidence.other_verbs)
    is_told = reading.act.cut.content_first is not None
    return (
        reading.act.reason in ("statement", "unknown_verb")
        and reading.verb is None
        and not is_named
        and not is_told
    )


def _asks_several(reading: ParsedUtterance) -> bool:
    """Tell whether a second clause asks for something by another verb."""
    return len({(verb.families, verb.actions) for verb in reading.act.asking}) > 1
