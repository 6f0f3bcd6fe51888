"""Which alarm is it? One that was told repeats on a schedule; a different one is told at once."""

import hashlib
import re
from collections.abc import Iterator, Mapping

from state.session import ThreatTold
from state.tuning import RelevanceTuning

NAMED_WORDS = 12
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


def last_telling(
    threats: Mapping[str, ThreatTold], pattern: str, text: str, now: float
) -> ThreatTold | None:
    """Find what was told of an alarm; others may have told it again in the same words since.

    The first of each source is told: where it comes from may be all that tells two fires apart.
    """
    key = threat_key(pattern, text)
    own = threats.get(key)
    if own is None or own.at > now:
        return own
    words = key.removeprefix(pattern)
    alike = [told for other, told in threats.items() if other.endswith(words) and told.at <= now]
    newest = max(told.at for told in alike)
    times = max(told.times for told in alike)
    return own.model_copy(update={"at": newest, "times": times})


def is_burst(
    threats: Mapping[str, ThreatTold], pattern: str, now: float, tuning: RelevanceTuning
) -> bool:
    """Tell whether so many alarms of a pattern were told just now that it is one big alarm.

    A further one says nothing new.
    """
    lately = sum(
        1
        for key, told in threats.items()
        if key.startswith(f"{pattern}|") and 0 <= now - told.at < tuning.burst_seconds
    )
    return lately >= tuning.burst_alarms
