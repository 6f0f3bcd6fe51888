"""Fill the slots of an action from the words of a text; what cannot be read is left out."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from state.action import PRIMITIVE_SLOT_TYPES, Action, Slot
from tools.routing.entities import Kind, Mention, Names
from tools.routing.normalise import Normal
from tools.routing.things import Things

_NUMBERS = {
    word: number
    for number, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty",
        ]
    )
} | {"dozen": 12, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "hundred": 100}
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            ("january", "jan"), ("february", "feb"), ("march", "mar"), ("april", "apr"), ("may",),
            ("june", "jun"), ("july", "jul"), ("august", "aug"), ("september", "sep", "sept"),
            ("october", "oct"), ("november", "nov"), ("december", "dec"),
        ),
        start=1,
    )
    for name in names
}  # fmt: skip
_DAYS = {"today": 0, "tomorrow": 1, "yesterday": -1}
_NUMBER = re.compile(r"x?(\d{1,12}(?:\.\d{1,6})?)x?")
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_ORDINAL = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?")
_QUOTED = re.compile(r"\"([^\"]{1,4000})\"|(?<![\w'])'([^'\n]{1,4000})'(?!\w)")
_BECAUSE = re.compile(r"\b(?:because|as|since|due to)\b\s*(.{3,})", re.DOTALL)
_FREE_NAMES = frozenset(
    [
        "query",
        "note",
        "text",
        "content",
        "message",
        "description",
        "comment",
        "remark",
        "body",
        "title",
        "subject",
        "details",
        "summary",
        "question",
        "reason",
        "search",
        "topic",
    ]
)
_EDGES = frozenset(
    [
        "a",
        "an",
        "the",
        "to",
        "for",
        "of",
        "on",
        "in",
        "into",
        "about",
        "with",
        "and",
        "or",
        "at",
        "from",
        "that",
        "saying",
        "says",
        "by",
        "is",
        "are",
        "please",
        "me",
        "us",
        "my",
        "our",
        "any",
        "some",
        "all",
        "it",
        "its",
        "this",
        "these",
        "those",
        "i",
        "you",
        "we",
        "can",
        "could",
        "would",
        "do",
        "did",
        "does",
        "has",
        "have",
        "which",
        "what",
        "where",
        "who",
        "when",
        "how",
        "why",
        "say",
        "regarding",
        "there",
    ]
)


@dataclass(frozen=True)
class Read:
    """What the earlier stages found, for filling slots."""

    normal: Normal
    mentions: Sequence[Mention]
    things: Things
    asked: range
    """Words of the clause that asks."""
    kept: frozenset[int]
    """Words of all clauses that count."""
    verb_words: frozenset[int]
    content_first: int | None
    names: Names
    today: date | None


def fill_slots(action: Action, read: Read) -> tuple[dict[str, Any], tuple[str, ...]]:  # by type
    """Give the values found and the reasons for those that were not."""
    used: set[int] = set()
    values: dict[str, Any] = {}
    reasons: list[str] = []
    for name, slot in action.slots.items():
        if slot.type not in PRIMITIVE_SLOT_TYPES:
            mention = _mention_for(action, name, slot, read, used)
            if mention is not None and mention.is_known:
                values[name] = mention.value
                used.update(range(mention.first, mention.end))
            elif mention is not None:
                reasons.append(f"unknown_{slot.type}:{mention.value}")
    for name, slot in action.slots.items():
        value = _plain(name, slot, read, used)
        if value is not None:
            values[name] = value
    _fill_texts(action, read, used, values)
    return {name: values[name] for name in action.slots if name in values}, tuple(reasons)


def _mention_for(
    action: Action, name: str, slot: Slot, read: Read, used: set[int]
) -> Mention | None:
    kind = Kind(action.pack, slot.type)
    fitting = [
        mention
        for mention in read.mentions
        if mention.kind == kind
        and mention.first in read.kept
        and not used.intersection(range(mention.first, mention.end))
    ]
    words = [token.text for token in read.normal.tokens]

    def rank(mention: Mention) -> tuple[bool, bool, bool, int]:
        before = words[max(0, mention.first - 2) : mention.first]
        is_in_place = action.container == slot.type and bool({"to", "on", "in"} & set(before))
        is_content = read.content_first is not None and mention.first >= read.content_first
        return (is_content, not mention.is_known, not is_in_place, mention.first)

    if fitting:
        return min(fitting, key=rank)
    return _named_behind(action, slot, read, kind)


def _named_behind(action: Action, slot: Slot, read: Read, kind: Kind) -> Mention | None:
    """Read the words right behind `work order` as the name of one, if exactly one has them."""
    words = [token.text for token in read.normal.tokens]
    for thing in read.things.all:
        if thing.name != slot.type:
            continue
        end = thing.end
        while end < read.asked.stop and words[end] not in _EDGES and end - thing.end < 8:
            end += 1
        found = read.names.resolve(words[thing.end : end], kind)
        if found is not None:
            return Mention(kind, found, 0.75, thing.end, end)
    return None


def _plain(name: str, slot: Slot, read: Read, used: set[int]) -> Any:  # by slot type
    match slot.type:
        case "integer" | "number":
            return _number(name, read, used, is_whole=slot.type == "integer")
        case "date":
            return _date(read, used)
        case "boolean":
            return _boolean(name, read)
        case "list":
            return _list(read, used)
    return None


def _number(name: str, read: Read, used: set[int], *, is_whole: bool) -> int | float | None:
    tokens = read.normal.tokens
    named = {place for m in read.mentions for place in range(m.first, m.end)} | used
    found: list[tuple[bool, int, float]] = []
    for place, token in enumerate(tokens):
        if place not in read.kept or place in named or _is_of_date(tokens[place].text, place, read):
            continue
        match = _NUMBER.fullmatch(token.text)
        number = float(match[1]) if match else _NUMBERS.get(token.text)
        if number is None or (token.text == "one" and place + 1 == len(tokens)):
            continue
        beside = {tokens[p].text for p in (place - 1, place + 1) if 0 <= p < len(tokens)}
        is_named = bool(beside & set(name.split("_")))
        found.append((not is_named, place, float(number)))
    if not found:
        return None
    _, place, number = min(found)
    if is_whole and not number.is_integer():
        return None
    used.add(place)
    return int(number) if number.is_integer() else number


def _is_of_date(text: str, place: int, read: Read) -> bool:
    if _ISO.fullmatch(text):
        return True
    tokens = read.normal.tokens
    beside = {tokens[p].text for p in (place - 1, place + 1) if 0 <= p < len(tokens)}
    return bool(beside & _MONTHS.keys()) and _ORDINAL.fullmatch(text) is not None


def _date(read: Read, used: set[int]) -> str | None:
    """Read 2026-02-07, 7 February 2026, February 7 2026; today only when the day is known."""
    tokens = read.normal.tokens
    for place, token in enumerate(tokens):
        if place not in read.kept:
            continue
        if match := _ISO.fullmatch(token.text):
            found = _valid(int(match[1]), int(match[2]), int(match[3]))
        elif token.text in _MONTHS:
            found = _written_date(place, read)
        elif token.text in _DAYS and read.today is not None:
            found = (read.today + timedelta(days=_DAYS[token.text])).isoformat()
        else:
            continue
        if found is not None:
            used.add(place)
            return found
    return None


def _written_date(place: int, read: Read) -> str | None:
    tokens = [token.text for token in read.normal.tokens]
    month = _MONTHS[tokens[place]]
    for day_place, year_place in ((place - 1, place + 1), (place + 1, place + 2)):
        if not 0 <= day_place < len(tokens) or not (day := _ORDINAL.fullmatch(tokens[day_place])):
            continue
        year = tokens[year_place] if year_place < len(tokens) else ""
        if re.fullmatch(r"(?:19|20)\d\d", year):
            return _valid(int(year), month, int(day[1]))
    return None


def _valid(year: int, month: int, day: int) -> str | None:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None


def _boolean(name: str, read: Read) -> bool | None:
    words = [token.text for token in read.normal.tokens]
    own = name.removeprefix("is_").removeprefix("has_").split("_")
    for place in range(len(words) - len(own) + 1):
        if words[place : place + len(own)] == own and place in read.kept:
            before = words[place - 1] if place else ""
            return before not in ("not", "no", "without", "non")
    return None


def _list(read: Read, used: set[int]) -> list[str] | None:
    if read.content_first is None:
        return None
    text = _written(read, read.content_first, len(read.normal.tokens))
    items = [item.strip(" .") for item in re.split(r",|;|\band\b|\n", text)]
    used.update(range(read.content_first, len(read.normal.tokens)))
    return [item for item in items if item] or None


def _fill_texts(action: Action, read: Read, used: set[int], values: dict[str, Any]) -> None:
    """Fill text slots, the required first: quoted words, told words, the words left over."""
    slots = [(name, slot) for name, slot in action.slots.items() if slot.type == "text"]
    slots.sort(key=lambda pair: not pair[1].required)
    told = _told(read)
    for name, slot in slots:
        if told is not None:
            values[name], told = told, None
            continue
        if not slot.required:
            text = _afterthought(read) if name in _FREE_NAMES else None
        else:
            text = _left_over(action, name, read, used)
        if text:
            values[name] = text
            return


def _told(read: Read) -> str | None:
    quoted = _QUOTED.search(read.normal.text)
    if quoted:
        group = 1 if quoted[1] is not None else 2
        return read.normal.written(quoted.start(group), quoted.end(group)).strip() or None
    if read.content_first is None:
        return None
    return _written(read, read.content_first, len(read.normal.tokens)) or None


def _afterthought(read: Read) -> str | None:
    """Take what follows the request behind a comma, or behind `because`."""
    tokens = read.normal.tokens
    later = sorted(place for place in read.kept if place >= read.asked.stop)
    if later and read.content_first is None:
        return _written(read, later[0], later[-1] + 1)
    if not read.asked or not tokens:
        return None
    start, end = tokens[read.asked.start].start, tokens[read.asked.stop - 1].end
    because = _BECAUSE.search(read.normal.text, start, end)
    return read.normal.written(because.start(1), because.end(1)).strip() if because else None


def _left_over(action: Action, name: str, read: Read, used: set[int]) -> str | None:
    """Take the longest run of words that is neither verb, object, container nor a used thing."""
    tokens = read.normal.tokens
    named = {
        place
        for thing in read.things.all
        if thing.name in (action.object, action.container) and thing.name not in _FREE_NAMES
        for place in range(thing.first, thing.end)
        if thing.strength == 1.0
    }
    if action.container is not None or action.object in _FREE_NAMES:
        named |= {
            place
            for thing in read.things.all
            if thing.name == action.object and thing.strength >= 0.7
            for place in range(thing.first, thing.end)
        }
    barred = used | named | read.verb_words
    runs: list[list[int]] = [[]]
    for place in range(read.asked.start, len(tokens)):
        if place in read.kept and place not in barred:
            runs[-1].append(place)
        elif runs[-1]:
            runs.append([])
    trimmed = [_trimmed(run, read) for run in runs]
    best = max(trimmed, key=len)
    return _written(read, best[0], best[-1] + 1) if best else None


def _trimmed(run: list[int], read: Read) -> list[int]:
    words = [read.normal.tokens[place].text for place in run]
    first, end = 0, len(run)
    while first < end and words[first] in _EDGES:
        first += 1
    while end > first and words[end - 1] in _EDGES:
        end -= 1
    return run[first:end]


def _written(read: Read, first: int, end: int) -> str:
    tokens = read.normal.tokens
    text = read.normal.written(tokens[first].start, tokens[end - 1].end)
    tail = read.normal.text[tokens[end - 1].end :] if end == len(tokens) else ""
    closing = re.match(r"[)\]%°!?]+", tail)
    return (text + (closing[0] if closing else "")).strip()


def relative_days(words: Sequence[str]) -> Mapping[str, int]:
    """Name the days a text gives by their distance from today."""
    return {word: _DAYS[word] for word in words if word in _DAYS}
