"""A comparison on the terminal: what differs, and the cases that flipped."""

from collections import Counter
from itertools import groupby

from rich.console import Group
from rich.table import Table
from rich.text import Text

from evals.comparing.pairs import Comparison, Flip, Paired

SURE = 0.05
"""Below this p a difference is told in colour."""


def told(comparison: Comparison) -> Group:
    """Draw the measures that differ, and below them each flipped case, the worse ones first."""
    differing = [one for one in comparison.pairs if one.better or one.worse]
    same = len(comparison.pairs) - len(differing)
    paired = Counter(one.dataset for one in comparison.pairs)
    lines: list[Table | Text] = []
    if differing or comparison.wholes:
        lines.append(_table(comparison, differing))
    lines.append(
        Text(f"{same} of {len(comparison.pairs)} measures on {len(paired)} datasets are the same")
    )
    if comparison.unpaired:
        lines.append(
            Text(f"{comparison.unpaired} cases are in one of them alone, or labelled anew")
        )
    return Group(*lines, *_flipped(comparison))


def _table(comparison: Comparison, differing: list[Paired]) -> Table:
    table = Table(title=f"A {comparison.before}\nB {comparison.after}", title_justify="left")
    table.add_column("dataset")
    table.add_column("measure")
    for column in ("n", "A", "B", "B − A, 95 %", "better", "worse", "p"):
        table.add_column(column, justify="right")
    for one in differing:
        within = f" [{one.differs.low:+.3f}, {one.differs.high:+.3f}]" if one.differs else ""
        colour = "green" if one.better > one.worse else "red"
        table.add_row(
            one.dataset,
            one.measure,
            str(one.n),
            f"{one.before:.3f}",
            f"{one.after:.3f}",
            f"{one.after - one.before:+.3f}{within}",
            str(one.better),
            str(one.worse),
            Text(f"{one.chance:.3g}", style=colour if one.chance < SURE else ""),
        )
    for whole in comparison.wholes:
        change = f"{whole.after - whole.before:+.4g}"
        figures = (f"{whole.before:.4g}", f"{whole.after:.4g}", change)
        table.add_row(whole.dataset, whole.measure, "", *figures, "", "", "")
    return table


def _flipped(comparison: Comparison) -> list[Text]:
    lines: list[Text] = []
    ordered = sorted(comparison.flips, key=lambda one: (one.dataset, not one.is_worse, one.case))
    for dataset, flips in groupby(ordered, key=lambda one: one.dataset):
        lines.append(Text(f"\nflipped in {dataset}", style="bold"))
        for (is_worse, case), several in groupby(flips, key=lambda one: (one.is_worse, one.case)):
            lines.append(_line(case, list(several), is_worse=is_worse))
    return lines


def _line(case: str, flips: list[Flip], *, is_worse: bool) -> Text:
    word = Text("worse  " if is_worse else "better ", style="red" if is_worse else "green")
    names = ", ".join(one.measure for one in flips)
    before, after = flips[0].answered_before, flips[0].answered_after
    answers = f"  {before} → {after}" if before != after and before and after else ""
    return Text.assemble("  ", word, f"{case}  {names}", (answers, "dim"))
