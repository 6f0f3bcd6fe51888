"""The encoder of the product: an embedder with cached vectors and a circuit breaker."""

import time
from collections.abc import Callable, Sequence
from threading import Lock

import numpy as np
import structlog

from state.errors import EncoderUnavailable
from tools.adapters.embedding.embedder import ClosableEmbedder, Vectors
from tools.adapters.embedding.vector_cache import ShippedVectors, VectorCache
from tools.platform.process_resources import report_progress

log = structlog.get_logger()

_MUCH = 500
"""Texts from which processes that start together take turns."""
_PART = 2_000
"""Texts between two reports of progress: some seconds."""


class Encoder:
    """An embedder that is asked for each text once, and is left alone for a while when it fails.

    While it rests, texts that are kept are answered and all others refused at once: a server that
    hangs costs its timeout once in `rest_seconds`, not at every message.
    """

    def __init__(
        self,
        embedder: ClosableEmbedder,
        kept: VectorCache | None = None,
        *,
        rest_seconds: float,
        seconds: Callable[[], float] = time.monotonic,
        manner: "Encoder | None" = None,
        shipped: Sequence[ShippedVectors] = (),
    ) -> None:
        """Ask nothing yet.

        Args:
            kept: where vectors are kept; none: every text is embedded anew.
            rest_seconds: how long it is left alone after a failure.
            seconds: a clock that never goes back.
            manner: the one for how a text is said. See RequestEmbedder.manner.
            shipped: vectors that came with packs; looked into when many texts are embedded.
        """
        self._embedder = embedder
        self._shipped = shipped
        self._kept = kept
        self._rest_seconds = rest_seconds
        self._seconds = seconds
        self.manner = manner
        self._lock = Lock()
        self._problem: str | None = None
        self._rests_until = 0.0

    def beside(
        self,
        embedder: ClosableEmbedder,
        *,
        manner: "Encoder | None" = None,
        keeps: bool = True,
        shipped: Sequence[ShippedVectors] = (),
    ) -> "Encoder":
        """Give one for another embedder, as patient.

        Args:
            manner: as above.
            keeps: its vectors are kept in the same place; else they are made again each time.
            shipped: as above.
        """
        return Encoder(
            embedder,
            self._kept if keeps else None,
            rest_seconds=self._rest_seconds,
            seconds=self._seconds,
            manner=manner,
            shipped=shipped,
        )

    @property
    def name(self) -> str:
        """Name model and version. See Embedder.name."""
        return self._embedder.name

    @property
    def dimensions(self) -> int:
        """Tell the length of a vector. See Embedder.dimensions."""
        return self._embedder.dimensions

    @property
    def problem(self) -> str | None:
        """Tell why it could not embed when it was last asked; None: it could, or never was."""
        return self._problem

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed texts, in their order. See Embedder.embed."""
        if not texts:
            return np.empty((0, self.dimensions), np.float32)
        wanted = list(dict.fromkeys(texts))
        known = self._came_with_packs(wanted) if len(wanted) >= _MUCH else {}
        missing = [text for text in wanted if text not in known]
        known |= self._kept.read(self.name, missing) if self._kept else {}
        missing = [text for text in missing if text not in known]
        if self._kept and len(missing) >= _MUCH:
            with self._kept.turn():
                known |= self._kept.read(self.name, missing)
                missing = [text for text in missing if text not in known]
                known |= self._found(missing)
        else:
            known |= self._found(missing)
        if len({len(vector) for vector in known.values()}) > 1:  # its server changed the model
            known = self._found(wanted)
        return np.stack([known[text] for text in texts])

    def recall(self, texts: Sequence[str]) -> dict[str, Vectors]:
        """Look up which texts were embedded before, in this process or another; embeds none."""
        return self._kept.read(self.name, texts) if self._kept else {}

    def warm_up(self) -> None:
        """Load what the first text would load, and find out whether it works; never raises."""
        try:
            self._ask(["ready"])
        except EncoderUnavailable:
            return  # told by `problem`, and in the log
        if self.manner is not None:
            self.manner.warm_up()

    def close(self) -> None:
        """Let go of connections and files; the next text opens them again."""
        if self._kept:
            self._kept.close()
        self._embedder.close()

    def _came_with_packs(self, texts: Sequence[str]) -> dict[str, Vectors]:
        known: dict[str, Vectors] = {}
        for shipped in self._shipped:
            known |= shipped.read(self.name, texts)
        return known

    def _found(self, texts: Sequence[str]) -> dict[str, Vectors]:
        """Ask for vectors and keep them, a part at a time: what was done survives an end."""
        found: dict[str, Vectors] = {}
        for start in range(0, len(texts), _PART):
            report_progress("encoding sentences", start, len(texts))
            part = texts[start : start + _PART]
            vectors = dict(zip(part, self._ask(part), strict=True))
            if self._kept:
                self._kept.write(self.name, vectors)
            found |= vectors
        return found

    def _ask(self, texts: Sequence[str]) -> Vectors:
        with self._lock:
            if self._problem and self._seconds() < self._rests_until:
                raise EncoderUnavailable(self._problem)
        try:
            vectors = self._embedder.embed(texts)
        except EncoderUnavailable as error:
            self._note(str(error))
            raise
        self._note(None)
        return vectors

    def _note(self, problem: str | None) -> None:
        with self._lock:
            before, self._problem = self._problem, problem
            self._rests_until = self._seconds() + self._rest_seconds if problem else 0.0
        if problem and not before:
            log.warning("encoder_unavailable", encoder=self.name, reason=problem)
        elif before and not problem:
            log.info("encoder_back", encoder=self.name)
