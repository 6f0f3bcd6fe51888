"""Read when a reminder is wanted that comes back, or that waits for something to happen."""

import re
from collections.abc import Mapping
from functools import cache

from state.attention import QuietHours
from state.talk import Repeat, RepeatUnit, TalkRequest
from tools.nlu.lexicon.closed_classes import read_lexicon
from tools.nlu.values.engine import ANY_DAY, extract_kinds
from tools.nlu.values.model import PARTS_OF_DAY, Kind, Recurrence
from tools.nlu.values.views import hours_in
from tools.platform.texts import section, t

_IN_THE_DAY = "09:00"
"""Of a day without a clock, as of a reminder that is told once."""
_UNITS: Mapping[str, tuple[RepeatUnit, float]] = {
    "minute": ("minute", 1.0), "hour": ("hour", 1.0), "day": ("day", 1.0), "night": ("day", 1.0),
    "week": ("week", 1.0), "fortnight": ("week", 2.0), "month": ("month", 1.0),
    "quarter": ("month", 3.0), "halfyear": ("month", 6.0), "year": ("year", 1.0),
    "second": ("minute", 1 / 60),
}  # fmt: skip
_LONGEST = 1_000
"""Units between two times, as `Repeat` takes them."""
_OF_CLOCK = ("minute", "hour")
_TIMES = frozenset({Kind.DURATION, Kind.CLOCK, Kind.DATE, Kind.INSTANT, Kind.PERIOD})
OPEN_ENDED = (" the", " a", " an", " my", " our", " get", " go", " come", " back", " to")
"""Ends of an event that is not whole."""
_ONCE, _EACH = "once", "each"
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_THE = r"(?:the|a|an|my|our|your)"
EACH_EVENT = Repeat(unit="event")


def repeat_of(said: Recurrence, text: str = "") -> Repeat | None:
    """Make of a recurrence how often a reminder comes back; None: `twice a day` says no time.

    Args:
        text: what stands behind it, which may tell between which hours.
    """
    named = _UNITS.get(said.unit)
    if named is None or said.times != 1:
        return None
    unit, size = named
    every = said.every * size
    if not 0 < every <= _LONGEST:
        return None
    if unit in _OF_CLOCK:
        if unit == "hour" and every < 1:
            unit, every = "minute", every * 60
            if every <= 0:
                return None
        return Repeat(every=every, unit=unit, hours=hours_in(text))
    if every != int(every):
        return None
    on = tuple(name for name in said.on if name not in PARTS_OF_DAY and name != "hours")
    at = [f"{one:%H:%M}" for one in said.at]
    if "hours" in said.on:  # `every day from 9 to 17` is no moment of a day
        return Repeat(every=1, unit="hour", hours=QuietHours(starts=at[0], ends=at[1]))
    return Repeat(every=every, unit=unit, on=on, at=tuple(at) or (_IN_THE_DAY,))


def repeat_in(text: str) -> Repeat | None:
    """Find how often something comes back: in `the hourly one`."""
    found = extract_kinds(text, ANY_DAY, frozenset({Kind.RECURRENCE}))
    return repeat_of(found[0].payload) if found else None


def is_timed(request: TalkRequest) -> bool:
    """Tell whether a reminder says when it is wanted."""
    given = (request.seconds, request.until, request.repeats, request.when)
    return any(one is not None for one in given)


@cache
def _cues() -> dict[str, str]:
    """Give the words before an event as an alternation, by whether it is waited for once."""
    read = read_lexicon("en", "control")["events"]
    ordered = {kind: sorted(read[kind], key=len, reverse=True) for kind in (_ONCE, _EACH)}
    return {kind: "|".join(map(re.escape, words)) for kind, words in ordered.items()}


@cache
def _patterns(reminds: str) -> tuple[re.Pattern[str], ...]:
    """Give the forms of a reminder on an event; more than one `to` leaves open where it ends."""
    cues = _cues()
    cue = rf"(?:(?P<each>{cues[_EACH]})|(?:{cues[_ONCE]}))"
    short = r"(?:(?! to ).){3,200}"
    of, what = r"(?:to|of|about|that|:)", r"(?P<what>.{2,200}?)(?: please)?$"
    last = rf"{cue} (?P<when>.{{3,200}})$"
    return (
        re.compile(
            rf"^{cue} (?P<when>.{{3,200}}?),? {reminds.removeprefix('^')},?:? (?:{of} )?{what}"
        ),
        re.compile(rf"{reminds} {cue} (?P<when>[^,]{{3,200}}), ?(?:{of} )?{what}"),
        re.compile(rf"{reminds} {of} (?P<what>.{{2,200}}?),? (?:just )?{last}"),
        re.compile(rf"{reminds} {cue} (?P<when>{short}) {of} (?P<what>{short})$"),
        re.compile(
            rf"{reminds} {cue} (?P<when>.{{3,200}}? to {_THE} .{{2,80}}?) to (?P<what>{short})$"
        ),
        re.compile(rf"{reminds} {cue} (?P<when>{short})$"),
    )


def event_reminder(text: str, reminds: str) -> TalkRequest | None:
    """Read a reminder that waits for an event; None: it names none, or not where that ends.

    Args:
        text: in one line; what to remind of is kept as it is written.
        reminds: the pattern of `remind me`, from the begin of a text on.
    """
    said = text.lower()
    for pattern in _patterns(reminds):
        match = pattern.match(said)
        if match is None:
            continue
        when = text[slice(*match.span("when"))].strip(" ,")
        if _is_time(match["when"]) or match["when"].endswith(OPEN_ENDED):
            return None  # `when I get to the shop`: the words behind belong to the event
        is_told = "what" in match.groupdict()
        what = text[slice(*match.span("what"))].strip(" ,") if is_told else when
        if _takes_clause(what) and is_told:
            return None  # `remind me to ask when the shop opens`
        return on_event(what, when, is_each=match["each"] is not None)
    return None


def on_event(what: str, when: str, *, is_each: bool) -> TalkRequest:
    """Make a reminder that waits for an event, once or each time."""
    return TalkRequest(
        kind="remind", topic=what, when=when, repeats=EACH_EVENT if is_each else None
    )


def split_cue(condition: str) -> tuple[str, bool] | None:
    """Part an event from the words before it, and tell whether each of its times is meant.

    None: no such words stand before it.
    """
    cues = _cues()
    cue = rf"(?:and |,? ?just )*(?:(?P<each>{cues[_EACH]})|(?:{cues[_ONCE]})) "
    match = re.match(cue, condition, re.IGNORECASE)
    event = condition[match.end() :].strip(" ,.;") if match else ""
    return None if match is None or _is_time(event) else (event, bool(match["each"]))


def _is_time(event: str) -> bool:
    """Tell whether what stands behind `after` is a time: `14 minutes`."""
    return any(one.start == 0 for one in extract_kinds(event, ANY_DAY, _TIMES))


def _takes_clause(what: str) -> bool:
    asks = read_lexicon("en", "control")["asks"]
    return what.lower().split()[-1] in asks


def occasion_text(request: TalkRequest) -> str:
    """Say when a reminder comes that has no single time: `every Monday at 09:00`."""
    if request.when is not None:
        return f"{cue_text(request.repeats)} {request.when}"
    return repeat_text(request.repeats)


def repeat_text(repeats: Repeat | None) -> str:
    """Say how often a reminder comes back: `every 2 weeks on Friday at 09:00`."""
    if repeats is None or repeats.unit == "event":
        return ""
    is_one, on = repeats.every == 1, ", ".join(map(_day_name, repeats.on))
    units = section("reminder.unit" if is_one else "reminder.units")
    is_of_days = is_one and repeats.unit == "week" and on
    return t(
        "reminder.every",
        count="" if is_one else f"{repeats.every:g}",
        unit=on if is_of_days else units[repeats.unit],
        on="" if is_of_days else on,
        at=", ".join(repeats.at),
        starts=repeats.hours.starts if repeats.hours else "",
        ends=repeats.hours.ends if repeats.hours else "",
    )


def cue_text(repeats: Repeat | None) -> str:
    """Give the word before an event that is waited for: once, or each time."""
    return t("reminder.cue.each" if repeats is not None else "reminder.cue.once")


def _day_name(name: str) -> str:
    which, weekday = (name[:-3], name[-3:]) if name[-3:] in WEEKDAYS else (name, "")
    day = t(f"reminder.day.{weekday}") if weekday else ""
    return t("reminder.day.which", which=which, day=day) if which else day
