"""The scripted model server, seen through the client the product uses."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import httpx
import openai
import pytest
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from pydantic import BaseModel, SecretStr, ValidationError

from tests.openai_server import ModelRequest, OpenAIServer, Rule


class Verdict(BaseModel):
    """What the tests ask the model for."""

    mood: Literal["calm", "tense"]
    score: float
    notes: list[str]


@pytest.fixture
def http() -> Iterator[httpx.Client]:
    with httpx.Client(trust_env=False) as client:
        yield client


@pytest.fixture
def model(openai_server: OpenAIServer) -> Iterator[ChatOpenAI]:
    with httpx.Client(trust_env=False) as client:
        yield _model(openai_server, client, stream_usage=True)


@pytest.fixture
def plain_model(openai_server: OpenAIServer) -> Iterator[ChatOpenAI]:
    with httpx.Client(trust_env=False) as client:
        yield _model(openai_server, client)


def _model(server: OpenAIServer, client: httpx.Client, **settings: Any) -> ChatOpenAI:
    given: dict[str, Any] = {"timeout": 5.0, "max_retries": 0} | settings
    return ChatOpenAI(
        model="test",
        base_url=server.base_url,
        api_key=SecretStr("none"),
        use_responses_api=False,
        http_client=client,
        **given,
    )


def test_without_a_rule_it_echoes_and_counts_words(model: ChatOpenAI):
    answer = model.invoke("check the bilge")
    assert answer.content == "You said: check the bilge"
    assert answer.usage_metadata is not None
    assert answer.usage_metadata["total_tokens"] == 8


def test_the_first_rule_that_fits_answers(openai_server: OpenAIServer, model: ChatOpenAI):
    openai_server.rules += [
        Rule(when="bilge", says="Pump it."),
        Rule(says=lambda asked: asked.last.upper()),
    ]
    assert model.invoke("the BILGE is full").content == "Pump it."
    assert model.invoke("good morning").content == "GOOD MORNING"


def test_a_rule_is_used_up(openai_server: OpenAIServer, model: ChatOpenAI):
    openai_server.rules += [Rule(says="once", times=1), Rule(says="then")]
    assert [model.invoke("?").content for _ in range(3)] == ["once", "then", "then"]


def test_it_keeps_what_was_asked(openai_server: OpenAIServer, model: ChatOpenAI):
    model.invoke([("system", "Be brief."), ("user", "Hello")])
    (asked,) = openai_server.asked
    assert asked.path == "/v1/chat/completions"
    assert asked.text == "Be brief.\nHello"
    assert asked.last == "Hello"
    assert asked.headers["authorization"] == "Bearer none"


def test_a_schema_is_answered_with_an_example_of_it(model: ChatOpenAI):
    assert model.with_structured_output(Verdict).invoke("?") == Verdict(
        mood="calm", score=0, notes=[]
    )


def test_a_scripted_object_is_parsed(openai_server: OpenAIServer, model: ChatOpenAI):
    said = {"mood": "tense", "score": 0.5, "notes": ["rain"]}
    openai_server.rules.append(Rule(says=said))
    assert model.with_structured_output(Verdict).invoke("?") == Verdict.model_validate(said)


def test_a_stream_arrives_in_pieces_with_its_usage(model: ChatOpenAI):
    pieces = list(model.stream("one two"))
    assert "".join(str(piece.content) for piece in pieces) == "You said: one two"
    assert len([piece for piece in pieces if piece.content]) == 4
    assert any(piece.usage_metadata for piece in pieces)


def test_embeddings_of_similar_texts_are_near(openai_server: OpenAIServer):
    with httpx.Client(trust_env=False) as client:
        embedder = OpenAIEmbeddings(
            base_url=openai_server.base_url,
            api_key=SecretStr("none"),
            check_embedding_ctx_length=False,
            http_client=client,
        )
        one, near, far = embedder.embed_documents(
            ["close the fuel valve", "open the fuel valve", "supper at noon today"]
        )
    assert sum(value * value for value in one) == pytest.approx(1.0, abs=1e-5)
    assert _dot(one, near) > _dot(one, far) + 0.3


def test_models_are_listed(openai_server: OpenAIServer, http: httpx.Client):
    assert http.get(f"{openai_server.base_url}/models").json()["data"][0]["id"] == "test"


@pytest.mark.parametrize("path", ["/models/none", "/completions"])
def test_an_unknown_path_is_not_found(openai_server: OpenAIServer, http: httpx.Client, path: str):
    assert http.get(openai_server.base_url + path).status_code == 404
    assert http.post(openai_server.base_url + path, json={}).status_code == 404


def test_a_request_that_is_not_json_is_refused(openai_server: OpenAIServer, http: httpx.Client):
    answer = http.post(f"{openai_server.base_url}/chat/completions", content=b"{")
    assert answer.status_code == 400


def test_it_runs_by_hand_with_rules_from_a_file(tmp_path: Path, http: httpx.Client):
    rules = tmp_path / "rules.jsonl"
    rules.write_text(json.dumps({"when": "hello", "says": "Good day."}) + "\n")
    command = [sys.executable, str(Path(__file__).with_name("openai_server.py"))]
    root = str(Path(__file__).parent.parent)
    with subprocess.Popen(
        [*command, "--port", "0", "--rules", str(rules)],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": root},
    ) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        body = {"messages": [{"role": "user", "content": "hello"}]}
        answer = http.post(f"{url}/chat/completions", json=body).json()
        process.terminate()
    assert answer["choices"][0]["message"]["content"] == "Good day."


def test_text_of_a_multi_part_message_is_seen_by_rules():
    parts = [{"type": "text", "text": "fuel"}, {"type": "text", "text": "valve"}]
    asked = ModelRequest("/v1/chat/completions", {"messages": [{"content": parts}]}, {})
    assert asked.text == "fuel valve"


def _dot(one: list[float], other: list[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


# The faults of the scripted model server, seen through the client the product uses.


@pytest.mark.parametrize(
    ("rule", "error"),
    [
        (Rule(fault="hang"), openai.APITimeoutError),
        (Rule(fault="stall"), openai.APITimeoutError),
        (Rule(says="late", seconds=30.0), openai.APITimeoutError),
        (Rule(fault="rate_limit"), openai.RateLimitError),
        (Rule(fault="server_error"), openai.InternalServerError),
        (Rule(fault="unavailable"), openai.InternalServerError),
        (Rule(fault="half_body"), openai.APIConnectionError),
        (Rule(fault="reset"), openai.APIConnectionError),
    ],
    ids=lambda value: getattr(value, "fault", None) or getattr(value, "__name__", "late"),
)
def test_a_fault_of_transport_reaches_the_client(
    openai_server: OpenAIServer, http: httpx.Client, rule: Rule, error: type[Exception]
):
    openai_server.rules.append(rule)
    patience = 0.2 if error is openai.APITimeoutError else 30.0
    with pytest.raises(error):
        _model(openai_server, http, timeout=patience).invoke("?")


def test_garbage_is_no_completion(openai_server: OpenAIServer, plain_model: ChatOpenAI):
    openai_server.rules.append(Rule(fault="garbage"))
    with pytest.raises((ValueError, TypeError, AttributeError, openai.OpenAIError)):
        plain_model.invoke("?")


def test_half_json_does_not_parse(openai_server: OpenAIServer, plain_model: ChatOpenAI):
    openai_server.rules.append(Rule(fault="half_json"))
    with pytest.raises(ValidationError):
        plain_model.with_structured_output(Verdict).invoke("?")


def test_a_cut_answer_says_that_it_was_cut(openai_server: OpenAIServer, plain_model: ChatOpenAI):
    openai_server.rules.append(Rule(fault="length"))
    with pytest.raises(openai.LengthFinishReasonError):
        plain_model.with_structured_output(Verdict).invoke("?")


def test_a_refusal_is_no_answer(openai_server: OpenAIServer, plain_model: ChatOpenAI):
    openai_server.rules.append(Rule(fault="refusal"))
    given = plain_model.with_structured_output(Verdict, include_raw=True).invoke("?")
    assert isinstance(given, dict)
    assert given["parsed"] is None


def test_an_answer_that_drips_outlives_a_timeout_for_each_read(
    openai_server: OpenAIServer, http: httpx.Client
):
    openai_server.rules.append(Rule(fault="drip", seconds=0.002))
    begun = time.monotonic()
    assert _model(openai_server, http, timeout=0.5).invoke("a").content == "You said: a"
    assert time.monotonic() - begun > 0.5


def test_a_fault_passes_when_it_is_used_up(openai_server: OpenAIServer, http: httpx.Client):
    openai_server.rules.append(Rule(fault="server_error", times=1))
    assert _model(openai_server, http, max_retries=1).invoke("again").content == "You said: again"


def test_a_slow_stream_outlives_a_timeout_for_each_read(
    openai_server: OpenAIServer, http: httpx.Client
):
    openai_server.rules.append(Rule(fault="slow", seconds=0.03))
    begun = time.monotonic()
    answer = "".join(str(p.content) for p in _model(openai_server, http, timeout=1.0).stream("a b"))
    assert answer == "You said: a b"
    assert time.monotonic() - begun > 0.15


@pytest.mark.parametrize("fault", ["half_body", "stall", "hang"])
def test_a_stream_can_break_in_the_middle(openai_server: OpenAIServer, http: httpx.Client, fault):
    openai_server.rules.append(Rule(fault=fault, says="one two three four five six"))
    heard: list[str] = []
    patience = 30.0 if fault == "half_body" else 0.2
    try:
        heard += [str(p.content) for p in _model(openai_server, http, timeout=patience).stream("?")]
    except (openai.APITimeoutError, httpx.ReadTimeout):
        assert fault != "half_body"
    assert "six" not in heard


def test_closing_wakes_a_hanging_request():
    server = OpenAIServer(Rule(fault="hang")).__enter__()
    body = {"messages": [{"role": "user", "content": "?"}]}
    with httpx.Client(trust_env=False) as client, pytest.raises(httpx.ReadTimeout):
        client.post(f"{server.base_url}/chat/completions", json=body, timeout=0.1)
    closing = threading.Thread(target=server.__exit__, args=(None, None, None), daemon=True)
    closing.start()
    closing.join(60)
    assert not closing.is_alive()
