"""What a side of a comparison is: a report, a strategy, or a git revision; and its report."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

from evals.dataset import Dataset, read_dataset
from evals.evaluators.by_target import EVALUATORS
from evals.experiments import Experiment
from evals.judging import judged
from evals.measures import HARM, CaseResult, Measure
from evals.playground import learnt_once
from evals.reporting.document import Held, Report, read_report, report_of
from evals.revisions import git
from state.errors import BadInput
from state.strategy import StrategyName

STRATEGIES: tuple[StrategyName, ...] = get_args(StrategyName)


def report_of_side(
    side: str, datasets: Sequence[Path], *, pack: str | None, settings: Mapping[str, str]
) -> Report:
    """Read a report, or make one by running the datasets.

    Args:
        side: a file that `evals run --report` wrote, a strategy, or a revision that git knows.
        datasets: what is run; both sides answer these very files.
        settings: that lead a strategy to its model.

    Raises:
        BadInput: it is none of them, or the revision cannot answer.
    """
    if Path(side).is_file():
        return read_report(Path(side))
    read = [read_dataset(path) for path in datasets]
    if side in STRATEGIES:
        with learnt_once() as learnt:
            given = {**settings, "decision_strategy": side}
            held = [judged(one, learnt, pack=pack, settings=given, gates=False) for one in read]
        return report_of(held, {"strategy": side})
    commit = _commit(side)
    paths = [path.resolve() for path in datasets]
    with _checked_out(commit) as folder:
        return _answered(folder, paths, read, pack).model_copy(update={"revision": side})


def demand_side(side: str) -> None:
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


@contextmanager
def _checked_out(commit: str) -> Iterator[Path]:
    """Lay a commit out in a folder of its own, and take it away again."""
    with TemporaryDirectory(prefix="prefrontal-revision-") as parent:
        folder = Path(parent) / "tree"
        git("worktree", "add", "--detach", "--quiet", str(folder), commit)
        try:
            yield folder
        finally:
            git("worktree", "remove", "--force", str(folder))


def _answered(
    folder: Path, paths: Sequence[Path], read: Sequence[Dataset], pack: str | None
) -> Report:
    """Run the code of a folder with the libraries of this one.

    What it learns stays in its own folder: other code may learn otherwise from the same words.
    """
    out = folder.parent / "report.json"
    command = [sys.executable, "-m", "graph.cli", "evals", "run", "--no-gates", *map(str, paths)]
    command += (
        ["--pack", str(Path(pack).resolve()) if Path(pack).exists() else pack] if pack else []
    )
    environment = {
        **os.environ,
        "PYTHONPATH": str(folder),
        "EXECUTIVE_CACHE_DIR": str(folder.parent / "learnt"),
    }

    def run(*more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(  # noqa: S603 - our own command line, of another revision
            [*command, *more],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    ran = run("--report", str(out))
    if out.is_file():
        return read_report(out)
    if "No such option" in ran.stderr:  # older than reports
        ran = run("--json")
        lines = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith("{")]
        if len(lines) == len(read):
            return report_of(map(from_misses, read, lines), {})
    raise BadInput(
        f"{folder.name} could not answer: {ran.stderr.strip()[-300:] or ran.stdout[-300:]}"
    )


def from_misses(dataset: Dataset, line: Mapping[str, Any]) -> Held:  # one line of --json
    """Rebuild the scores of a revision that told its misses alone: all else was right.

    A case that a measure does not judge counts as right here; pairing leaves it out, as the
    other side has no score for it.
    """
    wrong = {one["case"]: one["wrong"] for one in line["misses"]}
    measures = [Measure.model_validate(_known(one)) for one in line["measures"]]
    names = [one.__name__ for one in EVALUATORS[dataset.header.target].of_a_case]
    taken = [name for name in names if any(one.name == name for one in measures)]
    cases = [
        CaseResult(
            case=case.id,
            unit=dataset.unit_of(case),
            fingerprint=case.fingerprint,
            scores={
                name: float((name in wrong.get(case.id, ())) == (name in HARM)) for name in taken
            },
            answered="",
        )
        for case in dataset.cases
    ]
    return Held(
        experiment=Experiment(
            dataset=dataset.name,
            pack=line["pack"],
            n=line["n"],
            is_blind=dataset.is_blind,
            measures=tuple(measures),
            misses=(),
            errors=tuple(line["errors"]),
            cases=tuple(cases),
        )
    )


def _known(measure: Mapping[str, Any]) -> dict[str, Any]:  # a line of JSON
    return {key: measure[key] for key in ("name", "value", "n", "low", "high") if key in measure}
