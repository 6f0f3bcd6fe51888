"""Resolve references such as "the second one".

"number 3" or "both" to entities that were listed last, and fill the slots of an action with them.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from state.action import Action
from state.memory import Listed, PackMemory
from state.policy import EntityMention, Routing
from tools.nlu.entities.references import Ambiguity
from tools.nlu.lexicon.normalization import Normal, normalise

MOST_REFERRED = 50
_CONFIDENCE = 0.95

_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth",
)  # fmt: skip
_CARDINALS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ORDINAL = rf"(?:{'|'.join(_ORDINALS)}|\d{{1,2}}(?:st|nd|rd|th))"
_COUNT = rf"(?:\d{{1,2}}|{'|'.join(_CARDINALS[1:])}|couple of|few)"
_NOUN = r"(?:ones?|results?|hits?|items?|entry|entries|titles?|{own})"
_BEHIND = (
    r"(?= (?:to|in|into|from|with|and|or|for|on|of (?:them|these|those)|as|please|out|down|than"
    r"|is|was|says?|about|too|again|instead|against|versus|vs|since|before|after|until|between|by"
    r"|published|but|only|cites?|refers?|builds?|back|off|up|over|away|today|tomorrow|urgent|do|we"
    r"|have|has|open|free|freely|available|paywalled|behind)\b| ?[,.;:!?)]|$)"
)
_ASKED_WHETHER = r"^\W*(?:(?:and|but|so|ok|okay)[, ]+)*(?:is|was|does|did|has)(?:n't)? (?:then )?"
"""Behind these a thing may be asked anything: `is the second one open access?`."""
_DONE_TO_IT = re.compile(
    r"\W*(?:(?:please|now|then|and|ok|okay|so|also|just|yes)[ ,]+|(?:can|could|will|would) you )*"
    r"(?!(?:is|was|are|does|did|do|has|had|will|can|could|would|should|if|when|because|as|since"
    r"|but|that|what|how|why|where|who|it|i|we|let|make|unless|while|until|than|though)\b)"
    r"[a-z]+(?: (?:up|off|down|out|back|on))? (?P<it>it)\b(?! (?:is|was|seems|looks|will|has)\b)"
)
"""What is done to it may be said with anything behind: `push it back`."""
_PIECES = re.compile(rf"\b(?:{_COUNT}|some|more|another) of (?:it|them|these|those)\b{_BEHIND}")
"""Pieces of the one thing on the table: `order two of them`."""
_ITEM = re.compile(r"(?:items?|entry|entries)\b")
_OTHER_THAN = (
    r"(?:except(?:ing)?(?: for)?|besides|apart from|aside from|(?:other|rather) than|save for|minus"
    r"|instead of)"
)
_EXCEPT = (
    rf"(?:but|{_OTHER_THAN}|unlike|without|(?:and|but) (?:keep|leave|skip)|after|before|behind"
    r"|above|below|next to)"
)
"""Before a place: that one is not meant, or only tells which one is."""
_JOINED = r"(?:\s*(?:,|and|&|or|,\s*and)\s*)"


@dataclass(frozen=True)
class ListReferences:
    """The things a text points at, and the places it names that the list does not have."""

    mentions: tuple[EntityMention, ...] = ()
    beyond: tuple[int, ...] = ()


def list_references(
    text: str,
    kind: str,
    listed: Sequence[str],
    it: str | None = None,
    *,
    words: Sequence[str] = (),
    said: Collection[int] = (),
) -> ListReferences:
    """Read places in the last list of one entity type, which is in the order it was shown.

    Args:
        it: what `it` and `that one` mean, when one thing has been looked at.
        words: what else the type is called, such as `job`.
        said: numbers that a slot has taken: `item 2` is then no second thing of the list.
    """
    it = listed[0] if it is None and len(listed) == 1 else it
    normal = normalise(text)
    taken: list[tuple[int, int]] = []
    mentions: list[EntityMention] = []
    beyond: list[int] = []
    noun = _noun_of(kind, words)
    if it is not None and len(listed) == 1:
        pieces = [match.span() for match in _PIECES.finditer(normal.text)]
        mentions, taken = [_mention(normal, kind, it, span) for span in pieces], pieces
    for places, start, end in _places(normal.text, noun, len(listed)):
        if _ITEM.match(normal.text, start) and {place + 1 for place in places} <= {*said}:
            continue
        if any(start < other_end and first < end for first, other_end in taken):
            continue
        taken.append((start, end))
        for place in places:
            if 0 <= place < len(listed):
                mentions.append(_mention(normal, kind, listed[place], (start, end)))
            elif place >= 0:
                beyond.append(place + 1)
    if it is not None and not taken:
        mentions.extend(_mention(normal, kind, it, span) for span in _single(normal.text, noun))
    mentions.sort(key=lambda one: one.span)
    unique = {one.value: one for one in reversed(mentions)}
    kept = tuple(one for one in mentions if unique.get(one.value) is one)
    return ListReferences(kept[:MOST_REFERRED], tuple(dict.fromkeys(beyond)))


def _mention(normal: Normal, kind: str, value: str, place: tuple[int, int]) -> EntityMention:
    return EntityMention(type=kind, value=value, confidence=_CONFIDENCE, span=normal.span(*place))


Places = tuple[Sequence[int], int, int]


def _places(text: str, noun: str, count: int) -> Iterator[Places]:
    """Yield places with the characters that name them, the clearest ways of pointing first."""
    not_meant = tuple(_not_meant(text, noun))
    yield from not_meant
    yield from _spans(text, noun, count)
    yield from _ends(text, noun, count)
    yield from _numbers(text, noun, count)
    yield from _ordinals(text, noun, count)
    if not not_meant and not re.search(rf"\b{_OTHER_THAN}\b", text):
        yield from _whole(text, noun, count)


def _not_meant(text: str, noun: str) -> Iterator[Places]:
    """Find what names places and tells none: `all but the first`, `between the first and the last`.

    So with `the one after number 3`, `the second to last` and `every second one`.
    """
    one = rf"(?:{_ORDINAL}|last|latter|next)"
    many = rf"{one}(?:{_JOINED}(?:the )?{one})*"
    number = rf"(?:#|(?:numbers?|nos?\.?|nr\.?)\s*#?)\d{{1,2}}(?:{_JOINED}#?\d{{1,2}})*"
    last = r"last(?!'s)(?! (?:week|month|year|night|time|quarter)\b)"
    ends = rf"{one} (?:{noun} )?(?:to {last}|from (?:the )?(?:{last}|end|bottom))(?: {noun})?"
    is_not = rf"\bnot (?:the )?{one}(?: {noun})?\b"
    but = rf"\b{_EXCEPT} (?:the )?(?:{many}(?: {noun})?|{number})\b"
    between = rf"\bbetween (?:the )?{one}(?: {noun})? and (?:the )?{one}(?: {noun})?"
    every = rf"\bevery {one}(?: {noun})?"
    for form in (is_not, but, rf"\b{ends}\b", rf"{between}\b", rf"{every}\b"):
        for match in re.finditer(form, text):
            yield (), match.start(), match.end()


def _spans(text: str, noun: str, count: int) -> Iterator[Places]:
    """Read `from the second to the fifth` and `the 2nd through the 4th`."""
    one = rf"(?:the )?({_ORDINAL}|last)(?: {noun})?"
    form = rf"\b(?:from {one} to {one}|{one} (?:through|thru) {one})\b"
    for match in re.finditer(form, text):
        first, last = (_place(word, count) for word in match.groups() if word)
        yield range(first, max(first, last) + 1), match.start(), match.end()


def _ends(text: str, noun: str, count: int) -> Iterator[Places]:
    """Read `the first two`, `the last three papers`."""
    anew = r"(?! (?:on|about)\b)"  # `top five papers on whales` are yet to be found
    if re.fullmatch(rf"\W*(?:only |just )?top {_COUNT}\W*", text):
        return  # so many are wanted
    form = rf"\b(?:the |your |my )?(first|top|last) ({_COUNT})\b(?: {noun})?{anew}{_BEHIND}"
    for match in re.finditer(form, text):
        many = min(_number(match[2]), count)
        places = range(count - many, count) if match[1] == "last" else range(many)
        yield places, match.start(), match.end()


def _numbers(text: str, noun: str, count: int) -> Iterator[Places]:
    """Read `number 3`, `#2`, `papers 1, 3 and 5`, `results 2-4`."""
    several = rf"\d{{1,2}}(?:(?:{_JOINED}|\s*(?:-|to|through)\s*)#?\d{{1,2}})*"
    named = rf"(?:#|\b(?:numbers?|nos?\.?|nr\.?|{noun.replace('ones?|', '')})\s*#?)"
    bare = r"(?:(?<=^compare )|(?<=^add )|(?<=^show )|(?<=^open )|(?<=^save ))"
    # `add 2 oil filters` counts them; a verb alone is followed by a place and little words.
    alone = rf"{bare}(?={several}(?:\W*$| (?:to|in|into|from|with|and|please)\b))"
    form = rf"(?:{named}|{alone})({several})\b(?![.\w-]\w| (?:papers?|more|new))"
    for match in re.finditer(form, text):
        places: list[int] = []
        for first, last in re.findall(r"(\d+)(?:\s*(?:-|to|through)\s*#?(\d+))?", match[1]):
            end = int(last) if last else int(first)
            places.extend(range(int(first) - 1, max(int(first), min(end, count + 1))))
        yield places, match.start(), match.end()


def _ordinals(text: str, noun: str, count: int) -> Iterator[Places]:
    """Read `the second one`, `the first and the third`, `the last`; not `a second look`."""
    one = rf"(?:{_ORDINAL}|last|latter)"
    form = rf"\b(?:the|your|my|that) ({one}(?:{_JOINED}(?:the )?{one})*)(?: {noun})?{_BEHIND}"
    for match in re.finditer(form, text):
        words = re.findall(rf"{one}", match[1])
        yield [_place(word, count) for word in words], match.start(), match.end()
    for form in (rf"\b({one}) {noun}{_BEHIND}", rf"{_ASKED_WHETHER}(?:the )?({one}) {noun}\b"):
        for match in re.finditer(form, text):
            yield [_place(match[1], count)], match.start(1), match.end()


def _whole(text: str, noun: str, count: int) -> Iterator[Places]:
    """Read `both` and `all of them`."""
    several = (
        rf"\b(?:all of (?:them|these|those)|them all|all (?:the )?{noun}"
        r"|(?<!\bof )(?:these|those|them))\b"  # `any of them` is not all
    )
    if count > 1:
        for match in re.finditer(several, text):
            yield range(count), match.start(), match.end()
    if count == 2:
        for match in re.finditer(r"\bboth\b(?: of (?:them|these|those))?", text):
            yield range(2), match.start(), match.end()


def _single(text: str, noun: str) -> list[tuple[int, int]]:
    """Read `it`, `that one` and `this paper`; right behind a verb `it` is one: `push it back`."""
    form = rf"\b(?:(?:this|that) {noun}|it|this|that)\b{_BEHIND}"
    done = _DONE_TO_IT.match(text)
    return [done.span("it")] if done else [match.span() for match in re.finditer(form, text)]


def _noun_of(kind: str, words: Sequence[str]) -> str:
    own = "|".join(rf"{re.escape(one.lower())}s?" for one in (kind.replace("_", " "), *words))
    return _NOUN.format(own=own)


def _number(word: str) -> int:
    if word.isdigit():
        return int(word)
    return {"couple of": 2, "few": 3}.get(word) or _CARDINALS.index(word) + 1


def _place(word: str, count: int) -> int:
    if word in ("last", "latter"):
        return count - 1
    return _ORDINALS.index(word) if word in _ORDINALS else int(word[:-2]) - 1


OBJECT_REASON = "object:"
"""Begins the router's reason which names the kind of thing that was said."""
EntityNouns = Mapping[str, Mapping[str, Sequence[str]]]
"""Pack → entity type → what else it is called."""


@dataclass(frozen=True)
class ResolvedReferences:
    """A reading with what it points at among its entities."""

    routing: Routing
    things: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    """Pack → entity type → ids, in the order the text names them."""
    beyond: Mapping[str, Mapping[str, tuple[int, int]]] = field(default_factory=dict)
    """Pack → entity type → a place it names that the list does not have, and the list's length."""
    newest: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Pack → the entity types that were listed last of all; no other pack has any."""

    def arguments(self, action: Action) -> dict[str, Any]:  # by slot type
        """Give the arguments for an action; what the router read by name stays.

        What was listed last goes before what was listed earlier. Of several things for one slot
        none is taken: which one is for the person to say.
        """
        routing = self.routing
        given = dict(routing.slots) if routing.action == action.name else {}
        things = {kind: list(ids) for kind, ids in self._things_for(action).items()}
        rooms = [slot.type for slot in action.slots.values()]
        for name, slot in action.slots.items():
            ids = things.get(slot.type, [])
            if not ids or name in given:
                continue
            if slot.many:
                given[name], things[slot.type] = list(ids), []
            elif len(ids) <= rooms.count(slot.type):
                given[name] = ids.pop(0)
                rooms.remove(slot.type)
        return {name: given[name] for name in action.slots if name in given}

    def beyond_list(self, action: Action, arguments: Mapping[str, Any]) -> Ambiguity | None:
        """Ask again where a text names a place that the last list does not have."""
        for name, slot in action.slots.items():
            place = self.beyond.get(action.pack, {}).get(slot.type)
            if place is not None and name not in arguments:
                kind = name.replace("_", " ")
                question = (
                    f"There is no number {place[0]}: the last list has {place[1]}."
                    if place[1]
                    else "The last list is empty: nothing was found."
                )
                return Ambiguity(question=f"{question} Which {kind}?")
        return None

    def _things_for(self, action: Action) -> Mapping[str, tuple[str, ...]]:
        things = self.things.get(action.pack, {})
        newest = self.newest.get(action.pack, frozenset())
        if not any(slot.type in newest and slot.type in things for slot in action.slots.values()):
            return things
        return {kind: ids for kind, ids in things.items() if kind in newest}


def resolve_references(
    text: str,
    routing: Routing,
    memory: Mapping[str, PackMemory],
    *,
    since: float,
    nouns: EntityNouns | None = None,
) -> ResolvedReferences:
    """Read what a text points at; lists from before `since` (seconds since 1970) are forgotten."""
    said = [value for value in routing.slots.values() if type(value) is int]
    newest = latest_lists(memory, since)
    found: dict[tuple[str, str], ListReferences] = {}
    for pack, kind, listed in _lists(memory, since):
        words = (nouns or {}).get(pack, {}).get(kind, ())
        place = (pack, kind)
        found[place] = list_references(text, kind, listed.values, listed.it, words=words, said=said)
    last = [
        one
        for (pack, kind), there in found.items()
        if kind in newest.get(pack, ())
        for one in there.mentions
    ]
    things: dict[str, dict[str, tuple[str, ...]]] = {}
    beyond: dict[str, dict[str, tuple[int, int]]] = {}
    mentions: list[EntityMention] = []
    for (pack, kind), there in found.items():
        # What another pack listed before is off the table: the same words point at the newest.
        if last and pack not in newest and _meet(there.mentions, last):
            continue
        if there.mentions:
            things.setdefault(pack, {})[kind] = tuple(one.value for one in there.mentions)
            mentions.extend(there.mentions)
        if there.beyond:
            length = len(memory[pack].listed[kind].values)
            beyond.setdefault(pack, {})[kind] = (there.beyond[0], length)
    read = _without_misread(routing, last)
    return ResolvedReferences(_with(read, mentions), things, beyond, newest)


def latest_lists(memory: Mapping[str, PackMemory], since: float) -> Mapping[str, frozenset[str]]:
    """Name the entity types of the newest list, in its pack; an alarm is a code and a machine."""
    lists = [*_lists(memory, since)]
    at = max((listed.at for _, _, listed in lists), default=None)
    newest = [(pack, kind) for pack, kind, listed in lists if listed.at == at]
    return {
        pack: frozenset(kind for home, kind in newest if home == pack)
        for pack in dict.fromkeys(home for home, _ in newest)
    }


def _lists(memory: Mapping[str, PackMemory], since: float) -> Iterator[tuple[str, str, Listed]]:
    for pack, kept in memory.items():
        for kind, listed in kept.listed.items():
            if listed.at >= since:
                yield pack, kind, listed


def _without_misread(routing: Routing, mentions: Sequence[EntityMention]) -> Routing:
    """Leave out names in the words that point: `the first one` names no first officer."""
    misread = {one.value for one in routing.entities if _meet([one], mentions)}
    if not misread:
        return routing
    kept = tuple(one for one in routing.entities if not _meet([one], mentions))
    misread -= {one.value for one in kept}
    slots = {
        name: left
        for name, value in routing.slots.items()
        if (left := _left_of(value, misread)) is not None
    }
    objects = {f"{OBJECT_REASON}{one.type}" for one in routing.entities if one.value in misread}
    reasons = tuple(reason for reason in routing.reasons if reason not in objects)
    return routing.model_copy(update={"entities": kept, "slots": slots, "reasons": reasons})


def _left_of(value: Any, misread: Set[str]) -> Any:  # by slot type
    """Leave misread names out of a value, of a list those alone; None: nothing is left of it."""
    if isinstance(value, list):
        return [one for one in value if one not in misread] or None
    return None if value in misread else value


def _meet(some: Sequence[EntityMention], others: Sequence[EntityMention]) -> bool:
    """Tell whether any of some shares words with any of the others."""
    return any(
        one.span[0] < other.span[1] and other.span[0] < one.span[1]
        for one in some
        for other in others
    )


def _with(routing: Routing, mentions: Sequence[EntityMention]) -> Routing:
    told = tuple(f"points_at:{one.type}:{one.value}" for one in mentions[:5])
    entities, reasons = (*routing.entities, *mentions), (*routing.reasons, *told)
    return routing.model_copy(update={"entities": entities, "reasons": reasons})
