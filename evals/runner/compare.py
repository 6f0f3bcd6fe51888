"""`prefrontal evals compare`: two reports, strategies or git revisions, or all strategies at once.

A git revision is measured in a worktree of its own.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, get_args

import typer
from rich.table import Table

from api.cli.options import AsJson
from api.cli.terminal import OUT, print_json, print_note, printable, progress, step_progress
from evals.evaluators.registry import EVALUATORS
from evals.runner import paired_comparison as pairs
from evals.runner import paired_comparison as telling
from evals.runner.datasets import Dataset, find_datasets, read_dataset
from evals.runner.experiment import Experiment
from evals.runner.measures import HARM, CaseResult, Interval, Measure
from evals.runner.report import CheckedExperiment, Report, git, read_report, report_of
from evals.runner.run import PackInstead, WordsOnly, evaluate
from evals.runner.strategy_comparison import (
    MEASURES,
    SCRIPTED,
    Figure,
    StrategyCase,
    StrategyFigures,
    answering_model,
    compare_strategies,
    on_dataset,
    on_household,
)
from graph.replay.harness import learned_cache
from graph.settings import Settings
from state.errors import BadInput
from state.strategy import StrategyName

STRATEGIES: tuple[StrategyName, ...] = get_args(StrategyName)


def report_of_side(
    side: str, datasets: Sequence[Path], *, pack: str | None, settings: Mapping[str, str]
) -> Report:
    """Read a report, or make one by running the datasets.

    Args:
        side: a file that `evals run --report` wrote, a strategy, or a revision that git knows.
        datasets: what is run; both sides answer these very files.
        settings: that lead a strategy to its model.

    Raises:
        BadInput: it is none of them, or the revision cannot answer.
    """
    if Path(side).is_file():
        return read_report(Path(side))
    read = [read_dataset(path) for path in datasets]
    if side in STRATEGIES:
        with learned_cache() as learnt:
            given = {**settings, "decision_strategy": side}
            held = [evaluate(one, learnt, pack=pack, settings=given, gates=False) for one in read]
        return report_of(held, {"strategy": side})
    commit = _commit(side)
    paths = [path.resolve() for path in datasets]
    with _checked_out(commit) as folder:
        return _answered(folder, paths, read, pack).model_copy(update={"revision": side})


def require_side(side: str) -> None:
    """Refuse what is no side, before minutes go into the other one.

    Raises:
        BadInput: it is no report that can be read, no strategy and no revision.
    """
    if Path(side).is_file():
        read_report(Path(side))
    elif side not in STRATEGIES:
        _commit(side)


def _commit(revision: str) -> str:
    try:
        return git("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    except (OSError, subprocess.CalledProcessError) as error:
        raise BadInput(
            f"{revision!r} is no report, no strategy ({', '.join(STRATEGIES)}) and no revision"
        ) from error


@contextmanager
def _checked_out(commit: str) -> Iterator[Path]:
    """Lay a commit out in a folder of its own, and take it away again."""
    with TemporaryDirectory(prefix="prefrontal-revision-") as parent:
        folder = Path(parent) / "tree"
        git("worktree", "add", "--detach", "--quiet", str(folder), commit)
        try:
            yield folder
        finally:
            git("worktree", "remove", "--force", str(folder))


def _answered(
    folder: Path, paths: Sequence[Path], read: Sequence[Dataset], pack: str | None
) -> Report:
    """Run the code of a folder with the libraries of this one.

    What it learns stays in its own folder: other code may learn otherwise from the same words.
    """
    out = folder.parent / "report.json"
    command = [sys.executable, "-m", "api.cli", "evals", "run", "--no-gates", *map(str, paths)]
    command += (
        ["--pack", str(Path(pack).resolve()) if Path(pack).exists() else pack] if pack else []
    )
    environment = {
        **os.environ,
        "PYTHONPATH": str(folder),
        "EXECUTIVE_CACHE_DIR": str(folder.parent / "learnt"),
    }

    def run(*more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(  # noqa: S603 - our own command line, of another revision
            [*command, *more],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    ran = run("--report", str(out))
    if out.is_file():
        return read_report(out)
    if "No such option" in ran.stderr:  # older than reports
        ran = run("--json")
        lines = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith("{")]
        if len(lines) == len(read):
            return report_of(map(from_misses, read, lines), {})
    raise BadInput(
        f"{folder.name} could not answer: {ran.stderr.strip()[-300:] or ran.stdout[-300:]}"
    )


def from_misses(
    dataset: Dataset, line: Mapping[str, Any]
) -> CheckedExperiment:  # one line of --json
    """Rebuild the scores of a revision that told its misses alone: all else was right.

    A case that a measure does not judge counts as right here; pairing leaves it out, as the
    other side has no score for it.
    """
    wrong = {one["case"]: one["wrong"] for one in line["misses"]}
    measures = [Measure.model_validate(_known(one)) for one in line["measures"]]
    names = [one.__name__ for one in EVALUATORS[dataset.header.target].of_a_case]
    taken = [name for name in names if any(one.name == name for one in measures)]
    cases = [
        CaseResult(
            case=case.id,
            unit=dataset.unit_of(case),
            fingerprint=case.fingerprint,
            scores={
                name: float((name in wrong.get(case.id, ())) == (name in HARM)) for name in taken
            },
            answered="",
        )
        for case in dataset.cases
    ]
    return CheckedExperiment(
        experiment=Experiment(
            dataset=dataset.name,
            pack=line["pack"],
            n=line["n"],
            is_blind=dataset.is_blind,
            measures=tuple(measures),
            misses=(),
            errors=tuple(line["errors"]),
            cases=tuple(cases),
        )
    )


def _known(measure: Mapping[str, Any]) -> dict[str, Any]:  # a line of JSON
    return {key: measure[key] for key in ("name", "value", "n", "low", "high") if key in measure}


EXAMPLE = "Example: prefrontal evals compare HEAD~20 HEAD --on vessel_requests"
_UNITS = {
    "right": "right",
    "calls": "calls of a model",
    "milliseconds": "ms",
    "tokens": "tokens",
    "cost": "cost of 1,000",
}
_OF = {"cost": 1_000}
"""Cases that a figure is told of where it would be too small to be read."""


def compare(
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[DATASET | A B]",
            help="Two sides, each a report (FILE.json), a strategy or a git revision; or a dataset "
            "to answer by all strategies; none: the household of `evals simulate`, likewise.",
        ),
    ] = None,
    on: Annotated[
        list[str] | None,
        typer.Option(metavar="DATASET", help="What both sides answer; none: all that ship."),
    ] = None,
    pack: PackInstead = None,
    events: Annotated[int, typer.Option(min=20, help="Of the household.")] = 400,
    seed: Annotated[int, typer.Option(help="Of the household.")] = 6,
    words_only: WordsOnly = False,
    as_json: AsJson = False,
) -> None:
    """Say what differs between two sides on the same cases, and which cases flipped.

    Of two sides each case is paired with itself: p is McNemar's exact test, the interval a paired
    bootstrap of whole units (streams hang together). A revision runs in a temporary worktree, with
    the libraries of this one. Of blind datasets only ids are told.

    One dataset, or none, is answered by each strategy: how many are right, and what that takes,
    with the model that is set (EXECUTIVE_MODEL), else with a scripted one on loopback. Time is by
    the wall clock; cost is that of 1,000 cases, by `prices` in policy.toml.
    """
    if len(what or ()) > 2:
        raise BadInput("compare takes two sides at most")
    if what and len(what) == 2:
        _sides(what[0], what[1], on or [], pack, as_json=as_json)
        return
    dataset = what[0] if what else None
    if dataset is None:
        who = "a scripted model on loopback, wrong in 8 of 100 answers"
        found = _household(events, seed, words_only=words_only)
    else:
        who, found = _dataset(dataset, pack)
    rows = compare_strategies(found)
    if as_json:
        for row in rows:
            print_json({"model": who, **row.model_dump(mode="json")})
        return
    OUT.print(_table(dataset or f"household, {events} events", rows))
    print_note(f"answered by {who}")
    if any(row.figures["tokens"].mean and not row.figures["cost"].mean for row in rows):
        print_note("tokens cost nothing here: `prices` under [strategy] in policy.toml is 0")


def _sides(first: str, second: str, on: list[str], pack: str | None, *, as_json: bool) -> None:
    datasets = find_datasets(on)
    for side in (first, second):
        require_side(side)
    with answering_model() as model:
        given = {name: str(value) for name, value in model.items()}
        before, after = (
            report_of_side(side, datasets, pack=pack, settings=given) for side in (first, second)
        )
    comparison = pairs.compare_reports(before, after)
    if as_json:
        print_json(comparison.model_dump(mode="json"))
    else:
        OUT.print(telling.render_comparison(comparison))


def _household(
    events: int, seed: int, *, words_only: bool
) -> dict[StrategyName, tuple[StrategyCase, ...]]:
    found: dict[StrategyName, tuple[StrategyCase, ...]] = {}
    with learned_cache() as learnt:
        for strategy in STRATEGIES:
            with progress(strategy, events) as show:
                found[strategy] = on_household(
                    events, seed, strategy, learnt=learnt, told=show, words_only=words_only
                )
    return found


def _dataset(
    name: str, pack: str | None
) -> tuple[str, dict[StrategyName, tuple[StrategyCase, ...]]]:
    """Answer a dataset by each strategy; tells as well who answered for the model."""
    (path,) = find_datasets([name])
    dataset = read_dataset(path)
    found: dict[StrategyName, tuple[StrategyCase, ...]] = {}
    with learned_cache() as learnt, answering_model() as model:
        for strategy in STRATEGIES:
            with step_progress(strategy, len(dataset.cases)) as told:
                found[strategy] = on_dataset(
                    dataset, strategy, model, pack=pack, learnt=learnt, told=told
                )
        return _who(model.get("model")), found


def _who(scripted: str | None) -> str:
    if scripted == SCRIPTED:
        return (
            "a scripted model on loopback that proposes nothing: what is right is what policy "
            "decides alone (set EXECUTIVE_MODEL to compare with yours)"
        )
    return f"{Settings().model} (EXECUTIVE_MODEL)"


def _table(title: str, rows: Sequence[StrategyFigures]) -> Table:
    table = Table(title=printable(f"{title} ({rows[0].cases} cases)"), title_justify="left")
    for column in ("strategy", "a case"):
        table.add_column(column, no_wrap=True)
    for column in ("mean", "95 %", "differs by", "95 %"):
        table.add_column(column, justify="right")
    for row in rows:
        for name in MEASURES:
            first = name == next(iter(MEASURES))
            table.add_row(
                row.strategy if first else "", _UNITS[name], *_told(name, row.figures[name])
            )
        table.add_section()
    return table


def _told(name: str, figure: Figure) -> tuple[str, str, str, str]:
    return (
        _number(name, figure.mean),
        _between(name, figure.interval),
        "" if figure.differs is None else _number(name, figure.differs, "+"),
        _between(name, figure.differs_interval, "+"),
    )


def _between(name: str, interval: Interval | None, sign: str = "") -> str:
    if interval is None:
        return ""
    return f"{_number(name, interval.low, sign)} – {_number(name, interval.high, sign)}"


def _number(name: str, value: float, sign: str = "") -> str:
    if not value:
        return "0"
    form = {"right": ".3f", "calls": ".2f", "cost": ".2f"}.get(name, ".0f")
    return f"{value * _OF.get(name, 1):{sign}{form}}"
