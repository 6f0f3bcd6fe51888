"""An encoder whose server stops answering."""

from collections.abc import Sequence

from state.errors import EncoderUnavailable
from tools.adapters.embedding.embedder import Vectors
from tools.adapters.embedding.minilm import AdaptedMiniLM


class Failing:
    """An encoder whose server answers so many calls and then no more."""

    def __init__(self, encoder: AdaptedMiniLM, calls: int) -> None:
        self.name, self.dimensions = encoder.name, encoder.dimensions
        self.manner = encoder.manner
        self._encoder, self._left = encoder, calls

    def embed(self, texts: Sequence[str]) -> Vectors:
        self._left -= 1
        if self._left < 0:
            raise EncoderUnavailable("the server does not answer")
        return self._encoder.embed(texts)
