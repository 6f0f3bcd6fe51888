"""What the people of a story answer: scenario.answers.yaml beside scenario.jsonl."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import Field

from graph.cli.validating import validated
from state.errors import BadInput
from state.noun import Name, Noun

FILE = "scenario.answers.yaml"


class ScriptedAnswer(Noun):
    """What somebody does once an event is decided."""

    event: Name
    says: Literal["choose", "approve", "reject"]
    by: Name = Field(description="USER:ROLE")
    chip: Name | None = Field(default=None, description="the action whose chip; default: the first")
    values: Mapping[str, Any] = Field(default_factory=dict)  # slots the chip lacks, by their type
    reason: str | None = None
    is_refused: bool = Field(default=False, description="the story wants it turned down")


class Script(Noun):
    """All answers of a story, and the events whose decisions are explained at its end."""

    title: str = "A story"
    answers: tuple[ScriptedAnswer, ...] = ()
    why: tuple[Name, ...] = ()

    def after(self, event_id: str) -> tuple[ScriptedAnswer, ...]:
        """List what is answered once an event is decided, in order."""
        return tuple(answer for answer in self.answers if answer.event == event_id)


def read_script(folder: Path) -> Script:
    """Read a pack's script; without one nobody answers anything.

    Raises:
        BadInput: the file is no script.
    """
    file = folder / FILE
    if not file.is_file():
        return Script()
    try:
        return validated(Script, yaml.safe_load(file.read_text("utf-8")))
    except (BadInput, yaml.YAMLError, UnicodeDecodeError) as error:
        raise BadInput(f"{file}: {error}") from error
