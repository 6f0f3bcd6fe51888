"""all-MiniLM-L6-v2: the published vectors, from the published weights, without torch."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnxruntime  # type: ignore[import-untyped]  # ships no types
import pytest
from threadpoolctl import threadpool_limits
from tokenizers import Tokenizer

from state.errors import EncoderUnavailable
from tests.openai_server import OpenAIServer
from tests.tools.adapters.embedding.reference import NumpyBert
from tests.tools.adapters.embedding.texts import TEXTS
from tools.adapters.embedding.embedder import ClosableEmbedder, Embedder, OpenAIEmbedder
from tools.adapters.embedding.encoder import Encoder
from tools.adapters.embedding.minilm import (
    AdaptedMiniLM,
    MiniLM,
    Network,
    cached_adapted_graph,
    cached_graph,
)
from tools.adapters.embedding.minilm_weights import (
    MANNER,
    MEANING,
    TOKENIZER,
    WEIGHTS,
    Adapter,
    find_folder,
    map_weights,
    places_of,
    read_adapter,
    write_adapter,
)
from tools.adapters.embedding.vector_cache import VectorCache

GOLDEN = Path(__file__).with_name("golden.json")


def test_vectors_are_those_of_the_network_written_in_numpy(minilm: MiniLM):
    reference = NumpyBert(find_folder())
    tokenizer = Tokenizer.from_file(str(find_folder() / TOKENIZER))
    tokenizer.no_padding()
    read = {text: tokenizer.encode(text).ids for text in TEXTS}
    short = [text for text in TEXTS if len(read[text]) <= 40][::4]  # numpy takes its time
    with threadpool_limits(1):  # several spin for each other on a busy machine
        wanted = [reference.embed(read[text], padding=3) for text in short]
    cosines = (minilm.embed(short) * np.array(wanted)).sum(axis=1)
    assert len(short) > 5
    assert cosines.min() > 0.999999


def test_vectors_are_those_of_the_published_model(minilm: MiniLM):
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    wanted = np.array([row["vector"] for row in golden])
    cosines = (minilm.embed([row["text"] for row in golden]) * wanted).sum(axis=1)
    assert len(golden) >= 5
    assert cosines.min() > 0.9999


def test_what_means_the_same_lies_closer(minilm: MiniLM):
    asked, same, other = minilm.embed(
        ["how many oil filters are left", "stock of the oil filter", "approve my leave"]
    )
    assert asked @ same > asked @ other + 0.3


def test_nothing_heavy_is_imported_before_the_first_text():
    code = """
        import sys
        from tools.adapters.embedding.minilm import MiniLM
        encoder = MiniLM()
        heavy = {"onnx", "onnxruntime", "tokenizers"}
        assert not heavy & set(sys.modules), heavy & set(sys.modules)
        encoder.embed(["now"])
        assert not {"torch", "sentence_transformers", "sklearn"} & set(sys.modules)
    """
    lines = [line.strip() for line in code.strip().splitlines()]
    subprocess.run([sys.executable, "-c", "\n".join(lines)], check=True)


def test_a_kept_graph_needs_no_builder(tmp_path: Path):
    code = f"""
        import sys
        from pathlib import Path
        from tools.adapters.embedding.minilm import MiniLM
        MiniLM(Path({str(tmp_path)!r})).embed(["now"])
        print("onnx" in sys.modules)
    """
    script = "\n".join(line.strip() for line in code.strip().splitlines())
    said = [
        subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
        for _ in range(2)
    ]
    assert [answer.stdout.strip() for answer in said] == ["True", "False"]


def test_a_torn_or_foreign_graph_is_built_anew(tmp_path: Path):
    places = places_of(map_weights(find_folder()))
    whole = cached_graph(places, tmp_path)
    (kept,) = tmp_path.glob("*.onnx")
    kept.write_bytes(whole[: len(whole) // 2])
    assert cached_graph(places, tmp_path) == whole
    assert kept.read_bytes() == whole


def test_processes_that_start_together_keep_one_graph(tmp_path: Path):
    script = (
        "import sys; from pathlib import Path; from tools.adapters.embedding.minilm import MiniLM;"
        "print(MiniLM(Path(sys.argv[1])).embed(['now']).tobytes().hex())"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]
    racing = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    said = {process.communicate(timeout=60)[0] for process in racing}
    assert len(said) == 1
    assert len(list(tmp_path.iterdir())) == 1


def test_encoders_on_the_same_files_share_what_is_loaded(minilm: MiniLM, tmp_path: Path):
    MiniLM(tmp_path).embed(["now"])
    shutil.rmtree(tmp_path)
    assert MiniLM(tmp_path).embed(["now"]).shape == (1, 384)
    assert not tmp_path.exists()


def test_an_unwritable_cache_costs_time_only(tmp_path: Path):
    blocked = tmp_path / "file"
    blocked.write_text("in the way", encoding="utf-8")
    assert MiniLM(blocked / "encoder").embed(["a"]).shape == (1, 384)


@pytest.mark.parametrize("file", [WEIGHTS, TOKENIZER])
def test_other_weights_are_refused(tmp_path: Path, file: str):
    for name in (WEIGHTS, TOKENIZER):
        shutil.copyfile(find_folder() / name, tmp_path / name)
    with (tmp_path / file).open("r+b") as raw:
        raw.seek(100_000)
        raw.write(b"\x00\x01\x02\x03\x04")
    with pytest.raises(EncoderUnavailable, match=f"{file} has the sha256 .* install"):
        MiniLM(weights=tmp_path).embed(["a"])


@pytest.mark.parametrize("content", [None, b"", b"short"])
def test_missing_or_empty_weights_are_named(tmp_path: Path, content: bytes | None):
    if content is not None:
        (tmp_path / WEIGHTS).write_bytes(content)
    with pytest.raises(EncoderUnavailable, match=WEIGHTS):
        MiniLM(weights=tmp_path).embed(["a"])


def test_no_session_copies_the_weights(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    mapped = map_weights(find_folder())
    places = places_of(mapped)
    lies = np.frombuffer(mapped, np.uint8)
    assert all(np.shares_memory(place.within(mapped), lies) for place in places.values())
    shared: list[str] = []

    class Counting(onnxruntime.SessionOptions):  # type: ignore[misc]  # ships no types
        def add_initializer(self, name: str, value: object) -> None:
            shared.append(name)
            super().add_initializer(name, value)

    monkeypatch.setattr(onnxruntime, "SessionOptions", Counting)
    network = Network(find_folder(), tmp_path)
    assert sorted(shared) == sorted(places)
    network.both(network.batches(["now"])[0], read_adapter(MEANING))
    assert sorted(shared) == sorted([*places, *places])


# The adapted network: what was learnt is added where it belongs, and the rest is as published.

ADAPTED_TEXTS = [
    "close work order 1042",
    "how many oil filters are left?",
    "never mind, I did it myself",
]


def test_every_vector_is_that_of_the_network_written_in_numpy(adapted: AdaptedMiniLM):
    tokenizer = Tokenizer.from_file(str(find_folder() / TOKENIZER))
    tokenizer.no_padding()
    ids = [tokenizer.encode(text).ids for text in ADAPTED_TEXTS]
    plain, meaning, manner = (NumpyBert(find_folder(), one) for one in (None, MEANING, MANNER))
    until = read_adapter(MANNER).layers
    with threadpool_limits(1):  # several spin for each other on a busy machine
        wanted = [
            (plain.embed(own), meaning.embed(own), manner.embed(own, layers=until)) for own in ids
        ]
    both = adapted.embed(ADAPTED_TEXTS).astype(float)
    parts = (*np.split(both, 2, axis=1), adapted.manner.embed(ADAPTED_TEXTS).astype(float))

    for part, rows in zip(parts, zip(*wanted, strict=True), strict=True):
        found = part / np.linalg.norm(part, axis=1, keepdims=True)
        assert (found * np.array(rows)).sum(axis=1).min() > 0.999999


def test_what_is_meant_and_how_it_is_said_have_length_one_each(
    adapted: AdaptedMiniLM, minilm: MiniLM
):
    for embedder in (adapted, adapted.manner):
        vectors = embedder.embed(ADAPTED_TEXTS)
        assert vectors.shape == (3, embedder.dimensions)
        assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    published = adapted.embed(ADAPTED_TEXTS)[:, :384] * np.float32(2**0.5)
    assert np.allclose(published, minilm.embed(ADAPTED_TEXTS), atol=1e-6)


def test_bits_depend_on_nothing_beside_the_text_nor_on_what_was_asked_before(
    adapted: AdaptedMiniLM,
):
    before = [adapted.manner.embed([text]) for text in ADAPTED_TEXTS]
    both = [(adapted.embed([text]), adapted.manner.embed([text])) for text in ADAPTED_TEXTS]

    for embedder, alone in zip((adapted, adapted.manner), zip(*both, strict=True), strict=True):
        assert (np.vstack(alone) == embedder.embed(ADAPTED_TEXTS)).all()
        assert (np.vstack(alone) == embedder.embed(ADAPTED_TEXTS * 50)[:3]).all()
    assert (np.vstack(before) == adapted.manner.embed(ADAPTED_TEXTS)).all()


def test_vectors_of_another_adapter_have_another_name(
    adapted: AdaptedMiniLM, minilm: MiniLM, tmp_path: Path
):
    additions = dict(read_adapter(MEANING).additions)
    for name in ("same.npz", "again.npz"):  # zipfile before 3.11.4 writes other headers than ours
        write_adapter(additions, tmp_path / name)
    write_adapter({name: (down * 2, up) for name, (down, up) in additions.items()}, tmp_path / "2")

    assert adapted.name.removeprefix(minilm.name) == f"+meaning-{read_adapter(MEANING).name}"
    assert adapted.manner.name not in (adapted.name, minilm.name)
    same = read_adapter(tmp_path / "same.npz").name
    assert read_adapter(tmp_path / "again.npz").name == same
    if sys.version_info >= (3, 11, 4):
        assert same == read_adapter(MEANING).name
    assert read_adapter(tmp_path / "2").name not in (same, read_adapter(MEANING).name)


def test_the_graph_of_another_adapter_is_kept_beside(tmp_path: Path):
    places, shipped = places_of(map_weights(find_folder())), read_adapter(MEANING)
    other = Adapter("other", dict(list(shipped.additions.items())[1:]))
    graphs = [cached_adapted_graph(places, one, tmp_path) for one in (shipped, other, shipped)]

    assert graphs[0] == graphs[2] != graphs[1]
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("content", [None, b"", b"no archive", b"PK\x05\x06" + bytes(18)])
def test_a_missing_or_damaged_adapter_is_named(tmp_path: Path, content: bytes | None):
    file = tmp_path / "adapter.npz"
    if content is not None:
        file.write_bytes(content)

    with pytest.raises(EncoderUnavailable, match=r"adapter\.npz .*install again") as refused:
        read_adapter(file)
    assert "trust" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "inputs", "outputs", "value"),
    [
        ("encoder.layer.4.output.dense", 1536, 384, np.nan),
        ("encoder.layer.4.output.dense", 384, 1536, 0.5),
        ("encoder.layer.4.intermediate.dense", 384, 384, 0.5),
        ("encoder.layer.2.output.dense", 1536, 384, 0.5),
        ("pooler.dense", 384, 384, 0.5),
    ],
)
def test_an_adapter_of_another_network_is_refused(tmp_path: Path, name, inputs, outputs, value):
    file = tmp_path / "adapter.npz"
    down, up = np.full((inputs, 2), value, np.float32), np.ones((2, outputs), np.float32)
    write_adapter({**read_adapter(MEANING).additions, name: (down, up)}, file)

    with pytest.raises(EncoderUnavailable, match="adapter of this network"):
        read_adapter(file)


# What every encoder keeps to.


@pytest.fixture(params=["minilm", "openai", "kept minilm", "kept openai"])
def encoder(
    request: pytest.FixtureRequest, minilm: MiniLM, openai_server: OpenAIServer, tmp_path: Path
) -> Iterator[ClosableEmbedder]:
    kind = request.param.rpartition(" ")[2]
    embedder: ClosableEmbedder = minilm
    if kind == "openai":
        embedder = OpenAIEmbedder("test", base_url=openai_server.base_url, api_key=None)
    if request.param.startswith("kept"):
        kept = VectorCache(tmp_path / "vectors.sqlite", most=1000)
        embedder = Encoder(embedder, kept, rest_seconds=0)
    yield embedder
    embedder.close()


def test_a_text_becomes_a_row_of_length_one(encoder: Embedder):
    vectors = encoder.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), encoder.dimensions)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors.astype(np.float64), axis=1), 1, atol=1e-6)


def test_no_texts_are_no_rows(encoder: Embedder):
    assert encoder.embed([]).shape == (0, encoder.dimensions)


def test_rows_stand_in_the_order_of_the_texts(encoder: Embedder):
    forwards, backwards = encoder.embed(TEXTS), encoder.embed(TEXTS[::-1])
    assert (forwards == backwards[::-1]).all()


def test_a_vector_does_not_depend_on_its_neighbours(encoder: Embedder):
    alone = np.vstack([encoder.embed([text]) for text in TEXTS])
    assert (alone == encoder.embed(TEXTS)).all()


def test_the_same_text_twice_has_the_same_vector(encoder: Embedder):
    first, _, second = encoder.embed(["stop the pump", "something else", "stop the pump"])
    assert (first == second).all()


def test_half_a_character_and_a_very_long_text_are_embedded_all_the_same(encoder: Embedder):
    assert np.isfinite(encoder.embed(["half \ud83d of it", "word " * 50_000])).all()


def test_texts_that_share_words_are_near(encoder: Embedder):
    asked, near, far = encoder.embed(
        ["close the work order", "the work order is to be closed", "which papers cite this"]
    )
    assert asked @ near > asked @ far + 0.2


def test_a_closed_encoder_opens_again(encoder: ClosableEmbedder):
    before = encoder.embed(["again"])
    encoder.close()
    assert (encoder.embed(["again"]) == before).all()


def test_the_name_says_model_and_version(encoder: Embedder):
    assert all(encoder.name.partition("@"))
