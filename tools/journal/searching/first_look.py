"""A first look at very many vectors in a byte a number: which of them can be the nearest at all."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tools.embedding.embedder import Vectors

MANY = 4_000
"""Vectors from which a first look is worth what it costs: the import of onnx, and a quarter of the
bytes beside the vectors themselves."""
_BLOCK = 8_192
_MOST = 127
_MOST_ASKED = 63
"""Of the question's digits. Processors without VNNI add products in pairs, in 16 bits: two of
(63 + 64) x 127 just fit. Source: onnxruntime's notes on quantization, "saturation issue"."""
_ROUNDING = 1e-5
"""What float32 may lose in a sum of a few thousand products of unit vectors."""
_OPSET, _IR = 13, 8


@dataclass(frozen=True)
class FirstLook:
    """Integers in place of vectors, and how far a product with them can be off."""

    session: Any  # onnxruntime.InferenceSession: the library ships no types
    steps: npt.NDArray[np.float32]
    """What 1 stands for, of each vector."""
    off: float
    """Length of the longest difference between a vector and its integers."""
    longest: float
    """Length of the longest vector."""

    def at(self, question: Vectors) -> tuple[Vectors, float]:
        """Give every product with a question, and how far any of them can be off."""
        step = float(np.abs(question).max()) / _MOST_ASKED or 1.0
        high = np.rint(question / step)
        low = np.rint((question - high * step) * (_MOST_ASKED / step))
        digits = (np.stack([high, low]) + _MOST_ASKED + 1).astype(np.uint8)
        (products,) = self.session.run(None, {"asked": digits})
        said = (high + low / _MOST_ASKED) * step
        found = (products[0] + products[1] / np.float32(_MOST_ASKED)) * (self.steps * step)
        missed = float(np.linalg.norm(question - said))
        off = self.off * float(np.linalg.norm(said)) + self.longest * missed
        return found.astype(np.float32), off + _ROUNDING


def first_look(vectors: Vectors) -> FirstLook | None:
    """Round vectors to integers; None: there are few, or onnxruntime is not for this machine."""
    count, dimensions = vectors.shape
    if count < MANY:
        return None
    steps = np.maximum(np.abs(vectors).max(axis=1), np.finfo(np.float32).tiny) / np.float32(_MOST)
    columns = np.empty((dimensions, count), np.int8)
    off = longest = 0.0
    for start in range(0, count, _BLOCK):
        some = vectors[start : start + _BLOCK]
        rounded = np.rint(some / steps[start : start + _BLOCK, None])
        columns[:, start : start + _BLOCK] = rounded.T
        apart = some - rounded * steps[start : start + _BLOCK, None]
        off = max(off, float(np.linalg.norm(apart, axis=1).max()))
        longest = max(longest, float(np.linalg.norm(some, axis=1).max()))
    try:
        session = _session(columns)
    except ImportError:
        return None
    return FirstLook(session, steps, off, longest)


def _session(columns: npt.NDArray[np.int8]) -> Any:
    import onnxruntime  # type: ignore[import-untyped]  # ships no types

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    given = onnxruntime.OrtValue.ortvalue_from_numpy(columns)
    options.add_external_initializers(["columns"], [given])
    return onnxruntime.InferenceSession(
        _graph(*columns.shape), options, providers=["CPUExecutionProvider"]
    )


def _graph(dimensions: int, count: int) -> bytes:
    """Write (asked - 64) times columns, whose bytes come apart from the graph."""
    from onnx import TensorProto, helper, numpy_helper  # slow to import

    columns = TensorProto(name="columns", data_type=TensorProto.INT8, dims=[dimensions, count])
    columns.data_location = TensorProto.EXTERNAL
    columns.external_data.add(key="location", value="given")
    zero = numpy_helper.from_array(np.array(_MOST_ASKED + 1, np.uint8), "zero")
    asked = helper.make_tensor_value_info("asked", TensorProto.UINT8, [2, dimensions])
    products = helper.make_tensor_value_info("products", TensorProto.INT32, [2, count])
    node = helper.make_node("MatMulInteger", ["asked", "columns", "zero"], ["products"])
    graph = helper.make_graph([node], "first_look", [asked], [products], [columns, zero])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)])
    model.ir_version = _IR
    written: bytes = model.SerializeToString()
    return written
