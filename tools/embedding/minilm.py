"""all-MiniLM-L6-v2 on onnxruntime, without torch; everything heavy is loaded at the first text."""

import mmap
import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from state.errors import EncoderUnavailable
from tools.embedding.embedder import Vectors
from tools.embedding.kept_graph import kept_graph
from tools.embedding.weights import (
    WEIGHTS,
    WEIGHTS_SHA256,
    find_folder,
    map_weights,
    places_of,
    read_tokenizer,
)

_DIMENSIONS = 384
_MOST_TOKENS = 256
"""Of one text; what follows is not read. Source: the model's sentence_bert_config.json."""
_MOST_CHARACTERS = 10_000
"""Of one text that the tokenizer sees: 256 tokens are 1,000 to 1,500, and it reads all it gets."""
_BATCH_TOKENS = 512
"""In one run: more gains no speed, and the attention of 32 long texts takes 100 MB."""
_MOST_THREADS = 4


class MiniLM:
    """384 dimensions; English, sentences and short paragraphs.

    A single text runs on the calling thread. Batches hold texts of one length, and each runs on one
    thread: so vectors are the same bits whatever the batch, the threads or the process.
    """

    name = f"all-MiniLM-L6-v2@{WEIGHTS_SHA256[:8]}"
    dimensions = _DIMENSIONS

    def __init__(self, cache: Path | None = None, *, weights: Path | None = None) -> None:
        """Remember where things are.

        Args:
            cache: a folder in which the graph is kept for the next start.
            weights: a folder with the model's files; default: that of the installed package.
        """
        self._cache = cache.resolve() if cache else None
        self._weights = weights

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed texts, in their order. See Embedder.embed."""
        loaded = self._load()
        batches = list(_batches([loaded.tokens(text) for text in texts]))
        vectors = np.empty((len(texts), _DIMENSIONS), np.float32)
        for batch, found in zip(batches, _run(loaded, batches), strict=True):
            vectors[batch.places] = found
        return vectors

    def close(self) -> None:
        """Do nothing: what is loaded is shared, and there is no connection."""

    def _load(self) -> "_Loaded":
        place = (self._weights or find_folder(), self._cache)
        with _LOADING:
            if place not in _LOADED:
                _LOADED[place] = _load(*place)
            return _LOADED[place]


@dataclass(frozen=True)
class _Batch:
    places: list[int]
    """Where each text stands among all."""
    tokens: npt.NDArray[np.int64]
    """(texts, length)"""


@dataclass(frozen=True)
class _Loaded:
    session: Any  # onnxruntime.InferenceSession: the library ships no types
    tokenizer: Any  # tokenizers.Tokenizer, imported late
    weights: mmap.mmap
    """Held as long as the session, which reads from it."""

    def tokens(self, text: str) -> list[int]:
        """Cut a text into tokens; half a surrogate pair counts as an unknown character."""
        readable = text[:_MOST_CHARACTERS].encode("utf-8", "replace").decode()
        ids: list[int] = self.tokenizer.encode(readable).ids
        return ids

    def run(self, batch: _Batch) -> Vectors:
        """Compute the vectors of one batch."""
        (vectors,) = self.session.run(None, {"tokens": batch.tokens})
        found: Vectors = vectors
        return found


_LOADED: dict[tuple[Path, Path | None], _Loaded] = {}
"""What this process has loaded: 130 MB that every MiniLM on the same files shares."""
_LOADING = Lock()


def _load(folder: Path, cache: Path | None) -> _Loaded:
    try:
        import onnxruntime  # type: ignore[import-untyped]  # ships no types
        from tokenizers import Tokenizer
    except ImportError as error:
        raise EncoderUnavailable(f"{error}; install what requirements.lock names") from error
    weights = map_weights(folder)
    tokenizer = Tokenizer.from_str(read_tokenizer(folder))
    tokenizer.no_padding()
    tokenizer.enable_truncation(_MOST_TOKENS)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    # As it is written: rewriting it gains no time here, and makes bits depend on the batch.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.add_external_initializers_from_files_in_memory([WEIGHTS], [weights], [len(weights)])
    graph = kept_graph(places_of(weights), cache)
    session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
    return _Loaded(session, tokenizer, weights)


def _batches(tokens: Sequence[Sequence[int]]) -> Iterator[_Batch]:
    by_length: dict[int, list[int]] = defaultdict(list)
    for place, row in enumerate(tokens):
        by_length[len(row)].append(place)
    for length, places in sorted(by_length.items()):
        size = max(1, _BATCH_TOKENS // length)
        for start in range(0, len(places), size):
            part = places[start : start + size]
            yield _Batch(part, np.array([tokens[place] for place in part], np.int64))


def _run(loaded: _Loaded, batches: Sequence[_Batch]) -> list[Vectors]:
    if len(batches) < 2:
        return [loaded.run(batch) for batch in batches]
    with ThreadPoolExecutor(min(_MOST_THREADS, os.cpu_count() or 1)) as pool:
        return list(pool.map(loaded.run, batches))
