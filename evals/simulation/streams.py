"""The command `prefrontal evals speaking`.

Labelled event streams through the whole graph, each in a session of its own.

Measures balanced accuracy, AUC and false alarms beside always and never speaking.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import Field, ValidationError
from rich.table import Table

from api.cli.options import AsJson
from api.cli.terminal import OUT, print_json, printable, step_progress
from evals.dataset import json_lines
from evals.measures import Interval, roc_auc, wilson
from evals.options import Misses, WordsOnly, app
from graph.replay.harness import Harness, relevance_margin
from state.errors import BadInput
from state.event import Event, Instant
from state.noun import Noun
from state.record import DecisionRecord

STARTS_AT = datetime(2026, 6, 14, 9, tzinfo=UTC)
TEXTS = ("text", "context", "observation", "event")
STREAMS = ("stream", "trace", "session_id")
TIMES = ("occurred_at", "timestamp")
Row = Mapping[str, Any]
"""A JSON object."""


class LabelledEvent(Noun):
    """An event, and whether people wanted a word at it."""

    case: str
    stream: str
    event: Event
    wanted: bool


class _Clock(Noun):
    at: Instant


def read_labelled(
    path: Path, labels: Path | None, *, step_seconds: float
) -> tuple[LabelledEvent, ...]:
    """Read a file of events with their labels, or of streams with a file of labels.

    Args:
        step_seconds: between the events of a stream that carry no time of their own.

    Raises:
        BadInput: a line cannot be read, or an event has no label.
    """
    known = _labels(labels) if labels else {}
    found: list[LabelledEvent] = []
    for place, row in _rows(path):
        found.extend(_of_row(place, row, known, step_seconds, len(found)))
    if not found:
        raise BadInput(f"{path} holds no event")
    return tuple(found)


def _of_row(
    place: str, row: Row, known: Mapping[tuple[str, int], bool], step: float, number: int
) -> Iterator[LabelledEvent]:
    """Read a stream, or an event that may belong to one."""
    stream = _named(row, STREAMS)
    if not isinstance(row.get("events"), list):
        case, at = str(row.get("id", number)), row.get("at_seconds")
        after = float(at) if isinstance(at, (int, float)) else number * step if stream else 0.0
        label = row.get("label", known.get((case, 0)))
        yield _labelled(case, stream or case, row, label, after, place)
        return
    stream = stream or str(row.get("id", place))
    for count, event in enumerate(row["events"]):
        if not isinstance(event, dict):
            raise BadInput(f"{place}: event {count} is no JSON object")
        index = event.get("i", count)
        label = event.get("label", known.get((stream, index)))
        yield _labelled(f"{stream}#{index}", stream, event, label, count * step, place)


def _labelled(
    case: str, stream: str, row: Row, label: object, after: float, place: str
) -> LabelledEvent:
    if label not in (0, 1):
        raise BadInput(f"{place}: {case} has no label 0 or 1")
    text = _named(row, TEXTS)
    if text is None:
        raise BadInput(f"{place}: {case} has no text ({', '.join(TEXTS)})")
    try:
        event = Event.model_validate(
            {
                "event_id": f"case-{case}",
                "kind": "ambient",
                "source": row.get("source") or "surroundings",
                "text": text,
                "session_id": f"stream-{stream}",
                "salience": row.get("salience"),
                "occurred_at": _instant(row, after),
            }
        )
    except ValidationError as error:
        raise BadInput(f"{place}: {case}: {error.errors()[0]['msg']}") from error
    return LabelledEvent(case=case, stream=stream, event=event, wanted=bool(label))


def _instant(row: Row, after: float) -> datetime:
    for name in TIMES:
        if name in row:
            try:
                return _Clock(at=row[name]).at
            except ValidationError:
                break  # a time in words: the order is all that is known
    return STARTS_AT + timedelta(seconds=after)


def _labels(path: Path) -> dict[tuple[str, int], bool]:
    found: dict[tuple[str, int], bool] = {}
    for place, row in _rows(path):
        label = row.get("label")
        if label not in (0, 1):
            raise BadInput(f"{place}: no label 0 or 1")
        stream = _named(row, STREAMS) or str(row.get("id", ""))
        found[stream, int(row.get("i", 0))] = bool(label)
    return found


def _named(row: Row, names: tuple[str, ...]) -> str | None:
    for name in names:
        if isinstance(row.get(name), str) and row[name].strip():
            return str(row[name])
    return None


def _rows(path: Path) -> Iterator[tuple[str, Row]]:
    for place, row in json_lines(path):
        if not isinstance(row, dict):
            raise BadInput(f"{place}: not a JSON object")
        yield place, row


LISTENS_AFTER = timedelta(days=1)
"""So long after its last event a stream is listened to: nothing waits for longer."""


class JudgedEvent(Noun):
    """What became of a labelled event."""

    case: str
    stream: str
    text: str
    wanted: bool
    told: bool = Field(description="said at once, or after it had waited, alone or with others")
    at_once: bool
    margin: float = Field(description="relevance above the threshold; -1 for what is dull")
    reason: str


async def play_streams(
    cases: Sequence[LabelledEvent], pack: str, told: Callable[[], None], *, words_only: bool
) -> tuple[JudgedEvent, ...]:
    """Play the streams one after the other, each to the end of what it holds."""
    playground = Harness((pack,), STARTS_AT, settings=encoder_of(words_only))
    try:
        await playground.open()
        return tuple(
            [
                judged
                for _stream, group in groupby(cases, key=lambda case: case.stream)
                for judged in await _play_one(playground, list(group), told)
            ]
        )
    finally:
        await playground.close()


def encoder_of(words_only: bool) -> dict[str, str]:
    """Return the setting that leaves the encoder out, where it is left out."""
    return {"embedder": "none"} if words_only else {}


async def _play_one(
    playground: Harness, cases: Sequence[LabelledEvent], told: Callable[[], None]
) -> list[JudgedEvent]:
    first: dict[str, DecisionRecord] = {}
    last: datetime = playground.clock.now()
    for case in cases:
        last = case.event.occurred_at or last
        if last < playground.clock.now():
            playground.clock.move_to(last)  # another stream began earlier than this one ended
        await playground.move_to(last)
        first[case.case] = (await playground.decide(case.event)).record
        told()
    await playground.move_to(last + LISTENS_AFTER)
    return [await _judged(playground, case, first[case.case]) for case in cases]


async def _judged(playground: Harness, case: LabelledEvent, first: DecisionRecord) -> JudgedEvent:
    trace = await playground.executive.records.trace(first.decision_id, first.tenant_id)
    return JudgedEvent(
        case=case.case,
        stream=case.stream,
        text=case.event.text,
        wanted=case.wanted,
        told=trace.record.spoke or trace.record.reason.startswith("told_with:"),
        at_once=first.spoke,
        margin=round(relevance_margin(first), 6),
        reason=trace.record.reason,
    )


Speaks = Callable[[JudgedEvent], bool]


class Figures(Noun):
    """How well somebody chose when to speak."""

    who: str
    cases: int
    spoke: int
    balanced_accuracy: float = Field(description="mean of sensitivity and specificity")
    low: float = Field(description="95 %: the mean of both Wilson intervals")
    high: float
    sensitivity: float = Field(description="share of wanted words that were said")
    specificity: float = Field(description="share of unwanted words that were not")
    false_alarms: float = Field(description="unwanted words in 100 events")
    auc: float | None = Field(
        default=None, description="a wanted event is above an unwanted one; .5 is chance"
    )


def figures_of(judged: Sequence[JudgedEvent]) -> tuple[Figures, ...]:
    """Compute the figures of ours, and of whoever always or never speaks."""
    ours = _figures("prefrontal", judged, lambda one: one.told)
    return (
        ours.model_copy(update={"auc": auc(judged)}),
        _figures("always speaks", judged, lambda _one: True),
        _figures("never speaks", judged, lambda _one: False),
    )


def auc(judged: Sequence[JudgedEvent]) -> float | None:
    """Compute how well the margin ranks; None when all labels are the same."""
    wanted = [one.margin for one in judged if one.wanted]
    unwanted = [one.margin for one in judged if not one.wanted]
    return roc_auc(wanted, unwanted) if wanted and unwanted else None


def _figures(who: str, judged: Sequence[JudgedEvent], speaks: Speaks) -> Figures:
    wanted = [speaks(one) for one in judged if one.wanted]
    unwanted = [not speaks(one) for one in judged if not one.wanted]
    sides = [side for side in (wanted, unwanted) if side]
    intervals: list[Interval] = [wilson(sum(side), len(side)) for side in sides]
    return Figures(
        who=who,
        cases=len(judged),
        spoke=sum(map(speaks, judged)),
        balanced_accuracy=sum(sum(side) / len(side) for side in sides) / len(sides),
        low=sum(one.low for one in intervals) / len(sides),
        high=sum(one.high for one in intervals) / len(sides),
        sensitivity=sum(wanted) / len(wanted) if wanted else 0.0,
        specificity=sum(unwanted) / len(unwanted) if unwanted else 0.0,
        false_alarms=100 * unwanted.count(False) / len(judged),
    )


PLAIN = Path(__file__).parent / "plain"
_MOST_SHOWN = 40


@app.command(epilog="Example: prefrontal evals speaking streams.jsonl --labels labels.jsonl")
def speaking(
    stream: Annotated[
        Path,
        typer.Argument(
            metavar="FILE.jsonl",
            help="An event a line (text or context, label 0 or 1, perhaps stream, source, "
            "salience, occurred_at or at_seconds), or a stream a line (trace, events).",
        ),
    ],
    labels: Annotated[
        Path | None,
        typer.Option(metavar="FILE.jsonl", help="Labels of the streams: trace, i, label."),
    ] = None,
    pack: Annotated[
        str | None,
        typer.Option(metavar="NAME|PATH", help="Whose attention; default: no domain, at home."),
    ] = None,
    step: Annotated[
        float, typer.Option(min=0.001, help="Seconds between events without a time of theirs.")
    ] = 60.0,
    words_only: WordsOnly = False,
    by_stream: Annotated[bool, typer.Option("--by-stream", help="One line a stream.")] = False,
    misses: Misses = False,
    as_json: AsJson = False,
) -> None:
    """Play labelled streams through the graph and count words that were wanted and were not.

    Each stream, or each line without one, has a session of its own. What was told after a wait
    counts as told. Beside ours stand the figures of whoever always speaks, and of who never does.
    """
    cases = read_labelled(stream, labels, step_seconds=step)
    with step_progress("listening", len(cases)) as told:
        playing = play_streams(cases, pack or str(PLAIN), told, words_only=words_only)
        judged = asyncio.run(playing)
    found = figures_of(judged)
    if as_json:
        print_json(
            {
                "file": stream.name,
                "figures": [one.model_dump(mode="json") for one in found],
                "events": [one.model_dump(mode="json", exclude={"text"}) for one in judged],
            }
        )
        return
    OUT.print(_table(f"{len(judged)} events of {stream.name}", found))
    if by_stream:
        names = dict.fromkeys(one.stream for one in judged)
        rows = [figures_of([one for one in judged if one.stream == name])[0] for name in names]
        rows = [row.model_copy(update={"who": who}) for row, who in zip(rows, names, strict=True)]
        OUT.print(_table("by stream", rows))
    if misses:
        _show(judged)


def _table(title: str, rows: Sequence[Figures]) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column("")
    for column in ("balanced", "95 %", "wanted said", "unwanted not", "false of 100", "AUC", "n"):
        table.add_column(column, justify="right")
    for row in rows:
        table.add_row(
            printable(row.who),
            f"{row.balanced_accuracy:.3f}",
            f"{row.low:.3f} – {row.high:.3f}",
            f"{row.sensitivity:.3f}",
            f"{row.specificity:.3f}",
            f"{row.false_alarms:.1f}",
            "" if row.auc is None else f"{row.auc:.3f}",
            str(row.cases),
        )
    return table


def _show(judged: Sequence[JudgedEvent]) -> None:
    wrong = sorted((one for one in judged if one.told != one.wanted), key=lambda one: one.margin)
    for one in wrong[:_MOST_SHOWN]:
        what = "unwanted" if one.told else "missed"
        OUT.print(f"{what} {one.margin:+.2f} ({one.reason}): {printable(one.text[:120])}")
    if len(wrong) > _MOST_SHOWN:
        OUT.print(f"… and {len(wrong) - _MOST_SHOWN} more")
