"""By which content what is read and learnt of a catalogue is kept."""

import hashlib
from functools import cache as once
from pathlib import Path

import rapidfuzz

from tools.catalogue.catalogue import Catalogue
from tools.routing.words.spelling import english_words

_LEARNT_FROM = {
    "name", "pack", "verb", "words", "object", "container", "summary", "effect", "slots",
    "examples", "undo",
}  # fmt: skip
"""What of an entry is read, by which texts are learnt."""


def content_key(catalogue: Catalogue) -> str:
    """Name what is read of a catalogue by all that it follows from; nothing is read for it."""
    entries = [
        action.model_dump_json(include=_LEARNT_FROM) for action in catalogue.actions.values()
    ]
    kinds = [
        f"{pack.name} {name} {entity.model_dump_json()}"
        for pack in catalogue.packs
        for name, entity in pack.entities.items()
    ]
    # JSON holds no line break, so that nothing reads like something else.
    content = [_code(), rapidfuzz.__version__, _english(), *entries, "", *kinds]
    return _name("\n".join(content))


def key_beside(content: str, beside: str | None) -> str:
    """Name what was learnt of such a content and of something beside it, such as an encoder."""
    return content if beside is None else _name(f"{content} {beside}")


def _name(content: str) -> str:
    return hashlib.sha256(content.encode()).hexdigest()[:32]


@once
def _english() -> str:
    return hashlib.sha256("\n".join(sorted(english_words())).encode()).hexdigest()


@once
def _code() -> str:
    """Hash the folder that reads and learns: other code may learn something else from the same."""
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parents[1].rglob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()
