"""all-MiniLM-L6-v2 on onnxruntime without torch, as published and as adapted.

Loaded once a process at the first text and run on batches of equal length; built graphs are cached
under their hash.
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from state.errors import EncoderUnavailable
from tools.adapters.embedding.embedder import Vectors
from tools.adapters.embedding.minilm_weights import (
    ADAPTED,
    MANNER,
    MEANING,
    MIDDLE,
    TOKENS,
    VECTORS,
    WEIGHTS,
    WEIGHTS_SHA256,
    WIDTH,
    Adapter,
    Place,
    ReaderWeights,
    find_folder,
    map_weights,
    places_of,
    read_adapter,
    read_tokenizer,
)
from tools.platform.process_resources import thread_count, write_atomically

_RECIPE = tuple(Path(__file__).with_name(name) for name in ("minilm_weights.py", "minilm_graph.py"))
_DIGITS = 16


def cached_graph(places: Mapping[str, Place], folder: Path | None) -> bytes:
    """Read the kept graph of the published network, or build and keep it.

    A file counts only when its name tells what it was made from and its bytes have the hash in its
    name: a torn, changed or outdated one is built anew. Any number of processes may race.
    """

    def build() -> bytes:
        from tools.adapters.embedding.minilm_graph import (
            build_graph,  # needs onnx, which is slow to import
        )

        return build_graph(places)

    return _kept("all-MiniLM-L6-v2", WEIGHTS_SHA256, build, folder)


def cached_adapted_graph(
    places: Mapping[str, Place], adapter: Adapter, folder: Path | None
) -> bytes:
    """Do the same for the adapted rest of the network."""

    def build() -> bytes:
        from tools.adapters.embedding.minilm_graph import build_adapted_graph  # as above

        return build_adapted_graph(places, adapter)

    return _kept("adapted", WEIGHTS_SHA256 + adapter.name, build, folder)


def cached_reader_graph(
    places: Mapping[str, Place], reader: ReaderWeights, folder: Path | None
) -> bytes:
    """Do the same for the reader."""

    def build() -> bytes:
        from tools.adapters.embedding.minilm_graph import build_reader_graph  # as above

        return build_reader_graph(places, reader)

    return _kept("reader", WEIGHTS_SHA256 + reader.adapter.name, build, folder)


def _kept(name: str, made_from: str, build: Callable[[], bytes], folder: Path | None) -> bytes:
    if folder is None:
        return build()
    recipe = _hash(b"".join(file.read_bytes() for file in _RECIPE) + made_from.encode())
    for file in sorted(folder.glob(f"{name}-{recipe}-*.onnx")):
        graph = _read(file)
        if graph is not None and file.stem.endswith(_hash(graph)):
            return graph
    graph = build()
    write_atomically(folder / f"{name}-{recipe}-{_hash(graph)}.onnx", graph)
    return graph


def _read(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except OSError:
        return None


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:_DIGITS]


_MOST_TOKENS = 256
"""Of one text; what follows is not read. Source: the model's sentence_bert_config.json."""
_MOST_CHARACTERS = 10_000
"""Of one text that the tokenizer sees: 256 tokens are 1,000 to 1,500, and it reads all it gets."""
_BATCH_TOKENS = 512
"""In one run: more gains no speed, and the attention of 32 long texts takes 100 MB."""
_MOST_THREADS = 4
_MIDDLES = 4
"""Texts of threads that ask beside each other; one takes 400 kB at most."""

_Session = Any  # onnxruntime.InferenceSession: the library ships no types


@dataclass(frozen=True)
class Batch:
    """Texts of one length, so that no token is padding."""

    places: list[int]
    """Where each text stands among all."""
    tokens: npt.NDArray[np.int64]
    """(texts, length)"""


class Network:
    """The published network, and adapted rests of it when somebody asks for them."""

    def __init__(self, folder: Path, cache: Path | None) -> None:
        """Load the published one.

        Raises:
            EncoderUnavailable: a library or the weights are missing or others.
        """
        try:
            from tokenizers import Tokenizer
        except ImportError as error:
            raise EncoderUnavailable(f"{error}; install what requirements.lock names") from error
        self._weights = map_weights(folder)
        self._tokenizer = Tokenizer.from_str(read_tokenizer(folder))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(_MOST_TOKENS)
        self._places, self._cache = places_of(self._weights), cache
        self._published = self._session(cached_graph(self._places, cache))
        self._adapted: dict[str, _Session] = {}
        self._middles = _Middles()
        self._loading = Lock()

    def tokens(self, text: str) -> list[int]:
        """Cut a text into tokens; half a surrogate pair counts as an unknown character."""
        readable = text[:_MOST_CHARACTERS].encode("utf-8", "replace").decode()
        ids: list[int] = self._tokenizer.encode(readable).ids
        return ids

    def batches(self, texts: Sequence[str]) -> list[Batch]:
        """Sort texts by their length in tokens."""
        return list(_batches([self.tokens(text) for text in texts]))

    def published(self, batch: Batch) -> Vectors:
        """Compute the published vectors: (texts, 384)."""
        vectors: Vectors
        (vectors,) = self._published.run([VECTORS], {TOKENS: batch.tokens})
        return vectors

    def both(self, batch: Batch, adapter: Adapter) -> tuple[Vectors, Vectors]:
        """Compute the published vectors and the adapted ones: each (texts, 384)."""
        rest = self._rest(adapter)
        vectors, middle = self._published.run([VECTORS, MIDDLE], {TOKENS: batch.tokens})
        self._middles.put(batch.tokens, middle)
        (adapted,) = rest.run([ADAPTED], {MIDDLE: middle})
        return vectors, adapted

    def adapted(self, batch: Batch, adapter: Adapter) -> Vectors:
        """Compute the adapted vectors alone: (texts, 384)."""
        rest = self._rest(adapter)
        middle = self._middles.get(batch.tokens)
        if middle is None:  # all is computed: to ask for this output alone saves nothing
            (middle,) = self._published.run([MIDDLE], {TOKENS: batch.tokens})
        vectors: Vectors
        (vectors,) = rest.run([ADAPTED], {MIDDLE: middle})
        return vectors

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Tell where each token of a text stands in it; (0, 0) of those that mark its ends."""
        readable = text[:_MOST_CHARACTERS].encode("utf-8", "replace").decode()
        found: list[tuple[int, int]] = self._tokenizer.encode(readable).offsets
        return found

    def labels(self, tokens: npt.NDArray[np.int64], reader: ReaderWeights) -> Mapping[str, Vectors]:
        """Compute the probabilities of each head's labels for texts of one length."""
        names = list(reader.heads)
        return dict(zip(names, self._reader(reader).run(names, {TOKENS: tokens}), strict=True))

    def _reader(self, reader: ReaderWeights) -> _Session:
        with self._loading:
            if reader.adapter.name not in self._adapted:
                graph = cached_reader_graph(self._places, reader, self._cache)
                self._adapted[reader.adapter.name] = self._session(graph)
            return self._adapted[reader.adapter.name]

    def _rest(self, adapter: Adapter) -> _Session:
        with self._loading:
            if adapter.name not in self._adapted:
                graph = cached_adapted_graph(self._places, adapter, self._cache)
                self._adapted[adapter.name] = self._session(graph)
            return self._adapted[adapter.name]

    @cached_property
    def _shared(self) -> dict[str, Any]:
        """The weights where they lie in the file, held as long as the sessions that look there."""
        import onnxruntime  # type: ignore[import-untyped]  # ships no types

        return {
            name: onnxruntime.OrtValue.ortvalue_from_numpy(place.within(self._weights))
            for name, place in self._places.items()
        }

    def _session(self, graph: bytes) -> _Session:
        try:
            import onnxruntime
        except ImportError as error:
            raise EncoderUnavailable(f"{error}; install what requirements.lock names") from error
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        # As it is written: rewriting it gains no time here, and makes bits depend on the batch.
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        for name, value in self._shared.items():
            options.add_initializer(name, value)
        # Nothing is read of it, but a graph whose weights stand elsewhere is refused without it.
        options.add_external_initializers_from_files_in_memory(
            [WEIGHTS], [self._weights], [len(self._weights)]
        )
        return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


class _Middles:
    """What the middle layer made of the last single texts: each is asked about twice in a row.

    Of single ones only: two short texts may have the bytes of a long one.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: dict[bytes, Vectors] = {}

    def put(self, tokens: npt.NDArray[np.int64], middle: Vectors) -> None:
        if len(tokens) > 1:
            return
        with self._lock:
            self._kept.pop(tokens.tobytes(), None)  # the newest stands last
            self._kept[tokens.tobytes()] = middle
            while len(self._kept) > _MIDDLES:
                del self._kept[next(iter(self._kept))]

    def get(self, tokens: npt.NDArray[np.int64]) -> Vectors | None:
        with self._lock:
            return self._kept.get(tokens.tobytes()) if len(tokens) == 1 else None


_LOADED: dict[tuple[Path, Path | None], Network] = {}
"""What this process has loaded, for all encoders on the same files: 60 MB, and 90 of the file."""
_LOADING = Lock()


def loaded_network(folder: Path, cache: Path | None) -> Network:
    """Load the network of a folder, or take the one that this process has.

    Raises:
        EncoderUnavailable: a library or the weights are missing or others.
    """
    with _LOADING:
        if (folder, cache) not in _LOADED:
            _LOADED[folder, cache] = Network(folder, cache)
        return _LOADED[folder, cache]


def run_batches(run: Callable[[Batch], Vectors], batches: Sequence[Batch]) -> list[Vectors]:
    """Run batches, in their order: one on the calling thread, several beside each other."""
    if len(batches) < 2:
        return [run(batch) for batch in batches]
    with ThreadPoolExecutor(thread_count(_MOST_THREADS)) as pool:
        return list(pool.map(run, batches))


def _batches(tokens: Sequence[Sequence[int]]) -> Iterator[Batch]:
    by_length: dict[int, list[int]] = defaultdict(list)
    for place, row in enumerate(tokens):
        by_length[len(row)].append(place)
    for length, places in sorted(by_length.items()):
        size = max(1, _BATCH_TOKENS // length)
        for start in range(0, len(places), size):
            part = places[start : start + size]
            yield Batch(part, np.array([tokens[place] for place in part], np.int64))


class MiniLM:
    """384 dimensions; English, sentences and short paragraphs.

    A single text runs on the calling thread. Batches hold texts of one length, and each runs on one
    thread: so vectors are the same bits whatever the batch, the threads or the process.
    """

    dimensions = WIDTH

    def __init__(self, cache: Path | None = None, *, weights: Path | None = None) -> None:
        """Remember where things are.

        Args:
            cache: a folder in which the graphs are kept for the next start.
            weights: a folder with the model's files; default: that of the installed package.
        """
        self._cache = cache.resolve() if cache else None
        self._weights = weights

    @property
    def name(self) -> str:
        """Name the weights. See Embedder.name."""
        return f"all-MiniLM-L6-v2@{WEIGHTS_SHA256[:8]}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed texts, in their order. See Embedder.embed."""
        if self._weights is None:
            self._weights = find_folder()  # asks the import system: .2 ms each time
        network = loaded_network(self._weights, self._cache)
        batches = network.batches(texts)
        vectors = np.empty((len(texts), self.dimensions), np.float32)
        found = run_batches(lambda batch: self._vectors(network, batch), batches)
        for batch, rows in zip(batches, found, strict=True):
            vectors[batch.places] = rows
        return vectors

    def close(self) -> None:
        """Do nothing: what is loaded is shared, and there is no connection."""

    def _vectors(self, network: Network, batch: Batch) -> Vectors:
        return network.published(batch)


class AdaptedMiniLM(MiniLM):
    """The same network for those who tell requests apart: 768 dimensions.

    The published vector and the adapted one, together of length 1: a product is the mean of both
    cosines.
    """

    dimensions = 2 * WIDTH

    def __init__(self, cache: Path | None = None, *, manner: Path = MANNER) -> None:
        """Remember where things are, as MiniLM does, and the adapter for how a text is said."""
        super().__init__(cache)
        self.manner = MannerMiniLM(cache, adapter=manner)

    @property
    def name(self) -> str:
        """Name weights and adapter. See Embedder.name."""
        return f"{super().name}+meaning-{read_adapter(MEANING).name}"

    def _vectors(self, network: Network, batch: Batch) -> Vectors:
        published, adapted = network.both(batch, read_adapter(MEANING))
        half = np.float32(0.5**0.5)
        return np.concatenate([published * half, adapted * half], axis=1)


class MannerMiniLM(MiniLM):
    """The same network, adapted to tell wishes from talk: how a text is said, 384 dimensions.

    A single text that an AdaptedMiniLM has just embedded costs the adapted layers only.
    """

    def __init__(self, cache: Path | None = None, *, adapter: Path) -> None:
        """Remember where things are, as MiniLM does, and what was learnt."""
        super().__init__(cache)
        self._adapter = adapter

    @property
    def name(self) -> str:
        """Name weights and adapter. See Embedder.name."""
        return f"{super().name}+manner-{read_adapter(self._adapter).name}"

    def _vectors(self, network: Network, batch: Batch) -> Vectors:
        return network.adapted(batch, read_adapter(self._adapter))
