"""The adapted network: what was learnt is added where it belongs, and the rest is as published."""

import sys
from pathlib import Path

import numpy as np
import pytest
from threadpoolctl import threadpool_limits
from tokenizers import Tokenizer

from state.errors import EncoderUnavailable
from tests.tools.adapters.embedding.reference import NumpyBert
from tools.adapters.embedding.minilm import AdaptedMiniLM, MiniLM, cached_adapted_graph
from tools.adapters.embedding.minilm_weights import (
    MANNER,
    MEANING,
    TOKENIZER,
    Adapter,
    find_folder,
    map_weights,
    places_of,
    read_adapter,
    write_adapter,
)

TEXTS = ["close work order 1042", "how many oil filters are left?", "never mind, I did it myself"]


def test_every_vector_is_that_of_the_network_written_in_numpy(adapted: AdaptedMiniLM) -> None:
    tokenizer = Tokenizer.from_file(str(find_folder() / TOKENIZER))
    tokenizer.no_padding()
    ids = [tokenizer.encode(text).ids for text in TEXTS]
    plain, meaning, manner = (NumpyBert(find_folder(), one) for one in (None, MEANING, MANNER))
    until = read_adapter(MANNER).layers
    with threadpool_limits(1):  # several spin for each other on a busy machine
        wanted = [
            (plain.embed(own), meaning.embed(own), manner.embed(own, layers=until)) for own in ids
        ]
    both = adapted.embed(TEXTS).astype(float)
    parts = (*np.split(both, 2, axis=1), adapted.manner.embed(TEXTS).astype(float))

    for part, rows in zip(parts, zip(*wanted, strict=True), strict=True):
        found = part / np.linalg.norm(part, axis=1, keepdims=True)
        assert (found * np.array(rows)).sum(axis=1).min() > 0.999999


def test_what_is_meant_and_how_it_is_said_have_length_one_each(
    adapted: AdaptedMiniLM, minilm: MiniLM
) -> None:
    for embedder in (adapted, adapted.manner):
        vectors = embedder.embed(TEXTS)
        assert vectors.shape == (3, embedder.dimensions)
        assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    published = adapted.embed(TEXTS)[:, :384] * np.float32(2**0.5)
    assert np.allclose(published, minilm.embed(TEXTS), atol=1e-6)


def test_bits_depend_on_nothing_beside_the_text_nor_on_what_was_asked_before(
    adapted: AdaptedMiniLM,
) -> None:
    before = [adapted.manner.embed([text]) for text in TEXTS]
    both = [(adapted.embed([text]), adapted.manner.embed([text])) for text in TEXTS]

    for embedder, alone in zip((adapted, adapted.manner), zip(*both, strict=True), strict=True):
        assert (np.vstack(alone) == embedder.embed(TEXTS)).all()
        assert (np.vstack(alone) == embedder.embed(TEXTS * 50)[:3]).all()
    assert (np.vstack(before) == adapted.manner.embed(TEXTS)).all()


def test_vectors_of_another_adapter_have_another_name(
    adapted: AdaptedMiniLM, minilm: MiniLM, tmp_path: Path
) -> None:
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


def test_the_graph_of_another_adapter_is_kept_beside(tmp_path: Path) -> None:
    places, shipped = places_of(map_weights(find_folder())), read_adapter(MEANING)
    other = Adapter("other", dict(list(shipped.additions.items())[1:]))
    graphs = [cached_adapted_graph(places, one, tmp_path) for one in (shipped, other, shipped)]

    assert graphs[0] == graphs[2] != graphs[1]
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("content", [None, b"", b"no archive", b"PK\x05\x06" + bytes(18)])
def test_a_missing_or_damaged_adapter_is_named(tmp_path: Path, content: bytes | None) -> None:
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
def test_an_adapter_of_another_network_is_refused(
    tmp_path: Path, name: str, inputs: int, outputs: int, value: float
) -> None:
    file = tmp_path / "adapter.npz"
    down, up = np.full((inputs, 2), value, np.float32), np.ones((2, outputs), np.float32)
    write_adapter({**read_adapter(MEANING).additions, name: (down, up)}, file)

    with pytest.raises(EncoderUnavailable, match="adapter of this network"):
        read_adapter(file)
