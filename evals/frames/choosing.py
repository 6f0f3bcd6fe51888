"""Choose the commands that are put into frames: those that are named as they stand."""

import random
import re
from collections.abc import Sequence

from pydantic import Field

from evals.frames.forms import MOST_WORDS, forms_of
from evals.mutations.commands import Command
from evals.mutations.judging import Bench
from state.noun import Noun
from tools.routing.words.phrases import word_set

_MOST_TRIED = 5
_OF_FRAMES = word_set("again asap it me my now pls plz thanks them thx today us your")
"""`me` among them, which is odd behind `could we`, and `it`, as nothing was said before."""
_MORE = re.compile("[,;–—]")


class Chosen(Noun):
    """Commands of a catalogue, and whose there are none of."""

    commands: tuple[Command, ...]
    not_named: int = Field(description="commands that were tried, and not named as they stand")
    without_command: tuple[str, ...] = Field(description="actions no example of which is a command")
    never_named: tuple[str, ...] = Field(description="actions none of whose commands was named")


def chosen(bench: Bench, *, per_action: int, seed: int) -> Chosen:
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
    return Chosen(
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
