"""all-MiniLM-L6-v2 in plain numpy, written from the paper apart from the graph under test."""

import json
import math
from pathlib import Path

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_POINTS = np.linspace(-6, 6, 24_001)
_ERF = np.array([math.erf(point) for point in _POINTS])
"""Between its points a straight line is right to 1e-7, a hundred times as fast as asking each."""


class NumpyBert:
    """One text at a time, in double precision, with a mask over padding that it adds itself."""

    def __init__(self, folder: Path, adapter: Path | None = None) -> None:
        self._added: dict[str, Floats] = {}
        """What an adapter adds to weights, multiplied out."""
        if adapter is not None:
            with np.load(adapter) as stored:
                for name in (file.removesuffix(":up") for file in stored if file.endswith(":up")):
                    down, up = (stored[f"{name}:{end}"].astype(float) for end in ("down", "up"))
                    self._added[name] = (down @ up).T
        raw = (folder / "model.safetensors").read_bytes()
        size = int.from_bytes(raw[:8], "little")
        self._weights: dict[str, Floats] = {}
        for name, told in json.loads(raw[8 : 8 + size]).items():
            if told.get("dtype") == "F32":
                begin, end = (8 + size + offset for offset in told["data_offsets"])
                values = np.frombuffer(raw[begin:end], np.float32).astype(np.float64)
                self._weights[name] = values.reshape(told["shape"])

    def embed(self, tokens: list[int], *, padding: int = 0, layers: int = 6) -> Floats:
        mask = np.array([1.0] * len(tokens) + [0.0] * padding)
        ids = tokens + [0] * padding
        hidden = (
            self._weights["embeddings.word_embeddings.weight"][ids]
            + self._weights["embeddings.position_embeddings.weight"][: len(ids)]
            + self._weights["embeddings.token_type_embeddings.weight"][0]
        )
        hidden = self._normalise(hidden, "embeddings.LayerNorm")
        for layer in range(layers):
            hidden = self._layer(hidden, mask, f"encoder.layer.{layer}.")
        mean: Floats = (hidden * mask[:, None]).sum(axis=0) / mask.sum()
        return mean / np.linalg.norm(mean)

    def _layer(self, hidden: Floats, mask: Floats, name: str) -> Floats:
        context = np.empty_like(hidden)
        query, key, value = (
            self._linear(hidden, f"{name}attention.self.{part}")
            for part in ("query", "key", "value")
        )
        for head in range(12):
            part = slice(32 * head, 32 * head + 32)
            scores = query[:, part] @ key[:, part].T / math.sqrt(32)
            scores = np.where(mask[None, :] > 0, scores, -np.inf)
            shares = np.exp(scores - scores.max(axis=1, keepdims=True))
            context[:, part] = shares / shares.sum(axis=1, keepdims=True) @ value[:, part]
        attended = self._linear(context, f"{name}attention.output.dense") + hidden
        middle = self._normalise(attended, f"{name}attention.output.LayerNorm")
        wide = self._linear(middle, f"{name}intermediate.dense")
        wide = wide * 0.5 * (1 + np.interp(wide / math.sqrt(2), _POINTS, _ERF))
        narrow = self._linear(wide, f"{name}output.dense") + middle
        return self._normalise(narrow, f"{name}output.LayerNorm")

    def _linear(self, rows: Floats, name: str) -> Floats:
        weight = self._weights[f"{name}.weight"]
        if name in self._added:
            weight = weight + self._added[name]
        result: Floats = rows @ weight.T + self._weights[f"{name}.bias"]
        return result

    def _normalise(self, rows: Floats, name: str) -> Floats:
        centred = rows - rows.mean(axis=1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-12)
        result: Floats = scaled * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]
        return result
