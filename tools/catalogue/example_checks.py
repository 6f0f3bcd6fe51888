"""Does each example say something?"""

import re
from collections.abc import Iterator

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


def _examples(files: PackFiles, action: Action) -> Iterator[tuple[str, FieldPath, str]]:
    """Give each with the file and the place where it stands: its entry's own come first."""
    entry = files.marked["actions"].value["actions"][action.name]
    own = len(entry.get("examples") or ())
    for place, text in enumerate(action.examples):
        if place < own:
            yield "actions", ("actions", action.name, "examples", place), text
        else:
            yield "examples", ("examples", action.name, place - own), text
