"""The frames a command is put into, read from frames.yaml, and the messages they make."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter, ValidationError

from evals.frames.forms import FORMS, forms_of
from evals.mutations.commands import Command
from evals.mutations.shapes import Mutation, Shape, filled
from state.action import Action
from state.errors import BadInput
from state.noun import Noun
from tools.catalogue.marked_yaml import read_marked

SHIPPED = Path(__file__).parent / "frames.yaml"

Of = Literal["changes", "reads", "both"]
Enough = Literal["named", "offered"]


class Frame(Noun):
    """One way of asking for it."""

    shape: Shape
    of: Of
    enough: Enough

    def takes(self, action: Action) -> bool:
        """Tell whether people ask so for what an action does."""
        return self.of in ("both", "reads" if action.effect == "read" else "changes")


class Kind(Noun):
    """Frames of one kind, as they stand in the file."""

    of: Of
    enough: Enough = "named"
    frames: tuple[str, ...]


class Framed(Noun):
    """The messages that commands and frames make."""

    messages: tuple[Mutation, ...]
    unfilled: int = 0
    """Frames that take an action, and that its command has no words for."""


_FILE = TypeAdapter(dict[str, Kind])


def read_frames(path: Path = SHIPPED) -> Mapping[str, Frame]:
    """Read frames, by their template.

    Raises:
        BadInput: the file cannot be read or is none of frames, names a form that there is not, or
            holds a kind or a frame twice.
    """
    marked = read_marked(path)
    if marked.faults:
        raise BadInput("\n".join(map(str, marked.faults)))
    try:
        kinds = _FILE.validate_python(marked.value)
    except ValidationError as error:
        raise BadInput(f"{path}: {_first_of(error)}") from error
    frames = [
        Frame(
            shape=Shape(kind=name, leaves="keeps", template=template),
            of=kind.of,
            enough=kind.enough,
        )
        for name, kind in kinds.items()
        for template in kind.frames
    ]
    _look_at([frame.shape for frame in frames], path)
    return {frame.shape.template: frame for frame in frames}


def framed(
    commands: Sequence[Command], frames: Sequence[Frame], actions: Mapping[str, Action]
) -> Framed:
    """Put every command into every frame that takes its action."""
    made = [
        _messages(command, [frame for frame in frames if frame.takes(actions[command.action])])
        for command in commands
    ]
    found = list(chain.from_iterable(made))
    messages = tuple(one for one in found if one is not None)
    return Framed(messages=messages, unfilled=len(found) - len(messages))


def _messages(command: Command, frames: Sequence[Frame]) -> Iterator[Mutation | None]:
    forms = forms_of(command)
    for frame in frames:
        shape = frame.shape
        if not shape.needs <= forms.keys():
            yield None
            continue
        text = filled(shape.template, forms)
        yield Mutation(shape=shape, text=text, action=command.action)


def _look_at(shapes: Sequence[Shape], path: Path) -> None:
    seen: set[str] = set()
    for shape in shapes:
        if not shape.needs or not shape.needs <= FORMS:
            raise BadInput(
                f"{path}: {shape.template!r} needs one of {{{'}, {'.join(sorted(FORMS))}}}"
            )
        if shape.template in seen:
            raise BadInput(f"{path}: {shape.template!r} stands there twice")
        seen.add(shape.template)
    if not shapes:
        raise BadInput(f"{path} holds no frame")


def _first_of(error: ValidationError) -> str:
    first = error.errors()[0]
    return f"{'.'.join(map(str, first['loc'])) or 'the file'}: {first['msg']}"
