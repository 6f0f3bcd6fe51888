"""The command `prefrontal evals journal`.

Measure the journal on our own cases or on files, as a table, JSON or a report.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Literal

import typer
from pydantic import JsonValue
from rich.table import Table

from api.cli.options import AsJson
from api.cli.terminal import OUT, print_error, print_json, print_note, printable
from evals.journal import detection, extraction
from evals.journal import extraction as modelled
from evals.journal import search as filtering
from evals.journal import search as searching
from evals.journal import supersession as succeeding
from evals.journal.detection import Judged
from evals.journal.search import QuestionFilters
from evals.runner.experiment import Experiment
from evals.runner.measures import CaseResult, Measure, Miss
from evals.runner.report import CheckedExperiment, report_of, write_report
from evals.runner.run import CheckThresholds, Misses, ReportFile
from evals.runner.thresholds import Thresholds, read_thresholds
from evals.runner.thresholds import case_count as counted
from graph.settings import Settings
from graph.wiring.models import build_encoder
from graph.wiring.thresholds import read_tuning
from state.errors import BadInput
from tools.journal.detection.detector import Detector

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


def detected(
    name: str, found: Sequence[Judged], measures: Sequence[Measure], gates: Thresholds
) -> CheckedExperiment:
    """Report conversations of which it was told whether a decision falls in them."""
    said = [_said(one) for one in found]
    asked = [one.case.model_dump_json() for one in found]
    right = [one.is_decision == one.case.decides for one in found]
    kinds = [one.case.kind for one in found]
    heard = ["decision" if one.is_decision else "no decision" for one in found]
    return _held(name, (said, asked, right, kinds, heard), measures, gates)


def filtered(
    name: str, read: Sequence[QuestionFilters], measures: Sequence[Measure], gates: Thresholds
) -> CheckedExperiment:
    """Report questions whose filters were read."""
    said = [one.asked.q for one in read]
    asked = [one.asked.model_dump_json() for one in read]
    right = [one.is_exact for one in read]
    kinds = ["technologies" if one.is_on_technologies else "" for one in read]
    return _held(name, (said, asked, right, kinds, [""] * len(said)), measures, gates)


def _held(
    name: str,
    columns: tuple[list[str], list[str], list[bool], list[str], list[str]],
    measures: Sequence[Measure],
    gates: Thresholds,
) -> CheckedExperiment:
    said, asked, right, kinds, heard = columns
    ids = [f"{name}-{number}" for number in range(1, len(said) + 1)]
    cases = tuple(
        CaseResult(
            case=case,
            unit=case,
            fingerprint=sha256(whole.encode()).hexdigest()[:8],
            scores={"right": float(is_right)},
            answered=answered,
            kind=kind,
        )
        for case, whole, is_right, kind, answered in zip(
            ids, asked, right, kinds, heard, strict=True
        )
    )
    misses = tuple(
        Miss(case=case, text=text, wrong={"right": f"{kind}: {answered}".strip(": ")})
        for case, text, is_right, kind, answered in zip(ids, said, right, kinds, heard, strict=True)
        if not is_right
    )
    experiment = Experiment(
        dataset=name,
        pack="journal",
        n=len(cases),
        measures=(counted(len(cases)), *measures),
        misses=misses,
        errors=(),
        cases=cases,
    )
    return CheckedExperiment(experiment=experiment, gates=gates)


def _said(one: Judged) -> str:
    speaker, text = one.case.lines[-1]
    return f"{speaker}: {text}" if speaker else text


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
    gates: CheckThresholds = True,
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
        print_error(failure)
    if failed:
        raise typer.Exit(1)


def _own(*, as_json: bool, misses: bool, gates: bool) -> list[CheckedExperiment]:
    """Judge what ships: conversations, and questions that name filters."""
    held: list[CheckedExperiment] = []
    for part, title, dataset in _OWN:
        bounds = read_thresholds(dataset, detection.MEASURES) if gates else {}
        found, measures = _detection(
            title, detection.own_cases(part), bounds, as_json=as_json, misses=misses
        )
        held.append(detected(dataset, found, measures, bounds))
    bounds = read_thresholds("journal_questions", filtering.FILTER_MEASURES) if gates else {}
    asked = filtering.own_questions()
    read = filtering.filter_measures(asked)
    print_figures(
        f"{len(asked)} questions that name filters", {"ours": read}, bounds, as_json=as_json
    )
    for one in asked if misses else ():
        if not one.is_exact:
            OUT.print(f"  {printable(one.asked.q)}")
    return [*held, filtered("journal_questions", asked, read, bounds)]


def _read_files(files: list[Path], *, as_json: bool, misses: bool) -> None:
    given: dict[str, list[dict[str, Any]]] = {}  # JSON objects
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
            found = extraction.figures(extraction.extract_all(rows))
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


def _modelled(files: list[Path], *, as_json: bool) -> None:
    rows = [row for file in files for row in _rows(file)]
    if not rows:
        raise BadInput("--with-model takes files of minutes or discussions")
    cases = modelled.read_labelled_talks(rows)
    tuning = read_tuning(Settings().policy_file)
    found = modelled.compare_with_models(cases, tuning.journal.detection_threshold)
    print_figures(f"{len(cases)} conversations, beside a model", found, {}, as_json=as_json)


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
        (records, searching.read_search_cases(questions), "questions about {} records"),
        (bare, matters, "matters that led to one of {} records, without their contexts"),
    )
    for rows, asked, title in sets:
        with TemporaryDirectory(prefix="prefrontal-evals-") as folder:
            ranked, took = searching.rankings(
                rows, asked, encoder, Path(folder), floor=tuning.journal.similarity_floor
            )
        fusion = ranked.get(searching.FUSION)
        systems = {
            name: searching.search_measures(
                found,
                asked,
                took if name == "ours" else (),
                None if name == searching.FUSION else fusion,
            )
            for name, found in ranked.items()
        }
        print_figures(f"{len(asked)} {title.format(len(rows))}", systems, {}, as_json=as_json)
    if encoder is not None:
        encoder.close()


def _succeeding(
    records: list[dict[str, Any]], replaced: list[dict[str, Any]], *, as_json: bool
) -> None:
    settings = Settings()
    tuning = read_tuning(settings.policy_file)
    encoder = build_encoder(settings, tuning.encoder)
    with TemporaryDirectory(prefix="prefrontal-evals-") as folder:
        found = succeeding.supersession_measures(
            records,
            succeeding.pairs(replaced),
            encoder,
            Path(folder),
            floor=tuning.journal.similarity_floor,
        )
    if encoder is not None:
        encoder.close()
    title = f"{len(replaced)} records that replace others, of {len(records)}"
    print_figures(title, {"ours": found}, {}, as_json=as_json)


def _rows(file: Path) -> list[dict[str, Any]]:  # JSON objects
    try:
        return [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{file}: not lines of JSON: {error}") from error


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
