"""Embeddings of a server, against a real one on loopback: vectors in time, or a reason."""

from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from pydantic import SecretStr

from state.errors import EncoderUnavailable
from tests.openai_server import Fault, ModelRequest, OpenAIServer, Rule
from tools.adapters.embedding.embedder import OpenAIEmbedder

MADE: list[OpenAIEmbedder] = []


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    """Close what a test made: a connection left open is told of in whatever test comes next."""
    yield
    while MADE:
        MADE.pop().close()


def embedder_on(
    base_url: str, seconds: float = 20, dimensions: int | None = None
) -> OpenAIEmbedder:
    MADE.append(
        OpenAIEmbedder(
            "test",
            base_url=base_url,
            api_key=SecretStr("sk-very-secret"),
            dimensions=dimensions,
            query_seconds=20,
            batch_seconds=20,
        )
    )
    return MADE[-1]


def test_the_server_gets_the_texts_as_they_are(openai_server: OpenAIServer):
    embedder_on(openai_server.base_url).embed(["Stop the pump.", "", "a\ud800b"])
    *_, asked = openai_server.asked
    assert asked.path == "/v1/embeddings"
    assert asked.body["input"] == ["Stop the pump.", ".", "a?b"]
    assert asked.body["model"] == "test"
    assert "dimensions" not in asked.body
    assert asked.headers["authorization"] == "Bearer sk-very-secret"


def test_vectors_are_as_long_as_was_asked(openai_server: OpenAIServer):
    embedder = embedder_on(openai_server.base_url, dimensions=48)
    assert embedder.dimensions == 48
    assert embedder.embed(["one"]).shape == (1, 48)
    assert openai_server.asked[0].body["dimensions"] == 48
    assert embedder.name.startswith("test:48@127.0.0.1")


def test_the_model_says_how_long_its_vectors_are(openai_server: OpenAIServer):
    embedder = embedder_on(openai_server.base_url)
    assert embedder.dimensions == 64
    assert embedder.dimensions == 64
    assert len(openai_server.asked) == 1


def test_many_texts_go_in_batches(openai_server: OpenAIServer):
    vectors = embedder_on(openai_server.base_url).embed([f"text {i}" for i in range(600)])
    assert vectors.shape == (600, 64)
    assert [len(asked.body["input"]) for asked in openai_server.asked] == [1, 256, 256, 88]


def test_vectors_of_any_length_are_brought_to_one(openai_server: OpenAIServer):
    openai_server.rules.append(Rule(vectors=lambda _: [[3.0, 4.0]]))
    assert np.allclose(embedder_on(openai_server.base_url).embed(["one"]), [[0.6, 0.8]])


@pytest.mark.parametrize("fault", ["rate_limit", "server_error", "garbage", "half_body"])
def test_a_fault_at_a_message_is_told_and_not_tried_again(
    openai_server: OpenAIServer, fault: Fault
):
    openai_server.rules.append(Rule(fault=fault))
    with pytest.raises(EncoderUnavailable, match="test@127"):
        embedder_on(openai_server.base_url).embed(["one"])
    assert len(openai_server.asked) == 1


def test_a_batch_is_tried_again(openai_server: OpenAIServer):
    embedder = embedder_on(openai_server.base_url)
    embedder.embed(["warm up"])
    openai_server.rules.append(Rule(fault="server_error", times=1))
    assert embedder.embed(["one", "two"]).shape == (2, 64)
    assert len(openai_server.asked) == 3


def test_a_batch_does_not_wait_for_a_server_that_never_answered(openai_server: OpenAIServer):
    embedder = embedder_on(openai_server.base_url)
    embedder.embed(["import"])
    openai_server.rules.append(Rule(fault="hang"))
    fresh = embedder_on(openai_server.base_url)
    fresh._query_seconds = 0.2
    with pytest.raises(EncoderUnavailable, match=r"took over 0\.2 s"):
        fresh.embed(["one", "two"])


@pytest.mark.parametrize("fault", ["hang", "stall"])
def test_a_server_that_takes_too_long_is_left_alone(openai_server: OpenAIServer, fault: Fault):
    openai_server.rules.extend((Rule(times=1), Rule(fault=fault)))
    embedder = embedder_on(openai_server.base_url)
    embedder.embed(["warm up"])
    embedder._query_seconds = 0.2
    with pytest.raises(EncoderUnavailable, match=r"took over 0\.2 s"):
        embedder.embed(["one"])


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [[1.0, 0.0]],
        [[1.0, 0.0]] * 3,
        [[1.0, 0.0], [1.0]],
        [[1.0, 0.0], [float("nan"), 1.0]],
        [[1.0, 0.0], [0.0, 0.0]],
        [[], []],
    ],
    ids=["none", "too few", "too many", "ragged", "not a number", "zeros", "empty"],
)
def test_what_is_not_a_vector_for_each_text_is_refused(
    openai_server: OpenAIServer, rows: Sequence[Sequence[float]]
):
    def answer(_asked: ModelRequest) -> Sequence[Sequence[float]]:
        return rows

    embedder = embedder_on(openai_server.base_url)
    embedder.embed(["warm up"])
    openai_server.rules.append(Rule(vectors=answer))
    with pytest.raises(EncoderUnavailable, match=r"test@.*(did not answer|Error)"):
        embedder.embed(["one", "two"])


def test_other_dimensions_than_before_are_refused(openai_server: OpenAIServer):
    embedder = embedder_on(openai_server.base_url)
    embedder.embed(["one"])
    openai_server.rules.append(Rule(vectors=lambda _: [[1.0, 0.0]]))
    with pytest.raises(EncoderUnavailable, match="2 dimensions, not 64"):
        embedder.embed(["one"])


def test_a_server_that_is_not_there_is_told():
    with OpenAIServer() as server:
        address = server.base_url
    with pytest.raises(EncoderUnavailable, match="ConnectionError"):
        embedder_on(address).embed(["one"])


def test_the_error_never_tells_the_key_or_the_text(openai_server: OpenAIServer):
    openai_server.rules.append(Rule(fault="server_error"))
    with pytest.raises(EncoderUnavailable) as caught:
        embedder_on(openai_server.base_url).embed(["my private message"])
    assert "sk-very-secret" not in str(caught.value)
    assert "private" not in str(caught.value)


def test_a_password_in_the_address_is_not_in_the_name():
    embedder = embedder_on("http://me:hush@127.0.0.1:9/v1")
    assert embedder.name == "test@127.0.0.1:9"
