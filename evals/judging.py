"""Judge datasets one after the other, and tell of each as soon as it is done."""

from collections.abc import Mapping
from pathlib import Path

from evals.dataset import Dataset
from evals.evaluators.by_target import EVALUATORS
from evals.experiments import run_experiment
from evals.gates import read_gates
from evals.reporting.document import Held
from evals.reporting.table import row_of, table_of
from graph.cli.terminal.console import OUT, complain, print_json, stepping


def judged(
    dataset: Dataset,
    learnt: Path,
    *,
    pack: str | None = None,
    settings: Mapping[str, str] | None = None,
    gates: bool = True,
) -> Held:
    """Answer and judge a dataset, with progress on stderr; see run_experiment for the parameters.

    Raises:
        BadInput: a gate stands on what nobody measures.
    """
    floors = read_gates(dataset.name, EVALUATORS[dataset.header.target].names) if gates else {}
    with stepping(dataset.name, len(dataset.cases)) as told:
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
