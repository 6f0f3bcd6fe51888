"""A comparison on the terminal: what differs, and the cases that flipped."""

from itertools import groupby

from rich.box import SIMPLE_HEAD
from rich.console import Group
from rich.table import Table
from rich.text import Text

from evals.comparing.pairs import Comparison, Flip, Paired

SURE = 0.05
"""Below this p a difference is told in colour."""


def told(comparison: Comparison) -> Group:
    """Draw what differs, a table a dataset, and each flipped case, the worse ones first."""
    differing = [one for one in comparison.pairs if one.better or one.worse]
    same = len(comparison.pairs) - len(differing)
    lines: list[Table | Text] = [Text(f"A  {comparison.before}\nB  {comparison.after}\n")]
    named = [*(one.dataset for one in differing), *(one.dataset for one in comparison.wholes)]
    for dataset in dict.fromkeys(named):
        lines.append(_table(comparison, dataset))
        lines += _flipped([one for one in comparison.flips if one.dataset == dataset])
    datasets = len({one.dataset for one in comparison.pairs})
    lines.append(
        Text(f"{same} of {len(comparison.pairs)} rates, on {datasets} datasets, are equal")
    )
    if comparison.unpaired:
        word = "cases are in one of them alone, or labelled anew"
        lines.append(Text(f"{comparison.unpaired} {word}"))
    return Group(*lines)


def _table(comparison: Comparison, dataset: str) -> Table:
    table = Table(
        title=dataset, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False
    )
    table.add_column("", no_wrap=True)
    for column in ("n", "A", "B", "B − A, 95 %", "+", "−", "p"):
        table.add_column(column, justify="right", no_wrap=True)
    for one in (each for each in comparison.pairs if each.dataset == dataset):
        if one.better or one.worse:
            table.add_row(*_row(one))
    for whole in (each for each in comparison.wholes if each.dataset == dataset):
        table.add_row(whole.measure, "", f"{whole.before:.4g}", f"{whole.after:.4g}")
    return table


def _row(one: Paired) -> tuple[str | Text, ...]:
    colour = "green" if one.better > one.worse else "red"
    within = f"{one.differs.low:+.3f} {one.differs.high:+.3f}" if one.differs else ""
    return (
        one.measure,
        str(one.n),
        f"{one.before:.3f}",
        f"{one.after:.3f}",
        within,
        str(one.better),
        str(one.worse),
        Text(f"{one.chance:.2g}", style=colour if one.chance < SURE else ""),
    )


def _flipped(flips: list[Flip]) -> list[Text]:
    ordered = sorted(flips, key=lambda one: (not one.is_worse, one.case))
    groups = groupby(ordered, key=lambda one: (one.is_worse, one.case))
    lines = [_line(case, list(several), is_worse=is_worse) for (is_worse, case), several in groups]
    return [*lines, Text("")]


def _line(case: str, flips: list[Flip], *, is_worse: bool) -> Text:
    word = Text("worse  " if is_worse else "better ", style="red" if is_worse else "green")
    names = ", ".join(one.measure for one in flips)
    before, after = flips[0].answered_before, flips[0].answered_after
    answers = f"  {before} → {after}" if before != after and before and after else ""
    return Text.assemble("  ", word, f"{case}  {names}", (answers, "dim"))
