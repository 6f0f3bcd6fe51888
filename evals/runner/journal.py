"""`prefrontal evals journal`: measure the journal on our own cases or on files."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Literal, NamedTuple

import typer
from pydantic import JsonValue
from rich.table import Table

from api.cli.options import AsJson
from api.cli.terminal import OUT, print_json, print_note, printable
from evals.dataset import json_lines
from evals.journal import detection, search
from evals.journal.detection import Judged, Spoken
from evals.journal.search import Question, QuestionFilters
from evals.measures import CaseResult, Measure, Miss
from evals.options import CheckThresholds, Misses, ReportFile, app
from evals.runner.report import CheckedExperiment, Thresholds, finish, hold, read_thresholds
from graph.settings import Settings
from graph.wiring.models import build_encoder
from graph.wiring.thresholds import read_tuning
from state.errors import BadInput
from tools.adapters import Embedder
from tools.journal import Detector

JsonRows = list[dict[str, Any]]  # JSON objects
Figures = Mapping[str, Sequence[Measure]]
"""System to its figures, ours first."""


def print_figures(title: str, systems: Figures, bounds: Thresholds, *, as_json: bool) -> None:
    """Print one table: a line a figure, a column a system."""
    if as_json:
        dumped: dict[str, JsonValue] = {
            name: [measure.model_dump(mode="json") for measure in measures]
            for name, measures in systems.items()
        }
        print_json({"title": title, "figures": dumped})
        return
    table = Table(title=title, title_justify="left")
    table.add_column("figure")
    for name in systems:
        table.add_column(name, justify="right")
    for rows in zip(*systems.values(), strict=True):
        gate = f" (gate {bounds[rows[0].name]})" if rows[0].name in bounds else ""
        table.add_row(rows[0].name + gate, *(_cell(measure) for measure in rows))
    OUT.print(table)


def _cell(measure: Measure) -> str:
    if measure.value is None:
        return "–"
    digits = _digits(measure)
    is_known = measure.low is not None and measure.high is not None
    interval = f" [{measure.low:.{digits}f}, {measure.high:.{digits}f}]" if is_known else ""
    return f"{measure.value:.{digits}f}{interval} of {measure.n}"


def _digits(measure: Measure) -> int:
    """Show a rate of thousands of cases down to a single one."""
    return 5 if (measure.n or 0) >= 1_000 else 3


class Row(NamedTuple):
    """A case as a report has it."""

    text: str
    case: Spoken | Question
    is_right: bool
    kind: str = ""
    answered: str = ""


def held_rows(
    name: str, rows: Sequence[Row], measures: Sequence[Measure], gates: Thresholds
) -> CheckedExperiment:
    """Report cases of our own with their measures."""
    ids = [f"{name}-{number}" for number in range(1, len(rows) + 1)]
    cases = [
        CaseResult(
            case=case,
            unit=case,
            fingerprint=sha256(row.case.model_dump_json().encode()).hexdigest()[:8],
            scores={"right": float(row.is_right)},
            answered=row.answered,
            kind=row.kind,
        )
        for case, row in zip(ids, rows, strict=True)
    ]
    misses = [
        Miss(case=case, text=row.text, wrong={"right": f"{row.kind}: {row.answered}".strip(": ")})
        for case, row in zip(ids, rows, strict=True)
        if not row.is_right
    ]
    return hold(name, "journal", measures, gates, n=len(rows), misses=misses, cases=cases)


def _spoken_row(one: Judged) -> Row:
    speaker, text = one.case.lines[-1]
    said = f"{speaker}: {text}" if speaker else text
    heard = "decision" if one.is_decision else "no decision"
    return Row(said, one.case, one.is_decision == one.case.decides, one.case.kind, heard)


def _question_row(one: QuestionFilters) -> Row:
    kind = "technologies" if one.is_on_technologies else ""
    return Row(one.asked.q, one.asked, one.is_exact, kind)


_KINDS: Mapping[str, set[str]] = {
    "label": {"label"},
    "intent": {"text", "intent"},
    "gold": {"gold"},
    "relevant": {"relevant"},
    "new": {"new", "old"},
    "text": {"id", "path", "text"},
}
_OWN: tuple[tuple[Literal["cases", "styles"], str, str], ...] = (
    ("cases", "our conversations", "journal"),
    ("styles", "other manners of talk", "journal_styles"),
)


@app.command(epilog="Example: prefrontal evals journal minutes.jsonl --misses")
def journal(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FILE]...",
            help="Lines of JSON: minutes (context, text_plain, text_marked, label), requests "
            "(text, intent), discussions (messages, gold), records (id, path, text) with questions "
            "(query, relevant) or what replaced what (new, old). One that is absent is skipped. "
            "None: our own conversations.",
        ),
    ] = None,
    misses: Misses = False,
    as_json: AsJson = False,
    gates: CheckThresholds = True,
    report: ReportFile = None,
) -> None:
    """Count how well decisions are told from talk about them, against keywords and always no."""
    if files:
        _read_files(files, as_json=as_json, misses=misses)
    else:
        finish(_own(as_json=as_json, misses=misses, gates=gates), report)


def _own(*, as_json: bool, misses: bool, gates: bool) -> list[CheckedExperiment]:
    """Judge what ships: conversations, and questions that name filters."""
    held: list[CheckedExperiment] = []
    for part, title, dataset in _OWN:
        bounds = read_thresholds(dataset, detection.MEASURES) if gates else {}
        found, measures = _detection(
            title, detection.own_cases(part), bounds, as_json=as_json, misses=misses
        )
        held.append(held_rows(dataset, list(map(_spoken_row, found)), measures, bounds))
    bounds = read_thresholds("journal_questions", search.FILTER_MEASURES) if gates else {}
    asked = search.own_questions()
    read = search.filter_measures(asked)
    print_figures(
        f"{len(asked)} questions that name filters", {"ours": read}, bounds, as_json=as_json
    )
    for one in asked if misses else ():
        if not one.is_exact:
            OUT.print(f"  {printable(one.asked.q)}")
    rows = list(map(_question_row, asked))
    return [*held, held_rows("journal_questions", rows, read, bounds)]


def _read_files(files: list[Path], *, as_json: bool, misses: bool) -> None:
    given: dict[str, JsonRows] = {}
    for file in files:
        if not file.exists():
            print_note(f"skipped: there is no {file}")
            continue
        rows = _rows(file)
        kind = _kind(rows[0] if rows else {})
        if kind is None:
            raise BadInput(f"{file}: neither minutes, discussions, records nor questions")
        if kind in ("label", "intent"):
            for title, cases in _spoken(file, rows):
                _detection(title, cases, {}, as_json=as_json, misses=misses)
        elif kind == "gold":
            found = detection.extraction_measures(detection.extract_all(rows))
            print_figures(
                f"{file.name}, {len(rows)} discussions", {"ours": found}, {}, as_json=as_json
            )
        else:
            given[kind] = [*given.get(kind, ()), *rows]
    records = given.get("text", [])
    if bool(records) != bool(given.keys() - {"text"}):
        raise BadInput("records take a file of questions, or of what replaced what, beside them")
    if "relevant" in given:
        _searching(records, given["relevant"], as_json=as_json)
    if "new" in given:
        _succeeding(records, given["new"], as_json=as_json)


def _spoken(file: Path, rows: JsonRows) -> Iterator[tuple[str, list[detection.Spoken]]]:
    if "intent" in rows[0]:
        yield file.name, detection.requests(rows)
        return
    for text in ("text_plain", "text_marked"):
        yield f"{file.name}, {text}", detection.minutes(rows, text)


def _kind(first: Mapping[str, Any]) -> str | None:  # a JSON object
    """Name a file by the field that tells what its rows are."""
    return next((field for field, needed in _KINDS.items() if needed <= set(first)), None)


def _searching(records: JsonRows, questions: JsonRows, *, as_json: bool) -> None:
    bare, matters = search.described(records)
    sets = (
        (records, search.read_search_cases(questions), "questions about {} records"),
        (bare, matters, "matters that led to one of {} records, without their contexts"),
    )
    with _opened() as (encoder, folder, floor):
        for number, (rows, asked, title) in enumerate(sets):
            room = folder / str(number)
            room.mkdir()
            ranked, took = search.rankings(rows, asked, encoder, room, floor=floor)
            fusion = ranked.get(search.FUSION)
            systems = {
                name: search.search_measures(
                    found,
                    asked,
                    took if name == "ours" else (),
                    None if name == search.FUSION else fusion,
                )
                for name, found in ranked.items()
            }
            print_figures(f"{len(asked)} {title.format(len(rows))}", systems, {}, as_json=as_json)


def _succeeding(records: JsonRows, replaced: JsonRows, *, as_json: bool) -> None:
    with _opened() as (encoder, folder, floor):
        pairs = search.pairs(replaced)
        found = search.supersession_measures(records, pairs, encoder, folder, floor=floor)
    title = f"{len(replaced)} records that replace others, of {len(records)}"
    print_figures(title, {"ours": found}, {}, as_json=as_json)


@contextmanager
def _opened() -> Iterator[tuple[Embedder | None, Path, float]]:
    """Open the encoder and an empty folder; with the floor of similarity that is set."""
    settings = Settings()
    tuning = read_tuning(settings.policy_file)
    encoder = build_encoder(settings, tuning.encoder)
    with TemporaryDirectory(prefix="prefrontal-evals-") as folder:
        yield encoder, Path(folder), tuning.journal.similarity_floor
    if encoder is not None:
        encoder.close()


def _rows(file: Path) -> JsonRows:
    return [row for _place, row in json_lines(file)]


def _detection(
    title: str, cases: list[detection.Spoken], bounds: Thresholds, *, as_json: bool, misses: bool
) -> tuple[list[detection.Judged], tuple[Measure, ...]]:
    tuning = read_tuning(Settings().policy_file)
    found = list(detection.detect_all(cases, Detector(tuning.journal.detection_threshold)))
    ours = detection.detection_measures(found)
    rivals = {
        "keywords alone": detection.detection_measures(list(detection.by_keywords(cases))),
        "always no": detection.detection_measures(list(detection.never(cases))),
    }
    print_figures(title, {"ours": ours, **rivals}, bounds, as_json=as_json)
    for one in found if misses else ():
        if one.is_decision != one.case.decides:
            text = printable(one.case.lines[-1][1][:100])
            OUT.print(f"  {one.case.kind}: {one.confidence:.2f} {text!r}")
    return found, ours
