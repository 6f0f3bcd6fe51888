"""The port of the voice."""

from typing import Protocol

from state.output import Utterance


class Speaks(Protocol):
    """Says things aloud. See tools/outputs/voice.py."""

    @property
    def is_ready(self) -> bool:
        """Tell whether what is said now will be spoken."""
        ...

    def say(self, utterance: Utterance) -> None:
        """Speak after what is being spoken; never waits."""
        ...
