"""All days that a text says, in whatever way; the longest way wins where they share a word."""

from collections.abc import Sequence
from datetime import date

from tools.routing.slots.days.calendar_days import calendar_days
from tools.routing.slots.days.counted_days import counted_from, from_something
from tools.routing.slots.days.near_days import due_some_time, near_days
from tools.routing.slots.days.said import Said, longest
from tools.routing.slots.days.shifts import days_away_in
from tools.routing.slots.days.toward import Toward
from tools.routing.slots.days.weekdays import weekdays_in
from tools.routing.words.normalise import Normal


def said_days(
    normal: Normal,
    today: date | None,
    toward: Toward = Toward.UNKNOWN,
    leaning: Toward | None = None,
) -> Sequence[Said]:
    """Find the days in the order of the text; without `today` only those with a date of their own.

    Args:
        toward: where the day lies that is looked for, which tells more of them.
        leaning: of what may lie on either side and is looked for by its day, as in `tomorrow's
            visits`: where `Friday` is all the same.
    """
    found = longest(calendar_days(normal, today, toward))
    if today is None:
        return found
    found = longest(
        [
            *found,
            *days_away_in(normal, today),
            *weekdays_in(normal, today, leaning or toward),
            *near_days(normal, today, toward, takes_own=leaning is not None),
        ]
    )
    counted = counted_from(normal, found, today, toward)
    found = longest([*counted, *found, *from_something(normal)])
    taken = {place for one in found for place in range(one.first, one.end)}
    due = due_some_time(normal) if toward is Toward.AHEAD else ()
    others = [one for one in due if taken.isdisjoint(range(one.first, one.end))]
    return sorted([*found, *others], key=lambda one: one.first)
