"""Build all-MiniLM-L6-v2 as an ONNX graph whose weights stay in the safetensors file.

Imports onnx, which is slow: imported only when no built graph is cached.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

from tools.adapters.embedding.minilm_weights import (
    ADAPTED,
    HEADS,
    LAYERS,
    MIDDLE,
    MIDDLE_LAYER,
    TOKENS,
    VECTORS,
    WEIGHTS,
    WIDTH,
    Adapter,
    Place,
    ReaderWeights,
)

_HEAD_WIDTH = WIDTH // HEADS
_EPSILON = 1e-12
_OPSET, _IR = 20, 10
"""The first opset with Gelu, and the format of its time: any onnxruntime since 1.17 reads both."""

_Shape = list[str | int | None]
_TEXTS: _Shape = ["batch", "length"]
_MEAN: _Shape = ["batch", WIDTH]
_STATES: _Shape = [*_TEXTS, WIDTH]


def build_graph(places: Mapping[str, Place]) -> bytes:
    """Write the published network: tokens (batch, length) int64 → vectors (batch, 384).

    Beside them `middle` (batch, length, 384), from which the adapted network goes on. There is no
    mask: texts of a batch have the same length, so no token is padding.
    """
    graph = _Graph(places, TOKENS)
    hidden = graph.add("Reshape", _embeddings(graph), graph.flat)
    for layer in range(MIDDLE_LAYER):
        hidden = _layer(graph, hidden, layer)
    graph.add("Reshape", hidden, graph.deep, output=MIDDLE)
    for layer in range(MIDDLE_LAYER, LAYERS):
        hidden = _layer(graph, hidden, layer)
    _mean(graph, graph.add("Reshape", hidden, graph.deep), VECTORS)
    tokens = helper.make_tensor_value_info(TOKENS, TensorProto.INT64, _TEXTS)
    return graph.written(tokens, {VECTORS: _MEAN, MIDDLE: _STATES})


def build_adapted_graph(places: Mapping[str, Place], adapter: Adapter) -> bytes:
    """Write the adapted rest of the network: middle (batch, length, 384) → adapted (batch, 384).

    It ends with the last layer that something is added to.
    """
    graph = _Graph(places, MIDDLE)
    hidden = graph.add("Reshape", MIDDLE, graph.flat)
    for layer in range(MIDDLE_LAYER, adapter.layers):
        hidden = _layer(graph, hidden, layer, adapter)
    _mean(graph, graph.add("Reshape", hidden, graph.deep), ADAPTED)
    middle = helper.make_tensor_value_info(MIDDLE, TensorProto.FLOAT, _STATES)
    return graph.written(middle, {ADAPTED: _MEAN})


def build_reader_graph(places: Mapping[str, Place], reader: ReaderWeights) -> bytes:
    """Write the reader: tokens (batch, length) int64 → the probabilities of each head's labels.

    Of a text (batch, labels); of its tokens, by the head `tag`, (batch, length, labels).
    """
    graph = _Graph(places, TOKENS)
    hidden = graph.add("Reshape", _embeddings(graph), graph.flat)
    for layer in range(LAYERS):
        hidden = _layer(graph, hidden, layer, reader.adapter)
    states = graph.add("Reshape", hidden, graph.deep)
    columns = graph.add("Transpose", states, perm=[0, 2, 1])
    mean = graph.add("ReduceMean", columns, graph.integers(2), keepdims=0)
    found: dict[str, _Shape] = {}
    for name, head in reader.heads.items():
        features = states
        if head.pool is not None:
            query = graph.matrix(f"{name}.pool", head.pool.reshape(WIDTH, 1))
            shares = graph.add("Softmax", graph.add("MatMul", states, query), axis=1)
            pooled = graph.add("MatMul", columns, shares)
            flat = graph.add("Squeeze", pooled, graph.integers(2))
            features = graph.add("Concat", flat, mean, axis=1)
        weight = graph.matrix(f"{name}.weight", head.weight)
        bias = graph.matrix(f"{name}.bias", head.bias)
        logits = graph.add("Add", graph.add("MatMul", features, weight), bias)
        graph.add("Softmax", logits, output=name, axis=-1)
        labels = head.weight.shape[1]
        found[name] = [*_TEXTS, labels] if head.pool is None else ["batch", labels]
    tokens = helper.make_tensor_value_info(TOKENS, TensorProto.INT64, _TEXTS)
    return graph.written(tokens, found)


def _mean(graph: "_Graph", states: str, output: str) -> None:
    """Average the tokens of each text, to length 1."""
    # The mean is over the last axis: over any other, its last bits depend on the batch.
    columns = graph.add("Transpose", states, perm=[0, 2, 1])
    mean = graph.add("ReduceMean", columns, graph.integers(2), keepdims=0)
    graph.add("LpNormalization", mean, output=output, axis=-1, p=2)


def _embeddings(graph: "_Graph") -> str:
    length = graph.add("Slice", graph.shape, graph.integers(1), graph.integers(2))
    first, second = graph.integers(0), graph.integers(1)
    words = graph.add("Gather", graph.weight("embeddings.word_embeddings.weight"), TOKENS)
    places = graph.weight("embeddings.position_embeddings.weight")
    kinds = graph.weight("embeddings.token_type_embeddings.weight")
    of_place = graph.add("Slice", places, first, length)
    of_kind = graph.add("Slice", kinds, first, second)  # one sentence: every token is of kind 0
    total = graph.add("Add", graph.add("Add", words, of_kind), of_place)
    return graph.normalised(total, "embeddings.LayerNorm")


def _layer(graph: "_Graph", hidden: str, layer: int, adapter: Adapter | None = None) -> str:
    name = f"encoder.layer.{layer}"

    def linear(rows: str, part: str) -> str:
        return graph.linear(rows, f"{name}.{part}", adapter)

    attended = linear(_attention(graph, hidden, linear), "attention.output.dense")
    total = graph.add("Add", attended, hidden)
    middle = graph.normalised(total, f"{name}.attention.output.LayerNorm")
    wide = graph.add("Gelu", linear(middle, "intermediate.dense"))
    total = graph.add("Add", linear(wide, "output.dense"), middle)
    return graph.normalised(total, f"{name}.output.LayerNorm")


def _attention(graph: "_Graph", hidden: str, linear: Callable[[str, str], str]) -> str:
    heads = graph.add("Concat", graph.shape, graph.integers(HEADS, _HEAD_WIDTH), axis=0)

    def of_heads(part: str, *perm: int) -> str:
        rows = linear(hidden, f"attention.self.{part}")
        return graph.add("Transpose", graph.add("Reshape", rows, heads), perm=list(perm))

    asked, known = of_heads("query", 0, 2, 1, 3), of_heads("key", 0, 2, 3, 1)
    scale = graph.constant(np.array(_HEAD_WIDTH**-0.5, np.float32))
    scores = graph.add("Mul", graph.add("MatMul", asked, known), scale)
    shares = graph.add("Softmax", scores, axis=-1)
    mixed = graph.add("MatMul", shares, of_heads("value", 0, 2, 1, 3))
    return graph.add("Reshape", graph.add("Transpose", mixed, perm=[0, 2, 1, 3]), graph.flat)


class _Graph:
    """Nodes and tensors, each named once."""

    def __init__(self, places: Mapping[str, Place], given: str) -> None:
        self._places = places
        self._nodes: list[onnx.NodeProto] = []
        self._tensors: dict[str, TensorProto] = {}
        shape = self.add("Shape", given)
        self.shape = self.add("Slice", shape, self.integers(0), self.integers(2))
        """[batch, length]"""
        self.flat = self.integers(-1, WIDTH)
        """The shape of a matrix with a row a token."""
        self.deep = self.add("Concat", self.shape, self.integers(WIDTH), axis=0)
        """[batch, length, 384]"""

    def add(self, kind: str, *inputs: str, output: str | None = None, **attributes: Any) -> str:
        """Add a node; returns the name of what it computes."""
        output = output or f"{kind}_{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def linear(self, rows: str, name: str, adapter: Adapter | None = None) -> str:
        """Multiply by a weight, as torch lays it out, and add its bias and what was learnt."""
        weight, bias = self.weight(f"{name}.weight"), self.weight(f"{name}.bias")
        given = self.add("Gemm", rows, weight, bias, transB=1)
        learnt = adapter.additions.get(name) if adapter is not None else None
        if learnt is None:
            return given
        down, up = (self.matrix(f"{name}.{end}", one) for end, one in enumerate(learnt))
        narrow = self.add("MatMul", rows, down)
        return self.add("Gemm", narrow, up, given)

    def normalised(self, rows: str, name: str) -> str:
        """Normalise each row, then scale and shift it."""
        weight, bias = self.weight(f"{name}.weight"), self.weight(f"{name}.bias")
        return self.add("LayerNormalization", rows, weight, bias, axis=-1, epsilon=_EPSILON)

    def weight(self, name: str) -> str:
        """Name a tensor of the safetensors file."""
        place = self._places[name]
        tensor = TensorProto(
            name=name,
            data_type=TensorProto.FLOAT,
            dims=place.shape,
            data_location=TensorProto.EXTERNAL,
        )
        told = {"location": WEIGHTS, "offset": place.offset, "length": place.length}
        for key, value in told.items():
            tensor.external_data.add(key=key, value=str(value))
        self._tensors[name] = tensor
        return name

    def integers(self, *values: int) -> str:
        """Name a short vector of integers."""
        return self.constant(np.array(values, np.int64))

    def matrix(self, name: str, values: npt.NDArray[np.float32]) -> str:
        """Name a matrix that stands in the graph itself."""
        self._tensors[name] = numpy_helper.from_array(values, name)
        return name

    def constant(self, values: npt.NDArray[np.generic]) -> str:
        """Name a value that stands in the graph itself."""
        name = f"constant_{values.tolist()}"
        self._tensors[name] = numpy_helper.from_array(values, name)
        return name

    def written(self, given: onnx.ValueInfoProto, found: Mapping[str, _Shape]) -> bytes:
        """Serialise the graph with some outputs; the same graph gives the same bytes."""
        outputs = [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
            for name, shape in found.items()
        ]
        graph = helper.make_graph(
            self._nodes, "all-MiniLM-L6-v2", [given], outputs, [*self._tensors.values()]
        )
        model = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR
        )
        written: bytes = model.SerializeToString(deterministic=True)
        return written
