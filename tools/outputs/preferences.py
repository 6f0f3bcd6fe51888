"""Where words go: by the pack's preferences, who is busy, and whether there is a voice.

Source: Executive decision loop §11.2.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from state.response import OutputChannel, ResponseType
from tools.catalogue.models import OutputPreference

_TEXT = OutputPreference(primary="text")
USUAL: Mapping[ResponseType, OutputPreference] = {
    "alert": OutputPreference(primary="speech", urgent=True),
    "observation": OutputPreference(primary="speech"),
    "suggestion": OutputPreference(primary="speech"),
    "quip": OutputPreference(
        primary="speech", condition="user_not_busy", suppress_if="recently_quipped"
    ),
    "check_in": OutputPreference(primary="speech", condition="user_not_busy"),
}
"""What a pack that says nothing prefers; the rest is text."""


@dataclass(frozen=True)
class Moment:
    """What the choice hangs on beside the kind of words."""

    has_voice: bool
    is_busy: bool = False
    is_quiet: bool = False
    quipped_lately: bool = False


@dataclass(frozen=True)
class Chosen:
    """The channel; `instead` says why it is not the preferred one."""

    output: OutputChannel
    interrupt: bool = False
    instead: str | None = None


@dataclass(frozen=True)
class OutputChoosing:
    """Chooses the channel of a response."""

    preferences: Mapping[ResponseType, OutputPreference] = field(default_factory=dict)

    def choose(self, kind: ResponseType, moment: Moment) -> Chosen:
        """Choose where a response goes; what cannot be spoken is written, with the reason."""
        preferred = self.preferences.get(kind) or USUAL.get(kind, _TEXT)
        if preferred.suppress_if == "recently_quipped" and moment.quipped_lately:
            return Chosen("silent", instead="recently_quipped")
        urgent = preferred.urgent
        if preferred.primary != "speech":
            return Chosen(preferred.primary, urgent)
        if not moment.has_voice:
            return Chosen(_written(preferred), urgent, "no_voice")
        if not urgent and moment.is_busy:
            return Chosen(_written(preferred), urgent, "busy")
        if not urgent and moment.is_quiet:
            return Chosen(_written(preferred), urgent, "quiet")
        return Chosen("speech", urgent)


def _written(preferred: OutputPreference) -> OutputChannel:
    return "text" if preferred.fallback == "speech" else preferred.fallback
