"""The thresholds as this deployment has them: policy.toml, its settings, its packs."""

from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from state.errors import BadInput
from state.execution import ExecutionTuning, ReleasePhase
from state.tuning import Tuning
from tools.catalogue.catalogue import Catalogue
from tools.toml_file import read_toml, told_of

_SETTING = "EXECUTIVE_POLICY_FILE"


def read_tuning(path: Path) -> Tuning:
    """Read policy.toml.

    Raises:
        BadInput: it is missing, no TOML, or a threshold is unknown, missing or out of range.
    """
    try:
        return Tuning.model_validate(read_toml(path, _SETTING))
    except ValidationError as error:
        raise told_of(_SETTING, path, error) from error


def settled_tuning(path: Path, phase: ReleasePhase | None, catalogue: Catalogue) -> Tuning:
    """Read policy.toml for a catalogue, no freer than `phase`.

    Raises:
        BadInput: see read_tuning; or it speaks of an action that a loaded pack does not have.
    """
    tuning = read_tuning(path)
    strangers = "; ".join(_strangers(tuning.execution, catalogue))
    if strangers:
        raise BadInput(f"{path}: {strangers}")
    return tuning.model_copy(update={"execution": tuning.execution.no_freer_than(phase)})


def _strangers(tuning: ExecutionTuning, catalogue: Catalogue) -> Iterator[str]:
    for pack in catalogue.packs:
        overrides = tuning.packs.get(pack.name)
        for action in overrides.actions if overrides else ():
            if action not in pack.actions:
                yield f"execution.packs.{pack.name}.actions: the pack has no action {action!r}"
