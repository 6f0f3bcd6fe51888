"""What training gives, and how it is kept on disk for the next start."""

import json
import os
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from tools.routing.confidence import Judge
from tools.routing.features import Vocabulary
from tools.routing.similarity import Resemblance


@dataclass(frozen=True)
class Trained:
    """What is learnt from a catalogue; the class after the last action is `none of these`."""

    vocabulary: Vocabulary
    resemblance: Resemblance
    judge: Judge


def load_trained(file: Path) -> Trained | None:
    """Read a model; None when there is none that can be read."""
    try:
        with file.open("rb") as raw, np.load(raw, allow_pickle=False) as stored:
            words = bytes(stored["features"]).decode().split("\n")
            judge = json.loads(bytes(stored["judge"]).decode())
            return Trained(
                Vocabulary({word: place for place, word in enumerate(words)}, stored["idf"]),
                Resemblance(stored["weights"]),
                Judge(**{**judge, **{name: tuple(judge[name]) for name in ("belongs", "right")}}),
            )
    except (OSError, ValueError, KeyError, TypeError, EOFError, BadZipFile):
        return None  # absent or damaged: it is only a cache


def store_trained(file: Path, trained: Trained) -> None:
    """Write next to the place and rename, so that a reader never sees half a file."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=file.parent, suffix=".part")
        with os.fdopen(descriptor, "wb") as part:
            np.savez(
                part,
                weights=trained.resemblance.weights,
                idf=trained.vocabulary.weights,
                features=np.frombuffer("\n".join(trained.vocabulary.places).encode(), np.uint8),
                judge=np.frombuffer(json.dumps(asdict(trained.judge)).encode(), np.uint8),
            )
        Path(name).replace(file)
    except OSError:
        return  # a cache that cannot be written costs time only
