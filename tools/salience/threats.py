"""Which alarm is it? One that was told repeats on a schedule; a different one is told at once."""

import hashlib
import re
from collections.abc import Iterator, Mapping

from state.event import Event
from state.session import ThreatTold
from state.tuning import RelevanceTuning
from tools.salience.sender_status import sender_status
from tools.salience.words import says_over

NAMED_WORDS = 12
_SENT = "\x1f"
"""Stands behind a sender in the name of what it told; no identifier holds one."""
_WORD = re.compile(
    r"(?P<id>(?<![\w.])[^\W\d_]{1,6}[-/.]?\d{1,6}(?![^\W\d_]|[-/.:]?\d))"  # P-101, B2
    r"|(?P<word>[^\W\d_]+)(?:[ \t]+(?:#[ \t]*)?(?P<number>\d{1,3})(?![\w%°]|[.,:/-]\d))?"
)
_UNIT = re.compile(
    r"[ \t]*(?:°|%|(?:(?:centi|kilo|milli)?met\w+|[cmk]?m|feet|ft|miles?|knots?|kn|bars?|volts?"
    r"|v|amps?|a|rpm|percent|degrees?|litres?|liters?|l|h|s|seconds?|minutes?|min|hours?|days?"
    r"|times|blocks?|people|points?|hp)\b)",
    re.IGNORECASE,
)
_MEASURED = frozenset(
    {
        *("at", "of", "to", "is", "was", "by", "from", "about", "around", "over", "under", "for"),
        *("above", "below", "than", "in", "now", "only", "still", "after", "every", "last", "near"),
        *("level", "temperature", "pressure", "speed", "depth", "height", "voltage", "current"),
        *("load", "rate", "count", "health", "distance", "value", "reading", "score", "humidity"),
        *("event", "message", "msg", "attempt", "try", "sample", "cycle", "tick", "seq", "line"),
    }
)
"""What stands before a figure that is a measure or a running number, and names no thing."""


def threat_key(pattern: str, text: str) -> str:
    """Name an alarm by its pattern and its words; with another measure in it, it is the same one.

    Habituation leaves the words out; here that would keep silent about a fire in the engine room
    because one in the galley was told a moment ago. "Cabin 4" and "P-102" are words like those.
    What is doubtful is another alarm: one too many is told, and many at once are one (`is_burst`).
    """
    words = list(_words(text.lower()))
    named = " ".join(words[:NAMED_WORDS])
    if rest := " ".join(words[NAMED_WORDS:]):
        named += f" {hashlib.blake2b(rest.encode(), digest_size=6).hexdigest()}"
    return f"{pattern}|{named}"


def _words(text: str) -> Iterator[str]:
    before = ""
    for found in _WORD.finditer(text):
        said = found["id"] or found["word"]
        yield said
        is_floor = (before, said) == ("on", "level")
        is_name = found["number"] and (is_floor or said not in _MEASURED)
        if is_name and not _UNIT.match(text, found.end()):
            yield found["number"].lstrip("0")
        before = said


def told_key(sender: str | None, pattern: str, text: str) -> str:
    """Name what was told of an alarm: a source is only what its sender calls itself.

    Another's words under the same name must not silence whoever is there.
    """
    return f"{_told_by(sender)}{threat_key(pattern, text)}"


def _told_by(sender: str | None) -> str:
    return f"{sender}{_SENT}" if sender else ""


def last_telling(
    threats: Mapping[str, ThreatTold], sender: str | None, pattern: str, text: str, now: float
) -> ThreatTold | None:
    """Find what was told of an alarm; its sender may have told it again elsewhere since.

    The first of each source is told: where it comes from may be all that tells two fires apart.
    """
    own = threats.get(told_key(sender, pattern, text))
    if own is None or own.at > now:
        return own
    words = threat_key(pattern, text).removeprefix(pattern)
    alike = [
        told
        for other, told in threats.items()
        if _sender_of(other) == (sender or "") and other.endswith(words) and told.at <= now
    ]
    newest = max(told.at for told in alike)
    times = max(told.times for told in alike)
    return own.model_copy(update={"at": newest, "times": times})


def _sender_of(key: str) -> str:
    return key.rpartition(_SENT)[0]


def is_burst(
    threats: Mapping[str, ThreatTold],
    sender: str | None,
    pattern: str,
    now: float,
    tuning: RelevanceTuning,
) -> bool:
    """Tell whether a sender told so many alarms of a pattern just now that it is one big alarm.

    A further one says nothing new.
    """
    begins = f"{_told_by(sender)}{pattern}|"
    lately = sum(
        1
        for key, told in threats.items()
        if key.startswith(begins) and 0 <= now - told.at < tuning.burst_seconds
    )
    return lately >= tuning.burst_alarms


def is_all_clear(event: Event) -> bool:
    """Tell whether an event says of an alarm that it is over, or that the danger is not there."""
    if event.is_addressed:
        return False
    return sender_status(event.payload) == "over" or says_over(event.text)


def without_source(
    threats: Mapping[str, ThreatTold], source: str, *, keeping: str | None = None
) -> dict[str, ThreatTold]:
    """Forget what was told of a source: after its all-clear the same words are another alarm."""
    return {
        key: told
        for key, told in threats.items()
        if key == keeping or not key.rpartition(_SENT)[2].startswith(f"{source}|")
    }
