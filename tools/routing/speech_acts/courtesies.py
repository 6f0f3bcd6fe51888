"""Parts beside an order that are only polite: `could you do me a favour`, `will you?`."""

from collections.abc import Sequence

from tools.routing.speech_acts.clause_words import Judged
from tools.routing.words import signs
from tools.routing.words.provisos import ASKED_ONCE_MORE

_SAID_OR_DENIED = frozenset({"reported", "negated"})


def with_courtesies(judged: Sequence[Judged], words: Sequence[str]) -> list[Judged]:
    """Read as politeness what announces a request, and what asks once more for what was ordered."""
    last = max((place for place, one in enumerate(judged) if one.is_asking), default=0)
    result: list[Judged] = []
    for place, one in enumerate(judged):
        before = judged[place - 1] if place else None
        if (place < last and _announces(one, words)) or _asks_again(one, before, words):
            result.append(one._replace(mood="statement", reason="polite", verb=None))
        else:
            result.append(one)
    return result


def _announces(one: Judged, words: Sequence[str]) -> bool:
    is_bare = one.mood == "request" and one.verb is None
    return is_bare and signs.DO_THIS.issuperset(one.own(words))


def _asks_again(one: Judged, before: Judged | None, words: Sequence[str]) -> bool:
    """Tell `close it, would you?` from `you can close it, can you?` and `two lines, would you?`."""
    if before is None or not (before.is_asking or before.mood in _SAID_OR_DENIED):
        return False
    is_told = "you" in before.own(words)[:3]
    return not is_told and ASKED_ONCE_MORE.match(" ".join(one.own(words))) is not None
