"""Does each example say something, and ask for its own action alone?"""

import re
from collections.abc import Iterator, Mapping

from state.action import Action
from tools.catalogue.marked_yaml import FieldPath
from tools.catalogue.reading import PackFiles

_WORD = re.compile(r"\w+")


def check_examples(files: PackFiles) -> None:
    """Note examples without a word."""
    for action in files.actions.values():
        for file, path, text in _examples(files, action):
            if not _WORD.search(text):
                files.fault(file, path, "says nothing; write what people say, or leave it out")


def shared_examples(actions: Mapping[str, Action]) -> Iterator[str]:
    """Tell which examples two actions have: neither can be sure of them.

    Labelled data have some, so that they are no fault.
    """
    owners: dict[tuple[str, ...], str] = {}
    for name, action in actions.items():
        for text in action.examples:
            owner = owners.setdefault(tuple(_WORD.findall(text.casefold())), name)
            if owner != name:
                yield f"{text!r} is an example of {owner} and of {name}: of neither can it be sure"


def _examples(files: PackFiles, action: Action) -> Iterator[tuple[str, FieldPath, str]]:
    """Give each with the file and the place where it stands: its entry's own come first."""
    entry = files.marked["actions"].value["actions"][action.name]
    own = len(entry.get("examples") or ())
    for place, text in enumerate(action.examples):
        if place < own:
            yield "actions", ("actions", action.name, "examples", place), text
        else:
            yield "examples", ("examples", action.name, place - own), text
