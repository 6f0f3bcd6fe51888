"""Extract values from a text: a chart of named rules over the words of a lexicon.

Rules stand in `tools/nlu/lexicon/<language>/values.yaml`: a production, and the patterns that it is
said in. A pattern is a row of words (`last|past`), kinds (`<number>`, `<date:first>`), groups
(`(at | on)`), each optional with `?`. All patterns of a language make one trie; a chart is filled
from the last token to the first, so that every reading is found once. The longest reading wins.

Of the English corpus dateparser 1.5 reads 85 and parsedatetime 2.6 reads 88 of 169 days and
moments, recognizers-text 1.0.2a2 reads 313 of 522 times and 36 of 44 numbers. None of them keeps
the readings of a text apart, so none is the engine.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime, time
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

from tools.nlu.lexicon.closed_classes import read_lexicon
from tools.nlu.values import day_rules, stretch_rules  # noqa: F401
from tools.nlu.values.model import (
    PRODUCTIONS,
    Kind,
    Node,
    Num,
    Reading,
    Stretch,
    Time,
    Value,
    day_stretch,
    decade,
    month,
)
from tools.nlu.values.units import MONEY, units_of

_PIECE = re.compile(r"<([\w]+)(?::(\w+))?>|([()?])|\s(\|)\s|([^\s()<>?]+)")
_TOKEN = re.compile(r"[^\W\d_]+|'[^\W\d_]+|\d+|\S")
_KINDS: Mapping[str, Kind] = {
    "number": Kind.NUMBER, "part": Kind.NUMBER, "ordinal": Kind.ORDINAL, "share": Kind.SHARE,
    "selection": Kind.SELECTION, "quantity": Kind.QUANTITY, "money": Kind.MONEY,
    "duration": Kind.DURATION, "date": Kind.DATE, "day": Kind.DATE, "clock": Kind.CLOCK,
    "bareclock": Kind.CLOCK, "instant": Kind.INSTANT, "stretch": Kind.PERIOD,
    "hours": Kind.PERIOD, "bound": Kind.PERIOD, "range": Kind.RANGE,
    "yearstretch": Kind.PERIOD,
    "recurrence": Kind.RECURRENCE, "price": Kind.PRICE, "list": Kind.LIST,
}  # fmt: skip
"""The kind of a value by the kind of its node; a node of any other is no value of its own."""
_WEAK = {
    "yearstretch": 6, "list": 5, "range": 4, "number": 3, "part": 3, "ordinal": 2, "share": 1,
    "quantity": 1, "bareclock": 1, "bound": 1,
}  # fmt: skip
"""Of two readings of the same words the weaker is another's part."""
_NO_READING = 9
"""As weak is what the calendar has not."""
_GAP = re.compile(r"[ \t]*")
_GLUED_BEFORE = re.compile(r"[\w@#]$|\w[-'’./,]$|[./]$")
_GLUED_PREFIX = re.compile(
    r"(?<![\w])(?:pre|post|mid|since|non|after|before|until|from|early|late)-?$"
)
"""Before a year: `pre-2015` and `since2020` are a word and a year."""
_GLUED_BEHIND = re.compile(r"[\w%°]|[-./:,]\d|-[^\W\d_]|'\d")


class _Token(NamedTuple):
    text: str
    start: int
    end: int


@dataclass
class _State:
    """A state of the trie: what may follow, and the rules that end here."""

    edges: dict[str, "_State"] = field(default_factory=dict)
    ends: list[tuple[str, str, tuple[str, ...], Any]] = field(default_factory=list)


@lru_cache
def _grammar(language: str) -> _State:
    """Read the words and rules of a language.

    Raises:
        FileNotFoundError: there is no such language.
    """
    lexicon = read_lexicon(language)
    root = _State()
    for kind, words in lexicon["words"].items():
        named = words if isinstance(words, dict) else {word: word for word in words}
        for word, payload in named.items():
            value = Num(float(payload)) if kind in ("number", "tens", "multiple") else payload
            _add(root, str(word), (kind, "", value))
    for word, (name, unit) in units_of(lexicon["units"]).items():
        kind = "timeunit" if unit.dimension == "time" else "unit"
        if unit.dimension in MONEY:
            kind = "money_word" if word.isalpha() else "money_sign"
        if unit.dimension != "share":
            _add(root, word, (kind, "", name))
    for rule, patterns in lexicon["rules"].items():
        name, _, kind = rule.partition(" -> ")
        for pattern in patterns:
            text, args = (
                next(iter(pattern.items())) if isinstance(pattern, dict) else (pattern, None)
            )
            _add(root, text, (kind or name, name, args))
    return root


def _add(root: _State, pattern: str, end: tuple[str, str, Any]) -> None:
    kind, rule, args = end
    pieces = list(_PIECE.finditer(pattern))
    for row in set(_ways(pieces)):
        state = root
        for key, _name in row:
            state = state.edges.setdefault(key, _State())
        state.ends.append((kind, rule, tuple(name for _key, name in row), args))


def _ways(pieces: list[re.Match[str]]) -> list[tuple[tuple[str, str], ...]]:
    """List all rows of keys, each with the name it is captured by, that a pattern allows."""
    ways: list[list[tuple[tuple[str, str], ...]]] = []
    whole: list[tuple[tuple[str, str], ...]] = []
    while pieces:
        piece = pieces.pop(0)
        if piece[3] == ")":
            break
        if piece[4]:
            whole += _joined(ways)
            ways = []
        elif piece[3] == "?":
            ways[-1] = [*ways[-1], ()]
        elif piece[3] == "(":
            ways.append(_ways(pieces))
        elif piece[1]:
            ways.append([((f"<{piece[1]}>", piece[2] or piece[1]),)])
        else:
            ways.append([
                tuple((token[0], "") for token in _TOKEN.finditer(word))
                for word in (piece[5].split("|") if piece[5] != "|" else ["|"])
            ])  # fmt: skip
    return whole + _joined(ways)


def _joined(ways: list[list[tuple[tuple[str, str], ...]]]) -> list[tuple[tuple[str, str], ...]]:
    return [tuple(key for part in row for key in part) for row in product(*ways)]


@dataclass
class _Chart:
    """All nodes of a text, by their first token."""

    text: str
    today: date
    language: str
    root: _State
    tokens: Sequence[_Token]
    nodes: list[list[Node]]

    @classmethod
    def of(cls, text: str, today: date, language: str) -> "_Chart":
        tokens = [_Token(one[0], *one.span()) for one in _TOKEN.finditer(text)]
        chart = cls(text, today, language, _grammar(language), tokens, [[] for _ in tokens])
        starts = {token.start: place for place, token in enumerate(tokens)}
        ends = {token.end: place + 1 for place, token in enumerate(tokens)}
        literal: dict[int, list[Node]] = {}
        for kind, start, end, payload in literals_in(text, today, language):
            if start in starts and end in ends:
                node = Node(kind, starts[start], ends[end], payload, kind)
                literal.setdefault(node.start, []).append(node)
        for place in reversed(range(len(tokens))):
            chart._fill(place, literal.get(place, []))
        return chart

    def _fill(self, place: int, literals: list[Node]) -> None:
        own, seen = self.nodes[place], set()
        word = Node("", place, place + 1, None, "")
        if state := self.root.edges.get(self.tokens[place].text):
            own += self._walked(state, place + 1, (word,))
        own += literals
        queue = 0
        while queue < len(own):
            node = own[queue]
            key = (node.kind, node.end, node.payload)
            if key in seen:
                own.pop(queue)
                continue
            seen.add(key)
            queue += 1
            if state := self.root.edges.get(f"<{node.kind}>"):
                own += self._walked(state, node.end, (node,))

    def _walked(self, state: _State, place: int, row: tuple[Node, ...]) -> Iterator[Node]:
        for kind, rule, names, args in state.ends:
            yield from self._made(kind, rule, row, Reading(row, names, args))
        if not state.edges or place >= len(self.tokens) or not self._is_near(place):
            return
        if following := state.edges.get(self.tokens[place].text):
            yield from self._walked(
                following, place + 1, (*row, Node("", place, place + 1, None, ""))
            )
        for node in self.nodes[place]:
            if following := state.edges.get(f"<{node.kind}>"):
                yield from self._walked(following, node.end, (*row, node))

    def _made(self, kind: str, rule: str, row: tuple[Node, ...], read: Reading) -> Iterator[Node]:
        if not rule:
            yield Node(kind, row[0].start, row[-1].end, read.args, kind)
            return
        if not self._is_cued(rule, row[0].start, row[-1].end):
            return
        try:
            payload = PRODUCTIONS[rule](read, self.today)
        except (ValueError, OverflowError):  # a day that no calendar has
            return
        if payload is not None:
            parts = tuple(one for one in row if one.kind)
            yield Node(kind, row[0].start, row[-1].end, payload, rule, parts)

    def _is_cued(self, rule: str, start: int, end: int) -> bool:
        """Tell whether words that mean other things too stand behind and before what they need."""
        behind, before = (
            read_lexicon(self.language).get("behind", {}),
            read_lexicon(self.language).get("before", {}),
        )
        words = self.tokens
        if rule in behind and (not start or words[start - 1].text not in map(str, behind[rule])):
            return False
        is_last = end >= len(words) or not words[end].text.isalpha()
        return rule not in before or is_last or words[end].text in before[rule]

    def _is_near(self, place: int) -> bool:
        return (
            _GAP.fullmatch(self.text, self.tokens[place - 1].end, self.tokens[place].start)
            is not None
        )

    def value(self, node: Node) -> Value:
        start, end = self.tokens[node.start].start, self.tokens[node.end - 1].end
        parts = tuple(self.value(one) for one in node.parts if one.kind in _KINDS)
        return Value(_KINDS[node.kind], start, end, node.payload, node.rule, parts)

    def stands_alone(self, node: Node) -> bool:
        """Tell whether no other word is written into one with it."""
        start, end = self.tokens[node.start].start, self.tokens[node.end - 1].end
        before = _GLUED_BEFORE.search(self.text[max(0, start - 2) : start])
        if before is not None and _KINDS[node.kind] is Kind.PERIOD:
            before = None if _GLUED_PREFIX.search(self.text[:start]) else before
        return before is None and _GLUED_BEHIND.match(self.text, end) is None


@lru_cache(maxsize=128)
def _chart(text: str, today: date, language: str) -> _Chart:
    return _Chart.of(text, today, language)


ANY_DAY = date(2001, 1, 1)
"""Stands for a day that is not known; what is read is the same on each where it is absolute."""


MOST_READ = 4_000
"""Characters of a text: a message of so many says what it wants, and the chart grows faster."""


@lru_cache(maxsize=512)
def extract_kinds(
    text: str,
    today: date,
    kinds: frozenset[Kind],
    languages: tuple[str, ...] = ("en",),
    without: frozenset[str] = frozenset(),
) -> tuple[Value, ...]:
    """Give the longest values of these kinds, whatever longer value of another they are part of.

    Args:
        text: read up to MOST_READ characters; what follows holds no value.
        without: rules whose values are not wanted.
    """
    text = text[:MOST_READ]
    found: list[tuple[int, int, int, int, Value]] = []
    for order, language in enumerate(languages):
        chart = _chart(text.lower() if len(text.lower()) == len(text) else text, today, language)
        for nodes in chart.nodes:
            for place, node in enumerate(nodes):
                kind = _KINDS.get(node.kind)
                if kind in kinds and node.rule not in without and chart.stands_alone(node):
                    length = chart.tokens[node.end - 1].end - chart.tokens[node.start].start
                    is_none = isinstance(node.payload, Time) and str(node.payload) == "?"
                    rank = _NO_READING if is_none else _WEAK.get(node.kind, 0)
                    found.append((-length, rank, order, place, chart.value(node)))
    found.sort(key=lambda one: (*one[:4], one[4].start))
    kept: list[Value] = []
    for *_rank, value in found:
        if all(value.end <= one.start or one.end <= value.start for one in kept):
            kept.append(value)
    return tuple(sorted(kept, key=lambda one: one.start))


_ALL = frozenset(Kind) - {Kind.PRICE}


def extract(text: str, now: datetime, languages: tuple[str, ...] = ("en",)) -> tuple[Value, ...]:
    """Extract the values of a text, none over another, in the order of the text.

    Args:
        now: what `tomorrow`, `last week` and `Friday` are counted from, by the date it has.
        languages: whose words are read, by the names of their folders; of two readings of the
            same words the one of the first language counts.
    """
    return extract_kinds(text, now.date(), _ALL, languages)


Literal = tuple[str, int, int, Any]
_VULGAR = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3}


def _absolute(stretch: Stretch | None, grain: str = "day") -> Time:
    return Time((stretch,) if stretch else (), grain, is_absolute=True)


def _iso(found: re.Match[str], today: date) -> Any:
    return _absolute(day_stretch(int(found[1]), int(found[2]), int(found[3])))


def _year_last(found: re.Match[str], today: date) -> Any:
    """Read 15.6.2021 day first; with slashes and dashes half of the world reads the month first."""
    one, two, of = int(found[1]), int(found[3]), int(found[4])
    ways = [(two, one)] if found[2] == "." else [(two, one), (one, two)]
    days = dict.fromkeys(day_stretch(of, *way) for way in ways)
    return Time(tuple(sorted(day for day in days if day)), is_absolute=True)


def _short(found: re.Match[str], today: date) -> Any:
    """Read 5/12 or 5.12.: a day and a month, whichever is which, of no year."""
    one, two = int(found[1]), int(found[2])
    ways = {(two, one), (one, two)} if found[0][1:2] == "/" or "/" in found[0] else {(two, one)}
    days = {day for way in ways for of in (0, 1) if (day := day_stretch(today.year + of, *way))}
    return Time(tuple(sorted(days)))


def _iso_month(found: re.Match[str], today: date) -> Any:
    which = int(found[2])
    return _absolute(month(int(found[1]), which) if 1 <= which <= 12 else None, "month")


def _month_year(found: re.Match[str], today: date) -> Any:
    which = int(found[1])
    return _absolute(month(int(found[2]), which) if 1 <= which <= 12 else None, "month")


def _quarter(found: re.Match[str], today: date) -> Any:
    return int(found[1] or found[2])


def _decade(found: re.Match[str], today: date) -> Any:
    digits = int(found[1])
    return _absolute(decade(digits if digits > 100 else 1900 + digits), "decade")


def _clock(found: re.Match[str], today: date) -> Any:
    hour, minute = int(found[1]), int(found[2])
    return Time((), "clock", clocks=(time(0 if hour == 24 and minute == 0 else hour, minute),))


def _fraction(found: re.Match[str], today: date) -> tuple[int, int]:
    return int(found[1]), int(found[2])


def _number(found: re.Match[str], today: date) -> Any:
    return Num(float(found[0].replace(",", "")), "digits")


def _thousand(found: re.Match[str], today: date) -> Any:
    return Num(1_000 * float(found[1]), "digits")


def _comma(found: re.Match[str], today: date) -> Any:
    return Num(float(found[0].replace(".", "").replace(",", ".")), "digits")


_Y = r"((?:1[0-9]|2[01])\d\d)"
_LITERALS: tuple[tuple[str, str, Callable[[re.Match[str], date], Any]], ...] = (
    ("date", rf"{_Y}[-/.](\d{{1,2}})[-/.](\d{{1,2}})(?![-/.]?\d)", _iso),
    ("date", rf"(\d{{1,2}})([-/.])(\d{{1,2}})\2{_Y}(?!\d)", _year_last),
    ("shortdate", r"(\d{1,2})/(\d{1,2})(?:/\d\d)?(?![\d/])", _short),
    ("shortdate", r"(\d{1,2})\.(\d{1,2})\.(?:\d\d)?(?![\d/])", _short),
    ("stretch", rf"{_Y}-(\d{{1,2}})(?![-/\d])", _iso_month),
    ("stretch", rf"(\d{{1,2}})/{_Y}(?![-\d/])", _month_year),
    ("quarternumber", r"q([1-4])|([1-4])q", _quarter),
    ("halfnumber", r"h([12])|([12])h", _quarter),
    ("stretch", r"(?:the )?(\d{3}0|(?<=')[2-9]0|[3-9]0)'?s(?!\w)", _decade),
    ("clock", r"([01]?\d|2[0-4]):([0-5]\d)(?![:.]?\d)", _clock),
    ("dotclock", r"([01]?\d|2[0-4])\.([0-5]\d)(?![:.]?\d)", _clock),
    ("clock", r"([01]?\d|2[0-3])h([0-5]\d)(?!\d)", _clock),
    ("year", r"((?:1[0-9]|2[01])\d\d)(?!\d)", lambda found, _today: int(found[1])),
    ("faryear", r"((?:2[2-9]|[3-9]\d)\d\d)(?!\d)", lambda found, _today: int(found[1])),
    ("year", r"'(\d\d)(?!\d)", lambda found, today: _recent(int(found[1]), today)),
    ("number", r"\d{1,3}(?:,\d{3})+(?![,\d])(?:\.\d+)?|\d{1,12}(?:\.\d{1,6})?(?!\.?\d)", _number),
    ("number", r"(\d{1,6}(?:\.\d{1,3})?)k(?!\w)", _thousand),
    ("part", f"[{''.join(_VULGAR)}]", lambda found, _today: Num(_VULGAR[found[0]])),
    (
        "fraction",
        r"(\d{1,4})[/⁄]([1-9]\d{0,3})(?![/\d])",
        lambda found, _today: (int(found[1]), int(found[2])),
    ),
    ("nth", r"(\d{1,3})(?:st|nd|rd|th)(?!\w)", lambda found, _today: int(found[1])),
)
_FREE = r"(?:(?<!\d)|(?=\D))"
_COMMA = (
    "number", r"\d{1,3}(?:\.\d{3})+(?:,\d+)?(?![.,]?\d)|\d{1,12}(?:,\d{1,6})?(?![.,]?\d)", _comma
)  # fmt: skip
_DECIMAL = (
    "number", r"(?<![\d.,])(?:\d{1,3}(?:\.\d{3})+|\d{1,6}),\d\d?(?![.,]?\d)", _comma
)  # fmt: skip
"""What English texts of people of other countries hold too: `987,5`."""
_NTH = ("nth", r"(\d{1,3})\.(?!\d)", lambda found, _today: int(found[1]))
_PATTERNS = {
    "en": [
        (kind, re.compile(rf"{_FREE}(?:{pattern})"), make)
        for kind, pattern, make in (*_LITERALS, _DECIMAL)
    ],
    "de": [
        (kind, re.compile(rf"{_FREE}(?:{pattern})"), make)
        for kind, pattern, make in (*_LITERALS, _COMMA, _NTH)
        if make is not _number
    ],
}  # fmt: skip


def _recent(digits: int, today: date) -> int:
    """Give the last year that ends with two digits."""
    number = digits + today.year - today.year % 100
    return number if number <= today.year else number - 100


def literals_in(text: str, today: date, language: str) -> Iterator[Literal]:
    """Find the literals of a text, several readings of the same digits among them."""
    if not any(map(str.isnumeric, text)):
        return
    for kind, pattern, make in _PATTERNS.get(language, _PATTERNS["en"]):
        for found in pattern.finditer(text):
            with suppress(ValueError, OverflowError):
                yield kind, *found.span(), make(found, today)
