"""By which content what is read and learnt of a catalogue is kept."""

import hashlib
import json
from functools import cache as once
from pathlib import Path

import rapidfuzz

from tools.catalogue.catalogue import Catalogue
from tools.routing.words.spelling import english_words

_LEARNT_FROM = {
    "name", "pack", "verb", "words", "object", "container", "summary", "effect", "slots",
    "examples",
}  # fmt: skip
"""What of an entry is read, by which texts are learnt."""


def content_key(catalogue: Catalogue, encoder: str | None = None) -> str:
    """Name what was learnt by all that it follows from; nothing has to be read for it.

    Args:
        encoder: name of the encoder that was heard.
    """
    entries = [
        action.model_dump_json(include=_LEARNT_FROM) for action in catalogue.actions.values()
    ]
    kinds = [
        (pack.name, name, entity.model_dump_json())
        for pack in catalogue.packs
        for name, entity in pack.entities.items()
    ]
    content = json.dumps([_code(), rapidfuzz.__version__, _english(), encoder, entries, kinds])
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
