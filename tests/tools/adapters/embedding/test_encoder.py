"""The encoder in use: asked once for a text, left alone after a failure, and said so once."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import structlog

from state.errors import EncoderUnavailable
from tools.adapters.embedding.embedder import Vectors
from tools.adapters.embedding.encoder import Encoder
from tools.adapters.embedding.vector_cache import VectorCache


class Letters:
    """Counts letters, when it works; remembers what it was asked."""

    name = "letters@1"

    def __init__(self, dimensions: int = 4) -> None:
        self.dimensions = dimensions
        self.asked: list[list[str]] = []
        self.fails = False

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked.append(list(texts))
        if self.fails:
            raise EncoderUnavailable("the letters are out")
        rows = np.eye(self.dimensions, dtype=np.float32)
        return rows[[len(text) % self.dimensions for text in texts]]

    def close(self) -> None:
        """There is nothing to close."""


class Seconds:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def letters() -> Letters:
    return Letters()


@pytest.fixture
def seconds() -> Seconds:
    return Seconds()


@pytest.fixture
def encoder(letters: Letters, seconds: Seconds) -> Encoder:
    return Encoder(letters, rest_seconds=30, seconds=seconds)


def test_a_text_is_asked_for_once(letters: Letters, tmp_path: Path) -> None:
    file = tmp_path / "vectors.sqlite"
    encoder = Encoder(letters, VectorCache(file, most=9), rest_seconds=30)
    encoder.embed(["a", "bb", "a"])
    encoder.embed(["bb", "ccc"])
    encoder.close()
    again = Encoder(letters, VectorCache(file, most=9), rest_seconds=30)
    again.embed(["a", "bb", "ccc"])
    again.close()
    assert letters.asked == [["a", "bb"], ["ccc"]]


def test_what_is_kept_needs_no_model(letters: Letters, tmp_path: Path) -> None:
    encoder = Encoder(letters, VectorCache(tmp_path / "v.sqlite", most=9), rest_seconds=30)
    before = encoder.embed(["a"])
    letters.fails = True
    with pytest.raises(EncoderUnavailable):
        encoder.embed(["new"])
    assert (encoder.embed(["a"]) == before).all()
    encoder.close()


def test_vectors_of_another_length_are_asked_for_again(letters: Letters, tmp_path: Path) -> None:
    file = tmp_path / "vectors.sqlite"
    first = Encoder(letters, VectorCache(file, most=9), rest_seconds=30)
    first.embed(["a"])
    first.close()
    longer = Letters(dimensions=6)
    encoder = Encoder(longer, VectorCache(file, most=9), rest_seconds=30)
    assert encoder.embed(["a", "bb"]).shape == (2, 6)
    assert longer.asked == [["bb"], ["a", "bb"]]
    encoder.close()


def test_after_a_failure_it_is_left_alone_for_a_while(
    encoder: Encoder, letters: Letters, seconds: Seconds
) -> None:
    letters.fails = True
    for _attempt in range(3):
        with pytest.raises(EncoderUnavailable, match="the letters are out"):
            encoder.embed(["a"])
    assert len(letters.asked) == 1
    letters.fails = False
    seconds.now += 30
    assert encoder.embed(["a"]).shape == (1, 4)
    assert encoder.embed(["b"]).shape == (1, 4)


@pytest.mark.usefixtures("every_line")
def test_a_failure_is_said_once_and_its_end_too(
    encoder: Encoder, letters: Letters, seconds: Seconds
) -> None:
    with structlog.testing.capture_logs() as lines:
        for fails in (True, True, False, False):
            letters.fails = fails
            encoder.warm_up()
            seconds.now += 60
    assert [line["event"] for line in lines] == ["encoder_unavailable", "encoder_back"]


def test_it_tells_why_it_does_not_work(encoder: Encoder, letters: Letters) -> None:
    assert encoder.problem is None
    letters.fails = True
    encoder.warm_up()
    assert encoder.problem == "the letters are out"


def test_who_embeds_a_catalogue_beside_another_finds_it_kept(tmp_path: Path) -> None:
    file, texts = tmp_path / "vectors.sqlite", [f"text {number}" for number in range(600)]
    both = [Letters(), Letters()]
    encoders = [Encoder(one, VectorCache(file, most=1_000), rest_seconds=60) for one in both]
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda encoder: encoder.embed(texts), encoders)
    for encoder in encoders:
        encoder.close()
    assert (first == second).all()
    assert sum(len(asked) for one in both for asked in one.asked) == len(texts)


def test_a_folder_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    kept = VectorCache(tmp_path / "file" / "vectors.sqlite", most=1_000)
    vectors = Encoder(Letters(), kept, rest_seconds=60).embed([f"{n}" for n in range(600)])
    assert len(vectors) == 600
