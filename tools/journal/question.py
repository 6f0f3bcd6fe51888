"""A question to the journal: its words, and the filters that it names itself."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from state.journal import DecisionFilters, DecisionStatus
from state.noun import Noun

_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_MONTH = "|".join(_MONTHS)
_SEASONS = {"spring": (3, 6), "summer": (6, 9), "autumn": (9, 12), "fall": (9, 12)}
_UNIT_DAYS = {"day": 1, "week": 7, "month": 30, "quarter": 91, "year": 365}
_PERSON = re.compile(r"(?<![\w@])@([A-Za-z][\w.-]{0,38})")
_STATUS = re.compile(
    r"\b(?:(?P<status>superseded|rejected|proposed|active|current(?:ly active)?|revisited)"
    r"(?= (?:decisions?|records?|ones|adrs?)\b)|status[:=]\s*(?P<given>\w+))",
    re.IGNORECASE,
)
_BEFORE = r"(?P<before>before|until|prior to|up to)"
_AFTER = r"(?P<after>since|after|from)"
_WHEN = re.compile(
    rf"\b(?:(?:{_BEFORE}|{_AFTER}|in|during|of|on)\s+)(?:the\s+)?(?:year\s+)?"
    rf"(?:(?P<date>\d{{4}}-\d{{2}}-\d{{2}})|q(?P<quarter>[1-4])[ ,/-]+(?P<of_quarter>(?:19|20)\d\d)"
    rf"|(?P<month>{_MONTH})[ ,]+(?P<of_month>(?:19|20)\d\d)"
    rf"|(?P<season>spring|summer|autumn|fall)(?: of)? (?P<of_season>(?:19|20)\d\d)"
    rf"|(?P<year>(?:19|20)\d\d))(?![\w-])",
    re.IGNORECASE,
)
_AGO = re.compile(
    r"\b(?:in |within |over |during )?(?:the )?(?:last|past) (?P<count>\d{1,3}) "
    r"(?P<units>day|week|month|quarter|year)s?\b",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    r"\b(?:in |during )?(?P<which>last|this) (?P<unit>week|month|quarter|year|spring|summer|autumn"
    r"|fall)\b|\b(?P<day>yesterday|today)\b",
    re.IGNORECASE,
)


class Question(Noun):
    """What is asked, without what only narrows it."""

    text: str
    filters: DecisionFilters


def read_question(said: str, now: datetime, given: DecisionFilters | None = None) -> Question:
    """Take explicit times, people with an at sign and statuses out of a question.

    What the caller gives stands before what the words say.

    Raises:
        BadInput: the two together end before they begin.
    """
    given = given or DecisionFilters()
    rest = said
    people = tuple(name.rstrip(".-") for name in _PERSON.findall(rest))
    rest = _PERSON.sub(" ", rest)
    status: DecisionStatus | None = None
    if found := _STATUS.search(rest):
        status = _status(found["status"] or found["given"])
        if status is not None:
            rest = _STATUS.sub(" ", rest, count=1)
    since = until = None
    for pattern, span_of in _TIMES:
        found = pattern.search(rest)
        span = span_of(found, now) if found else None
        if found and span:
            since, until = span
            rest = rest[: found.start()] + " " + rest[found.end() :]
            break
    filters = DecisionFilters(
        since=given.since or since,
        until=given.until or until,
        people=given.people or people,
        status=given.status or status,
        session_id=given.session_id,
    )
    return Question(text=" ".join(rest.split()), filters=filters)


_Span = tuple[datetime | None, datetime | None]


def _named(found: re.Match[str], _now: datetime) -> _Span | None:
    try:
        start, end = _period(found)
    except ValueError:
        return None
    if found["before"]:
        return None, start
    if found["after"]:
        # "since 2023" and "from 2023" begin with it, "after 2023" when it is over
        return (end if found["after"].lower() == "after" else start), None
    return start, end


def _period(found: re.Match[str]) -> tuple[datetime, datetime]:
    if found["date"]:
        start = datetime.fromisoformat(found["date"]).replace(tzinfo=UTC)
        return start, start + timedelta(days=1)
    if found["quarter"]:
        first = 3 * int(found["quarter"]) - 2
        return _months(int(found["of_quarter"]), first, 3)
    if found["month"]:
        return _months(int(found["of_month"]), _MONTHS.index(found["month"].lower()) + 1, 1)
    if found["season"]:
        first, last = _SEASONS[found["season"].lower()]
        return _months(int(found["of_season"]), first, last - first)
    return _months(int(found["year"]), 1, 12)


def _ago(found: re.Match[str], now: datetime) -> _Span | None:
    days = int(found["count"]) * _UNIT_DAYS[found["units"].lower()]
    return now - timedelta(days=days), None


def _relative(found: re.Match[str], now: datetime) -> _Span | None:
    today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    if found["day"]:
        start = today - timedelta(days=found["day"].lower() == "yesterday")
        return start, start + timedelta(days=1)
    is_last, unit = found["which"].lower() == "last", found["unit"].lower()
    if unit == "week":
        start = today - timedelta(days=today.weekday() + 7 * is_last)
        return start, start + timedelta(days=7)
    if unit == "month":
        return _months(today.year, today.month - is_last, 1)
    if unit == "quarter":
        return _months(today.year, 3 * ((today.month - 1) // 3 - is_last) + 1, 3)
    if unit == "year":
        return _months(today.year - is_last, 1, 12)
    first, last = _SEASONS[unit]
    over = today.month >= last  # "last spring" said in June is this year's
    return _months(today.year - (is_last and not over), first, last - first)


_TIMES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], datetime], _Span | None]], ...] = (
    (_WHEN, _named),
    (_AGO, _ago),
    (_RELATIVE, _relative),
)


def _months(year: int, first: int, count: int) -> tuple[datetime, datetime]:
    """Span months; months below 1 or beyond 12 are those of the years beside."""

    def start(month: int) -> datetime:
        return datetime(year + (month - 1) // 12, (month - 1) % 12 + 1, 1, tzinfo=UTC)

    return start(first), start(first + count)


def _status(word: str) -> DecisionStatus | None:
    plain = word.lower()
    if plain.startswith("current"):
        return DecisionStatus.ACTIVE
    return DecisionStatus(plain) if plain in list(DecisionStatus) else None
