"""Leave out of the words for a text slot what other slots have already, at either end."""

import re
from collections.abc import Set as AbstractSet

from state.action import Action
from tools.routing.slots.texts.endings import without_signature
from tools.routing.words.normalise import Normal

_PARTS = re.compile(r"[,;.!?\n]|\s-+\s")


def own_run(
    action: Action, normal: Normal, run: range, used: AbstractSet[int], *, idle: AbstractSet[str]
) -> range:
    """Cut a run of words to those of its slot, and off a signature; often nothing is left.

    Args:
        used: words of the values of other slots.
        idle: words that say nothing beside those.
    """
    tokens = normal.tokens
    kinds = {action.object, action.container or "", *(one.type for one in action.slots.values())}
    idle = idle | {tokens[place].text for place in used}
    idle = idle | {word for kind in {*kinds, *action.slots} for word in kind.split("_")}

    def is_anothers(part: range) -> bool:
        says_nothing = {tokens[place].text for place in part} <= idle
        return says_nothing and not used.isdisjoint(part)

    if is_anothers(run):
        return run[:0]  # `close it: work order WO-1042`
    first = next(place for place in run if place not in used)
    if first > run.start and _is_parted(normal, first):
        run = run[first - run.start :]  # `close it: WO-1042, the seal is new`
    last = next((place for place in reversed(run[1:]) if _is_parted(normal, place)), run.stop)
    if is_anothers(range(last, run.stop)):
        run = range(run.start, last)  # `wash the deck, due 20 June`
    start = tokens[run.start - 1].end if run.start else 0
    end = without_signature(normal, start, tokens[run.stop - 1].end)
    return range(run.start, next((at for at in run if tokens[at].end > end), run.stop))


def _is_parted(normal: Normal, place: int) -> bool:
    gap = normal.text[normal.tokens[place - 1].end : normal.tokens[place].start]
    return _PARTS.search(gap) is not None
