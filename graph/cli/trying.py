"""Do a pack's own examples reach their actions when somebody says them?"""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import JsonValue

from graph.cli.options import stream_settings
from graph.cli.route import routed_of
from graph.cli.terminal.console import stepping
from state.event import Event
from tools.catalogue.pack import Pack
from tools.clock import SystemClock


@dataclass(frozen=True)
class Missed:
    """An example that does not reach its own action, or not with all that it needs."""

    action: str
    text: str
    reached: str | None
    """The action that is named, or stands first among what is offered; None: nothing."""
    lacks: tuple[str, ...] = ()
    """Slots that have to be asked for: the text does not fill them."""

    @property
    def is_reached(self) -> bool:
        """Tell whether it reaches its own action at all."""
        return self.reached == self.action

    def __str__(self) -> str:
        if self.is_reached:
            return f"{self.text!r} reaches {self.action} without {', '.join(self.lacks)}"
        return f"{self.text!r} reaches {self.reached or 'nothing'}, not {self.action}"

    def as_json(self) -> dict[str, JsonValue]:
        """Give its fields."""
        return {**asdict(self), "lacks": list(self.lacks)}


def missed_examples(folder: Path, pack: Pack) -> Sequence[Missed]:
    """Say each example by itself, as somebody who may ask for everything; in order."""
    from graph.compose import build_toolbox

    missed: list[Missed] = []
    examples = [(one.name, text) for one in pack.actions.values() for text in one.examples]
    with stream_settings([str(folder)], None) as settings:
        box = build_toolbox(settings)
        clock, roles = SystemClock(), ",".join(sorted(box.catalogue.roles))
        try:
            with stepping("saying the examples", len(examples)) as step:
                for action, text in examples:
                    event = Event(kind="message", text=text, user="author", role=roles or None)
                    event = event.at(clock.now())
                    said = routed_of(event, box.messages.read(event), box.classifier)
                    first = next((one.action for one in said.alternatives), None)
                    reached = None if said.verdict == "none" else said.action or first
                    if reached != action or said.missing_slots:
                        missed.append(Missed(action, text, reached, said.missing_slots))
                    step()
        finally:
            asyncio.run(box.database.close())
    return missed
