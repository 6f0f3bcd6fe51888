"""`prefrontal evals`: run datasets and hold the figures to their gates."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from evals.comparing.cli import EXAMPLE as COMPARED
from evals.comparing.cli import compare
from evals.dataset import Dataset, find_datasets, read_dataset
from evals.journal.cli import journal
from evals.labelled.cli import EXAMPLE, labelled
from evals.mutations.acting_cli import act_out
from evals.mutations.cli import mutate
from evals.playground import learnt_once
from evals.replay.cli import replay
from evals.simulation.cli import EXAMPLE as SIMULATED
from evals.simulation.cli import simulate
from evals.speaking.cli import speaking
from evals.wishes.cli import EXAMPLE as EXAMPLE_OF_WISHES
from evals.wishes.cli import wishes
from graph.cli.console import OUT, complain, print_json

app = typer.Typer(
    no_args_is_help=True,
    help="Judge the system on labelled cases.",
    epilog="Example: prefrontal evals run vessel_requests",
)


app.command("replay", epilog="Example: prefrontal evals replay vessel --show")(replay)
app.command("labelled", epilog=EXAMPLE)(labelled)
app.command("wishes", epilog=EXAMPLE_OF_WISHES)(wishes)
app.command("journal", epilog="Example: prefrontal evals journal minutes.jsonl --misses")(journal)
app.command("mutations", epilog="Example: prefrontal evals mutations --pack vessel --by-shape")(
    mutate
)
app.command("acted", epilog="Example: prefrontal evals acted --pack vessel --shard 1/2")(act_out)
app.command(
    "speaking", epilog="Example: prefrontal evals speaking streams.jsonl --labels labels.jsonl"
)(speaking)
app.command("simulate", epilog=SIMULATED)(simulate)
app.command("compare", epilog=COMPARED)(compare)


@app.command(epilog="Example: prefrontal evals run speak_or_not --json")
def run(
    datasets: Annotated[
        list[str] | None,
        typer.Argument(metavar="[DATASET]...", help="Names or files; none: all that ship."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON, one object a dataset and line.")
    ] = False,
    gates: Annotated[
        bool, typer.Option("--gates/--no-gates", help="Exit with 1 below a floor of gates.toml.")
    ] = True,
    pack: Annotated[
        str | None,
        typer.Option(metavar="NAME|PATH", help="A pack to judge instead of the dataset's own."),
    ] = None,
) -> None:
    """Answer every case with the real graph on a fresh folder, and judge the answers.

    Runs offline; with LANGSMITH_API_KEY the experiments are uploaded to LangSmith as well.
    """
    read = [read_dataset(path) for path in find_datasets(datasets or [])]
    with learnt_once() as learnt:
        held = [_judge(one, pack, learnt, as_json=as_json, gates=gates) for one in read]
    if not all(held):
        raise typer.Exit(1)


def _judge(dataset: Dataset, pack: str | None, learnt: Path, *, as_json: bool, gates: bool) -> bool:
    from evals.experiments import EVALUATORS, run_experiment
    from evals.gates import read_gates
    from evals.report import failures, report, row_of

    floors = read_gates(dataset.name, EVALUATORS[dataset.header.target].names) if gates else {}
    with _progress(dataset) as told:
        experiment = run_experiment(dataset, pack=pack, learnt=learnt, told=told)
    if as_json:
        print_json(row_of(experiment, floors))
    else:
        OUT.print(report(experiment, floors))
    failed = failures(experiment, floors)
    for failure in failed:
        complain(f"{dataset.name}: {failure}")
    return not failed


@contextmanager
def _progress(dataset: Dataset) -> Iterator[Callable[[], None]]:
    """Show on a terminal how far it is; yields what counts one case as done."""
    console = Console(file=sys.stderr)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(dataset.name, total=len(dataset.cases))
        yield lambda: bar.advance(task)
