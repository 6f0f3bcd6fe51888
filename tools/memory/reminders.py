"""When a reminder is told: its first time, its next one, and how both are worded.

A reminder that comes back is told once for all the times that passed meanwhile.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from itertools import islice

from state.attention import QuietHours
from state.initiative import Reminder
from state.talk import Repeat, TalkRequest
from state.tuning import ProactiveTuning
from tools.nlu import matches_topic
from tools.nlu.control.occasions import WEEKDAYS, cue_text, repeat_in, repeat_text
from tools.platform.clock import DAY_SECONDS, HOUR_SECONDS
from tools.platform.texts import t
from tools.response.template_replies import join_lines

_SECONDS = {"minute": 60.0, "hour": HOUR_SECONDS, "day": DAY_SECONDS, "week": 7 * DAY_SECONDS}
_MOST_DAYS = 366 * 9
"""Looked through for the next one: 29 February may be eight years off."""
_LISTED = ("minute", "hour")
"""Units that are counted from the last time, by the clock of no day."""


def due_of(request: TalkRequest, now: datetime, zone: tzinfo = UTC) -> datetime | None:
    """Tell when a reminder is wanted; None: no time was given, or none that can be read.

    Args:
        zone: of the clock that a time of day is meant by; one that is past is tomorrow's.
    """
    if request.seconds is not None:
        return now + timedelta(seconds=request.seconds) if request.seconds > 0 else None
    if request.until is None:
        return None
    here = now.astimezone(zone)
    hour, minute = map(int, request.until.split(":"))
    due = here.replace(hour=hour, minute=minute, second=0, microsecond=0)
    if request.tomorrow or due <= here:
        due += timedelta(days=1)
    return due.astimezone(UTC)


def is_allowed_time(due: datetime | None, now: datetime, tuning: ProactiveTuning) -> bool:
    """Tell whether a reminder may be put down for that time."""
    return due is not None and due - now <= timedelta(days=tuning.reminder_days)


def first_due(
    request: TalkRequest, now: datetime, zone: tzinfo, tuning: ProactiveTuning
) -> datetime | None:
    """Tell when a reminder is told first, or until when it waits for its event.

    None: no time was given, one that cannot be read, is too far ahead, or comes back too often.
    """
    if request.when is not None:
        return now + timedelta(days=tuning.reminder_days)
    if request.repeats is not None:
        if not is_allowed_pace(request.repeats, tuning):
            return None
        begin, repeats = due_of(request, now, zone) or now, request.repeats
        if repeats.unit not in _LISTED:
            # `Every other Friday` begins with the next one, and counts from that.
            repeats = repeats.model_copy(update={"every": 1})
        return next(occurrences(repeats, begin, now, zone), None)
    due = due_of(request, now, zone)
    return due if is_allowed_time(due, now, tuning) else None


def is_allowed_pace(repeats: Repeat, tuning: ProactiveTuning) -> bool:
    """Tell whether it comes back seldom enough to be told each time."""
    unit = _SECONDS.get(repeats.unit, DAY_SECONDS)
    return repeats.every * unit >= tuning.reminder_least_seconds


def occurrences(
    repeats: Repeat, since: datetime, after: datetime, zone: tzinfo
) -> Iterator[datetime]:
    """Give the times behind `after`, counted from `since`, in their order."""
    if repeats.unit in _LISTED:
        step = timedelta(seconds=repeats.every * _SECONDS[repeats.unit])
        at = since + step * max(1, (after - since) // step + 1)
        for _ in range(_MOST_DAYS):
            if repeats.hours is None or _is_within(repeats.hours, at.astimezone(zone).time()):
                yield at
            at += step
        return
    here, begin = after.astimezone(zone), since.astimezone(zone).date()
    clocks = sorted(repeats.at or (f"{since.astimezone(zone):%H:%M}",))
    for days in range(_MOST_DAYS):
        day = here.date() + timedelta(days=days)
        if not _is_on(repeats, day, begin):
            continue
        for clock in clocks:
            at = datetime.combine(day, time.fromisoformat(clock), zone).astimezone(after.tzinfo)
            if at > after:
                yield at


def find_reminders(waiting: Sequence[Reminder], named: str | None) -> tuple[Reminder, ...]:
    """Find the reminders that a name means: an id, words of it, its event or days; None: all."""
    return tuple(one for one in waiting if named is None or _is_named(one, named))


def _is_named(one: Reminder, named: str) -> bool:
    if one.reminder_id == named or matches_topic(named, one.text):
        return True
    if one.on_event is not None and matches_topic(
        named, one.on_event, f"{one.text} {one.on_event}"
    ):
        return True
    if one.repeats is None:
        return False
    said = repeat_in(named)
    is_as_often = said is not None and (said.every, said.unit) == (
        one.repeats.every,
        one.repeats.unit,
    )
    return is_as_often or matches_topic(named, f"{one.text} {repeat_text(one.repeats)}")


def next_due(one: Reminder, now: datetime, zone: tzinfo, waits: timedelta) -> datetime | None:
    """Tell when a reminder that is told now is due again; None: never.

    Args:
        waits: how long it waits for its event again.
    """
    if one.repeats is None:
        return None
    if one.on_event is not None:
        return now + waits
    return next(occurrences(one.repeats, one.due_at, now, zone), None)


def _is_within(hours: QuietHours, clock: time) -> bool:
    starts, ends = time.fromisoformat(hours.starts), time.fromisoformat(hours.ends)
    if starts <= ends:
        return starts <= clock <= ends
    return clock >= starts or clock <= ends


def _is_on(repeats: Repeat, day: date, begin: date) -> bool:
    """Tell whether it is told on a day, if it began on another one."""
    every = max(1, round(repeats.every))
    if repeats.unit == "day":
        return (day - begin).days % every == 0
    if repeats.unit == "week":
        weeks = (_monday(day) - _monday(begin)).days // 7
        on = repeats.on or (WEEKDAYS[begin.weekday()],)
        return weeks % every == 0 and WEEKDAYS[day.weekday()] in on
    months = (day.year - begin.year) * 12 + day.month - begin.month
    if months % (every if repeats.unit == "month" else 12 * every):
        return False
    return day in [_day_of_month(day, name) for name in repeats.on or (str(begin.day),)]


def _day_of_month(day: date, name: str) -> date | None:
    """Give the day of its month that is the 15th, the first Monday (`1mon`) or the last one."""
    first = day.replace(day=1)
    month = [first + timedelta(days=one) for one in range(31)]
    month = [one for one in month if one.month == first.month]
    which, weekday = (name[:-3], name[-3:]) if name[-3:] in WEEKDAYS else (name, "")
    if weekday:
        month = [one for one in month if WEEKDAYS[one.weekday()] == weekday]
    if which in ("last", "-1"):
        return month[-1]
    place = int(which) if which.isdigit() else 0
    # The 31st of a month that has none is its last day.
    return month[min(place, len(month)) - 1] if place else None


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def created_text(request: TalkRequest, now: datetime, tuning: ProactiveTuning, zone: tzinfo) -> str:
    """Say what was put down, or what is missing."""
    if request.when is None and request.repeats is None:
        due = due_of(request, now, zone)
        if due is None:
            return t("reminder.when", topic=request.topic)
        if not is_allowed_time(due, now, tuning):
            return t("reminder.too_far", reminder_days=tuning.reminder_days)
        return t("reminder.set", due=_when(due, now, zone), topic=request.topic)
    due = first_due(request, now, zone, tuning)
    if due is None:
        if request.repeats is not None and is_allowed_pace(request.repeats, tuning):
            return t("reminder.when", topic=request.topic)
        return t("reminder.too_often", minutes=tuning.reminder_least_seconds / 60)
    topic = request.topic or ""
    if request.when is not None:
        cue, about = cue_text(request.repeats), "" if topic == request.when else topic
        return t("reminder.set_event", cue=cue, when=request.when, topic=about)
    how = repeat_text(request.repeats)
    return t("reminder.set_again", due=_when(due, now, zone), topic=topic, how=how)


def list_text(waiting: Sequence[Reminder], now: datetime, zone: tzinfo) -> str:
    """List what waits."""
    return "\n".join(_line(one, now, zone) for one in waiting) or t("reminder.none")


def _line(one: Reminder, now: datetime, zone: tzinfo) -> str:
    if one.on_event is not None:
        return t("reminder.line_event", cue=cue_text(one.repeats), when=one.on_event, text=one.text)
    due = _when(one.due_at, now, zone)
    if one.repeats is not None:
        return t("reminder.line_again", how=repeat_text(one.repeats), due_at=due, text=one.text)
    return t("reminder.line", due_at=due, text=one.text)


def cancelled_text(found: Sequence[Reminder]) -> str:
    """Say which reminders are called off."""
    if not found:
        return t("reminder.unknown")
    return t("reminder.cancelled", text="; ".join(one.text for one in found))


def due_text(due: Sequence[Reminder], now: datetime, tuning: ProactiveTuning, zone: tzinfo) -> str:
    """Say what is due, in one utterance, and how late it is where that matters.

    All of it, however many: somebody asked for each, and nothing tells one that was left out.
    """
    lines = [_due_line(one, now, tuning, zone) for one in due]
    if len(lines) == 1:
        return lines[0] if _is_lapsed(due[0]) else t("reminder.due", lines=lines[0])
    return t("reminder.due_several", count=len(lines), lines=join_lines(lines, len(lines)))


def _is_lapsed(one: Reminder) -> bool:
    """Tell whether a reminder waited in vain for its event."""
    return one.on_event is not None and one.seen_at != one.due_at


def _due_line(one: Reminder, now: datetime, tuning: ProactiveTuning, zone: tzinfo) -> str:
    if _is_lapsed(one):
        days = tuning.reminder_days
        return t("reminder.lapsed", when=one.on_event, text=one.text, days=days)
    due = one.due_at
    if one.repeats is not None and one.on_event is None:
        passed = occurrences(one.repeats, due, due, zone)
        due = max((at for at in islice(passed, _MOST_DAYS) if at <= now), default=due)
    seconds = (now - due).total_seconds()
    if seconds <= tuning.late_seconds:
        return one.text
    minutes = seconds / 60
    late = "reminder.late" if minutes < 90 else "reminder.late_hours"
    return one.text + t(late, minutes=minutes, hours=minutes / 60)


def _when(due: datetime, now: datetime, zone: tzinfo) -> str:
    here = due.astimezone(zone)
    days = (here.date() - now.astimezone(zone).date()).days
    name = "today" if days == 0 else "tomorrow" if days == 1 else "later"
    return t(f"reminder.{name}", here=here)
