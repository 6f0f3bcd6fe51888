"""Sentence frames of frames.yaml, filled with commands that are recognised as they stand."""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Literal

from pydantic import Field, TypeAdapter, ValidationError

from evals.robustness.commands import PARTICLES, Command, gerund, participle
from evals.robustness.mutations import Mutation, RoutingBench, Shape, filled
from state.action import Action
from state.errors import BadInput
from state.noun import Noun
from tools.catalog.yaml_with_lines import read_yaml
from tools.nlu.lexicon.normalization import word_set

FORMS = frozenset(("do", "doing", "thing", "gerund", "participle", "verb", "do_it", "seen"))
MOST_WORDS = 7
"""Behind the verb: who says more has said it in one way only."""
_MOST_OF_THING = 4
_SHOWING = word_set("show list display view")
_TO_WHOM = word_set("bring give hand inform offer pay send show tell")
"""Of `give Ben the list` nobody knows by the words where Ben ends; `give the list to Ben` tells."""
_OF_DOING = word_set("finish get keep start stop")
"""What may stand behind these is done and not a thing: `stop sharing the library`."""
_HOW = word_set("call mark set turn wipe")
"""The last word behind these may tell how a thing shall be: `mark P-2 read`."""
_NO_THING = word_set("all again any both each everything it some them these those w/")
_HALF_A_PREPOSITION = word_set("about according close due next")
"""Before `to`: `put P-1 next to P-3`."""
_PLURAL = re.compile(r"(?<![ious])s(?= (?:of|on|in|for|from|with|behind) |$)")
"""The frames say `needs`, `is` and `has`."""
_ALWAYS = "to into onto as off under"
_OF_TAKING = word_set("delete detach drop erase pull remove strike take undo unlink withdraw")
_OF_PUTTING = word_set("add file place put save")
_OF_JOINING = word_set("connect link merge replace share swap unshare")


def forms_of(command: Command) -> Mapping[str, str]:
    """Give the forms a command has; see frames.yaml."""
    plain = command.forms()
    forms = {"do": plain["do"], "doing": plain["doing"]}
    first, _, particle = command.verb.partition(" ")
    words = command.rest.split()
    if words[0].lower() in ("me", "us"):
        words = words[1:]
    whole = " ".join(words)
    if whole != command.thing or len(words) > MOST_WORDS:
        return forms
    if command.verb in _SHOWING:
        forms["seen"] = whole
    thing, *behind = _tail_of(first).split(whole, maxsplit=1)
    before, _, last = thing.rpartition(" ")
    if before and last.lower() in PARTICLES | {"together", "through"}:
        thing, behind = before, [last, *behind]
    if not _is_done_to(thing, first, behind):
        return forms
    tail = (particle, *behind)
    forms |= {
        "thing": thing,
        "gerund": _joined(gerund(first), *tail),
        "participle": _joined(participle(first), *tail),
        "do_it": _joined(first, "it", *tail),
    }
    return forms if behind else {**forms, "verb": command.verb}


def _tail_of(verb: str) -> re.Pattern[str]:
    """Find what follows the thing and belongs to the verb: `WO-1 needs to be given to Ben`."""
    words = _ALWAYS.split()
    if verb in _OF_TAKING:
        words.append("from")
    if verb in _OF_PUTTING:
        words += ["on", "in"]
    if verb in _OF_JOINING:
        words.append("with")
    return re.compile(rf" (?=(?:{'|'.join(words)}) )")


def _is_done_to(thing: str, verb: str, behind: Sequence[str]) -> bool:
    words = thing.lower().split()
    if len(words) > _MOST_OF_THING or words[0] in _NO_THING or words[0].isdecimal():
        return False
    if words[-1] in _HALF_A_PREPOSITION:
        return False
    if verb in _OF_DOING or (verb in _TO_WHOM | _HOW and not behind):
        return False
    return _PLURAL.search(thing) is None


def _joined(*words: str) -> str:
    return " ".join(filter(None, words))


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


class FramedMessage(Noun):
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
    marked = read_yaml(path)
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


def frame_messages(
    commands: Sequence[Command], frames: Sequence[Frame], actions: Mapping[str, Action]
) -> FramedMessage:
    """Put every command into every frame that takes its action."""
    made = [
        _messages(command, [frame for frame in frames if frame.takes(actions[command.action])])
        for command in commands
    ]
    found = list(chain.from_iterable(made))
    messages = tuple(one for one in found if one is not None)
    return FramedMessage(messages=messages, unfilled=len(found) - len(messages))


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


_MOST_TRIED = 5
_OF_FRAMES = word_set("again asap it me my now pls plz thanks them thx today us your")
"""`me` among them, which is odd behind `could we`, and `it`, as nothing was said before."""
_MORE = re.compile("[,;–—]")


class ChosenCommands(Noun):
    """Commands of a catalogue, and whose there are none of."""

    commands: tuple[Command, ...]
    not_named: int = Field(description="commands that were tried, and not named as they stand")
    without_command: tuple[str, ...] = Field(description="actions no example of which is a command")
    never_named: tuple[str, ...] = Field(description="actions none of whose commands was named")


def choose_commands(bench: RoutingBench, *, per_action: int, seed: int) -> ChosenCommands:
    """Draw commands of every action by `seed`, those first that fill most frames.

    What a frame does to a command can only be told of one that is named without it.
    """
    own: dict[str, list[Command]] = {name: [] for name in bench.actions}
    for command in bench.commands():
        if _fits(command):
            own[command.action].append(command)
    chooser = random.Random(seed)  # noqa: S311 - which commands are tried is no secret
    drawn = {name: _drawn(commands, chooser) for name, commands in own.items()}
    found: dict[str, list[Command]] = {name: [] for name in drawn}
    not_named = 0
    for name, commands in drawn.items():
        for command in commands[: per_action + _MOST_TRIED]:
            if len(found[name]) == per_action:
                break
            if bench.route(command.text).action == name:
                found[name].append(command)
            else:
                not_named += 1
    return ChosenCommands(
        commands=tuple(command for commands in found.values() for command in commands),
        not_named=not_named,
        without_command=tuple(name for name, commands in drawn.items() if not commands),
        never_named=tuple(name for name in found if drawn[name] and not found[name]),
    )


def _drawn(commands: Sequence[Command], chooser: random.Random) -> list[Command]:
    mixed = chooser.sample(list(commands), len(commands))
    return sorted(mixed, key=lambda one: -len(forms_of(one)))


def _fits(command: Command) -> bool:
    """Tell whether a command is short, and holds nothing that a frame says for itself."""
    words = command.text.lower().split()
    if len(words) > MOST_WORDS + 1 or not _OF_FRAMES.isdisjoint(words):
        return False
    return _MORE.search(command.text) is None
