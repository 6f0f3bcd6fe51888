"""Play labelled streams through the whole graph, each in a session of its own."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from itertools import groupby

from pydantic import Field

from evals.playground import Playground, margin_of
from evals.speaking.reading import Labelled
from state.noun import Noun
from state.record import DecisionRecord

AFTER = timedelta(days=1)
"""So long after its last event a stream is listened to: nothing waits for longer."""


class Judged(Noun):
    """What became of a labelled event."""

    case: str
    stream: str
    text: str
    wanted: bool
    told: bool = Field(description="said at once, or after it had waited, alone or with others")
    at_once: bool
    margin: float = Field(description="relevance above the threshold; -1 for what is dull")
    reason: str


async def play(
    playground: Playground, cases: Sequence[Labelled], told: Callable[[], None]
) -> tuple[Judged, ...]:
    """Play the streams one after the other, each to the end of what it holds."""
    judged: list[Judged] = []
    for _stream, group in groupby(cases, key=lambda case: case.stream):
        judged.extend(await _play_one(playground, list(group), told))
    return tuple(judged)


async def _play_one(
    playground: Playground, cases: Sequence[Labelled], told: Callable[[], None]
) -> list[Judged]:
    first: dict[str, DecisionRecord] = {}
    last: datetime = playground.clock.now()
    for case in cases:
        last = case.event.occurred_at or last
        if last < playground.clock.now():
            playground.clock.move_to(last)  # another stream began earlier than this one ended
        await playground.move_to(last)
        first[case.case] = (await playground.decide(case.event)).record
        told()
    await playground.move_to(last + AFTER)
    return [await _judged(playground, case, first[case.case]) for case in cases]


async def _judged(playground: Playground, case: Labelled, first: DecisionRecord) -> Judged:
    trace = await playground.executive.decision(first.decision_id, first.tenant_id)
    record = trace.record
    return Judged(
        case=case.case,
        stream=case.stream,
        text=case.event.text,
        wanted=case.wanted,
        told=record.spoke or record.reason.startswith("told_with:"),
        at_once=first.spoke,
        margin=round(margin_of(first), 6),
        reason=record.reason,
    )
