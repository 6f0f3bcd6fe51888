"""The reader on onnxruntime: acts, wants, control intents and token tags of messages."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from tools.adapters.embedding.embedder import Vectors
from tools.adapters.embedding.minilm import loaded_network
from tools.adapters.embedding.minilm_weights import READER, find_folder, read_reader

Offsets = Sequence[tuple[int, int]]


class MiniLMReader:
    """Labels messages with the heads that ship; deterministic, one message at a time.

    It blocks for some milliseconds: call it from a thread, not from a loop.
    """

    def __init__(self, cache: Path | None = None, *, weights: Path = READER) -> None:
        """Remember where things are; nothing is loaded before the first message."""
        self._cache = cache.resolve() if cache else None
        self._file = weights

    @property
    def name(self) -> str:
        """Name the weights: readings of other weights are others."""
        return f"reader-{read_reader(self._file).adapter.name}"

    def label(self, text: str) -> tuple[Mapping[str, Vectors], Offsets]:
        """Give the probabilities of each head, and where each token stands.

        Returns:
            By head: (labels,) of the text, (tokens, labels) of `tag`; and (start, end) of each
            token in characters, (0, 0) where it marks an end of the text.

        Raises:
            EncoderUnavailable: a library or the weights are missing or others.
        """
        network = loaded_network(find_folder(), self._cache)
        tokens = np.array([network.tokens(text)], np.int64)
        found = network.labels(tokens, read_reader(self._file))
        return {name: rows[0] for name, rows in found.items()}, network.spans(text)
