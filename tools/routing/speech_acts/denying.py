"""Does a clause deny a doing: by a negator that reaches a verb, or by a verb of not doing?"""

from tools.routing.speech_acts import denials
from tools.routing.speech_acts.clause_words import Judged, Own
from tools.routing.speech_acts.excluding import EXCEPTING, NOTHING
from tools.routing.words import signs
from tools.routing.words.phrases import word_set
from tools.routing.words.request_frames import REQUEST
from tools.routing.words.verbs import Verb

_TO_OTHERS = (signs.BEFORE_VERB | signs.SUBJECTS | signs.POLITE_WORDS) - {"i", "i'm", "it", "to"}
"""Between these and a negator there is an order not to: `you must not …`."""
_NO_DENIAL = word_set("more fewer less later earlier sooner number one")
"""Behind `no` these count: `show no more than five`; `no one` is judged elsewhere."""
_RELATIVE = frozenset({"that", "which", "who"})
"""Between a noun and a negator these say what the noun is not."""


def as_denied(own: Own) -> Judged | None:
    """Judge a clause that says no, or that somebody is not able to."""
    undone, behind = _undone(own)
    if undone and behind < own.clause.end:
        verb = own.verb_at(behind)
        is_doing = _is_doing(verb, own) if verb else own.text.words[behind].endswith("ing")
        if is_doing and not _names_action(own, behind):
            return own.judged("negated", "denied")
    refusing = denials.REFUSING.match(own.rest)
    if refusing and own.verb_at(own.words_of(refusing[0])):
        return own.judged("negated", "denied")
    if denials.CAREFUL.match(own.rest):
        return own.judged("negated", "denied")
    if denials.FORBIDDEN.match(own.rest) and own.clause.is_bound and not own.clause.is_asked:
        return own.judged("negated", "denied")  # `you could but shouldn't close it`
    unable = denials.INABILITY.match(own.rest)
    if unable and own.verb_at(own.words_of(unable[0])):
        return own.judged("statement", "unable")
    request = REQUEST.match(own.rest)
    if unable or own.head is not None or (request is None and signs.ASKED.match(own.rest)):
        return None
    return own.judged("negated", "denied") if _is_denied(own) else None


def _is_doing(verb: Verb, own: Own) -> bool:
    """Tell `stop closing it`, or `stop close it`, from `stop order PO-1997`."""
    nouns = {word for name in own.text.lexicon.objects for word in name.split("_")}
    is_order = verb.form == "base" and verb.nature == "write" and verb.base not in nouns
    return verb.form == "gerund" or is_order


def orders_nothing(own: Own, head: Verb) -> bool:
    """Tell `close nothing`, `empty no library` and `approve by no means PO-1997`."""
    behind = own.text.words[head.end : own.clause.end]
    if not behind:
        return False
    if behind[0] in NOTHING:
        return EXCEPTING.isdisjoint(behind[1:2])
    is_none = behind[0] == "no" and len(behind) > 1 and behind[1] not in _NO_DENIAL
    is_none = is_none and not behind[1].isdigit()
    return is_none or behind[0] == "neither" or denials.NEVER.search(" ".join(behind)) is not None


def _names_action(own: Own, behind: int) -> bool:
    """Tell whether a pack has `stop sharing` for an action of its own, asked for at once or not."""
    verbs = (own.verb_at(place) for place in range(own.start, behind))
    return any(verb is not None and verb.actions and verb.end > behind for verb in verbs)


def _undone(own: Own) -> tuple[bool, int]:
    """Find what stands behind `avoid`, or behind `let's skip` and `I'd like to avoid`."""
    undone = denials.UNDOING.match(own.rest)
    if undone:
        return True, own.words_of(undone[0])
    request = REQUEST.match(own.rest)
    place = own.words_of(request[0]) if request else own.clause.end
    undone = denials.UNDOING.match(" ".join(own.text.words[place : own.clause.end]))
    return undone is not None, place + len(undone[0].split()) if undone else place


def _is_denied(own: Own) -> bool:
    """Tell whether a negator reaches a verb, or forbids by itself as `don't` does."""
    words, end = own.text.words, own.clause.end
    asks_why = own.rest.startswith(("why don't you ", "why don't we ", "why not "))
    first = own.start + 2 if asks_why else own.clause.first
    place = denials.negator_in(words, first, end)
    if place is None or denials.is_opinion(words, place, end):
        return False
    is_state = words[place - 2 : place] == ["back", "to"] or words[max(0, place - 1)] == "as"
    if words[place] == "not" and is_state and words[place + 1 : place + 2] != ["to"]:
        return False  # `back to not done`, but `so as not to close it`
    request = REQUEST.match(own.rest)
    if request and words[place - 1] in _RELATIVE and words[place - 2] not in signs.FUNCTION_WORDS:
        return False  # `can you list the certificates that don't have long to run`
    if words[place] == "no" and words[place + 1] in ("account", "circumstances", "means"):
        return True
    if words[place + 1 : place + 2] == ["to"] or (request and place == own.words_of(request[0])):
        return True
    if (
        words[place] == "nobody"
        and words[place + 1 : place + 2][0:1]
        and (words[place + 1] in signs.BEFORE_VERB)
    ):
        return True
    forbids = words[place] not in ("nobody", "none", "nothing", "without")
    if forbids and set(words[own.start : place]) <= _TO_OTHERS:
        return True
    if own.verb_after(place + 1, "base", "gerund") is not None:
        return True
    is_passive = any(word in ("be", "been", "get") for word in words[place:end])
    is_done = own.verb_after(place + 1, "past") is not None or words[end - 1].endswith("ed")
    return is_passive and is_done
