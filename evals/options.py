"""The command group `prefrontal evals`, and the options that several of its commands share."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    no_args_is_help=True,
    help="Judge the system on labelled cases.",
    epilog="Example: prefrontal evals run vessel_requests",
)

Datasets = Annotated[
    list[str] | None,
    typer.Argument(metavar="[DATASET]...", help="Names or files; none: all that ship."),
]
CheckThresholds = Annotated[
    bool, typer.Option("--gates/--no-gates", help="Exit with 1 past a bound of thresholds.toml.")
]
PackInstead = Annotated[
    str | None,
    typer.Option("--pack", metavar="NAME|PATH", help="A pack instead of the dataset's own."),
]
MutatedPack = Annotated[
    str, typer.Option("--pack", metavar="NAME|PATH", help="Whose commands are mutated.")
]
AtMost = Annotated[
    int | None, typer.Option(min=1, help="Messages at most, always the same; none: all.")
]
HeldOut = Annotated[bool, typer.Option("--held-out", help="The shapes that nothing was tuned on.")]
WordsOnly = Annotated[
    bool, typer.Option("--words-only", help="Without the encoder: several times as fast.")
]
Jobs = Annotated[int, typer.Option(min=1, max=64, help="Processes at once.")]
Misses = Annotated[bool, typer.Option("--misses", help="Show what was judged wrong.")]
ReportFile = Annotated[
    Path | None, typer.Option(metavar="FILE.json", help="Write it there, for `evals page`.")
]
