"""What has a time of its own in a session, the next first: ends of quiet, reminders, holds."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from state.initiative import Reminder
from state.quietness import Quietness

MOST_TIMES = 12


@dataclass(frozen=True)
class NextTime:
    """Something that comes by itself at its time."""

    at: datetime
    what: str
    about: str = ""


def next_times(
    standing: Quietness, reminders: Sequence[Reminder], zone: tzinfo
) -> Sequence[NextTime]:
    """List what comes by itself, the next first; no more than fit into a card."""
    found = sorted(_times(standing, reminders, zone), key=lambda one: (one.at, one.what))
    return found[:MOST_TIMES]


def _times(standing: Quietness, reminders: Sequence[Reminder], zone: tzinfo) -> Iterator[NextTime]:
    if standing.is_quiet and standing.until:
        yield NextTime(standing.until, "speaks as usual again")
    if standing.quiet_hours:
        yield NextTime(standing.quiet_hours.next_start(standing.at, zone), "quiet hours begin")
    for topic in standing.topics:
        if topic.until:
            done = "left alone no more" if topic.kind == "suppress" else "watched for no more"
            yield NextTime(topic.until, done, topic.topic)
    for held in standing.waiting:
        yield NextTime(held.until, "waits no longer", held.text)
    for one in reminders:
        yield NextTime(one.due_at, f"reminds {one.user}" if one.user else "reminds", one.text)
