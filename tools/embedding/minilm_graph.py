"""The network of all-MiniLM-L6-v2 as an ONNX graph whose weights stay in the safetensors file.

Source: BERT (Devlin et al., 2018) as `sentence-transformers/all-MiniLM-L6-v2` configures it.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

from tools.embedding.weights import WEIGHTS, Place

LAYERS, HEADS, WIDTH = 6, 12, 384
_HEAD_WIDTH = WIDTH // HEADS
_EPSILON = 1e-12
_OPSET, _IR = 20, 10
"""The first opset with Gelu, and the format of its time: any onnxruntime since 1.17 reads both."""

INPUT, OUTPUT = "tokens", "vectors"


def build_graph(places: Mapping[str, Place]) -> bytes:
    """Write the graph: tokens (batch, length) int64 → vectors (batch, 384) float32, unit length.

    There is no mask: texts of a batch have the same length, so no token is padding.
    """
    graph = _Graph(places)
    hidden = graph.add("Reshape", _embeddings(graph), graph.flat)
    for layer in range(LAYERS):
        hidden = _layer(graph, hidden, f"encoder.layer.{layer}")
    shaped = graph.add("Concat", graph.shape, graph.integers(WIDTH), axis=0)
    # The mean is over the last axis: over any other, its last bits depend on the batch.
    columns = graph.add("Transpose", graph.add("Reshape", hidden, shaped), perm=[0, 2, 1])
    mean = graph.add("ReduceMean", columns, graph.integers(2), keepdims=0)
    graph.add("LpNormalization", mean, output=OUTPUT, axis=-1, p=2)
    return graph.written()


def _embeddings(graph: "_Graph") -> str:
    length = graph.add("Slice", graph.shape, graph.integers(1), graph.integers(2))
    first, second = graph.integers(0), graph.integers(1)
    words = graph.add("Gather", graph.weight("embeddings.word_embeddings.weight"), INPUT)
    places = graph.weight("embeddings.position_embeddings.weight")
    kinds = graph.weight("embeddings.token_type_embeddings.weight")
    of_place = graph.add("Slice", places, first, length)
    of_kind = graph.add("Slice", kinds, first, second)  # one sentence: every token is of kind 0
    total = graph.add("Add", graph.add("Add", words, of_kind), of_place)
    return graph.normalised(total, "embeddings.LayerNorm")


def _layer(graph: "_Graph", hidden: str, name: str) -> str:
    attended = graph.linear(_attention(graph, hidden, name), f"{name}.attention.output.dense")
    total = graph.add("Add", attended, hidden)
    middle = graph.normalised(total, f"{name}.attention.output.LayerNorm")
    wide = graph.add("Gelu", graph.linear(middle, f"{name}.intermediate.dense"))
    total = graph.add("Add", graph.linear(wide, f"{name}.output.dense"), middle)
    return graph.normalised(total, f"{name}.output.LayerNorm")


def _attention(graph: "_Graph", hidden: str, name: str) -> str:
    heads = graph.add("Concat", graph.shape, graph.integers(HEADS, _HEAD_WIDTH), axis=0)

    def of_heads(part: str, *perm: int) -> str:
        rows = graph.linear(hidden, f"{name}.attention.self.{part}")
        return graph.add("Transpose", graph.add("Reshape", rows, heads), perm=list(perm))

    asked, known = of_heads("query", 0, 2, 1, 3), of_heads("key", 0, 2, 3, 1)
    scale = graph.constant(np.array(_HEAD_WIDTH**-0.5, np.float32))
    scores = graph.add("Mul", graph.add("MatMul", asked, known), scale)
    shares = graph.add("Softmax", scores, axis=-1)
    mixed = graph.add("MatMul", shares, of_heads("value", 0, 2, 1, 3))
    return graph.add("Reshape", graph.add("Transpose", mixed, perm=[0, 2, 1, 3]), graph.flat)


class _Graph:
    """Nodes and tensors, each named once."""

    def __init__(self, places: Mapping[str, Place]) -> None:
        self._places = places
        self._nodes: list[onnx.NodeProto] = []
        self._tensors: dict[str, TensorProto] = {}
        self.shape = self.add("Shape", INPUT)
        """[batch, length]"""
        self.flat = self.integers(-1, WIDTH)
        """The shape of a matrix with a row a token."""

    def add(self, kind: str, *inputs: str, output: str | None = None, **attributes: Any) -> str:
        """Add a node; returns the name of what it computes."""
        output = output or f"{kind}_{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def linear(self, rows: str, name: str) -> str:
        """Multiply by a weight, as torch lays it out, and add its bias."""
        return self.add(
            "Gemm", rows, self.weight(f"{name}.weight"), self.weight(f"{name}.bias"), transB=1
        )

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

    def constant(self, values: npt.NDArray[np.generic]) -> str:
        """Name a value that stands in the graph itself."""
        name = f"constant_{values.tolist()}"
        self._tensors[name] = numpy_helper.from_array(values, name)
        return name

    def written(self) -> bytes:
        """Serialise the graph; the same graph gives the same bytes."""
        tokens = helper.make_tensor_value_info(INPUT, TensorProto.INT64, ["batch", "length"])
        vectors = helper.make_tensor_value_info(OUTPUT, TensorProto.FLOAT, ["batch", WIDTH])
        graph = helper.make_graph(
            self._nodes, "all-MiniLM-L6-v2", [tokens], [vectors], [*self._tensors.values()]
        )
        model = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR
        )
        written: bytes = model.SerializeToString(deterministic=True)
        return written
