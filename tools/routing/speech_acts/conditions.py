"""The words that bind a condition, a time or a reason to an order."""

import re
from collections.abc import Sequence

from tools.routing.speech_acts.ordering import Verbs, ordered
from tools.routing.words.phrases import phrases_of, word_set
from tools.routing.words.request_frames import NICE
from tools.routing.words.signs import AUXILIARIES, DETERMINERS, SUBJECTS

_CONDITIONS = word_set("if unless once when whenever provided assuming")
_TIMES = word_set("after before until till while because since")
"""These bind a clause when its subject follows; `after 5 pm` is only a time."""
_WONDERS = word_set("what who why how which where did do does is was were has have had")
_PAST_TIMES = word_set("after before while when since")
_PAST = word_set(
    "was were did had came went saw got left said gave took made found told sent lost broke began "
    "meant didn't wasn't weren't"
)
"""Behind one of these times and a subject: what was so by then, and no condition."""
_REASONS = frozenset({"because", "since", "before"})
"""What is to be done `before they fine us` is asked for all the same."""
_AS_LONG = phrases_of(
    """
    as soon as; as long as; so long as; in case; in the event; on condition;
    on the condition; under the condition; by the time; next time; subject to; depending on;
    conditional on; conditional upon; contingent on; contingent upon; pending approval;
    pending confirmation; upon approval; upon confirmation; as and when
    """
)
_INSTANTS = word_set("moment minute second instant day hour night time")
"""Between `the` and a subject these bind a condition: `the moment I give the signal`."""
_SUDDEN = word_set("moment minute second instant")
_HAPPENING = word_set("is are has have gets comes says gives arrives signs wants does will can")
_ONLY_THEN = re.compile(r"(?:but )?only (?:after|when|if|once|upon|as|until|unless)\b")
_ONCE_DONE = phrases_of(
    """
    when you're done; when you are done; when you're finished; when you have finished; when done;
    once you're done; once you are done; once you have finished; once done; once that's done;
    once that is done; once this is done; when that's done; when that is done; when finished;
    after that; after this
    """
)
"""These put one request after another and make no condition."""
_ASKS_WHETHER = word_set(
    "check see look know ask tell wonder out even as and confirm verify sure determine decide so "
    "ok what wondering"
)
_BEFORE_NICE = word_set("be is it's much very most so")
"""Behind these and what is nice no condition begins: `it would be so nice if you could`."""
_LIKES = word_set("appreciate love like")
"""Nor behind these and `it`: `I would appreciate it if you could`."""
_TELLS_OF_IT = word_set("i we i'd we'd which that who what that's")
"""Behind an order these begin what somebody tells of it."""
_TELLS_ME = word_set("tell show ask remind inform teach text call notify alert let")

BINDING = _CONDITIONS | _TIMES | _PAST_TIMES | {"the"} | _AS_LONG.openings()
"""The words one of which begins whatever `condition_at` finds."""


def condition_at(words: Sequence[str], place: int, end: int, verbs: Verbs) -> str | None:
    """Name what binds a condition, a time or a reason at a word; None: nothing of them begins."""
    word, before = words[place], words[place - 1]
    if word not in BINDING:
        return None
    following = words[place + 1] if place + 1 < end else ""
    earlier = words[place - 2] if place > 1 else ""
    is_asked = (
        before in _ASKS_WHETHER
        or (before == "me" and earlier in _TELLS_ME)
        or (before in NICE and earlier in _BEFORE_NICE)
        or (before == "it" and earlier in _LIKES)
    )
    if once_done(words, place):
        return None
    if word == "the" and following in _INSTANTS and _happens(words, place + 2, end):
        return "if"
    is_perfect = following.endswith(("'ve", "'s", "'re"))  # `when he's checked it`
    is_past = not is_perfect and _is_past(words, place + 2, end)
    is_told = word == "when" and words[0] not in _WONDERS and is_past
    if is_told and (is_asked or not _waits(words, place, end, verbs)):
        return None if is_asked else "because"
    if word in _CONDITIONS and following and not is_asked:
        is_question = word == "when" and following in AUXILIARIES
        is_adverb = word == "once" and (before == "at" or following in ("more", "again"))
        return "" if is_question or is_adverb else "if"
    if word in _PAST_TIMES and following in SUBJECTS and is_past:
        return "because"  # `get it back after I deleted it`
    if word in _TIMES and following in SUBJECTS and following != "this":
        return "because" if word in _REASONS else "if"
    if before in DETERMINERS and word == "subject":
        return None  # `switch the subject to soils`
    return "if" if _AS_LONG.at(words, place) is not None else None


def is_only_then(words: Sequence[str], place: int) -> bool:
    """Tell `close it, but only after Ben has seen it`."""
    is_first = words[place] in ("but", "only")
    return is_first and _ONLY_THEN.match(" ".join(words[place : place + 3])) is not None


def once_done(words: Sequence[str], place: int) -> int:
    """Count the words of `when you're done` at a word."""
    found = _ONCE_DONE.at(words, place)
    return found.end - place if found is not None else 0


def _happens(words: Sequence[str], place: int, end: int) -> bool:
    """Tell `the moment I say so` and `the minute Ben is back` from `the day before`."""
    if place < end and words[place] in SUBJECTS:
        return True
    if words[place - 1] in _SUDDEN and words[place : place + 1] == ["the"]:
        return True
    return place + 1 < end and words[place + 1] in _HAPPENING


def _is_past(words: Sequence[str], place: int, end: int) -> bool:
    """Tell a verb of what was: `needed` and `was`, and not `need` or `succeed`."""
    if place >= end:
        return False
    word = words[place]
    return word in _PAST or (word.endswith("ed") and not word.endswith(("eed", "embed", "shred")))


def _waits(words: Sequence[str], place: int, end: int, verbs: Verbs) -> bool:
    """Tell `close it when he said so` from `I lost it when we left` and `from when we left`."""
    if words[place - 1] in ("from", "to", "since") or not _is_past(words, place + 2, end):
        return False
    asked = ordered(words, place, end, verbs)
    return asked is not None and _TELLS_OF_IT.isdisjoint(asked)
