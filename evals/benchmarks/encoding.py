"""The sentence encoder: one message, many texts, loading; beside the network's bare products."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]  # ships no types

from evals.benchmarks.measurement import Measurement, Stopwatch, summed_up
from tools.embedding.architecture import LAYERS, LINEAR
from tools.embedding.minilm import MiniLM

MESSAGE = "please show me all of the open work orders today"
"""Ten tokens and the two around them."""
_TOKENS = 12

_LOAD = """
import sys
from pathlib import Path
from time import perf_counter
from tools.embedding.minilm import MiniLM
started = perf_counter()
MiniLM(Path(sys.argv[1])).embed(["ready"])
print((perf_counter() - started) * 1000)
"""


def measure(folder: Path, *, runs: int) -> Iterator[Measurement]:
    """Time the encoder; the products are the least that any implementation has to compute."""
    encoder = MiniLM(folder)
    for _run in range(10):
        encoder.embed([MESSAGE])
    ours, bare = [], []
    products = _Products()
    with threadpool_limits(1):
        for _run in range(runs):  # turn by turn, so that both meet the same machine
            ours.append(_timed(encoder, MESSAGE))
            bare.append(products.timed())
    yield summed_up("encoder, 10-token message", ours, goal="p95 < 12")
    yield summed_up("  its bare products in numpy", bare)
    shares = [one / other for one, other in zip(ours, bare, strict=True)]
    yield summed_up("  encoder / bare products", shares, "×")
    texts = [f"{MESSAGE} number {number}" for number in range(runs)]
    watch = Stopwatch()
    encoder.embed(texts)
    rate = runs / watch.ms * 1000
    yield Measurement(name="encoder, batch of short texts", n=runs, p50=round(rate, 1), unit="/s")
    starts = min(3, runs)
    cold = [_load(folder / f"{start}") for start in range(starts)]
    yield summed_up("encoder, load, no graph kept", cold)
    yield summed_up("encoder, load", [_load(folder) for _start in range(starts)], goal="< 1000")


def _timed(encoder: MiniLM, text: str) -> float:
    watch = Stopwatch()
    encoder.embed([text])
    return watch.ms


def _load(cache: Path) -> float:
    """Import, check, load and embed, in a process of its own."""
    command = [sys.executable, "-c", _LOAD, str(cache)]
    said = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603 - ours
    return float(said.stdout)


class _Products:
    """The matrix products of the six layers on weights of their shapes, and nothing else."""

    def __init__(self) -> None:
        random = np.random.default_rng(0)
        self._rows = {
            inputs: random.normal(size=(_TOKENS, inputs)).astype(np.float32)
            for inputs in sorted({inputs for inputs, _outputs in LINEAR.values()})
        }
        self._weights = [
            random.normal(size=shape).astype(np.float32) for shape in [*LINEAR.values()] * LAYERS
        ]

    def timed(self) -> float:
        watch = Stopwatch()
        for weight in self._weights:
            self._rows[weight.shape[0]] @ weight
        return watch.ms
