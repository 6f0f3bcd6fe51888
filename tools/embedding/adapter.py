"""What was learnt on top of the encoder: what people ask for, and whether they ask at all.

Source: LoRA (Hu et al., 2021). To a linear layer W x + b it adds (x A) B, with A and B of low rank;
the published weights stay as they are. `prefrontal evals adapt` learns both.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from state.errors import EncoderUnavailable
from tools.embedding.architecture import LAYERS, LINEAR, MIDDLE_LAYER

MEANING = Path(__file__).with_name("meaning.npz")
"""Brings together what asks for the same, and apart what asks for something else."""
MANNER = Path(__file__).with_name("manner.npz")
"""Brings apart what wants something done now and what only tells, asks, supposes or quotes."""
_DIGITS = 8
_DOWN, _UP = ":down", ":up"
_NAME = re.compile(r"encoder\.layer\.(\d+)\.(.+)")
"""Of a linear layer: the layer of the network, and which one of it."""

Matrix = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Adapter:
    """Low-rank additions to linear layers, by the name of the layer's weight."""

    name: str
    """Changes with every weight: vectors of other adapters are others."""
    additions: Mapping[str, tuple[Matrix, Matrix]]
    """(inputs, rank) and (rank, outputs)"""

    @property
    def layers(self) -> int:
        """Count the layers of the network up to the last one that something is added to."""
        return 1 + max(_place(name)[0] for name in self.additions)


@cache
def read_adapter(file: Path) -> Adapter:
    """Read one that ships, once a process.

    Raises:
        EncoderUnavailable: it is missing or damaged.
    """
    try:
        raw = file.read_bytes()
        with np.load(BytesIO(raw), allow_pickle=False) as stored:
            downs = [name for name in stored.files if name.endswith(_DOWN)]
            additions = {
                name.removesuffix(_DOWN): (
                    stored[name].astype(np.float32),
                    stored[name.removesuffix(_DOWN) + _UP].astype(np.float32),
                )
                for name in sorted(downs)
            }
    except OSError as error:
        raise EncoderUnavailable(f"{file} cannot be read ({error}); install again") from error
    except (ValueError, KeyError, EOFError, BadZipFile) as error:
        # Not its own words: numpy's advise to trust the file.
        raise EncoderUnavailable(f"{file} is damaged; install again") from error
    if not additions or not all(_fits(name, *pair) for name, pair in additions.items()):
        raise EncoderUnavailable(f"{file} holds no adapter of this network; install again")
    return Adapter(hashlib.sha256(raw).hexdigest()[:_DIGITS], additions)


def _fits(name: str, down: Matrix, up: Matrix) -> bool:
    layer, part = _place(name)
    inputs, outputs = LINEAR.get(part, (0, 0))
    is_ours = MIDDLE_LAYER <= layer < LAYERS and bool(outputs)
    has_shape = (down.shape[:1], down.shape[1:]) == ((inputs,), up.shape[:1])
    is_finite = bool(np.isfinite(down).all() and np.isfinite(up).all())
    return is_ours and is_finite and has_shape and up.shape[1:] == (outputs,)


def _place(name: str) -> tuple[int, str]:
    """Take the name of a linear layer apart; `-1` and nothing for any other."""
    matched = _NAME.fullmatch(name)
    return (int(matched[1]), matched[2]) if matched else (-1, "")


def write_adapter(additions: Mapping[str, tuple[Matrix, Matrix]], file: Path) -> None:
    """Write an adapter in half precision; the same weights give the same bytes on one Python."""
    arrays = {
        f"{name}{end}": matrix.astype(np.float16)
        for name, pair in sorted(additions.items())
        for end, matrix in zip((_DOWN, _UP), pair, strict=True)
    }
    content = BytesIO()
    np.savez(content, **arrays)  # type: ignore[arg-type]  # its stubs take the names for options
    file.write_bytes(content.getvalue())
