"""`prefrontal evals journal`: decisions found, read and searched, on our cases or on files."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Literal

import typer

from evals.gates import Gates, read_gates
from evals.journal import (
    detection,
    extraction,
    filtering,
    modelled,
    searching,
    succeeding,
)
from evals.journal.reporting import detected, filtered
from evals.journal.tables import tell
from evals.measures import Measure
from evals.options import Gated, Misses, ReportFile
from evals.reporting.document import Held, report_of, write_report
from graph.assembly.encoding import build_encoder
from graph.assembly.thresholds import read_tuning
from graph.cli.options import AsJson
from graph.cli.terminal.console import OUT, complain, note, shown
from graph.settings import Settings
from state.errors import BadInput
from tools.journal.detecting.detector import Detector

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
    with_model: Annotated[
        bool,
        typer.Option(
            "--with-model",
            help="Import minutes and discussions with a model on loopback that knows the labels, "
            "that lies, that fails; the last fifth of the meetings.",
        ),
    ] = False,
    gates: Gated = True,
    report: ReportFile = None,
) -> None:
    """Count how well decisions are told from talk about them, against keywords and always no."""
    if with_model:
        _modelled(files or [], as_json=as_json)
        return
    if files:
        _read_files(files, as_json=as_json, misses=misses)
        return
    held = _own(as_json=as_json, misses=misses, gates=gates)
    if report is not None:
        write_report(report_of(held, {}), report)
    failed = [f"{one.experiment.dataset}: {each}" for one in held for each in one.failures]
    for failure in failed:
        complain(failure)
    if failed:
        raise typer.Exit(1)


def _own(*, as_json: bool, misses: bool, gates: bool) -> list[Held]:
    """Judge what ships: conversations, and questions that name filters."""
    held: list[Held] = []
    for part, title, dataset in _OWN:
        bounds = read_gates(dataset, detection.MEASURES) if gates else {}
        found, measures = _detection(
            title, detection.own_cases(part), bounds, as_json=as_json, misses=misses
        )
        held.append(detected(dataset, found, measures, bounds))
    bounds = read_gates("journal_questions", filtering.MEASURES) if gates else {}
    asked = filtering.own_questions()
    read = filtering.figures(asked)
    tell(f"{len(asked)} questions that name filters", {"ours": read}, bounds, as_json=as_json)
    for one in asked if misses else ():
        if not one.is_exact:
            OUT.print(f"  {shown(one.asked.q)}")
    return [*held, filtered("journal_questions", asked, read, bounds)]


def _read_files(files: list[Path], *, as_json: bool, misses: bool) -> None:
    given: dict[str, list[dict[str, Any]]] = {}  # JSON objects
    for file in files:
        if not file.exists():
            note(f"skipped: there is no {file}")
            continue
        rows = _rows(file)
        kind = _kind(rows[0] if rows else {})
        if kind is None:
            raise BadInput(f"{file}: neither minutes, discussions, records nor questions")
        if kind in ("label", "intent"):
            for title, cases in _spoken(file, rows):
                _detection(title, cases, {}, as_json=as_json, misses=misses)
        elif kind == "gold":
            found = extraction.figures(extraction.extracted(rows))
            tell(f"{file.name}, {len(rows)} discussions", {"ours": found}, {}, as_json=as_json)
        else:
            given[kind] = [*given.get(kind, ()), *rows]
    records = given.get("text", [])
    if bool(records) != bool(given.keys() - {"text"}):
        raise BadInput("records take a file of questions, or of what replaced what, beside them")
    if "relevant" in given:
        _searching(records, given["relevant"], as_json=as_json)
    if "new" in given:
        _succeeding(records, given["new"], as_json=as_json)


def _modelled(files: list[Path], *, as_json: bool) -> None:
    rows = [row for file in files for row in _rows(file)]
    if not rows:
        raise BadInput("--with-model takes files of minutes or discussions")
    cases = modelled.labelled(rows)
    tuning = read_tuning(Settings().policy_file)
    found = modelled.compared(cases, tuning.journal.detection_threshold)
    tell(f"{len(cases)} conversations, beside a model", found, {}, as_json=as_json)


def _spoken(
    file: Path,
    rows: list[dict[str, Any]],  # JSON objects
) -> Iterator[tuple[str, list[detection.Spoken]]]:
    if "intent" in rows[0]:
        yield file.name, detection.requests(rows)
        return
    for text in ("text_plain", "text_marked"):
        yield f"{file.name}, {text}", detection.minutes(rows, text)


def _kind(first: Mapping[str, Any]) -> str | None:  # a JSON object
    """Name a file by the field that tells what its rows are."""
    return next((field for field, needed in _KINDS.items() if needed <= set(first)), None)


def _searching(
    records: list[dict[str, Any]], questions: list[dict[str, Any]], *, as_json: bool
) -> None:
    settings = Settings()
    tuning = read_tuning(settings.policy_file)
    encoder = build_encoder(settings, tuning.encoder)
    bare, matters = searching.described(records)
    sets = (
        (records, searching.sought(questions), "questions about {} records"),
        (bare, matters, "matters that led to one of {} records, without their contexts"),
    )
    for rows, asked, title in sets:
        with TemporaryDirectory(prefix="prefrontal-evals-") as folder:
            ranked, took = searching.rankings(
                rows, asked, encoder, Path(folder), floor=tuning.journal.similarity_floor
            )
        fusion = ranked.get(searching.FUSION)
        systems = {
            name: searching.figures(
                found,
                asked,
                took if name == "ours" else (),
                None if name == searching.FUSION else fusion,
            )
            for name, found in ranked.items()
        }
        tell(f"{len(asked)} {title.format(len(rows))}", systems, {}, as_json=as_json)
    if encoder is not None:
        encoder.close()


def _succeeding(
    records: list[dict[str, Any]], replaced: list[dict[str, Any]], *, as_json: bool
) -> None:
    settings = Settings()
    tuning = read_tuning(settings.policy_file)
    encoder = build_encoder(settings, tuning.encoder)
    with TemporaryDirectory(prefix="prefrontal-evals-") as folder:
        found = succeeding.figures(
            records,
            succeeding.pairs(replaced),
            encoder,
            Path(folder),
            floor=tuning.journal.similarity_floor,
        )
    if encoder is not None:
        encoder.close()
    title = f"{len(replaced)} records that replace others, of {len(records)}"
    tell(title, {"ours": found}, {}, as_json=as_json)


def _rows(file: Path) -> list[dict[str, Any]]:  # JSON objects
    try:
        return [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{file}: not lines of JSON: {error}") from error


def _detection(
    title: str, cases: list[detection.Spoken], bounds: Gates, *, as_json: bool, misses: bool
) -> tuple[list[detection.Judged], tuple[Measure, ...]]:
    tuning = read_tuning(Settings().policy_file)
    found = list(detection.judged(cases, Detector(tuning.journal.detection_threshold)))
    ours = detection.figures(found)
    rivals = {
        "keywords alone": detection.figures(list(detection.by_keywords(cases))),
        "always no": detection.figures(list(detection.never(cases))),
    }
    tell(title, {"ours": ours, **rivals}, bounds, as_json=as_json)
    for one in found if misses else ():
        if one.is_decision != one.case.decides:
            text = shown(one.case.lines[-1][1][:100])
            OUT.print(f"  {one.case.kind}: {one.confidence:.2f} {text!r}")
    return found, ours
