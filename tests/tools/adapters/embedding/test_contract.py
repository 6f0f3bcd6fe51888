"""What every encoder keeps to."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.openai_server import OpenAIServer
from tests.tools.adapters.embedding.texts import TEXTS
from tools.adapters.embedding.embedder import ClosableEmbedder, Embedder, OpenAIEmbedder
from tools.adapters.embedding.encoder import Encoder
from tools.adapters.embedding.minilm import MiniLM
from tools.adapters.embedding.vector_cache import VectorCache


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


def test_a_text_becomes_a_row_of_length_one(encoder: Embedder) -> None:
    vectors = encoder.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), encoder.dimensions)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors.astype(np.float64), axis=1), 1, atol=1e-6)


def test_no_texts_are_no_rows(encoder: Embedder) -> None:
    assert encoder.embed([]).shape == (0, encoder.dimensions)


def test_rows_stand_in_the_order_of_the_texts(encoder: Embedder) -> None:
    forwards, backwards = encoder.embed(TEXTS), encoder.embed(TEXTS[::-1])
    assert (forwards == backwards[::-1]).all()


def test_a_vector_does_not_depend_on_its_neighbours(encoder: Embedder) -> None:
    alone = np.vstack([encoder.embed([text]) for text in TEXTS])
    assert (alone == encoder.embed(TEXTS)).all()


def test_the_same_text_twice_has_the_same_vector(encoder: Embedder) -> None:
    first, _, second = encoder.embed(["stop the pump", "something else", "stop the pump"])
    assert (first == second).all()


def test_half_a_character_and_a_very_long_text_are_embedded_all_the_same(encoder: Embedder) -> None:
    vectors = encoder.embed(["half \ud83d of it", "word " * 50_000])
    assert np.isfinite(vectors).all()


def test_texts_that_share_words_are_near(encoder: Embedder) -> None:
    asked, near, far = encoder.embed(
        ["close the work order", "the work order is to be closed", "which papers cite this"]
    )
    assert asked @ near > asked @ far + 0.2


def test_a_closed_encoder_opens_again(encoder: ClosableEmbedder) -> None:
    before = encoder.embed(["again"])
    encoder.close()
    assert (encoder.embed(["again"]) == before).all()


def test_the_name_says_model_and_version(encoder: Embedder) -> None:
    assert all(encoder.name.partition("@"))
