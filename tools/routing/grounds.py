"""Why this action: the words, the slots and the example that decided, as reason codes."""

from collections.abc import Iterator, Sequence

from state.action import Action
from tools.routing.ranking import THE_SAME, Ranked
from tools.routing.reading import Reading
from tools.routing.slots.filling import Filled
from tools.routing.words.verbs import family_of

_LONGEST_EXAMPLE = 80


def grounds_of(
    reading: Reading,
    best: Action,
    ranked: Ranked,
    filled: Filled,
    telling: Sequence[str],
    *,
    is_named: bool,
) -> Iterator[str]:
    """Name what spoke for the best action.

    Args:
        telling: words that speak for it.
        is_named: False where all that did not suffice.
    """
    for written, meant in reading.slips:
        yield f"spelling:{written}→{meant}"
    if reading.report is not None:
        yield f"reports:{reading.report}"
    if reading.verb is not None:
        families = reading.verb.families
        own = family_of(best.verb)
        yield f"verb:{reading.verb.phrase}→{own if own in families else families[0]}"
    named = {thing.name for thing in reading.things.all}
    if best.object in named:
        yield f"object:{best.object}"
    if best.container is not None and best.container in named:
        yield f"container:{best.container}"
    for slot in filled.values:
        yield f"slot:{slot}"
    if telling:
        yield f"words:{','.join(telling)}"
    if ranked.near is not None:
        yield f'near:"{_shortened(ranked.near)}" {ranked.cosine:.2f}'
    if not is_named:
        is_near = best.object in named or ranked.cosine >= THE_SAME
        yield "not_sure" if is_near else "none_is_near"


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_EXAMPLE else f"{text[:_LONGEST_EXAMPLE]}…"
