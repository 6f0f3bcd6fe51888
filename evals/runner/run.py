"""`prefrontal evals run`: answer datasets in parallel processes and check the thresholds."""

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from functools import partial
from multiprocessing import get_all_start_methods, get_context
from pathlib import Path
from typing import Annotated

import typer

from api.cli.options import AsJson
from api.cli.terminal import configure_logs, print_note, step_progress
from evals.dataset import Dataset, find_datasets
from evals.evaluators.registry import EVALUATORS
from evals.options import CheckThresholds, Datasets, Jobs, PackInstead, app
from evals.runner.experiment import run_experiment
from evals.runner.report import (
    CheckedExperiment,
    finish,
    print_experiment,
    read_thresholds,
    report_of,
)
from graph.replay.harness import learned_cache
from state.strategy import StrategyName


def pool_of(jobs: int, module: str) -> ProcessPoolExecutor:
    """Open a pool of processes that do what a module has functions for.

    Each is forked from one that imported the module, for a second, and opened nothing: if it were
    forked from here, it would share what is open.
    """
    if "forkserver" not in get_all_start_methods():
        context = get_context("spawn")
        return ProcessPoolExecutor(jobs, context, _begin, (dict(os.environ),))
    server = get_context("forkserver")
    server.set_forkserver_preload([module])
    return ProcessPoolExecutor(jobs, server, _begin, (dict(os.environ),))


def _begin(environment: Mapping[str, str]) -> None:
    """Take the variables of now: the one that all are forked from has those of its own start."""
    os.environ.clear()
    os.environ.update(environment)
    configure_logs("warning")


def evaluate_each(
    datasets: Sequence[Dataset],
    learnt: Path,
    *,
    pack: str | None = None,
    settings: Mapping[str, str] | None = None,
    gates: bool = True,
    jobs: int = 1,
) -> Iterator[CheckedExperiment]:
    """Judge datasets, in their order; see `judged`.

    Args:
        jobs: processes at once. Several begin with the most cases, so that none ends long after
            the others.
    """
    judge = partial(evaluate, learnt=learnt, pack=pack, settings=settings, gates=gates)
    if jobs == 1 or len(datasets) < 2:
        yield from map(judge, datasets)
        return
    longest = sorted(range(len(datasets)), key=lambda place: -len(datasets[place].cases))
    with pool_of(min(jobs, len(datasets)), __name__) as pool:
        under_way = {place: pool.submit(judge, datasets[place], shows=False) for place in longest}
        try:
            for place, dataset in enumerate(datasets):
                with step_progress(dataset.name, 1):
                    held = under_way[place].result()
                yield held
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def evaluate(
    dataset: Dataset,
    learnt: Path,
    *,
    pack: str | None = None,
    settings: Mapping[str, str] | None = None,
    gates: bool = True,
    shows: bool = True,
) -> CheckedExperiment:
    """Answer and judge a dataset; see run_experiment for the other parameters.

    Args:
        gates: hold its figures to the bounds that are written for it.
        shows: tell progress on stderr.

    Raises:
        BadInput: a gate stands on what nobody measures.
    """
    floors = read_thresholds(dataset.name, EVALUATORS[dataset.header.target].names) if gates else {}
    bar = step_progress(dataset.name, len(dataset.cases)) if shows else nullcontext(lambda: None)
    with bar as told:
        experiment = run_experiment(dataset, pack=pack, learnt=learnt, told=told, given=settings)
    return CheckedExperiment(experiment=experiment, gates=floors)


@app.command(epilog="Example: prefrontal evals run speak_or_not --page evals.html")
def run(  # noqa: PLR0913, PLR0917  # every option is a parameter
    datasets: Datasets = None,
    as_json: AsJson = False,
    gates: CheckThresholds = True,
    pack: PackInstead = None,
    strategy: Annotated[
        StrategyName | None, typer.Option(help="How to decide what to say; none: as it is set.")
    ] = None,
    model: Annotated[
        str | None, typer.Option(metavar="NAME", help="Of the model server that is set.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE.json", help="Write all of it there, to compare.")
    ] = None,
    jobs: Jobs = 1,
    page: Annotated[
        Path | None, typer.Option(metavar="FILE.html", help="Draw it there, for a browser.")
    ] = None,
) -> None:
    """Answer every case with the real graph on a fresh folder, and judge the answers.

    Runs offline; with LANGSMITH_API_KEY the experiments are uploaded to LangSmith as well. Of a
    dataset whose name ends with _blind no text is shown, here or in a file.
    """
    from evals.runner.report_page import write_page

    named = {"pack": pack, "strategy": strategy, "model": model}
    given = {"decision_strategy": strategy, "model": model}
    settings = {name: str(value) for name, value in given.items() if value}
    held: list[CheckedExperiment] = []
    read = find_datasets(datasets or [])
    with learned_cache() as learnt:
        for one in evaluate_each(
            read, learnt, pack=pack, settings=settings, gates=gates, jobs=jobs
        ):
            held.append(one)
            print_experiment(one, as_json=as_json)
    if page is not None:
        write_page(report_of(held, named), page)
        print_note(f"drawn: {page}")
    finish(held, report, named)
