"""Verbs that what they are about parts from the rest of their phrase: `take the filter off`."""

from collections.abc import Sequence

from tools.routing.words.nouns import undone_noun, verbs_of_noun
from tools.routing.words.phrases import singular, word_set
from tools.routing.words.signs import COURTESY, DETERMINERS
from tools.routing.words.verbs import Verb, VerbLexicon

_PARTICLES = word_set("up off out back away forward")
_BEHIND = word_set("from to of on with for at by in into again until till and or so because than")
_INSIDE = word_set("to in into on onto from with at by about that and or but")
"""Behind one of these stands no object any more: `put the note in and go back`."""
_MOST_BETWEEN = 8
_SHOWING = word_set("put pull bring throw flash place get")
_SCREENS = word_set("screen display monitor")
_UP = ("pull", "up")


def joined(words: Sequence[str], verb: Verb, end: int, lexicon: VerbLexicon) -> Verb:
    """Read `take the filter off WO-1042` as taking off, `put it on the screen` as showing.

    `Take me back to it` and `put the note on the screen door` stay what they are.

    Args:
        end: where the clause of the verb ends.
    """
    first = verb.end
    if verb.end - verb.first > 1:
        return verb
    if (opposite := _undoing(words, verb, end, lexicon)) is not None:
        return opposite
    if first >= end or words[first] in ("me", "us"):
        return verb
    for place in range(first, min(end, first + _MOST_BETWEEN + 1)):
        word = words[place]
        behind = words[place + 1 : end]
        is_shown = word == "on" and verb.base in _SHOWING and _is_screen(behind)
        if place > first and (is_shown or (word in _PARTICLES and _ends_so(behind, word))):
            return lexicon.stands_for(verb, _UP if is_shown else (verb.base, word)) or verb
        if word in _INSIDE:
            break
    return verb


def _undoing(words: Sequence[str], verb: Verb, end: int, lexicon: VerbLexicon) -> Verb | None:
    """Read `cancel the cancellation of it` and `un-cancel it` as uncancelling, if that is a verb.

    A booking that can be cancelled is a thing, where a catalogue has such things.
    """
    if verb.first and words[verb.first - 1] == "un":
        found = lexicon.at([f"un{words[verb.first]}"], 0)
        return found._replace(first=verb.first - 1, end=verb.end) if found is not None else None
    noun = undone_noun(words, verb.base, verb.end, end)
    if noun is None or {words[noun], singular(words[noun])} & lexicon.objects:
        return None
    for base in verbs_of_noun(words[noun]):
        found = lexicon.at([f"un{base}"], 0)
        if found is not None and found.form == "base":
            return found._replace(first=verb.first, end=noun + 1)
    return None


def _is_screen(behind: Sequence[str]) -> bool:
    while behind and behind[0] in DETERMINERS:
        behind = behind[1:]
    return bool(behind) and behind[0] in _SCREENS and _ends_so(behind[1:], "up")


def _ends_so(behind: Sequence[str], particle: str) -> bool:
    """Tell `off` behind an object from one that begins a name: `print the back page`."""
    if particle == "up" and behind and behind[0] in ("on", "in"):
        return behind[0] == "on" and _is_screen(behind[1:])
    if not behind or behind[0] in _BEHIND or COURTESY.issuperset(behind):
        return True
    return particle == "off" and (behind[0] in DETERMINERS or any(map(str.isdigit, behind[0])))
