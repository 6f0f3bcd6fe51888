"""Judge datasets, some at once, and tell of each as soon as it and those before it are done."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path

from evals.dataset import Dataset
from evals.evaluators.by_target import EVALUATORS
from evals.experiments import run_experiment
from evals.gates import read_gates
from evals.processes import pool_of
from evals.reporting.document import Held
from evals.reporting.table import row_of, table_of
from graph.cli.terminal.console import OUT, complain, print_json, stepping


def judged_each(
    datasets: Sequence[Dataset],
    learnt: Path,
    *,
    pack: str | None = None,
    settings: Mapping[str, str] | None = None,
    gates: bool = True,
    jobs: int = 1,
) -> Iterator[Held]:
    """Judge datasets, in their order; see `judged`.

    Args:
        jobs: processes at once. Several begin with the most cases, so that none ends long after
            the others.
    """
    judge = partial(judged, learnt=learnt, pack=pack, settings=settings, gates=gates)
    if jobs == 1 or len(datasets) < 2:
        yield from map(judge, datasets)
        return
    longest = sorted(range(len(datasets)), key=lambda place: -len(datasets[place].cases))
    with pool_of(min(jobs, len(datasets)), __name__) as pool:
        under_way = {place: pool.submit(judge, datasets[place], shows=False) for place in longest}
        try:
            for place, dataset in enumerate(datasets):
                with stepping(dataset.name, 1):
                    held = under_way[place].result()
                yield held
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def judged(
    dataset: Dataset,
    learnt: Path,
    *,
    pack: str | None = None,
    settings: Mapping[str, str] | None = None,
    gates: bool = True,
    shows: bool = True,
) -> Held:
    """Answer and judge a dataset; see run_experiment for the other parameters.

    Args:
        gates: hold its figures to the bounds that are written for it.
        shows: tell progress on stderr.

    Raises:
        BadInput: a gate stands on what nobody measures.
    """
    floors = read_gates(dataset.name, EVALUATORS[dataset.header.target].names) if gates else {}
    bar = stepping(dataset.name, len(dataset.cases)) if shows else nullcontext(lambda: None)
    with bar as told:
        experiment = run_experiment(dataset, pack=pack, learnt=learnt, told=told, given=settings)
    return Held(experiment=experiment, gates=floors)


def tell(held: Held, *, as_json: bool) -> None:
    """Print what came of it, and complain of every bound it is past."""
    if as_json:
        print_json(row_of(held.experiment, held.gates))
    else:
        OUT.print(table_of(held.experiment, held.gates))
    for failure in held.failures:
        complain(f"{held.experiment.dataset}: {failure}")
