"""A question to the journal: its words, and the filters that it names itself."""

import re
from datetime import UTC, datetime, timedelta
from typing import Literal

from state.journal import DecisionFilters, DecisionStatus
from state.noun import Noun
from tools.journal.searching.periods import Named, Period, months, named_period, on_side, season
from tools.journal.searching.technologies import given_in

_UNIT_DAYS = {"day": 1, "week": 7, "month": 30, "quarter": 91, "year": 365}
_PERSON = re.compile(r"(?<![\w@])@([A-Za-z][\w.-]{0,38})")
_STANDS = r"superseded|rejected|proposed|active|revisited"
_RECORDS = r"(?:decisions?|records?|ones|adrs?)"
_STATUS = re.compile(
    rf"\b(?:(?P<status>{_STANDS}|current(?:ly active)?)(?= {_RECORDS}\b)"
    rf"|(?P<refused>rejected)(?= proposals?\b)"
    rf"|(?:(?<=decisions )|(?<=decision )|(?<=records )|(?<=ones )|(?<=adrs ))(?:that |which )?"
    rf"(?:is|are|was|were|have been|has been)(?: still| now)? (?P<said>{_STANDS})"
    rf"|(?P<force>(?:still |now |currently )?in force|currently active)"
    rf"|status[:=]\s*(?P<given>\w+))\b",
    re.IGNORECASE,
)
_AGO = re.compile(
    r"\b(?:in |within |over |during )?(?:the )?(?:last|past) (?P<count>\d{1,3}) "
    r"(?P<units>day|week|month|quarter|year)s?\b",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    r"\b(?:in |during |(?P<side>since|after|before|until) )?(?P<which>last|this)"
    r" (?P<unit>week|month|quarter|year|spring|summer|autumn|fall|winter)\b"
    r"|\b(?P<day>yesterday|today)\b",
    re.IGNORECASE,
)
_SPRING = 3
"""The month before which it is still the winter that began last year."""
_RELATIVE_TO = re.compile(
    r"\b(?:(?P<before>before|until|prior to)|after|since) (?:the|our|we)"
    r" (?P<event>\w[\w -]{2,60}?)\W*$",
    re.IGNORECASE,
)


class Question(Noun):
    """What is asked, without what only narrows it."""

    text: str
    filters: DecisionFilters


def read_question(said: str, now: datetime, given: DecisionFilters | None = None) -> Question:
    """Take explicit times, people with an at sign and statuses out of a question.

    What the caller gives stands before what the words say. Technologies without "tech:" need what
    is on record: see grounding.py.

    Raises:
        BadInput: the two together end before they begin.
    """
    given = given or DecisionFilters()
    rest = said
    technologies, rest = given_in(rest)
    people = tuple(name.rstrip(".-") for name in _PERSON.findall(rest))
    rest = _PERSON.sub(" ", rest)
    status: DecisionStatus | None = None
    if found := _STATUS.search(rest):
        written = found["status"] or found["refused"] or found["said"] or found["given"]
        status = _status(written) if written else DecisionStatus.ACTIVE
        if status is not None:
            rest = _STATUS.sub(" ", rest, count=1)
    since = until = None
    if named := _named(rest, now):
        (since, until), start, end = named
        rest = f"{rest[:start]} {rest[end:]}"
    filters = DecisionFilters(
        since=given.since or since,
        until=given.until or until,
        people=given.people or people,
        technologies=given.technologies or technologies,
        status=given.status or status,
        session_id=given.session_id,
    )
    return Question(text=" ".join(rest.split()), filters=filters)


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


def _named(text: str, now: datetime) -> Named | None:
    if found := named_period(text):
        return found
    if match := _AGO.search(text):
        return Named(_ago(match, now), *match.span())
    if match := _RELATIVE.search(text):
        period = on_side(match["side"] or "", _relative(match, now))
        return Named(period, *match.span())
    return None


def _ago(found: re.Match[str], now: datetime) -> Period:
    days = int(found["count"]) * _UNIT_DAYS[found["units"].lower()]
    return Period(now - timedelta(days=days), None)


def _relative(found: re.Match[str], now: datetime) -> Period:
    today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    if found["day"]:
        start = today - timedelta(days=found["day"].lower() == "yesterday")
        return Period(start, start + timedelta(days=1))
    is_last, unit = found["which"].lower() == "last", found["unit"].lower()
    if unit == "week":
        start = today - timedelta(days=today.weekday() + 7 * is_last)
        return Period(start, start + timedelta(days=7))
    if unit == "month":
        return months(today.year, today.month - is_last, 1)
    if unit == "quarter":
        return months(today.year, 3 * ((today.month - 1) // 3 - is_last) + 1, 3)
    if unit == "year":
        return months(today.year - is_last, 1, 12)
    year = today.year - (unit == "winter" and today.month < _SPRING)
    ended = season(year, unit).until
    # "Last spring" said in June is this year's.
    return season(year - (is_last and (ended is None or ended > today)), unit)


def _status(word: str) -> DecisionStatus | None:
    plain = word.lower()
    if plain.startswith("current"):
        return DecisionStatus.ACTIVE
    return DecisionStatus(plain) if plain in list(DecisionStatus) else None
