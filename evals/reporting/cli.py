"""`prefrontal evals page`: draw reports as one page for a browser."""

from pathlib import Path
from typing import Annotated

import typer

from graph.cli.terminal.console import note

EXAMPLE = "Example: prefrontal evals page reports/*.json --out reports/evals.html"


def page(
    reports: Annotated[
        list[Path], typer.Argument(metavar="REPORT.json...", help="Of `evals run --report`.")
    ],
    out: Annotated[Path, typer.Option(metavar="FILE.html")] = Path("evals.html"),
) -> None:
    """Lay reports of one run together and draw them; the page loads nothing from anywhere."""
    from evals.reporting.document import merged, read_report
    from evals.reporting.page import write_page

    write_page(merged(read_report(path) for path in reports), out)
    note(f"drawn: {out}")
