"""Vectors that come with a pack: near what is encoded, and never a reason to fail."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from tools.adapters.embedding.embedder import Vectors, unit
from tools.adapters.embedding.encoder import Encoder
from tools.adapters.embedding.minilm import AdaptedMiniLM
from tools.adapters.embedding.vector_cache import FILE, ShippedVectors, VectorCache, write_shipped
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import find_pack, load_pack
from tools.nlu.intents.router import texts_to_encode
from tools.platform.process_resources import progress_listener

TEXTS = [f"text {number}" for number in range(600)]


class Drawn:
    """Draws a vector for each text, and remembers what it was asked."""

    name, dimensions = "drawn@1", 24

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        return unit(np.stack([_drawn(text) for text in texts]))

    def close(self) -> None:
        """There is nothing to close."""


def _drawn(text: str) -> Vectors:
    return np.random.default_rng(sum(text.encode())).normal(size=24).astype(np.float32)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / FILE
    write_shipped(file, Drawn.name, TEXTS[:500], Drawn().embed(TEXTS[:500]))
    return file


def _encoder(drawn: Drawn, file: Path) -> Encoder:
    kept = VectorCache(file.with_name("kept.sqlite"), most=10_000)
    return Encoder(drawn, kept, rest_seconds=1.0, shipped=[ShippedVectors(file)])


def test_only_what_did_not_ship_is_encoded(file: Path) -> None:
    drawn = Drawn()
    encoder = _encoder(drawn, file)
    told: list[tuple[str, int, int]] = []
    with progress_listener(lambda *report: told.append(report)):
        vectors = encoder.embed(TEXTS)
    assert drawn.asked == TEXTS[500:]
    assert told == [("encoding sentences", 0, 100)]
    cosines = (vectors * Drawn().embed(TEXTS)).sum(axis=1)
    assert cosines.min() > 0.95
    encoder.embed(TEXTS[:1])  # a few texts are encoded to the last bit
    assert drawn.asked[100:] == TEXTS[:1]
    encoder.close()


@pytest.mark.parametrize("content", [None, b"", b"no archive", "another encoder"])
def test_a_file_that_cannot_be_used_is_done_without(
    file: Path, content: bytes | str | None
) -> None:
    if content is None:
        file.unlink()
    elif isinstance(content, str):
        write_shipped(file, content, TEXTS, Drawn().embed(TEXTS))
    elif isinstance(content, bytes):
        file.write_bytes(content)
    drawn = Drawn()
    encoder = _encoder(drawn, file)
    encoder.embed(TEXTS)
    assert drawn.asked == TEXTS
    encoder.close()


@pytest.mark.parametrize("pack", ["vessel", "research"])
def test_the_vectors_of_a_shipped_pack_are_of_its_examples(pack: str) -> None:
    """When this fails: `prefrontal pack encode PACK` writes them anew."""
    texts = texts_to_encode(Catalogue.of([load_pack(find_pack(pack))]))
    embedder = AdaptedMiniLM()
    found = ShippedVectors(find_pack(pack) / FILE).read(embedder.name, texts)
    assert len(found) >= 0.9 * len(texts)
    some = list(found)[::400]
    cosines = (np.stack([found[text] for text in some]) * embedder.embed(some)).sum(axis=1)
    assert cosines.min() > 0.95
