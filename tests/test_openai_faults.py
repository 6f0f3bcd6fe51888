"""The faults of the scripted model server, seen through the client the product uses."""

import threading
import time
from collections.abc import Iterator
from typing import Any, Literal

import httpx
import openai
import pytest
from langchain_openai import ChatOpenAI
from pydantic import BaseModel, SecretStr, ValidationError

from tests.openai_server import OpenAIServer, Rule


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


def test_garbage_is_no_completion(openai_server: OpenAIServer, model: ChatOpenAI):
    openai_server.rules.append(Rule(fault="garbage"))
    with pytest.raises((ValueError, TypeError, AttributeError, openai.OpenAIError)):
        model.invoke("?")


def test_half_json_does_not_parse(openai_server: OpenAIServer, model: ChatOpenAI):
    openai_server.rules.append(Rule(fault="half_json"))
    with pytest.raises(ValidationError):
        model.with_structured_output(Verdict).invoke("?")


def test_a_cut_answer_says_that_it_was_cut(openai_server: OpenAIServer, model: ChatOpenAI):
    openai_server.rules.append(Rule(fault="length"))
    with pytest.raises(openai.LengthFinishReasonError):
        model.with_structured_output(Verdict).invoke("?")


def test_a_refusal_is_no_answer(openai_server: OpenAIServer, model: ChatOpenAI):
    openai_server.rules.append(Rule(fault="refusal"))
    given = model.with_structured_output(Verdict, include_raw=True).invoke("?")
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
def test_a_stream_can_break_in_the_middle(
    openai_server: OpenAIServer, http: httpx.Client, fault: Any
):
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
