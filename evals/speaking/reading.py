"""Read labelled streams: one event a line, or one stream a line with its labels beside it."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from state.errors import BadInput
from state.event import Event, Instant
from state.noun import Noun
from tools.strict_json import read_json

STARTS_AT = datetime(2026, 6, 14, 9, tzinfo=UTC)
TEXTS = ("text", "context", "observation", "event")
STREAMS = ("stream", "trace", "session_id")
TIMES = ("occurred_at", "timestamp")


class Labelled(Noun):
    """An event, and whether people wanted a word at it."""

    case: str
    stream: str
    event: Event
    wanted: bool


class _Clock(Noun):
    at: Instant


def read_labelled(path: Path, labels: Path | None, *, step_seconds: float) -> tuple[Labelled, ...]:
    """Read a file of events with their labels, or of streams with a file of labels.

    Args:
        step_seconds: between the events of a stream that carry no time of their own.

    Raises:
        BadInput: a line cannot be read, or an event has no label.
    """
    known = _labels(labels) if labels else {}
    found: list[Labelled] = []
    for place, row in _rows(path):
        if isinstance(row.get("events"), list):
            found.extend(_of_stream(place, row, known, step_seconds))
        else:
            found.append(_alone(place, row, known, step_seconds, len(found)))
    if not found:
        raise BadInput(f"{path} holds no event")
    return tuple(found)


def _of_stream(
    place: str, row: Mapping[str, Any], known: Mapping[tuple[str, int], bool], step: float
) -> Iterator[Labelled]:
    stream = _named(row, STREAMS) or str(row.get("id", place))
    for number, event in enumerate(row["events"]):
        if not isinstance(event, dict):
            raise BadInput(f"{place}: event {number} is no JSON object")
        index = event.get("i", number)
        label = event.get("label", known.get((stream, index)))
        yield _labelled(f"{stream}#{index}", stream, event, label, number * step, place)


def _alone(
    place: str,
    row: Mapping[str, Any],
    known: Mapping[tuple[str, int], bool],
    step: float,
    number: int,
) -> Labelled:
    case = str(row.get("id", number))
    stream = _named(row, STREAMS)
    label = row.get("label", known.get((case, 0)))
    at = row.get("at_seconds")
    after = float(at) if isinstance(at, (int, float)) else number * step if stream else 0.0
    return _labelled(case, stream or case, row, label, after, place)


def _labelled(
    case: str, stream: str, row: Mapping[str, Any], label: object, after: float, place: str
) -> Labelled:
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
    return Labelled(case=case, stream=stream, event=event, wanted=bool(label))


def _instant(row: Mapping[str, Any], after: float) -> datetime:
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


def _named(row: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    for name in names:
        if isinstance(row.get(name), str) and row[name].strip():
            return str(row[name])
    return None


def _rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        if not line.strip():
            continue
        place = f"{path}:{number}"
        try:
            row = read_json(line)
        except BadInput as error:
            raise BadInput(f"{place}: {error}") from error
        if not isinstance(row, dict):
            raise BadInput(f"{place}: not a JSON object")
        yield place, row
