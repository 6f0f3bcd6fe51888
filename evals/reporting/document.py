"""A report: every experiment of a run with its gates, as one JSON file."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from evals.experiments import Experiment
from evals.gates import Gate
from evals.reporting.table import failures
from evals.revisions import revision
from state.errors import BadInput
from state.event import Instant
from state.noun import Noun


class Held(Noun):
    """An experiment, and what it is held to."""

    experiment: Experiment
    gates: Mapping[str, Gate] = Field(default_factory=dict)

    @property
    def failures(self) -> list[str]:
        """Say which bounds it is past, and what was not answered."""
        return failures(self.experiment, self.gates)


class Report(Noun):
    """What a run came to."""

    format: Literal[1] = 1
    made_at: Instant
    revision: str = Field(description="of the code, with + where files were changed; or unknown")
    settings: Mapping[str, str] = Field(default_factory=dict, description="that differ")
    held: tuple[Held, ...]

    @property
    def title(self) -> str:
        """Name it in a line: the revision, and what differs from the defaults."""
        return " ".join([self.revision, *(f"{key}={one}" for key, one in self.settings.items())])


def report_of(held: Iterable[Held], settings: Mapping[str, str | None]) -> Report:
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
