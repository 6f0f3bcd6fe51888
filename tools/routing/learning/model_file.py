"""What training gives, and how it is kept on disk for the next start."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from tools.keeping import keep, read_once
from tools.routing.learning.confidence import Judge
from tools.routing.learning.features import Vocabulary
from tools.routing.learning.meaning import Meaning
from tools.routing.learning.similarity import Resemblance

_MEANING = tuple(field.name for field in fields(Meaning))


@dataclass(frozen=True)
class Trained:
    """What is learnt from a catalogue; the class after the last action is `none of these`."""

    vocabulary: Vocabulary
    resemblance: Resemblance
    judge: Judge
    """Of the words alone."""
    meaning: Meaning | None = None
    """None without an encoder."""
    hearing: Judge | None = None
    """Of words and meaning."""


@read_once
def load_trained(file: Path) -> Trained | None:
    """Read a model; None when there is none that can be read."""
    try:
        with file.open("rb") as raw, np.load(raw, allow_pickle=False) as stored:
            words = bytes(stored["features"]).decode().split("\n")
            hears = "meaning_weights" in stored
            return Trained(
                Vocabulary({word: place for place, word in enumerate(words)}, stored["idf"]),
                Resemblance(stored["weights"]),
                _judge(stored, "judge"),
                Meaning(**{name: stored[f"meaning_{name}"] for name in _MEANING})
                if hears
                else None,
                _judge(stored, "hearing") if hears else None,
            )
    except (OSError, ValueError, KeyError, TypeError, EOFError, BadZipFile):
        return None  # absent or damaged: it is only a cache


def _judge(stored: Mapping[str, Any], name: str) -> Judge:  # arrays of several types
    given = json.loads(bytes(stored[name]).decode())
    plain: dict[str, Any] = {  # numbers and tuples of them
        key: tuple(value) if isinstance(value, list) else value for key, value in given.items()
    }
    return Judge(**plain)


def store_trained(file: Path, trained: Trained) -> None:
    """Keep a model for the next start."""
    arrays: dict[str, Any] = {  # of several types
        "weights": trained.resemblance.weights,
        "idf": trained.vocabulary.weights,
        "features": np.frombuffer("\n".join(trained.vocabulary.places).encode(), np.uint8),
        "judge": _packed(trained.judge),
    }
    if trained.meaning is not None and trained.hearing is not None:
        arrays |= {f"meaning_{name}": getattr(trained.meaning, name) for name in _MEANING}
        arrays["hearing"] = _packed(trained.hearing)
    content = BytesIO()
    np.savez(content, **arrays)
    keep(file, content.getvalue())


def _packed(judge: Judge) -> np.ndarray[Any, np.dtype[np.uint8]]:  # its shape is one line
    return np.frombuffer(json.dumps(asdict(judge)).encode(), np.uint8)
