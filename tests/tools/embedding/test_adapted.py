"""The adapted network: what was learnt is added where it belongs, and the rest is as published."""

from pathlib import Path

import numpy as np
import pytest
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]  # ships no types
from tokenizers import Tokenizer

from state.errors import EncoderUnavailable
from tests.tools.embedding.reference import NumpyBert
from tools.embedding.adapter import FILE, Adapter, shipped_adapter, write_adapter
from tools.embedding.kept_graph import kept_adapted_graph
from tools.embedding.minilm import AdaptedMiniLM, MiniLM
from tools.embedding.weights import TOKENIZER, find_folder, map_weights, places_of

TEXTS = ["close work order 1042", "how many oil filters are left?", "never mind, I did it myself"]


def test_all_three_parts_are_those_of_the_network_written_in_numpy(adapted: AdaptedMiniLM) -> None:
    tokenizer = Tokenizer.from_file(str(find_folder() / TOKENIZER))
    tokenizer.no_padding()
    ids = [tokenizer.encode(text).ids for text in TEXTS]
    plain, with_additions = NumpyBert(find_folder()), NumpyBert(find_folder(), FILE)
    with threadpool_limits(1):  # several spin for each other on a busy machine
        wanted = [
            (plain.embed(own), with_additions.embed(own), plain.embed(own, layers=3)) for own in ids
        ]
    parts = np.split(adapted.embed(TEXTS).astype(float), 3, axis=1)

    for part, rows in zip(parts, zip(*wanted, strict=True), strict=True):
        found = part / np.linalg.norm(part, axis=1, keepdims=True)
        assert (found * np.array(rows)).sum(axis=1).min() > 0.999999


def test_what_is_meant_and_how_it_is_said_have_length_one_each(
    adapted: AdaptedMiniLM, minilm: MiniLM
) -> None:
    vectors = adapted.embed(TEXTS)

    assert vectors.shape == (3, adapted.dimensions)
    for part in (vectors[:, : adapted.meaning], vectors[:, adapted.meaning :]):
        assert np.allclose(np.linalg.norm(part, axis=1), 1, atol=1e-6)
    published = vectors[:, :384] * np.float32(2**0.5)
    assert np.allclose(published, minilm.embed(TEXTS), atol=1e-6)


def test_bits_depend_on_nothing_beside_the_text(adapted: AdaptedMiniLM) -> None:
    alone = np.vstack([adapted.embed([text]) for text in TEXTS])

    assert (alone == adapted.embed(TEXTS)).all()
    assert (alone == adapted.embed(TEXTS * 50)[:3]).all()


def test_vectors_of_another_adapter_have_another_name(
    adapted: AdaptedMiniLM, minilm: MiniLM, tmp_path: Path
) -> None:
    additions = dict(shipped_adapter().additions)
    write_adapter(additions, tmp_path / "same.npz")
    write_adapter({name: (down * 2, up) for name, (down, up) in additions.items()}, tmp_path / "2")

    assert adapted.name.removeprefix(minilm.name) == f"+{shipped_adapter().name}"
    assert shipped_adapter(tmp_path / "same.npz").name == shipped_adapter().name
    assert shipped_adapter(tmp_path / "2").name != shipped_adapter().name


def test_the_graph_of_another_adapter_is_kept_beside(tmp_path: Path) -> None:
    places, shipped = places_of(map_weights(find_folder())), shipped_adapter()
    other = Adapter("other", dict(list(shipped.additions.items())[1:]))
    graphs = [kept_adapted_graph(places, one, tmp_path) for one in (shipped, other, shipped)]

    assert graphs[0] == graphs[2] != graphs[1]
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("content", [None, b"", b"no archive", b"PK\x05\x06" + bytes(18)])
def test_a_missing_or_damaged_adapter_is_named(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "adapter.npz"
    if content is not None:
        file.write_bytes(content)

    with pytest.raises(EncoderUnavailable, match=r"adapter\.npz .*install again"):
        shipped_adapter(file)
