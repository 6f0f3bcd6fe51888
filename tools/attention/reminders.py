"""Turn a reminder request into a due time and a text, find reminders by name, and word them."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, tzinfo

from state.initiative import Reminder
from state.talk import TalkRequest
from state.tuning import ProactiveTuning
from tools.nlu import matches_topic
from tools.platform.texts import t
from tools.response.template_replies import join_lines


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


def find_reminders(waiting: Sequence[Reminder], named: str | None) -> tuple[Reminder, ...]:
    """Find the reminders that a name means: an id, words of it, or None for all."""
    return tuple(
        one
        for one in waiting
        if named is None or one.reminder_id == named or matches_topic(named, one.text)
    )


def due_text(due: Sequence[Reminder], now: datetime, tuning: ProactiveTuning) -> str:
    """Say what is due, in one utterance, and how late it is where that matters.

    All of it, however many: somebody asked for each, and nothing tells one that was left out.
    """
    lines = [f"{one.text}{_late(one, now, tuning)}" for one in due]
    if len(lines) == 1:
        return t("reminder.due", lines=lines[0])
    return t("reminder.due_several", count=len(lines), lines=join_lines(lines, len(lines)))


def created_text(request: TalkRequest, now: datetime, tuning: ProactiveTuning, zone: tzinfo) -> str:
    """Say what was put down, or what is missing."""
    due = due_of(request, now, zone)
    if due is None:
        return t("reminder.when", topic=request.topic)
    if not is_allowed_time(due, now, tuning):
        return t("reminder.too_far", reminder_days=tuning.reminder_days)
    return t("reminder.set", due=_when(due, now, zone), topic=request.topic)


def list_text(waiting: Sequence[Reminder], now: datetime, zone: tzinfo) -> str:
    """List what waits."""
    if not waiting:
        return t("reminder.none")
    return "\n".join(
        t("reminder.line", due_at=_when(one.due_at, now, zone), text=one.text) for one in waiting
    )


def cancelled_text(found: Sequence[Reminder]) -> str:
    """Say which reminders are called off."""
    if not found:
        return t("reminder.unknown")
    return t("reminder.cancelled", text="; ".join(one.text for one in found))


def _when(due: datetime, now: datetime, zone: tzinfo) -> str:
    here = due.astimezone(zone)
    days = (here.date() - now.astimezone(zone).date()).days
    name = "today" if days == 0 else "tomorrow" if days == 1 else "later"
    return t(f"reminder.{name}", here=here)


def _late(one: Reminder, now: datetime, tuning: ProactiveTuning) -> str:
    seconds = (now - one.due_at).total_seconds()
    if seconds <= tuning.late_seconds:
        return ""
    minutes = seconds / 60
    return (
        t("reminder.late", minutes=minutes)
        if minutes < 90
        else t("reminder.late_hours", hours=minutes / 60)
    )
