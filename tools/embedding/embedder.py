"""The port of every encoder: sentences in, unit vectors out."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]
"""(n, dimensions), each row of length 1: a product of two is their cosine."""


class Embedder(Protocol):
    """Turns sentences into vectors that lie close when the sentences mean the same.

    It blocks, for milliseconds or for a server's answer: call it from a thread, not from a loop.
    """

    @property
    def name(self) -> str:
        """Name model and version: vectors are comparable, and cached, under equal names."""
        ...

    @property
    def dimensions(self) -> int:
        """Tell the length of a vector.

        Raises:
            EncoderUnavailable: only its server knows, and does not answer.
        """
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed texts, in their order.

        A text's vector does not depend on the texts beside it; an empty text has one too.

        Raises:
            EncoderUnavailable: the model is not there, is not the right one, or did not answer.
        """
        ...


class RequestEmbedder(Embedder, Protocol):
    """An embedder for telling requests apart: its vectors say what a text means."""

    @property
    def manner(self) -> Embedder | None:
        """Give the one whose vectors say how a text is said; None: there is none."""
        ...


class ClosableEmbedder(Embedder, Protocol):
    """An embedder that may hold connections or files."""

    def close(self) -> None:
        """Let go of them; the next text opens them again."""
        ...


def unit(rows: npt.NDArray[np.floating]) -> Vectors:
    """Give every row the length 1; a row of zeros stays as it is."""
    wide = np.asarray(rows, np.float64)  # a float32 sum of squares loses the last digits
    lengths = np.linalg.norm(wide, axis=1, keepdims=True)
    return (wide / np.where(lengths > 0, lengths, 1)).astype(np.float32)
