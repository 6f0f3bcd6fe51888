"""Parse a question to the journal: its words, periods, and makers and technologies it may name."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta, tzinfo
from typing import Literal, NamedTuple

from state.noun import Noun
from tools.nlu.values import Kind, Side, Stretch, Value, as_filter, calendar_words, extract_kinds

MOST_TERMS = 24
_SHORT_FORM = re.compile(r"(?:n['’]t|['’](?:s|re|ve|ll|d|m))(?!\w)", re.IGNORECASE)
_TERM = re.compile(r"[^\W_]+")
_STOP_WORDS = """
a about adopt adopted after all an and any anyone are as at be because been before being but by
can could decide decided decision decisions did do does doing done for from get give had has have
he her his how i if in instead into is it its just made make makes me my no not of on or our out
over pick picked rather reason reasons record shall she should so some tell than that the their
them then there these they this those to up us was we were what when where which who whom why will
with would you your agree agreed chose choose chosen settle settled use used using go went going
ca wo"""
STOP_WORDS = frozenset(_STOP_WORDS.split())


def terms_of(question: str) -> tuple[str, ...]:
    """List the words worth looking for, in order; a question of common words only gives none."""
    whole = _SHORT_FORM.sub("", question)
    words = dict.fromkeys(word.lower() for word in _TERM.findall(whole))
    return tuple(word for word in words if word not in STOP_WORDS)[:MOST_TERMS]


def match_of(terms: tuple[str, ...]) -> str:
    """Write a query in which every term is a quoted string: any of them may be there."""
    return " OR ".join(f'"{term}"' for term in terms)


_NOUN = r"(?:decisions?|records?|adrs?|anything|everything|something)"
_LINK = re.compile(
    r"\b(?:about|on|regarding|concerning|involving|around|mentioning|using|with|for|related to"
    r"|to do with|(?:(?<=that )|(?<=which )|(?<=decisions )|(?<=records )|(?<=adrs ))"
    r"(?:use|uses|used|mention|mentions|involve|involves|name|names|concern|concerns))\s+",
    re.IGNORECASE,
)
_DECIDED = re.compile(
    r"\b(?:decided?|agreed?|settled?)(?: \w+thing)? (?:about|on|regarding|concerning|around)\s+",
    re.IGNORECASE,
)
_WHERE = re.compile(
    rf"\b{_NOUN} (?:where|in which|that have)\s+(?P<what>[^,;?!]{{1,60}}?)\s+"
    r"(?:is|are|was|were|has been|played)(?: \w+){0,2}? (?:involved|used|mentioned|named|part)\b",
    re.IGNORECASE,
)
_OF_THEM = re.compile(
    r"(?P<what>(?:[\w.+#/-]+\s+){1,3})(?:decisions?|records|adrs)\b", re.IGNORECASE
)
_HEAD = re.compile(rf"\b{_NOUN}\b", re.IGNORECASE)
_NOT = re.compile(
    r"(?:\b(?:not|never|nor|no longer|other than|except)|n[’']t)(?: \w+)?\s*$", re.IGNORECASE
)
_ELSE = re.compile(r"\b(?:to(?! do with)|or|than|instead)\b", re.IGNORECASE)
"""Between the decisions and the link: then it is no longer they that are about the thing."""
_END = re.compile(
    r"[?!;:()\"“”]|\.(?=\s|$)|\s(?:in|by|for|since|from|of|that|which|where|who|with|using|before"
    r"|after|during|until|made|taken|on|to|as|at|when|was|were|is|are|while|because|instead)\b",
    re.IGNORECASE,
)
_LIST_SEPARATOR = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*", re.IGNORECASE)
_GIVEN = re.compile(
    r"\btech(?:nology|nologies)?\s*[:=]\s*(?P<names>[\w.+#/-]+(?:,[\w.+#/-]+)*)", re.IGNORECASE
)
_MOST_WORDS = 4


def labelled_technologies(text: str) -> tuple[tuple[str, ...], str]:
    """Read "tech:redis": the names, and the text with the label taken off.

    What is given like that needs no likeness to a name.
    """
    found = _GIVEN.search(text)
    if found is None:
        return (), text
    names = tuple(name.strip(".") for name in found["names"].split(","))
    return names, f"{text[: found.start()]}{found['names']}{text[found.end() :]}"


def technology_candidates(text: str) -> tuple[tuple[str, ...], ...]:
    """List what decisions are asked for by: each of a group has to be a name for it to count.

    Whether something is one is told by how the records write it (entity_names.py): that
    "decisions about Kafka" names a thing and "decisions about caching" does not, no grammar knows.
    """
    found = (*_after_links(text), *_before_decisions(text))
    return tuple(dict.fromkeys(group for group in found if group))


def _after_links(text: str) -> Iterator[tuple[str, ...]]:
    for found in _WHERE.finditer(text):
        yield _listed(found["what"])
    links = [*_DECIDED.finditer(text)]
    if head := _HEAD.search(text):
        links += [
            link
            for link in _LINK.finditer(text, head.end())
            if not _ELSE.search(text, head.end(), link.start())
        ]
    for link in links:
        if not _NOT.search(text[: link.start()]):
            yield _listed(_END.split(text[link.end() :], maxsplit=1)[0])


def _before_decisions(text: str) -> Iterator[tuple[str, ...]]:
    for found in _OF_THEM.finditer(text):
        words = found["what"].split()
        for place in range(len(words)):
            if place == 0 or words[place - 1].lower() not in ("and", "or"):
                yield (" ".join(words[place:]),)


def _listed(phrase: str) -> tuple[str, ...]:
    if _ELSE.search(phrase):
        return ()
    names = [part.strip(" .'’") for part in _LIST_SEPARATOR.split(phrase) if part.strip(" .'’")]
    return tuple(names) if all(len(one.split()) <= _MOST_WORDS for one in names) else ()


_NAME = r"[^\W\d_][\w.-]*"
_NAMES = rf"{_NAME}(?:,? (?:and )?{_NAME}){{0,5}}"
_DECIDE = r"decide|make|take|choose|agree|settle|pick|propose|adopt|reject|approve"
_DONE = r"decided|chosen?|agreed|settled|picked|proposed|adopted|rejected|approved|made|taken"
_HOW = r"(?: \w+ly| ever| just)"
_WAYS = tuple(
    re.compile(way, re.IGNORECASE)
    for way in (
        rf"(?<!\bwhy )\b(?:did|has|have|had) (?P<who>{_NAMES}?){_HOW}? (?:{_DECIDE}|{_DONE})\b",
        rf"\b(?:{_DONE}|decisions?) by (?P<who>{_NAMES})",
        rf"(?<![\w@-])(?P<who>{_NAME}(?: {_NAME})?)['’]s? decisions?\b",
    )
)
_BETWEEN = re.compile(r",? and |, ")


class MakerCandidate(NamedTuple):
    """Who may be meant, and where in the question they stand."""

    names: tuple[str, ...]
    start: int
    end: int


def maker_candidates(text: str) -> Iterator[MakerCandidate]:
    """List who may be meant, the longest reading of each first; the records tell whether they are.

    A common word is nobody: "what did we decide" asks for everybody's. And "why did Ann choose …?"
    may be answered by what somebody else says of Ann.
    """
    for way in _WAYS:
        for found in way.finditer(text):
            words = [*re.finditer(r"\S+", found["who"])]
            for start in range(len(words)):
                for end in range(len(words), start, -1):
                    first, last = words[start].start(), words[end - 1].end()
                    said = found["who"][first:last].rstrip(",.-")
                    names = tuple(_BETWEEN.split(said))
                    if not any(STOP_WORDS & set(one.lower().split()) for one in names):
                        at = found.start("who")
                        yield MakerCandidate(names, at + first, at + first + len(said))


_RELATIVE_TO = re.compile(
    r"\b(?:(?P<before>before|until|prior to)|after|since) (?:the|our|we)"
    r" (?P<event>\w[\w -]{2,60}?)\W*$",
    re.IGNORECASE,
)


class Relative(Noun):
    """A time that is told by something else that was decided."""

    side: Literal["before", "after"]
    event: str
    rest: str
    """The question without it."""


def relative_to(text: str) -> Relative | None:
    """Find "before the migration" at the end of a question."""
    found = _RELATIVE_TO.search(text)
    if found is None or not text[: found.start()].strip():
        return None
    side: Literal["before", "after"] = "before" if found["before"] else "after"
    return Relative(side=side, event=found["event"], rest=text[: found.start()].strip())


_KINDS = frozenset({Kind.DATE, Kind.INSTANT, Kind.PERIOD})
_CUE = re.compile(
    r"\b(?:in|during|of|on|throughout|over|within|for|at|from)(?: the)? $", re.IGNORECASE
)
_SURE = frozenset(
    {
        "bare_year",
        "bare_month",
        "bare_season",
        "bare_quarter",
        "early",
        "middle",
        "short_date",
        "spoken",
    }
)
"""Rules that read a time only behind such a word, or a part of one that has no dates."""
_OF = re.compile(r"from (?!.* (?:on|onwards?)$)", re.IGNORECASE)
"""`Decisions from last winter` are those of it; `from last winter on` is since then."""
_NO_CLOCK = frozenset({"until_clock"})
"""`Until 2021` is a year: decisions are asked for by their day."""
_ABOUT = {"week": 3, "month": 15, "year": 45}
"""Days that `two weeks ago` and the like reach to either side."""


class Period(NamedTuple):
    """A span of whole days; None: open on that side."""

    since: datetime | None
    until: datetime | None

    def within(self, other: "Period") -> "Period | None":
        """Give what both span; None: nothing."""
        begins = [one for one in (self.since, other.since) if one is not None]
        ends = [one for one in (self.until, other.until) if one is not None]
        both = Period(max(begins, default=None), min(ends, default=None))
        is_empty = both.since is not None and both.until is not None and both.since >= both.until
        return None if is_empty else both

    def joined(self, other: "Period") -> "Period | None":
        """Give what both span together; None: there is time between them, or an open end."""
        ends = (self.since, self.until, other.since, other.until)
        if None in ends:
            return None
        first, second = sorted((self, other), key=lambda one: str(one.since))
        if first.until is None or second.since is None or first.until < second.since:
            return None
        return Period(first.since, max(one for one in ends[1::2] if one is not None))


class NamedPeriod(NamedTuple):
    """Where a text names a time, and its span; None: it lies ahead, or nobody can tell it."""

    period: Period | None
    start: int
    end: int


def named_periods(text: str, now: datetime, zone: tzinfo) -> Iterator[NamedPeriod]:
    """Find the times that a text names, in its order, by the days of a zone."""
    local = now.astimezone(zone)
    today = local.date()
    for one in extract_kinds(text, today, _KINDS, without=_NO_CLOCK):
        cue = _CUE.search(text, 0, one.start)
        if one.rule in _SURE and cue is None:
            continue
        start = cue.start() if cue is not None else one.start
        is_of = one.rule == "bound" and _OF.match(text[one.start : one.end])
        found = as_filter(_plain(one) if is_of else one, today)
        if found is None and not _is_said(one):
            continue
        if found is None or _lies_ahead(one, found, today):
            yield NamedPeriod(None, start, one.end)
        else:
            yield NamedPeriod(_period(one, _widened(one, found, today), local), start, one.end)


def _plain(value: Value) -> Value:
    return replace(value, payload=replace(value.time, bound=""))


def is_calendar(word: str) -> bool:
    """Tell whether a word is a day of the week, a month or a season."""
    return word.lower().rstrip(".") in calendar_words()


def _is_said(value: Value) -> bool:
    """Tell whether words alone name the time; `2024-02-31` may be the number of something."""
    return value.rule == "unreadable"


def _lies_ahead(value: Value, found: Stretch, today: date) -> bool:
    return value.time.side is Side.AHEAD and found.first is not None and found.first > today


def _widened(value: Value, found: Stretch, today: date) -> Stretch:
    away = value.time.away
    days = _ABOUT.get(away.unit, 0) if away is not None and value.kind is Kind.DATE else 0
    if not days or found.first is None or found.last is None or found.last >= today:
        return found
    about = timedelta(days=days)
    return Stretch(found.first - about, min(found.last + about, today))


def _period(value: Value, days: Stretch, now: datetime) -> Period:
    """Give whole days; a window that ends now is counted from this time of the day, and open."""

    def start(day: date) -> datetime:
        return datetime(day.year, day.month, day.day, tzinfo=now.tzinfo)

    since = start(days.first) if days.first else None
    if value.kind is Kind.PERIOD and value.time.away is not None and since is not None:
        return Period(datetime.combine(since, now.timetz()), None)
    return Period(since, start(days.last + timedelta(days=1)) if days.last else None)
