"""`prefrontal evals run`: answer datasets, judge the answers, hold the figures to their gates."""

from pathlib import Path
from typing import Annotated

import typer

from evals.dataset import find_datasets, read_dataset
from evals.options import Gated, Jobs, PackInstead
from evals.playground import learnt_once
from graph.cli.options import AsJson
from graph.cli.terminal.console import note
from state.strategy import StrategyName

EXAMPLE = "Example: prefrontal evals run speak_or_not --page evals.html"


def run(  # noqa: PLR0913, PLR0917  # every option is a parameter
    datasets: Annotated[
        list[str] | None,
        typer.Argument(metavar="[DATASET]...", help="Names or files; none: all that ship."),
    ] = None,
    as_json: AsJson = False,
    gates: Gated = True,
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
    from evals.judging import judged_each, tell
    from evals.reporting.document import Held, report_of, write_report
    from evals.reporting.page import write_page

    given = {"decision_strategy": strategy, "model": model}
    settings = {name: str(value) for name, value in given.items() if value}
    held: list[Held] = []
    read = [read_dataset(path) for path in find_datasets(datasets or [])]
    with learnt_once() as learnt:
        for one in judged_each(read, learnt, pack=pack, settings=settings, gates=gates, jobs=jobs):
            held.append(one)
            tell(one, as_json=as_json)
    whole = report_of(held, {"pack": pack, "strategy": strategy, "model": model})
    if report is not None:
        write_report(whole, report)
    if page is not None:
        write_page(whole, page)
        note(f"drawn: {page}")
    if any(one.failures for one in held):
        raise typer.Exit(1)
