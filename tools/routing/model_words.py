"""Which words of a text count, and how the models are given them."""

from collections.abc import Mapping, Set

from tools.routing.speech_acts.speech_act import SpeechAct
from tools.routing.things.entities import Mention


def kept_words(act: SpeechAct, count: int) -> frozenset[int]:
    """Name the words that count: of the kept clauses, and what was told after them."""
    if not act.kept:
        return frozenset(range(count))
    kept = {place for clause in act.kept for place in range(clause.first, clause.end)}
    if act.cut.content_first is not None:
        kept.update(range(act.cut.content_first, count))
    return frozenset(kept)


def ordered_words(words: list[str], act: SpeechAct, objects: Set[str]) -> list[str]:
    """Say `close` for the `closing` or `closed` that is asked for: what is talked about is so said.

    `Undo the closing of WO-1042` and `I deleted N-2` are examples of what takes that back, and so
    are others with these words; `WO-1042 needs closing` orders what `close it` does.
    """
    verb = act.ask.verb if act.ask is not None and act.ask.mood == "request" else None
    if verb is None or verb.form == "base":
        return words
    base = verb.base.split(maxsplit=1)[0]
    if base in objects:  # `have that noted` is about no note
        return words
    return [*words[: verb.first], base, *words[verb.first + 1 :]]


def typed_words(
    words: list[str], mentions: tuple[Mention, ...], kept: frozenset[int]
) -> tuple[str, ...]:
    """Follow each thing by its type, for the statistical pass."""
    types: Mapping[int, list[str]] = {mention.end - 1: [] for mention in mentions}
    for mention in mentions:
        types[mention.end - 1].append(f"@{mention.kind.type}")
    found: list[str] = []
    for place, word in enumerate(words):
        if place in kept:
            found.append(word)
            found.extend(types.get(place, ()))
    return tuple(found)


def said_words(words: list[str], mentions: tuple[Mention, ...], kept: frozenset[int]) -> str:
    """Join the words, and say `work order` where one is named: which one does not matter."""
    instead: dict[int, str] = {}
    for mention in mentions:
        if mention.is_known and mention.first not in instead:
            instead |= dict.fromkeys(range(mention.first, mention.end), "")
            instead[mention.first] = mention.kind.type.replace("_", " ")
    spoken = (instead.get(place, word) for place, word in enumerate(words) if place in kept)
    return " ".join(word for word in spoken if word)
