"""Does what is told with an order turn it: `close WO-1042: please don't`, `… because I erred`?"""

import re
from collections.abc import Iterator, Sequence

from state.action import Action
from tools.routing.reading import Reading
from tools.routing.speech_acts.denials import negator_in
from tools.routing.words.of_orders import DATED, TAKES_BACK, TURNS_TOLD
from tools.routing.words.phrases import word_set
from tools.routing.words.verb_forms import bases

_LEADS = word_set("please but and sorry actually well oh ok only this that it its it's still just")
"""Before the word by which what is told begins to say something."""
_DEPENDS = word_set(
    "if unless when whenever once after before until till as maybe perhaps later pending waiting "
    "need needs ask check not don't dont never assuming provided providing hold keep leave cancel"
)
"""Behind the colon these begin a condition, or a refusal, and no remark."""
_UNMEANT = word_set("joke joking kidding jest oops sorry meant")
"""Wherever they stand, what was ordered was not meant so."""
_OVER = frozenset({"yesterday"})
"""What was then puts nothing off."""
_TIMES = word_set(
    "on at by in the this next coming from for a an am pm o'clock and or of morning afternoon "
    "evening night noon midnight end start beginning"
)
_NO_NEED = re.compile(
    r"(?:because |cause |as |since )?(?:(?:nobody|no one) (?:needs|uses) (?:it|them|that|this)"
    r"|(?:(?:it|that|this|they|these|we|i|the [\w-]+) )?(?:(?:is|are|it's|that's|they're) )?"
    r"(?:don't|do not|doesn't|does not|isn't|aren't|no longer|not) (?:really |actually )?"
    r"(?:needs?|needed|used|use|required)(?: (?:it|them|this|that))?)"
    r"(?: (?:any ?more|any longer|now))*"
)
"""All of a reason for what ends or removes something: `because nobody needs it`."""
_TELLS = re.compile(
    r"(?:anyway |and |now )?(?:he|she|it|they|we|the|our|this|these|(?:he|she|it|they|we)'[\w]+) .*"
)
"""A clause of these, behind the order, tells why: `she's free tomorrow`, `the pump is fixed`."""
_REFUSES = frozenset({("do", "not"), ("in", "case"), ("i'd", "rather")})


def is_told(words: Sequence[str], span: Sequence[int], action: Action) -> bool:
    """Tell whether words of a clause deny nothing, take nothing back and put nothing off."""
    said = [words[place] for place in span]
    if action.effect == "destructive" and _NO_NEED.fullmatch(" ".join(said)):
        return True
    turns = not (TURNS_TOLD | DATED - _OVER).isdisjoint(said)
    return not turns and negator_in(said, 0, len(said)) is None


def gives_reason(words: Sequence[str], span: range, action: Action) -> bool:
    """Tell whether a clause behind an order says why: `the pump is fixed`, `not needed now`."""
    said = " ".join(words[span.start : span.stop])
    is_reason = _TELLS.fullmatch(said) or _NO_NEED.fullmatch(said)
    return is_reason is not None and is_told(words, span, action)


def turns_told(reading: Reading, first: int) -> Iterator[int]:
    """Find the words of what is told, from `first` on, that put the order off or take it back."""
    words = reading.normal.words
    told = range(first, len(words))
    if not told:
        return
    head = next((place for place in told if words[place] not in _LEADS), first)
    if words[head] in _DEPENDS | TAKES_BACK or (words[head] == "no" and _is_refusal(words, head)):
        yield head
    is_time = all(words[place] in DATED | _TIMES or words[place][0].isdigit() for place in told)
    if is_time and not DATED.isdisjoint(words[first:]):
        yield from told
    pairs = ((place, tuple(words[place : place + 2])) for place in told)
    yield from (place for place, pair in pairs if pair in _REFUSES)
    yield from (place for place in told if words[place] in _UNMEANT)
    if reading.normal.text.rstrip().endswith("?"):  # `: do we want that?` is no remark
        yield told[-1]
    yield from _denied(reading, told)


def _is_refusal(words: Sequence[str], place: int) -> bool:
    """Tell `no wait` and `no` from `no leaks found`."""
    return words[place + 1 : place + 2] == [] or words[place + 1] in _DEPENDS | TAKES_BACK


def _denied(reading: Reading, told: range) -> Iterator[int]:
    """Find its own verb denied: `still leaking, never close it like that`."""
    words = reading.normal.words
    own = reading.verb.base.split()[0] if reading.verb is not None else ""
    for place in told:
        behind = words[place + 1 : place + 5]
        is_own = any(own in (word, *bases(word)) for word in behind)
        if is_own and negator_in(words, place, place + 1) is not None:
            yield place
