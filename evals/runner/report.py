"""Reports: experiments held to the thresholds of thresholds.toml, as one JSON file or as a table.

A threshold is the least or most that a measure may be. A report names the git revision that it was
measured at.
"""

import subprocess
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Literal

import typer
from pydantic import ConfigDict, Field, JsonValue, TypeAdapter, ValidationError, model_validator
from rich.console import Group
from rich.table import Table
from rich.text import Text

from api.cli.terminal import OUT, print_error, print_json
from evals.measures import (
    CASES,
    CaseResult,
    Measure,
    Miss,
    case_count,
    half_of_interval_seen,
)
from evals.runner.experiment import Experiment
from state.errors import BadInput
from state.event import Instant
from state.noun import Noun

_ROOT = Path(__file__).parents[2]
THRESHOLDS = _ROOT / "evals" / "thresholds.toml"


class Threshold(Noun):
    """A bound on one measure."""

    at_least: float | None = None
    at_most: float | None = None

    @model_validator(mode="after")
    def _bounds_something(self) -> "Threshold":
        if self.at_least is None and self.at_most is None:
            raise ValueError("a gate needs at_least or at_most")
        if self.at_least is not None and self.at_most is not None and self.at_least > self.at_most:
            raise ValueError(f"nothing is at least {self.at_least:g} and at most {self.at_most:g}")
        return self

    def holds(self, measure: Measure) -> bool:
        """Tell whether a measure passes; one without a value passes nothing."""
        if measure.value is None:
            return False
        low_enough = self.at_most is None or measure.value <= self.at_most
        return low_enough and (self.at_least is None or measure.value >= self.at_least)

    def __str__(self) -> str:
        bounds = (("≥", self.at_least), ("≤", self.at_most))
        return " ".join(f"{sign} {bound:g}" for sign, bound in bounds if bound is not None)


Thresholds = Mapping[str, Threshold]
"""Measure to gate."""


_FILE = TypeAdapter(dict[str, dict[str, Threshold]], config=ConfigDict(extra="forbid"))


def read_thresholds(dataset: str, measures: tuple[str, ...], path: Path = THRESHOLDS) -> Thresholds:
    """Read the gates of a dataset; one that has none passes whatever comes out.

    Raises:
        BadInput: the file cannot be read, or a gate is on a measure that nobody takes.
    """
    try:
        gates = _FILE.validate_python(tomllib.loads(path.read_text("utf-8"))).get(dataset, {})
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, ValidationError) as error:
        raise BadInput(f"{path}: {error}") from error
    unknown = sorted(set(gates) - {CASES, *measures})
    if unknown:
        raise BadInput(f"{path}: [{dataset}] has gates on unknown measures: {', '.join(unknown)}")
    return gates


def git(*arguments: str) -> str:
    """Ask git about the folder that this code stands in.

    Raises:
        OSError, subprocess.CalledProcessError: there is no git, it is no repository, or it says no.
    """
    command = ["git", "-C", str(_ROOT), *arguments]
    ran = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603 - git
    return ran.stdout.strip()


def revision() -> str:
    """Name the commit that this code stands at; a file changed since adds a plus."""
    try:
        head = git("rev-parse", "--short=10", "HEAD")
        return f"{head}+" if git("status", "--porcelain", "--untracked-files=no") else head
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def table_of(experiment: Experiment, gates: Thresholds) -> Group:
    """Draw the table, and below it every case that was judged wrong."""
    table = Table(
        title=f"{experiment.dataset} ({experiment.n} cases, pack {experiment.pack})",
        title_justify="left",
    )
    table.add_column(
        "measure", no_wrap=True, min_width=max(len(one.name) for one in experiment.measures)
    )
    for column in ("value", "n", "95 % interval", "seen from", "gate"):
        table.add_column(column, justify="right")
    table.add_column("")
    for measure in experiment.measures:
        gate = gates.get(measure.name)
        holds = "" if gate is None else "holds" if gate.holds(measure) else "FAILS"
        table.add_row(
            measure.name,
            value_of(measure),
            str(measure.n),
            interval_of(measure),
            seen_of(measure),
            str(gate or ""),
            Text(holds, style="red" if holds == "FAILS" else "green"),
        )
    return Group(table, *_wrong(experiment))


def row_of(experiment: Experiment, gates: Thresholds) -> dict[str, JsonValue]:
    """Make the one object that `--json` prints."""
    return {
        **experiment.model_dump(mode="json", exclude={"measures"}),
        "measures": [
            {
                **measure.model_dump(mode="json"),
                "gate": gates[measure.name].model_dump(exclude_none=True)
                if measure.name in gates
                else None,
                "holds": gates[measure.name].holds(measure) if measure.name in gates else None,
            }
            for measure in experiment.measures
        ],
        "passed": not failures(experiment, gates),
    }


def failures(experiment: Experiment, gates: Thresholds) -> list[str]:
    """Say what failed: a floor, or a case that could not be answered at all."""
    measures = {measure.name: measure for measure in experiment.measures}
    return [
        *(
            f"{name} is {value_of(measures[name])}, must be {gate}"
            for name, gate in gates.items()
            if not gate.holds(measures[name])
        ),
        *(f"no answer to {error}" for error in experiment.errors),
    ]


def value_of(measure: Measure) -> str:
    """Write a figure as its kind is read."""
    if measure.value is None:
        return "not measured"
    if measure.kind in ("milliseconds", "number"):
        return f"{measure.value:.1f}"
    is_rate = measure.kind == "rate" and measure.low is not None
    return f"{measure.value:.3f}" if is_rate else f"{measure.value:g}"


def interval_of(measure: Measure) -> str:
    """Write its interval, if it has one."""
    if measure.low is None or measure.high is None:
        return ""
    form = {"rate": ".3f", "cost": "g"}.get(measure.kind, ".1f")
    return f"{measure.low:{form}} – {measure.high:{form}}"


def seen_of(measure: Measure) -> str:
    """Write how much a rate has to change so that a comparison on these cases shows it."""
    if measure.kind != "rate" or measure.value is None:
        return ""
    points = half_of_interval_seen(measure.n)
    return "" if points is None else f"± {points:.3f}"


def _wrong(experiment: Experiment) -> list[Text]:
    lines = []
    for miss in experiment.misses:
        lines.append(Text(f"{miss.case}  {miss.text}", style="bold"))
        lines += [Text(f"    {name}: {comment}") for name, comment in miss.wrong.items()]
    return [Text(""), Text("Judged wrong:"), *lines] if lines else []


class CheckedExperiment(Noun):
    """An experiment, and what it is held to."""

    experiment: Experiment
    gates: Mapping[str, Threshold] = Field(default_factory=dict)

    @property
    def failures(self) -> list[str]:
        """Say which bounds it is past, and what was not answered."""
        return failures(self.experiment, self.gates)


def hold(
    dataset: str,
    pack: str,
    measures: Sequence[Measure],
    gates: Thresholds,
    *,
    n: int,
    misses: Iterable[Miss] = (),
    cases: Iterable[CaseResult] = (),
) -> CheckedExperiment:
    """Hold measures that were taken outside the dataset runner to their thresholds."""
    experiment = Experiment(
        dataset=dataset,
        pack=pack,
        n=n,
        measures=(case_count(n), *measures),
        misses=tuple(misses),
        errors=(),
        cases=tuple(cases),
    )
    return CheckedExperiment(experiment=experiment, gates=gates)


def print_experiment(held: CheckedExperiment, *, as_json: bool) -> None:
    """Print an experiment as a table, or as one line of JSON."""
    if as_json:
        print_json(row_of(held.experiment, held.gates))
    else:
        OUT.print(table_of(held.experiment, held.gates))


def finish(
    held: Sequence[CheckedExperiment],
    report: Path | None = None,
    settings: Mapping[str, str | None] = MappingProxyType({}),
) -> None:
    """Write a report where one is wanted, and name every failure.

    Raises:
        typer.Exit: with 1, where something failed.
    """
    if report is not None:
        write_report(report_of(held, settings), report)
    failed = [f"{one.experiment.dataset}: {each}" for one in held for each in one.failures]
    for failure in failed:
        print_error(failure)
    if failed:
        raise typer.Exit(1)


class Report(Noun):
    """What a run came to."""

    format: Literal[1] = 1
    made_at: Instant
    revision: str = Field(description="of the code, with + where files were changed; or unknown")
    settings: Mapping[str, str] = Field(default_factory=dict, description="that differ")
    held: tuple[CheckedExperiment, ...]

    @property
    def title(self) -> str:
        """Name it in a line: the revision, and what differs from the defaults."""
        return " ".join([self.revision, *(f"{key}={one}" for key, one in self.settings.items())])


def report_of(held: Iterable[CheckedExperiment], settings: Mapping[str, str | None]) -> Report:
    """Put a report together, as of now; a setting of null was not given."""
    return Report(
        made_at=datetime.now(UTC).replace(microsecond=0),
        revision=revision(),
        settings={name: value for name, value in settings.items() if value},
        held=tuple(held),
    )


def write_report(report: Report, path: Path) -> None:
    """Write a report; the folder is made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(report.model_dump_json(indent=1) + "\n", "utf-8")


def read_report(path: Path) -> Report:
    """Read a report.

    Raises:
        BadInput: the file cannot be read, or is none.
    """
    try:
        return Report.model_validate_json(path.read_bytes())
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror}") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise BadInput(f"{path} is no report of evals: {where}: {first['msg']}") from error


def merged(reports: Iterable[Report]) -> Report:
    """Lay reports of one run together; the newest moment counts, and each revision is named."""
    several = list(reports)
    return Report(
        made_at=max(one.made_at for one in several),
        revision=" and ".join(dict.fromkeys(one.revision for one in several)),
        settings={key: value for one in several for key, value in one.settings.items()},
        held=tuple(held for one in several for held in one.held),
    )
