"""The encoder's graph, built once and kept in the cache folder under its own hash."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

from tools.embedding.weights import WEIGHTS_SHA256, Place
from tools.keeping import keep

_BUILDER = Path(__file__).with_name("minilm_graph.py")
_DIGITS = 16


def kept_graph(places: Mapping[str, Place], folder: Path | None) -> bytes:
    """Read the kept graph, or build and keep it.

    A file counts only when its name tells what it was made from and its bytes have the hash in its
    name: a torn, changed or outdated one is built anew. Any number of processes may race.
    """
    if folder is None:
        return _build(places)
    recipe = _hash(_BUILDER.read_bytes() + WEIGHTS_SHA256.encode())
    for file in sorted(folder.glob(f"all-MiniLM-L6-v2-{recipe}-*.onnx")):
        graph = _read(file)
        if graph is not None and file.stem.endswith(_hash(graph)):
            return graph
    graph = _build(places)
    keep(folder / f"all-MiniLM-L6-v2-{recipe}-{_hash(graph)}.onnx", graph)
    return graph


def _build(places: Mapping[str, Place]) -> bytes:
    from tools.embedding.minilm_graph import build_graph  # needs onnx, which is slow to import

    return build_graph(places)


def _read(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except OSError:
        return None


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:_DIGITS]
