"""Vectors of a pack's examples that come with the pack, so that a first start encodes few texts.

Each vector is rotated onto the directions in which a pack's texts differ most (principal
components) and kept as four bits a direction: 192 bytes a text, cosine .98 to what was encoded.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from io import BytesIO
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt
import structlog

from tools.embedding.embedder import Vectors, unit

log = structlog.get_logger()

FILE = "vectors.npz"
"""Its name in the folder of a pack."""
_DIRECTIONS = 384
_STEPS = 7
"""Four bits have so many steps on each side of zero."""
_REACH = 3.0
"""How many standard deviations those steps reach."""


class ShippedVectors:
    """The vectors of one file; a file that is missing, damaged or of another encoder has none."""

    def __init__(self, file: Path) -> None:
        """Remember the place; nothing is read before somebody asks for many texts."""
        self._file = file

    def read(self, model: str, texts: Iterable[str]) -> dict[str, Vectors]:
        """Look texts up for an encoder of this name; unit vectors, as far as there are any."""
        stored = self._stored
        if stored is None or stored.model != model:
            return {}
        places = {text: stored.places.get(_key(text)) for text in texts}
        found = {text: place for text, place in places.items() if place is not None}
        return dict(zip(found, stored.vectors(list(found.values())), strict=True))

    @cached_property
    def _stored(self) -> "_Stored | None":
        try:
            changed = self._file.stat().st_mtime_ns
        except OSError:
            return None
        return _read(self._file, changed)


class _Stored:
    """A file's content."""

    def __init__(self, arrays: Mapping[str, npt.NDArray[np.generic]]) -> None:
        self.model = bytes(arrays["model"]).decode()
        self.places: dict[int, int] = {
            int(key): place for place, key in enumerate(arrays["keys"].tolist())
        }
        self._codes = arrays["codes"].astype(np.uint8, copy=False)
        self._steps = arrays["steps"].astype(np.float32)
        self._directions = arrays["directions"].astype(np.float32)
        self._middle = arrays["middle"].astype(np.float32)

    def vectors(self, places: Sequence[int]) -> Vectors:
        """Read rows back."""
        if not places:
            return np.empty((0, len(self._middle)), np.float32)
        halves = self._codes[places]
        codes = np.concatenate([halves & 15, halves >> 4], axis=1)[:, : len(self._steps)]
        rotated = (codes.astype(np.float32) - _STEPS) * self._steps
        return unit(np.einsum("nk,kd->nd", rotated, self._directions) + self._middle)


@lru_cache(8)
def _read(file: Path, changed: int) -> _Stored | None:
    """Read a file as it is since it was `changed`."""
    try:
        with np.load(BytesIO(file.read_bytes()), allow_pickle=False) as arrays:
            return _Stored(arrays)
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        log.warning("shipped_vectors_unreadable", file=str(file), reason=str(error))
        return None


def write_shipped(file: Path, model: str, texts: Sequence[str], vectors: Vectors) -> None:
    """Write the vectors that an encoder named `model` gives for some texts, row by row."""
    keys, places = np.unique([_key(text) for text in texts], return_index=True)
    rows = vectors[places]
    middle = rows.mean(axis=0)
    directions = np.linalg.svd(rows - middle, full_matrices=False)[2][:_DIRECTIONS]
    directions = directions.astype(np.float16).astype(np.float32)
    rotated = (rows - middle) @ directions.T
    steps = np.maximum(rotated.std(axis=0) * _REACH, 1e-6) / _STEPS
    codes = np.clip(np.rint(rotated / steps), -_STEPS, _STEPS).astype(np.int64) + _STEPS
    low, high = np.array_split(np.pad(codes, ((0, 0), (0, codes.shape[1] % 2))), 2, axis=1)
    content = BytesIO()
    np.savez_compressed(
        content,
        model=np.frombuffer(model.encode(), np.uint8),
        keys=keys,
        codes=(low | high << 4).astype(np.uint8),
        steps=steps.astype(np.float32),
        directions=directions.astype(np.float16),
        middle=middle.astype(np.float32),
    )
    file.write_bytes(content.getvalue())


def _key(text: str) -> int:
    """Hash a text to 63 bits: among a million texts, one pair in ten million is mistaken."""
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1
