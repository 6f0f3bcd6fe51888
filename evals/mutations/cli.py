"""`prefrontal evals mutations`: how often a command is acted on that nobody gave."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from rich.table import Table

from evals.gated import exit_past, print_measures
from evals.gates import Gates, read_gates
from evals.measures import Measure
from evals.mutations.figures import MEASURES, figures
from evals.mutations.judging import Bench, Tally, Verdict, judged, tallies
from evals.mutations.shapes import mutations, read_shapes, sample
from evals.options import AtMost, Gated, HeldOut, Misses, MutatedPack, WordsOnly
from graph.cli.options import AsJson
from graph.cli.terminal.console import OUT, complain, print_json, progress, shown

_MOST_SHOWN = 40
_SEED = 1


def mutate(
    pack: MutatedPack = "vessel",
    at_most: AtMost = None,
    words_only: WordsOnly = False,
    held_out: HeldOut = False,
    by_shape: Annotated[
        bool, typer.Option("--by-shape", help="One line a shape instead of one a kind.")
    ] = False,
    misses: Misses = False,
    as_json: AsJson = False,
    gates: Gated = True,
) -> None:
    """Say a pack's commands so that they ask for nothing, and count what would be done.

    Each command is denied, taken back, wondered about, told, quoted, supposed, pasted and more;
    what would run by itself or ask for a yes all the same is executable or ready.
    """
    with TemporaryDirectory(prefix="prefrontal-evals-") as folder:
        bench = Bench(pack, Path(folder), words_only=words_only)
        messages = list(
            mutations(
                bench.commands(),
                read_shapes(held_out=held_out),
                per_action=1,
                seed=_SEED,
            )
        )
        if at_most is not None:
            messages = sample(messages, at_most, seed=_SEED)
        if not messages:
            complain(f"{pack} has no example that begins with a verb")
            raise typer.Exit(1)
        with progress("routing", len(messages)) as show:
            verdicts = judged(bench, messages, told=show)
        bench.close()
    bounds = _bounds(pack) if gates and not held_out else {}
    measured = figures(verdicts)
    counted = tallies(verdicts, lambda shape: shape.template if by_shape else shape.kind)
    if as_json:
        print_json(
            {
                "pack": pack,
                "messages": len(verdicts),
                "measures": [measure.model_dump(mode="json") for measure in measured],
                "tallies": [tally.model_dump(mode="json") for tally in counted],
            }
        )
    else:
        _print(pack, counted, measured, bounds)
        if misses:
            _print_misses(verdicts)
    exit_past(bounds, measured)


def _bounds(pack: str) -> Gates:
    """Read the gates of this pack, or those of any pack."""
    own = read_gates(f"mutations_{Path(pack).name}", MEASURES)
    return own or read_gates("mutations", MEASURES)


def _print(pack: str, counted: list[Tally], measured: tuple[Measure, ...], bounds: Gates) -> None:
    total = sum(tally.messages for tally in counted)
    table = Table(title=f"{total} messages made of commands of {pack}", title_justify="left")
    table.add_column("said as")
    table.add_column("leaves")
    for column in ("messages", "executable or ready", "lost", "named"):
        table.add_column(column, justify="right")
    for tally in counted:
        is_asked = tally.leaves in ("keeps", "both")
        table.add_row(
            shown(tally.name),
            tally.leaves,
            str(tally.messages),
            _share(tally.harmful, tally.messages),
            _share(tally.lost, tally.messages) if is_asked else "",
            _share(tally.named, tally.messages) if is_asked else "",
        )
    OUT.print(table)
    print_measures(measured, bounds)


def _print_misses(verdicts: list[Verdict]) -> None:
    wrong = [one for one in verdicts if one.is_harmful or one.is_lost]
    for verdict in wrong[:_MOST_SHOWN]:
        what = "ready" if verdict.is_harmful else "lost"
        OUT.print(f"{what}: {shown(verdict.mutation.text)!r}")
        OUT.print(
            f"    {verdict.action or 'no action'} {verdict.confidence:.2f}"
            f" · class {verdict.execution_class} · {verdict.mood}"
        )
    if len(wrong) > _MOST_SHOWN:
        OUT.print(f"… and {len(wrong) - _MOST_SHOWN} more")


def _share(count: int, total: int) -> str:
    return f"{count / total:.2%}"
