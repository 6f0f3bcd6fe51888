"""Today and the days around it, and what is said like a day and is none: `next month`, `5/12`."""

import re
from collections.abc import Iterator
from datetime import date, timedelta

from tools.routing.slots.days.calendar_days import MONTH
from tools.routing.slots.days.said import Said, said_at
from tools.routing.slots.days.toward import Toward
from tools.routing.words.normalise import Normal

_AWAY = {
    "today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1,
    "day after tomorrow": 2, "day before yesterday": -2,
}  # fmt: skip
_PART = r"(?: (?:morning|noon|midday|afternoon|evening|night))?"
_NEAR = re.compile(
    rf"(?<![\w-])(?:the )?(?P<day>day after tomorrow|day before yesterday|today|tonight|tomorrow"
    rf"|yesterday){_PART}(?![\w-])(?P<own>'s)?"
)
_NO_ONE_DAY = re.compile(
    r"(?<![\w-])(?:(?:the )?night before last|[\w-]+ nights? ago|the other (?:day|night)|recently"
    r"|(?:each|every) day)(?![\w-])"
)
_LAST_NIGHT = re.compile(r"(?<![\w-])last (?:night|evening)(?![\w-])(?:'s)?")
_PERIOD = re.compile(
    r"(?<![\w-])(?:(?P<last>last|past)|this|next|the (?:following|coming)|the)"
    r" (?:week|weekend|fortnight|month|quarter|year|spring|summer|autumn|winter|season)"
    r"(?: after next)?(?![\w'-])"
)
_IN_THE_YEAR = re.compile(
    rf"(?<![\w-])(?:by|due|until|till|to|in|for) (?P<month>(?:(?:early|mid|late) )?(?:{MONTH})"
    r"(?: (?:19|20)\d\d)?|soon)(?![\w'-])"
    rf"|(?<![\w-])(?P<year>(?:{MONTH}) (?:19|20)\d\d)(?![\w'-])"
)
_SHORT = re.compile(
    r"(?:(?<=\bon )|(?<=\bon the )|(?<=\bfor the )|(?<=\bof the )"
    r"|(?<=\bdue )|(?<=\bby )|(?<=\bsince )|(?<=\buntil ))"
    r"(?:\d{1,2}[./-]\d{1,2}(?:\.|[./-]\d\d)?|\d{4}-\d\d?|\d{1,2}/\d{4})"
    r"(?=$|[^\w ./-]|\.(?!\w)| (?:please|pls|thanks|for|and|or|but|to|as|not|instead)\b)"
    r"|(?<=\bto )\d{1,2}(?:/\d{1,2}(?:/\d\d)?|\.\d{1,2}\.(?:\d\d)?)(?![\w/.-])"
)
"""A day and a month, whichever is which, and no year or half of one; or a month and a year."""
_DUE = re.compile(
    r"(?<![\w-])due (?:(?:on|by|at|in|before|after|around|about) )?"
    r"(?P<when>(?!(?:to|for|dates?|days?|and|or|of|as|when|on|by|in|at|before|after)\b)"
    r"[^\W_][\w'-]*(?: [\w'-]+){0,3}?)(?=$|[,.;:!?)]| (?:please|pls|and|or|for|to|with|from|but)\b)"
)


def near_days(
    normal: Normal, today: date, toward: Toward, *, takes_own: bool = False
) -> Iterator[Said]:
    """Find today and the days around it; also what is said like a day and is longer than one."""
    for found in _NEAR.finditer(normal.text):
        is_of_slot = takes_own or (toward is Toward.BEHIND and found["day"] != "today")
        if found["own"] and not is_of_slot:
            continue  # `today's handover` is the newest one, and `tomorrow's guests` are no time
        if found["day"] == "tonight" and toward is not Toward.AHEAD:
            continue
        away = _AWAY[found["day"]]
        value = today + timedelta(days=away)
        yield said_at(normal, found.start(), found.end(), value, is_over=away < 0)
    for found in _LAST_NIGHT.finditer(normal.text):
        night = today - timedelta(days=1) if toward is Toward.BEHIND else None
        yield said_at(normal, found.start(), found.end(), night, is_loose=True, is_over=True)
    for found in _NO_ONE_DAY.finditer(normal.text):
        yield said_at(normal, found.start(), found.end(), None, is_loose=True)
    for found in _PERIOD.finditer(normal.text):
        is_over = found["last"] is not None
        yield said_at(normal, found.start(), found.end(), None, is_loose=True, is_over=is_over)
    for found in _SHORT.finditer(normal.text):
        yield said_at(normal, found.start(), found.end(), None, is_loose=True)
    for found in _IN_THE_YEAR.finditer(normal.text) if toward is Toward.AHEAD else ():
        start = found.start("month" if found["month"] else "year")
        yield said_at(normal, start, found.end(), None, is_loose=True)


def due_some_time(normal: Normal) -> Iterator[Said]:
    """Find what stands where a day would: `due Christmas`, `due week 27`."""
    for found in _DUE.finditer(normal.text):
        yield said_at(normal, found.start("when"), found.end("when"), None, is_loose=True)
