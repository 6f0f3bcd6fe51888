"""The chat model against a real server on loopback: an answer in form and time, or none."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from pydantic import BaseModel, Field, SecretStr

from state.errors import ModelUnavailable
from state.strategy_tuning import TokenPrice
from tests.openai_server import Fault, OpenAIServer, Rule
from tools.adapters.chat_model import OpenAIChat, instructions_hash, meter_model_use


class Form(BaseModel):
    """What is answered in."""

    say: str = Field(max_length=50)
    sure: float = Field(ge=0, le=1)


GOOD: dict[str, Any] = {"say": "The tide turns at six.", "sure": 0.9}


MADE: list[OpenAIChat] = []


@pytest.fixture(autouse=True)
async def _closed() -> AsyncIterator[None]:
    """Close what a test made: a connection left open is told of in whatever test comes next."""
    yield
    while MADE:
        await MADE.pop().close()


def chat_on(server: OpenAIServer, seconds: float = 20.0, key: str = "key") -> OpenAIChat:
    MADE.append(
        OpenAIChat("test", base_url=server.base_url, api_key=SecretStr(key), seconds=seconds)
    )
    return MADE[-1]


async def test_an_answer_comes_back_in_its_form(openai_server: OpenAIServer):
    openai_server.rules.append(Rule(when="tide", says=GOOD))
    chat = chat_on(openai_server)
    assert await chat.answer("Be brief.", "When does the tide turn?", Form) == Form.model_validate(
        GOOD
    )
    assert chat.model_name == "test"


async def test_the_server_is_asked_once_for_exactly_this_form(openai_server: OpenAIServer):
    openai_server.rules.append(Rule(says=GOOD))
    await chat_on(openai_server).answer("Be brief.", "When?", Form)
    (asked,) = openai_server.asked
    assert asked.body["model"] == "test"
    assert asked.body["temperature"] == 0
    assert [message["role"] for message in asked.body["messages"]] == ["system", "user"]
    schema = asked.body["response_format"]["json_schema"]
    assert (schema["strict"], sorted(schema["schema"]["properties"])) == (True, ["say", "sure"])
    assert asked.headers["authorization"] == "Bearer key"


@pytest.mark.parametrize(
    "fault",
    [
        *("rate_limit", "server_error", "unavailable", "reset", "garbage", "half_body"),
        *("refusal", "half_json", "length"),
    ],
)
async def test_a_fault_is_no_answer_and_is_not_tried_again(openai_server: OpenAIServer, fault):
    openai_server.rules.append(Rule(says=GOOD, fault=fault))
    with pytest.raises(ModelUnavailable, match="test"):
        await chat_on(openai_server).answer("Be brief.", "When?", Form)
    assert len(openai_server.asked) == 1


@pytest.mark.parametrize("fault", ["hang", "stall"])
async def test_a_model_that_takes_too_long_is_left_alone(openai_server: OpenAIServer, fault: Fault):
    openai_server.rules.extend((Rule(says=GOOD, times=1), Rule(says=GOOD, fault=fault)))
    chat = chat_on(openai_server)
    await chat.answer("Be brief.", "Warm up", Form)
    chat._seconds = 0.2
    async with asyncio.timeout(5):
        with pytest.raises(ModelUnavailable, match=r"took over 0\.2 s"):
            await chat.answer("Be brief.", "When?", Form)


@pytest.mark.parametrize(
    "says",
    [
        "no JSON at all",
        "[]",
        "null",
        {"say": "no confidence"},
        {"say": "x" * 51, "sure": 0.5},
        {"say": "too sure", "sure": 1.5},
        {"say": 5, "sure": "very"},
        '{"say": "not a number", "sure": NaN}',
        "```json\n{}\n```",
    ],
)
async def test_what_is_not_in_form_is_no_answer(openai_server: OpenAIServer, says):
    openai_server.rules.append(Rule(says=says))
    with pytest.raises(ModelUnavailable):
        await chat_on(openai_server).answer("Be brief.", "When?", Form)


async def test_a_server_that_is_not_there_is_no_answer():
    with OpenAIServer() as server:
        address = server.base_url
    chat = OpenAIChat("test", base_url=address, api_key=None, seconds=20)
    with pytest.raises(ModelUnavailable, match="ConnectionError"):
        await chat.answer("Be brief.", "When?", Form)


async def test_the_error_never_tells_the_key_or_the_prompt(openai_server: OpenAIServer):
    openai_server.rules.append(Rule(fault="server_error"))
    chat = chat_on(openai_server, key="s3cret")
    with pytest.raises(ModelUnavailable) as failed:
        await chat.answer("Be brief.", "a private matter", Form)
    assert "s3cret" not in str(failed.value)
    assert "private" not in str(failed.value)


async def test_its_connections_end_with_it_and_it_can_be_asked_again(openai_server: OpenAIServer):
    openai_server.rules.append(Rule(says=GOOD))
    chat = chat_on(openai_server)
    await chat.close()
    await chat.answer("Be brief.", "When?", Form)
    client = chat._client
    assert client is not None
    assert not client.is_closed
    await chat.close()
    await chat.close()
    assert client.is_closed
    await chat.answer("Be brief.", "And again?", Form)
    await chat.close()


async def test_words_are_heard_while_they_come(openai_server: OpenAIServer):
    openai_server.rules.append(Rule(says=GOOD))
    heard: list[str] = []
    answer = await chat_on(openai_server).answer("Be brief.", "When?", Form, told=heard.append)
    assert answer == Form.model_validate(GOOD)
    assert heard[-1] == GOOD["say"]
    assert len(heard) > 1
    assert all(GOOD["say"].startswith(part) for part in heard)
    assert openai_server.asked[0].body["response_format"]["json_schema"]["strict"] is True


async def test_words_that_go_with_an_action_are_not_heard_before(openai_server: OpenAIServer):
    openai_server.rules.append(Rule(says={"action": "close_lock", "say": "Done!"}))
    heard: list[str] = []
    with pytest.raises(ModelUnavailable):
        await chat_on(openai_server).answer("Be brief.", "Close", Form, told=heard.append)
    assert heard == []


@pytest.mark.parametrize(
    "fault",
    [
        *("rate_limit", "server_error", "unavailable", "reset", "garbage", "half_body"),
        *("refusal", "half_json", "length"),
    ],
)
async def test_a_stream_that_breaks_is_no_answer(openai_server: OpenAIServer, fault: Fault):
    openai_server.rules.append(Rule(says=GOOD, fault=fault))
    with pytest.raises(ModelUnavailable, match="test"):
        await chat_on(openai_server).answer("Be brief.", "When?", Form, told=lambda _said: None)


async def test_a_stream_without_end_is_left(openai_server: OpenAIServer):
    openai_server.rules.append(Rule(says={"say": "word " * 5_000, "sure": 0.5}))
    with pytest.raises(ModelUnavailable):
        await chat_on(openai_server).answer("Be brief.", "When?", Form, told=lambda _said: None)


async def test_every_call_is_metered_with_tokens_cost_and_the_prompt(openai_server: OpenAIServer):
    openai_server.rules.extend((Rule(says=GOOD, times=1), Rule(fault="rate_limit")))
    chat = OpenAIChat(
        "test",
        base_url=openai_server.base_url,
        api_key=None,
        seconds=20,
        slot="strong",
        price=TokenPrice(input=2.0, output=10.0),
    )
    MADE.append(chat)
    with meter_model_use() as uses:
        await chat.answer("Be brief.", "When does the tide turn?", Form)
        with pytest.raises(ModelUnavailable):
            await chat.answer("Be long.", "When?", Form)
    answered, limited = uses
    assert (answered.slot, answered.model, answered.end) == ("strong", "test", "answered")
    assert answered.input_tokens > 0
    assert answered.cost == pytest.approx(
        (answered.input_tokens * 2 + answered.output_tokens * 10) / 1e6
    )
    assert (limited.end, limited.cost) == ("rate_limited", 0.0)
    assert (answered.answer, limited.answer) == (GOOD, None)
    assert len(answered.asked_hash) == 32
    assert answered.asked_hash != limited.asked_hash
    assert answered.prompt_hash == instructions_hash("Be brief.") != limited.prompt_hash


async def test_after_failures_in_a_row_a_model_is_left_alone_and_tried_again_later(
    openai_server: OpenAIServer,
):
    openai_server.rules.extend((Rule(fault="server_error", times=2), Rule(says=GOOD)))
    chat = OpenAIChat(
        "test",
        base_url=openai_server.base_url,
        api_key=None,
        seconds=20,
        failures_in_a_row=2,
        rest_seconds=3_600,
    )
    MADE.append(chat)
    for _ in range(2):
        assert chat.problem is None
        with pytest.raises(ModelUnavailable, match="test: "):
            await chat.answer("Be brief.", "When?", Form)
    assert chat.problem == "test failed 2 times in a row"
    with meter_model_use() as uses, pytest.raises(ModelUnavailable, match="left alone"):
        await chat.answer("Be brief.", "When?", Form)
    assert [use.end for use in uses] == ["resting"]
    assert len(openai_server.asked) == 2
    chat._breaker._recovery_timeout = 0  # its rest is over
    assert await chat.answer("Be brief.", "When?", Form) == Form.model_validate(GOOD)
    assert chat.problem is None
