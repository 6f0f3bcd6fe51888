"""The shapes a command is put into, read from shapes.yaml and held_out.yaml."""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

import yaml
from pydantic import TypeAdapter

from evals.mutations.commands import Command
from state.noun import Noun

FOLDER = Path(__file__).parent

Leaves = Literal["nothing", "reads", "keeps", "both"]
"""What may be left of the command; see shapes.yaml."""
_FORM = re.compile(r"{(\w+)}")


class Shape(Noun):
    """One way of saying it."""

    kind: str
    leaves: Leaves
    template: str

    @property
    def needs(self) -> frozenset[str]:
        """The forms of the command, and of another, that it is filled with."""
        return frozenset(_FORM.findall(self.template))


class Mutation(Noun):
    """A message made of a command, and perhaps of another."""

    shape: Shape
    text: str
    action: str
    other: str | None = None


class _Kind(Noun):
    leaves: Leaves
    shapes: tuple[str, ...]


_FILE = TypeAdapter(dict[str, _Kind])


def read_shapes(*, held_out: bool = False) -> Sequence[Shape]:
    """Read the shapes that ship, or those nothing was ever tuned on."""
    file = FOLDER / ("held_out.yaml" if held_out else "shapes.yaml")
    kinds = _FILE.validate_python(yaml.safe_load(file.read_text("utf-8")))
    return [
        Shape(kind=name, leaves=kind.leaves, template=template)
        for name, kind in kinds.items()
        for template in kind.shapes
    ]


def mutations(
    commands: Sequence[Command], shapes: Sequence[Shape], *, per_action: int, seed: int
) -> Iterator[Mutation]:
    """Put commands of every action into every shape, chosen by `seed`.

    Args:
        per_action: how many commands of an action a shape gets at most.
    """
    by_action: dict[str, list[Command]] = {}
    for command in commands:
        by_action.setdefault(command.action, []).append(command)
    others = {
        action: [command for command in commands if command.action != action]
        for action in by_action
    }
    chooser = random.Random(seed)  # noqa: S311 - which messages are tried is no secret
    for shape in shapes:
        for action, own in by_action.items():
            for command in chooser.sample(own, min(per_action, len(own))):
                other = chooser.choice(others[action]) if others[action] else None
                mutation = _mutated(shape, command, other)
                if mutation is not None:
                    yield mutation


def sample(messages: Sequence[Mutation], at_most: int, *, seed: int) -> list[Mutation]:
    """Draw some of the messages, always the same ones of a seed."""
    chooser = random.Random(seed)  # noqa: S311 - as above
    return chooser.sample(list(messages), min(at_most, len(messages)))


def filled(template: str, forms: Mapping[str, str]) -> str:
    """Write the forms of a command where a template names them."""
    return _FORM.sub(lambda match: forms[match[1]], template)


def _mutated(shape: Shape, command: Command, other: Command | None) -> Mutation | None:
    forms: dict[str, str] = dict(command.forms())
    if other is not None:
        others: Mapping[str, str] = other.forms()
        forms |= {"other": others["do"], "othering": others["doing"]}
    if not shape.needs <= forms.keys():
        return None
    takes_other = bool(shape.needs & {"other", "othering"})
    return Mutation(
        shape=shape,
        text=filled(shape.template, forms),
        action=command.action,
        other=other.action if other is not None and takes_other else None,
    )
