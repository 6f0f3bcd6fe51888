"""An encoder of three topics: what a text means is what it names."""

from collections.abc import Sequence

import numpy as np

from state.errors import EncoderUnavailable
from tools.adapters.embedding.embedder import Vectors, unit


class Topics:
    """Knows three topics, and puts every text on the axes of those it names."""

    name = "topics"
    dimensions = 4
    broken = False
    _AXES = (("ferry", "boat"), ("bridge", "crossing"), ("soup", "meal"))

    def embed(self, texts: Sequence[str]) -> Vectors:
        if self.broken:
            raise EncoderUnavailable("broken on purpose")
        rows = [
            [float(any(word in text.lower() for word in axis)) for axis in self._AXES] + [0.1]
            for text in texts
        ]
        return unit(np.array(rows))
