"""Which alarm is it? One that was told repeats on a schedule; a different one is told at once."""

import re
from collections.abc import Mapping

from state.session import ThreatTold
from state.tuning import RelevanceTuning

NAMED_WORDS = 12
READ_CHARACTERS = 400
_WORD = re.compile(r"[^\W\d_]+")


def threat_key(pattern: str, text: str) -> str:
    """Name an alarm by its pattern and its words; with another figure in it, it is the same one.

    Habituation leaves the words out; here that would keep silent about a fire in the engine room
    because one in the galley was told a moment ago.
    """
    words = _WORD.findall(text[:READ_CHARACTERS].lower())[:NAMED_WORDS]
    return f"{pattern}|{' '.join(words)}"


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
