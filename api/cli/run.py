"""`prefrontal run`: decide a stream of events."""

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from api.cli.options import AsJson, Packs, StreamDataDir, stream_settings
from api.cli.presentation import MARKS, decision_of
from api.cli.terminal import (
    OUT,
    Line,
    Source,
    print_error,
    print_json,
    print_note,
    progress,
    source_of,
)
from state.errors import AgentError, BadInput
from state.event import Event
from state.record import DecisionRecord
from tools.platform.clock import SystemClock, VirtualClock
from tools.platform.serialization import read_json, validated

if TYPE_CHECKING:
    from graph.settings import Settings


class ClockChoice(StrEnum):
    """The clock that decisions are made by."""

    REAL = "real"
    VIRTUAL = "virtual"


def run(
    events: Annotated[
        str,
        typer.Argument(
            metavar="EVENTS.jsonl|-", help="One JSON event a line; - is standard input."
        ),
    ],
    pack: Packs = None,
    clock: Annotated[
        ClockChoice,
        typer.Option(help="virtual: time is the events' occurred_at, and nothing waits."),
    ] = ClockChoice.VIRTUAL,
    as_json: AsJson = False,
    data_dir: StreamDataDir = None,
) -> None:
    """Decide events in order and show each decision.

    A line that cannot be read is reported and skipped, and the exit code is 1. A held decision is
    shown when it settles; an event_id used before shows its first decision again.
    """
    source = source_of(events)
    with stream_settings(pack, data_dir) as settings:
        played = asyncio.run(_run(source, settings, clock, as_json=as_json))
    if not as_json:
        OUT.print(_summary(played))
    if played.faults:
        print_error(f"{played.faults} of {played.lines} lines could not be used")
        raise typer.Exit(1)


@dataclass
class RunSummary:
    """What a run has come to."""

    lines: int = 0
    faults: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)


async def _run(
    source: Source, settings: "Settings", clock: ClockChoice, *, as_json: bool
) -> RunSummary:
    from api.cli.scenario import EventPlayer
    from graph.wiring.composition import open_executive

    played = RunSummary()

    def tell(event: Event, record: DecisionRecord) -> None:
        played.outcomes[record.outcome] += 1
        if as_json:
            print_json(record.model_dump(mode="json"))
        else:
            OUT.print(decision_of(event, record))

    moved = await _clock(source, clock)
    async with open_executive(settings, clock=moved or SystemClock()) as executive:
        player = EventPlayer(executive, moved, tell)
        with progress("deciding", source.total) as show:
            async with player.playing():
                async for line in source.lines():
                    played.lines += 1
                    try:
                        await player.play(event_of(line))
                    except BrokenPipeError:  # nobody reads us any more
                        raise
                    except Exception as error:  # noqa: BLE001 - one bad event stops no stream
                        played.faults += 1
                        print_error(f"{line.place}: {_said(error)}")
                    show(line.offset)
                if player.held and moved is None:
                    print_note(f"waiting for {player.held} held decision(s); Ctrl-C leaves them")
                await player.finish()
    return played


def event_of(line: Line) -> Event:
    """Read an event.

    Raises:
        BadInput: no JSON object, or not an event.
    """
    value = read_json(line.content())
    if not isinstance(value, dict):
        raise BadInput('an event is a JSON object, such as {"text": "Bilge level high"}')
    return validated(Event, value)


def _said(error: Exception) -> str:
    import structlog

    if isinstance(error, AgentError):
        return str(error)
    structlog.get_logger().error("event_failed", error=type(error).__name__, exc_info=error)
    return f"internal error: {type(error).__name__}; the log has the details"


async def _clock(source: Source, clock: ClockChoice) -> VirtualClock | None:
    if clock is ClockChoice.REAL:
        return None
    return VirtualClock(await _first_instant(source) or SystemClock().now())


async def _first_instant(source: Source) -> datetime | None:
    """Find when the stream begins; what comes through a pipe cannot be looked at twice."""
    if source.total is None:
        return None
    async for line in source.lines():
        try:
            instant = event_of(line).occurred_at
        except BadInput:
            continue
        if instant is not None:
            return instant
    return None


def _summary(played: RunSummary) -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    for outcome, (mark, style) in MARKS.items():
        if played.outcomes[outcome]:
            name = Text(f"{mark} {outcome.replace('_', ' ')}", style=style)
            table.add_row(name, str(played.outcomes[outcome]))
    table.add_row("  decisions", str(played.outcomes.total()))
    return table
