"""Read the thresholds of a deployment from policy.toml, its settings and its packs."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from pydantic import ValidationError

from state.errors import BadInput
from state.execution import ReleasePhase
from state.tuning import Tuning
from tools.catalog import Catalogue
from tools.platform.serialization import parse_toml, read_toml_text, toml_error

_SETTING = "EXECUTIVE_POLICY_FILE"
_REMEMBERED = 4
"""Texts whose thresholds are kept: a start asks for the same ones in several places."""


def read_tuning(path: Path) -> Tuning:
    """Read policy.toml.

    Raises:
        BadInput: it is missing, no TOML, or a threshold is unknown, missing or out of range.
    """
    return _tuning_of(read_toml_text(path, _SETTING), path)


def resolve_tuning(path: Path, phase: ReleasePhase | None, catalogue: Catalogue) -> Tuning:
    """Read policy.toml for a catalogue, no freer than `phase`.

    Raises:
        BadInput: see read_tuning; or it speaks of an action that a loaded pack does not have.
    """
    tuning = read_tuning(path)
    strangers = "; ".join(_strangers(tuning, catalogue))
    if strangers:
        raise BadInput(f"{path}: {strangers}")
    return tuning.model_copy(update={"execution": tuning.execution.no_freer_than(phase)})


@lru_cache(maxsize=_REMEMBERED)
def _tuning_of(text: str, path: Path) -> Tuning:
    try:
        return Tuning.model_validate(parse_toml(text, path, _SETTING))
    except ValidationError as error:
        raise toml_error(_SETTING, path, error) from error


def _strangers(tuning: Tuning, catalogue: Catalogue) -> Iterator[str]:
    for pack in catalogue.packs:
        overrides = tuning.execution.packs.get(pack.name)
        for action in overrides.actions if overrides else ():
            if action not in pack.actions:
                yield f"execution.packs.{pack.name}.actions: the pack has no action {action!r}"
