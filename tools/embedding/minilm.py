"""all-MiniLM-L6-v2 without torch, as published and as adapted; nothing is loaded before a text."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tools.embedding.adapter import MANNER, MEANING, read_adapter
from tools.embedding.architecture import WIDTH
from tools.embedding.embedder import Vectors
from tools.embedding.network import Batch, Network, loaded_network, run_batches
from tools.embedding.weights import WEIGHTS_SHA256, find_folder


class MiniLM:
    """384 dimensions; English, sentences and short paragraphs.

    A single text runs on the calling thread. Batches hold texts of one length, and each runs on one
    thread: so vectors are the same bits whatever the batch, the threads or the process.
    """

    dimensions = WIDTH

    def __init__(self, cache: Path | None = None, *, weights: Path | None = None) -> None:
        """Remember where things are.

        Args:
            cache: a folder in which the graphs are kept for the next start.
            weights: a folder with the model's files; default: that of the installed package.
        """
        self._cache = cache.resolve() if cache else None
        self._weights = weights

    @property
    def name(self) -> str:
        """Name the weights. See Embedder.name."""
        return f"all-MiniLM-L6-v2@{WEIGHTS_SHA256[:8]}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed texts, in their order. See Embedder.embed."""
        if self._weights is None:
            self._weights = find_folder()  # asks the import system: .2 ms each time
        network = loaded_network(self._weights, self._cache)
        batches = network.batches(texts)
        vectors = np.empty((len(texts), self.dimensions), np.float32)
        found = run_batches(lambda batch: self._vectors(network, batch), batches)
        for batch, rows in zip(batches, found, strict=True):
            vectors[batch.places] = rows
        return vectors

    def close(self) -> None:
        """Do nothing: what is loaded is shared, and there is no connection."""

    def _vectors(self, network: Network, batch: Batch) -> Vectors:
        return network.published(batch)


class AdaptedMiniLM(MiniLM):
    """The same network for those who tell requests apart: 768 dimensions.

    The published vector and the adapted one, together of length 1: a product is the mean of both
    cosines.
    """

    dimensions = 2 * WIDTH

    def __init__(self, cache: Path | None = None, *, manner: Path = MANNER) -> None:
        """Remember where things are, as MiniLM does, and the adapter for how a text is said."""
        super().__init__(cache)
        self.manner = MannerMiniLM(cache, adapter=manner)

    @property
    def name(self) -> str:
        """Name weights and adapter. See Embedder.name."""
        return f"{super().name}+meaning-{read_adapter(MEANING).name}"

    def _vectors(self, network: Network, batch: Batch) -> Vectors:
        published, adapted = network.both(batch, read_adapter(MEANING))
        half = np.float32(0.5**0.5)
        return np.concatenate([published * half, adapted * half], axis=1)


class MannerMiniLM(MiniLM):
    """The same network, adapted to tell wishes from talk: how a text is said, 384 dimensions.

    A single text that an AdaptedMiniLM has just embedded costs the adapted layers only.
    """

    def __init__(self, cache: Path | None = None, *, adapter: Path) -> None:
        """Remember where things are, as MiniLM does, and what was learnt."""
        super().__init__(cache)
        self._adapter = adapter

    @property
    def name(self) -> str:
        """Name weights and adapter. See Embedder.name."""
        return f"{super().name}+manner-{read_adapter(self._adapter).name}"

    def _vectors(self, network: Network, batch: Batch) -> Vectors:
        return network.adapted(batch, read_adapter(self._adapter))
