"""Actions that a text may ask for by describing a state, and texts that only describe one."""

import re
from itertools import pairwise

import numpy as np

from state.policy import Mood
from tools.nlu.intents.utterance import ParsedUtterance
from tools.nlu.lexicon.action_index import Effects, Marks
from tools.nlu.lexicon.cue_phrases import DETERMINERS, FUNCTION_WORDS, GREETINGS, SUBJECTS
from tools.nlu.lexicon.normalization import word_set
from tools.nlu.lexicon.verbs import Verb
from tools.nlu.values.date_offsets import SURELY_TIMES

_NAMES = frozenset({"statement", "unknown_word", "mark", "polite", "please"})
"""Signs of a text that is no sentence, as `fuel filters`: it may well ask."""
_TELLS = word_set(
    "was were had did got made went came gave took ran broke left started failed worked seemed "
    "looked felt became brought already it's that's he's she's there's"
)
"""Behind these something is told, whatever the verb: `the gangway motor got very hot`."""
_FACT = re.compile(
    r"(?:(?:nobody|no one|noone|none|nothing)(?! (?:should|must|may|shall|wants? you|would))"
    r"|(?!you\b|please\b|don't\b|do not\b|dont\b|never\b|not\b|no\b|let)(?:[\w'-]+ ){1,8}?"
    r"(?:isn't|aren't|wasn't|weren't|hasn't|haven't|hadn't|doesn't|didn't|won't|can't|cannot"
    r"|couldn't|(?:is|are|was|were|has|have|had|does|did|will|can) (?:not|never)"
    r"|(?:shouldn't|should not|mustn't|must not) have"
    r"|(?:shouldn't|should not) be(?! \w+(?:ed|en)\b)"
    r"|(?:we|i) (?:don't|do not))) "
)
"""`nobody has looked at it`, `the fridge isn't cold`: what is not so, where `it must not be closed`
forbids a doing."""
_WISH = re.compile(
    r"(?:(?:so|but|and|well|maybe|perhaps) )*(?:(?:it|that) (?:would|might) be (?!not)(?:[\w'-]+ )?"
    r"(?:nice|good|great|easier|better|helpful|useful|wise|handy|best|lovely|sensible|interesting)"
    r" (?:if|to|for)(?! not)\b|if only\b|i wish\b)"
)
"""Supposed, and wanted: `it would be easier if Ben could see it`."""


def tells_fact(reading: ParsedUtterance) -> bool:
    """Tell `nobody has looked at it since May` from a doing that is denied."""
    return reading.act.reason == "denied" and _FACT.match(_words(reading)) is not None


def expresses_wish(reading: ParsedUtterance) -> bool:
    """Tell a wish from what is only supposed."""
    return reading.act.mood == "hypothetical" and _WISH.match(_words(reading)) is not None


def is_statement_only(reading: ParsedUtterance) -> bool:
    """Tell a sentence that asks for nothing from a request, a question and a mere name."""
    act = reading.act
    if act.mood in ("command", "request", "question"):
        return False
    words = reading.normal.words
    return act.reason not in _NAMES or not _TELLS.isdisjoint(words[:-1])


def lists_past(reading: ParsedUtterance) -> bool:
    """Tell `closed work orders that are not mine`: several things that something was done to."""
    verb = next((one for one in reading.verbs if one.first == 0 and one.form == "past"), None)
    if verb is None or reading.act.mood != "statement":
        return False
    words = reading.normal.words
    named = (one for one in reading.things.all if one.first == verb.end)
    return any(words[one.end - 1].endswith("s") for one in named)


def _words(reading: ParsedUtterance) -> str:
    return " ".join(reading.normal.words)


_ASKS_NOTHING = frozenset(
    {"quoted", "mentioned", "of_others", "how_to", "about_itself", "cancelled", "cancel", "empty"}
)
"""Signs of a text that leaves everything as it is, whatever it is about."""
_TELLING: frozenset[Mood] = frozenset({"statement", "reported"})
"""Moods that tell how things are. Whoever denies a doing, supposes or asks implies nothing: half of
what was offered there nobody had meant. What is not so, and what would be good, is told too."""
_ENDED = word_set("more anymore longer")
"""`we don't want PO-2004 any more`: what is denied was so until now."""
_WISHES = word_set("wants want wanted needs need needed asks wonders wondering like")
"""What others said is no order to us (`she said find me papers`); that they want it may be one."""
_LONG_AGO = SURELY_TIMES | word_set(
    "already yesterday ago earlier last previously before spring summer autumn winter once"
)
"""Words of a tale; what was done just now may want to be recorded."""
_REGRET = word_set(
    "mistake mistakenly accident accidentally error wrong wrongly premature prematurely slipped "
    "properly badly"
)
_BETWEEN = word_set("already just now also finally recently has have all")
"""Between who did it and the verb."""
_PASSIVE = word_set("is are was were been got")
_MIGHT = word_set("could might would may should")
_OWN_SUBJECTS = word_set("i we i've we've")
_SAYS_NO_DOING = FUNCTION_WORDS | GREETINGS | word_set("sorry thx need want like")
"""Who says these beside a name asks for it, and says nothing of what is to be done with it."""
_JOINS = word_set("is are could should can gets goes needs has does will would with")
"""Between two things that are named these say what the one is to the other."""
_TOO = frozenset({("too", "soon"), ("too", "early"), ("never", "meant"), ("not", "meant")})


def indirectly_requested(reading: ParsedUtterance, effects: Effects) -> Marks:
    """Mark what a text may come to, though it neither orders nor requests it.

    `WO-1042 was closed too soon` tells of closing, and so does not ask for it; that it is to be
    opened again is said by no verb of its own, so nothing denies, tells or supposes that. A read is
    marked where somebody's wish is told: `the surveyor wants to see the history`.
    """
    act = reading.act
    words = set(reading.normal.words)
    tells = act.mood in _TELLING or (act.mood == "negated" and words & _ENDED)
    is_fact, is_wish = tells_fact(reading), expresses_wish(reading)
    if not (tells or is_fact or is_wish) or act.reason in _ASKS_NOTHING or only_names(reading):
        return effects.nothing()
    spoken_of = spoken_of_in(reading, effects)
    if regrets(reading):  # `I changed it by mistake`: what takes a change back is not denied
        spoken_of[sorted(set(effects.takes_back.values()))] = False
    else:
        spoken_of |= _contrary_of_done(reading, effects)
    if is_fact or is_wish:  # what was not read may be wanted: `I haven't seen its abstract yet`
        spoken_of &= effects.is_write & (not is_wish)
    tells_wish = act.mood == "reported" and (act.reason != "reported_speech" or words & _WISHES)
    can_be = effects.is_write | bool(tells_wish or is_fact or is_wish)
    marks: Marks = can_be & ~spoken_of
    return marks


def only_names(reading: ParsedUtterance) -> bool:
    """Tell whether a text is a name and nothing else: `LK-12` tells nothing of it.

    Two things of different kinds of which one is said to be the other's tell something: `1055 is
    Priya's`, `mast light inspection: Tom`.
    """
    named = {place for one in reading.mentions for place in range(one.first, one.end)}
    others: set[str] = set()
    for place, word in enumerate(reading.normal.words):
        if place not in named:
            if word not in FUNCTION_WORDS:
                return False  # soon found in most texts, and asked of each
            others.add(word)
    kinds = {one.kind.type for one in reading.mentions if one.is_known}
    return len(kinds) < 2 or not (_JOINS & others or ":" in reading.normal.text)


def says_no_doing(reading: ParsedUtterance) -> bool:
    """Tell `PO-1985 please` and `the export, please`, with which nothing is to be done.

    Names of two kinds say what: `TSK-109 for Yusuf please`.
    """
    if reading.act.mood != "request" or reading.verb is not None:
        return False
    if len({one.kind.type for one in reading.mentions if one.is_known}) > 1:
        return False
    named = {place for one in reading.mentions for place in range(one.first, one.end)}
    named |= {place for one in reading.things.all for place in range(one.first, one.end)}
    words = enumerate(reading.normal.words)
    return all(word in _SAYS_NO_DOING for place, word in words if place not in named)


def spoken_of_in(reading: ParsedUtterance, effects: Effects) -> Marks:
    """Mark the changes that some verb of a text is about, and the reads it says were done."""
    said = effects.nothing()
    for verb in reading.verbs:
        if verb.is_light or _is_own_report(verb, reading):
            continue
        asked = effects.asked_by(verb)
        said |= asked if verb.form == "past" else asked & effects.is_write
    return said


def denied_in(reading: ParsedUtterance, effects: Effects) -> Marks:
    """Mark what a verb of a denying clause is about.

    `Ana should no longer see it` denies a looking: of the changes it marks none, as to take it
    from her is what it asks for; `I no longer see it` asks for nothing.
    """
    denied = effects.nothing()
    words = reading.normal.words
    for clause in reading.act.denies:
        own = words[clause.first : clause.end]
        is_of_another = own[0] not in _OWN_SUBJECTS or "want" in own
        for verb in reading.verbs:
            if clause.first <= verb.first < clause.end:
                asked = effects.asked_by(verb)
                is_look = verb.nature == "read" and is_of_another
                denied |= asked & ~effects.is_write if is_look else asked
    return denied


def _contrary_of_done(reading: ParsedUtterance, effects: Effects) -> Marks:
    """Mark what would take back a change that is told as done: `the bilge alarm has cleared`."""
    contrary = effects.nothing()
    for verb in reading.verbs:
        if verb.form != "past":
            continue
        for place in np.flatnonzero(effects.asked_by(verb)).tolist():
            if effects.takes_back.get(place, place) != place:
                contrary[effects.takes_back[place]] = True
    return contrary


def regrets(reading: ParsedUtterance) -> bool:
    """Tell whether what was done is told to have been wrong: another doing may mend it."""
    words = reading.normal.words
    return bool(_REGRET & set(words)) or not _TOO.isdisjoint(pairwise(words))


def _is_own_report(verb: Verb, reading: ParsedUtterance) -> bool:
    """Tell `I have finished TSK-101` and `item 4 completed`: who tells it may want it kept."""
    if reading.act.reason != "already_done" or verb.form != "past":
        return False
    words = reading.normal.words
    return not _LONG_AGO & set(words) and not _is_by_another(verb, words, reading)


def _is_by_another(verb: Verb, words: list[str], reading: ParsedUtterance) -> bool:
    """Tell `Ana finished TSK-101` and `who deleted it` from `item 4 completed` and `I did it`."""
    if words[0] in _MIGHT:  # `could it come off, it got listed by accident`
        return True
    before = [word for word in words[: verb.first] if word not in _BETWEEN]
    if not before or before[-1] in _OWN_SUBJECTS | _PASSIVE:
        return False
    if before[-1] in SUBJECTS or before[-1] == "had":
        return True
    is_named = any(one.first == verb.end for one in reading.mentions)
    has_object = is_named or not DETERMINERS.isdisjoint(words[verb.end : verb.end + 1])
    return has_object and before[-1] not in FUNCTION_WORDS
