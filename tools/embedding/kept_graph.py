"""The encoder's graphs, built once and kept in the cache folder under their own hash."""

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path

from tools.embedding.adapter import Adapter
from tools.embedding.weights import WEIGHTS_SHA256, Place
from tools.keeping import keep

_RECIPE = tuple(Path(__file__).with_name(name) for name in ("architecture.py", "minilm_graph.py"))
_DIGITS = 16


def kept_graph(places: Mapping[str, Place], folder: Path | None) -> bytes:
    """Read the kept graph of the published network, or build and keep it.

    A file counts only when its name tells what it was made from and its bytes have the hash in its
    name: a torn, changed or outdated one is built anew. Any number of processes may race.
    """

    def build() -> bytes:
        from tools.embedding.minilm_graph import build_graph  # needs onnx, which is slow to import

        return build_graph(places)

    return _kept("all-MiniLM-L6-v2", WEIGHTS_SHA256, build, folder)


def kept_adapted_graph(places: Mapping[str, Place], adapter: Adapter, folder: Path | None) -> bytes:
    """Do the same for the adapted rest of the network."""

    def build() -> bytes:
        from tools.embedding.minilm_graph import build_adapted_graph  # as above

        return build_adapted_graph(places, adapter)

    return _kept("adapted", WEIGHTS_SHA256 + adapter.name, build, folder)


def _kept(name: str, made_from: str, build: Callable[[], bytes], folder: Path | None) -> bytes:
    if folder is None:
        return build()
    recipe = _hash(b"".join(file.read_bytes() for file in _RECIPE) + made_from.encode())
    for file in sorted(folder.glob(f"{name}-{recipe}-*.onnx")):
        graph = _read(file)
        if graph is not None and file.stem.endswith(_hash(graph)):
            return graph
    graph = build()
    keep(folder / f"{name}-{recipe}-{_hash(graph)}.onnx", graph)
    return graph


def _read(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except OSError:
        return None


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:_DIGITS]
