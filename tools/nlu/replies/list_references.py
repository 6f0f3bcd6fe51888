"""Read which things of the last list a text points at: `the second one`, `number 3`, `both`."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from state.policy import EntityMention
from tools.nlu.lexicon.closed_classes import CARDINALS, ORDINAL_WORDS
from tools.nlu.lexicon.normalization import Normal, normalise

MOST_REFERRED = 50
_CONFIDENCE = 0.95

_ORDINALS, _CARDINALS = ORDINAL_WORDS[:12], CARDINALS[:10]
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
