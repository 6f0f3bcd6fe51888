"""Compare two sides case by case: reports, strategies or git revisions.

Paired differences with intervals, McNemar's test and the flipped cases. A git revision is measured
in a worktree of its own.
"""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from math import comb
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import get_args

import numpy as np
from pydantic import Field
from rich.box import SIMPLE_HEAD
from rich.console import Group
from rich.table import Table
from rich.text import Text

from evals.dataset import Dataset
from evals.measures import HARM, CaseResult, Interval, mean_by_unit
from evals.runner.experiment import Experiment
from evals.runner.report import Report, git, read_report, report_of
from evals.runner.run import evaluate
from graph.replay.harness import learned_cache
from state.errors import BadInput
from state.noun import Noun
from state.strategy import StrategyName

STRATEGIES: tuple[StrategyName, ...] = get_args(StrategyName)


def report_of_side(
    side: str, datasets: Sequence[Dataset], *, pack: str | None, settings: Mapping[str, str]
) -> Report:
    """Read a report, or make one by running the datasets.

    Args:
        side: a file that `evals run --report` wrote, a strategy, or a revision that git knows.
        datasets: what is run; both sides answer these very cases.
        settings: that lead a strategy to its model.

    Raises:
        BadInput: it is none of them, or the revision cannot answer.
    """
    if Path(side).is_file():
        return read_report(Path(side))
    if side in STRATEGIES:
        given = {**settings, "decision_strategy": side}
        with learned_cache() as learnt:
            judge = partial(evaluate, learnt=learnt, pack=pack, settings=given, gates=False)
            return report_of(map(judge, datasets), {"strategy": side})
    commit = _commit(side)
    with TemporaryDirectory(prefix="prefrontal-revision-") as folder:
        tree = Path(folder) / "tree"
        git("worktree", "add", "--detach", "--quiet", str(tree), commit)
        try:
            return _answered(tree, datasets, pack).model_copy(update={"revision": side})
        finally:
            git("worktree", "remove", "--force", str(tree))


def require_side(side: str) -> None:
    """Refuse what is no side, before minutes go into the other one.

    Raises:
        BadInput: it is no report that can be read, no strategy and no revision.
    """
    if Path(side).is_file():
        read_report(Path(side))
    elif side not in STRATEGIES:
        _commit(side)


def _commit(revision: str) -> str:
    try:
        return git("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    except (OSError, subprocess.CalledProcessError) as error:
        raise BadInput(
            f"{revision!r} is no report, no strategy ({', '.join(STRATEGIES)}) and no revision"
        ) from error


def _answered(tree: Path, datasets: Sequence[Dataset], pack: str | None) -> Report:
    """Run the code of a tree with the libraries of this one.

    What it learns stays in its own folder: other code may learn otherwise from the same words.
    """
    out, files = tree.with_name("report.json"), []
    for dataset in datasets:
        files.append(tree.with_name(f"{dataset.name}.jsonl"))
        files[-1].write_text("\n".join(_lines(dataset)), "utf-8")
    command = [sys.executable, "-m", "api.cli", "evals", "run", "--no-gates", "--report", str(out)]
    if pack:
        command += ["--pack", str(Path(pack).resolve()) if Path(pack).exists() else pack]
    learnt = str(tree.with_name("learnt"))
    path = os.pathsep.join((str(tree), str(tree / "sdk")))
    ran = subprocess.run(  # noqa: S603 - our own command line, of another revision
        [*command, *map(str, files)],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": path, "EXECUTIVE_CACHE_DIR": learnt},
        capture_output=True,
        text=True,
        check=False,
    )
    if not out.is_file():
        raise BadInput(f"it could not answer: {ran.stderr.strip()[-300:] or ran.stdout[-300:]}")
    return read_report(out)


def _lines(dataset: Dataset) -> Iterator[str]:
    """Write a dataset as any revision reads it."""
    yield dataset.header.model_dump_json(exclude={"seen"})
    for case in dataset.cases:
        inputs = {key: value for key, value in case.inputs.items() if key != "before"}
        shown = (
            case
            if dataset.header.target != "streams"
            else case.model_copy(update={"inputs": inputs})
        )
        yield shown.model_dump_json()


class Flip(Noun):
    """A case whose score by one measure is another one in B."""

    dataset: str
    case: str
    measure: str
    before: float
    after: float
    answered_before: str
    answered_after: str

    @property
    def is_worse(self) -> bool:
        """Tell whether it went from right to wrong."""
        return (self.after > self.before) == (self.measure in HARM)


class Paired(Noun):
    """One measure on the cases that both judged."""

    dataset: str
    measure: str
    n: int
    before: float
    after: float
    better: int = Field(description="cases that only B has right")
    worse: int = Field(description="cases that only A has right")
    chance: float = Field(description="p of McNemar's exact test: so uneven if it were a coin")
    differs: Interval | None = Field(description="95 % of B minus A, by units")


class Whole(Noun):
    """A figure of a whole dataset that is another one in B, such as a count of harm."""

    dataset: str
    measure: str
    before: float
    after: float


class Comparison(Noun):
    """B beside A."""

    before: str
    after: str
    pairs: tuple[Paired, ...]
    wholes: tuple[Whole, ...]
    flips: tuple[Flip, ...]
    unpaired: int = Field(description="cases that only one has, or whose label is another one")


def compare_reports(before: Report, after: Report) -> Comparison:
    """Pair the cases of two reports by dataset, id and fingerprint, and judge what differs.

    Raises:
        BadInput: they share no case.
    """
    ours = {held.experiment.dataset: held.experiment for held in before.held}
    theirs = {held.experiment.dataset: held.experiment for held in after.held}
    pairs: list[Paired] = []
    wholes: list[Whole] = []
    flips: list[Flip] = []
    alone = sum(
        one.n for name, one in (ours | theirs).items() if not (name in ours and name in theirs)
    )
    for name in (one for one in ours if one in theirs):
        both = _both(ours[name], theirs[name])
        alone += len(ours[name].cases) + len(theirs[name].cases) - 2 * len(both)
        wholes.extend(_wholes(ours[name], theirs[name]))
        for measure in _measures(both):
            judged = [one for one in both if all(measure in each.scores for each in one)]
            pairs.append(_paired(name, measure, judged))
            flips.extend(_flips(name, measure, judged))
    if not pairs:
        raise BadInput(f"{before.title} and {after.title} share no case that both have judged")
    return Comparison(
        before=before.title,
        after=after.title,
        pairs=tuple(pairs),
        wholes=tuple(wholes),
        flips=tuple(flips),
        unpaired=alone,
    )


def mcnemar(better: int, worse: int) -> float:
    """Compute the exact two-sided p that flips go so unevenly both ways by chance.

    Source: Q. McNemar, Note on the sampling error of the difference between correlated
    proportions, Psychometrika 12 (1947); exact by the binomial.
    """
    n = better + worse
    tail = sum(comb(n, hits) for hits in range(min(better, worse) + 1))
    return float(min(1.0, 2 * tail / 2**n))


Both = tuple[CaseResult, CaseResult]
_SAME = 1e-9


def _both(before: Experiment, after: Experiment) -> list[Both]:
    known = {(one.case, one.fingerprint): one for one in after.cases}
    keys = [(one, (one.case, one.fingerprint)) for one in before.cases]
    return [(one, known[key]) for one, key in keys if key in known]


def _measures(both: Sequence[Both]) -> list[str]:
    return list(
        dict.fromkeys(name for one, other in both for name in one.scores if name in other.scores)
    )


def _wholes(before: Experiment, after: Experiment) -> Iterator[Whole]:
    """Name the figures that are no mean of cases, but for times, which are never the same."""
    known = {one.name: one.value for one in before.measures}
    per_case = {name for one in (*before.cases, *after.cases) for name in one.scores}
    for one in after.measures:
        was = known.get(one.name)
        if one.name in per_case or one.kind == "milliseconds" or was is None or one.value is None:
            continue
        if abs(one.value - was) > _SAME:
            yield Whole(dataset=after.dataset, measure=one.name, before=was, after=one.value)


def _paired(dataset: str, measure: str, judged: Sequence[Both]) -> Paired:
    before = np.array([one.scores[measure] for one, _other in judged])
    after = np.array([other.scores[measure] for _one, other in judged])
    change = after - before
    gained = -change if measure in HARM else change
    better, worse = int((gained > 0).sum()), int((gained < 0).sum())
    units = [one.unit for one, _other in judged]
    return Paired(
        dataset=dataset,
        measure=measure,
        n=len(judged),
        before=float(before.mean()),
        after=float(after.mean()),
        better=better,
        worse=worse,
        chance=mcnemar(better, worse),
        differs=mean_by_unit(change, units) if change.any() else None,
    )


def _flips(dataset: str, measure: str, judged: Sequence[Both]) -> Iterator[Flip]:
    for one, other in judged:
        if one.scores[measure] != other.scores[measure]:
            yield Flip(
                dataset=dataset,
                case=one.case,
                measure=measure,
                before=one.scores[measure],
                after=other.scores[measure],
                answered_before=one.answered,
                answered_after=other.answered,
            )


SURE = 0.05
"""Below this p a difference is told in colour."""


def render_comparison(comparison: Comparison) -> Group:
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
