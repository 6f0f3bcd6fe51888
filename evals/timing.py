"""Scenes of a few minutes: when is one event of them told, if it is told at all?"""

from collections.abc import Mapping
from datetime import timedelta
from itertools import count
from typing import Any

from evals.inputs import SceneInputs
from evals.playground import Decided, Playground
from state.event import Event


class Timings:
    """Plays each scene in a session and on a day of its own, and looks when one event was told."""

    def __init__(self, playground: Playground) -> None:
        self._playground = playground
        self._numbers = count(1)

    async def answer(self, inputs: Mapping[str, Any]) -> dict[str, Any]:  # JSON of the case
        """Play a scene to its end; `told_at` is in seconds since its start."""
        scene = SceneInputs.model_validate(inputs)
        playground, number = self._playground, next(self._numbers)
        starts_at = playground.starts_at + timedelta(days=number)
        first: Decided | None = None
        for timed in scene.events:
            await playground.move_to(starts_at + timedelta(seconds=timed.at_seconds))
            decided = await playground.decide(_of_scene(timed.event, number))
            if timed.event.event_id == scene.judged:
                first = decided
            if timed.event.kind != "ambient":  # it may release what waits
                await playground.executive.resume_unfinished()
        await playground.move_to(playground.clock.now() + timedelta(seconds=scene.listen_seconds))
        if first is None:
            raise LookupError(f"the scene has no event {scene.judged}")
        trace = await playground.executive.decision(
            first.record.decision_id, first.record.tenant_id
        )
        record = trace.record
        told = record.spoke or record.reason.startswith("told_with:")
        after = (record.recorded_at - starts_at).total_seconds()
        return {
            "timing": first.record.timing,
            "told_at": round(after, 3) if told else None,
            "outcome": record.outcome,
            "reason": record.reason,
            "seconds": first.seconds,
            "models": [use.model_dump(mode="json") for use in record.models],
            "ran": [one.model_dump(mode="json", exclude={"action_id"}) for one in first.ran],
        }


def _of_scene(event: Event, number: int) -> Event:
    return event.model_copy(
        update={"session_id": f"scene-{number}", "event_id": f"{number}-{event.event_id}"}
    )
