"""The chat model port and its OpenAI-compatible client: bounded in time, answers in a fixed form.

Includes streaming of partial answers, metering of tokens and cost per decision, and the pair of a
fast and a strong model.
"""

import asyncio
import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from threading import Lock
from time import perf_counter
from typing import Any, Protocol, TypeVar

from circuitbreaker import CircuitBreaker
from pydantic import BaseModel, SecretStr

from state.errors import ModelUnavailable
from state.model_use import CallEnd, ModelUse, Slot
from state.strategy import DecisionContext
from state.strategy_tuning import TokenPrice


class NotInForm(ValueError):
    """A model answered something else than it was asked for."""


class ModelCall:
    """One call while it is under way."""

    def __init__(
        self, slot: Slot, model: str, instructions: str, price: TokenPrice, asked: str = ""
    ) -> None:
        self.instructions = instructions
        self._asked = asked
        self._answer: BaseModel | None = None
        self._slot: Slot = slot
        self._model = model
        self._price = price
        self._started = perf_counter()
        self._input = self._output = 0

    def took(self, usage: Any) -> None:  # langchain's UsageMetadata, or None of some servers
        """Note the tokens that the server counted."""
        if usage:
            self._input, self._output = usage["input_tokens"], usage["output_tokens"]

    def gave(self, answer: BaseModel) -> None:
        """Note what it answered."""
        self._answer = answer

    def use(self, end: CallEnd) -> ModelUse:
        """Sum it up."""
        cost = (self._input * self._price.input + self._output * self._price.output) / 1e6
        return ModelUse(
            slot=self._slot,
            model=self._model,
            prompt_hash=instructions_hash(self.instructions),
            end=end,
            seconds=round(perf_counter() - self._started, 4),
            input_tokens=self._input,
            output_tokens=self._output,
            cost=cost,
            asked_hash=self._asked,
            answer=None if self._answer is None else self._answer.model_dump(mode="json"),
        )


def instructions_hash(instructions: str) -> str:
    """Name a version of instructions: sha256, the first 16 hex digits."""
    return hashlib.sha256(instructions.encode()).hexdigest()[:16]


def asked_hash(slot: Slot, instructions: str, prompt: str, form: type[BaseModel]) -> str:
    """Name one question to a model: who asks the same again is given the same answer."""
    whole = f"{slot}\x1f{form.__name__}\x1f{instructions}\x1f{prompt}"
    return hashlib.sha256(whole.encode()).hexdigest()[:32]


_METER: ContextVar[list[ModelUse] | None] = ContextVar("meter", default=None)


@contextmanager
def meter_model_use() -> Iterator[list[ModelUse]]:
    """Collect every call that is made inside, in this task and those it starts; may be nested."""
    uses: list[ModelUse] = []
    token = _METER.set(uses)
    try:
        yield uses
    finally:
        _METER.reset(token)


def record_model_use(use: ModelUse) -> None:
    """Tell whoever collects of a call; without anybody it is forgotten."""
    uses = _METER.get()
    if uses is not None:
        uses.append(use)


Answer = TypeVar("Answer", bound=BaseModel)
OnText = Callable[[str], None]
"""Given the words so far, each time there are more of them."""
LONGEST = 20_000
"""Characters of one streamed answer; no form of ours takes nearly as many."""
_STEP = 12
"""Characters that come before the words are told anew."""


async def stream_answer(
    model: Any, messages: Any, form: type[Answer], call: ModelCall, told: OnText
) -> Answer:
    """Ask for a stream, and tell of the words in it while they come."""
    text, read = "", 0
    # As a plain field of the request: with the library's own parsing, garbage fails its assertions.
    asked = model.bind(extra_body={"response_format": _schema(form)})
    async for piece in asked.astream(messages):
        call.took(piece.usage_metadata)
        if not isinstance(piece.content, str) or not piece.content:
            continue
        text += piece.content
        if len(text) > LONGEST:
            raise NotInForm("longer than any answer")
        if len(text) - read >= max(_STEP, len(text) // 20):  # or reading it would be quadratic
            read = len(text)
            if said := _said(text):
                told(said)
    if said := _said(text):
        told(said)
    return form.model_validate_json(text, strict=False)


def _said(text: str) -> str:
    """Read the words in the beginning of an answer, where no action goes with them."""
    from langchain_core.utils.json import parse_partial_json

    try:
        known = parse_partial_json(text)
    except ValueError:
        return ""
    if not isinstance(known, dict) or known.get("action") is not None:
        return ""
    say = known.get("say")
    return say if isinstance(say, str) else ""


def _schema(form: type[BaseModel]) -> dict[str, Any]:  # JSON schema
    from langchain_core.utils.function_calling import convert_to_openai_function

    described = convert_to_openai_function(form, strict=True)
    schema = {"name": form.__name__, "schema": described["parameters"], "strict": True}
    return {"type": "json_schema", "json_schema": schema}


_FREE = TokenPrice(input=0, output=0)


class ChatModel(Protocol):
    """Phrase something; never decide."""

    @property
    def model_name(self) -> str:
        """Name the model, for the record."""
        ...

    async def answer(
        self, instructions: str, prompt: str, form: type[Answer], *, told: OnText | None = None
    ) -> Answer:
        """Answer a prompt in a form.

        Args:
            told: hears the form's `say` as it comes, once it is known that no action goes with it.

        Raises:
            ModelUnavailable: no answer in time, or not in the form.
        """
        ...


class OpenAIChat:
    """`langchain-openai` on a base URL; imported late, for it takes a second to import.

    After some failures in a row it is left alone for a while, and refuses at once.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None,
        api_key: SecretStr | None,
        seconds: float,
        slot: Slot = "fast",
        price: TokenPrice = _FREE,
        failures_in_a_row: int = 5,
        rest_seconds: float = 30.0,
    ) -> None:
        self._name = model
        self._seconds = seconds
        self._slot: Slot = slot
        self._price = price
        # Whoever cannot wait cancels: a call that is given up is a failure like any other.
        failures = (ModelUnavailable, asyncio.CancelledError)
        self._breaker = CircuitBreaker(failures_in_a_row, rest_seconds, failures, model)
        self._arguments: dict[str, Any] = {  # keyword arguments of ChatOpenAI, of many types
            "model": model,
            "base_url": base_url,
            "api_key": api_key or SecretStr("none"),
            "use_responses_api": False,  # local servers only know chat completions
            "max_retries": 0,  # a retry would outlive the decision's time
            "timeout": seconds,
            "temperature": 0,
            "stream_usage": True,
        }
        self._model: Any = None  # ChatOpenAI, once imported
        self._building = Lock()
        self._client: Any = None  # an AsyncClient of whichever httpx openai was built on

    @property
    def model_name(self) -> str:
        """Name the model, for the record."""
        return self._name

    @property
    def problem(self) -> str | None:
        """Tell why it is left alone just now; None: it is not."""
        if not self._breaker.opened:
            return None
        return f"{self._name} failed {self._breaker.failure_count} times in a row"

    async def answer(
        self, instructions: str, prompt: str, form: type[Answer], *, told: OnText | None = None
    ) -> Answer:
        """Answer a prompt in a form. See ChatModel.answer."""
        asked = asked_hash(self._slot, instructions, prompt, form)
        call = ModelCall(self._slot, self._name, instructions, self._price, asked)
        if self._breaker.opened:
            record_model_use(call.use("resting"))
            raise ModelUnavailable(f"{self.problem}; it is left alone for a while")
        with self._breaker:
            return await self._asked(call, prompt, form, told)

    def warm_up(self) -> None:
        """Import and build what the first answer needs, so that it is not late; asks nobody."""
        self._build()

    async def close(self) -> None:
        """End the connections to the server; the next answer opens new ones."""
        client, self._client, self._model = self._client, None, None
        if client is not None:
            await client.aclose()

    async def _asked(
        self, call: ModelCall, prompt: str, form: type[Answer], told: OnText | None
    ) -> Answer:
        end: CallEnd = "malformed"
        try:
            async with asyncio.timeout(self._seconds):
                model = self._model or await asyncio.to_thread(self._build)
                messages = [("system", call.instructions), ("human", prompt)]
                given = await (
                    _whole(model, messages, form, call)
                    if told is None
                    else stream_answer(model, messages, form, call, told)
                )
            call.gave(given)
            end = "answered"
        except asyncio.CancelledError:
            end = "timeout"
            raise
        except TimeoutError as error:
            end = "timeout"
            raise ModelUnavailable(f"{self._name} took over {self._seconds:g} s") from error
        except (_error(), ValueError) as error:
            end = _end_of(error)
            raise ModelUnavailable(f"{self._name}: {type(error).__name__}") from error
        finally:
            record_model_use(call.use(end))
        return given

    def _build(self) -> Any:
        import openai
        from langchain_openai import ChatOpenAI

        with self._building:  # several may ask at first, each on a thread of its own
            if self._model is None:
                # Of our own: the one that it makes by itself is shared with others who ask there.
                self._client = self._client or openai.DefaultAsyncHttpxClient(timeout=self._seconds)
                self._model = ChatOpenAI(**self._arguments, http_async_client=self._client)
            return self._model


async def _whole(model: Any, messages: Any, form: type[Answer], call: ModelCall) -> Answer:
    structured = model.with_structured_output(form, method="json_schema", include_raw=True)
    given = await structured.ainvoke(messages)
    call.took(getattr(given["raw"], "usage_metadata", None))
    if not isinstance(given["parsed"], form):
        # A refusal is an error of the library's own that is none of its others.
        raise NotInForm("not in form") from given["parsing_error"]
    return given["parsed"]


def _end_of(error: Exception) -> CallEnd:
    import openai

    if isinstance(error, openai.APITimeoutError):
        return "timeout"
    if isinstance(error, openai.RateLimitError):
        return "rate_limited"
    if isinstance(error, openai.APIConnectionError | openai.InternalServerError):
        return "server_error"
    return "malformed"


def _error() -> type[Exception]:
    """Name what the library raises; it is imported by then, and not before: it takes a second."""
    import openai

    return openai.OpenAIError


@dataclass(frozen=True)
class ChatModels:
    """The models of a deployment; with only one of them set, it serves as both."""

    fast: ChatModel | None = None
    strong: ChatModel | None = None

    def __bool__(self) -> bool:
        return self.fast is not None or self.strong is not None

    @property
    def wording(self) -> ChatModel | None:
        """Hand out the one for words that are not waited for long."""
        return self.fast or self.strong

    def deciding(self, context: DecisionContext) -> ChatModel | None:
        """Hand out the one for a decision: the strong one reads requests, which may act."""
        if context.addressed and context.actions:
            return self.strong or self.fast
        return self.fast or self.strong

    @property
    def every(self) -> tuple[ChatModel, ...]:
        """List them, each once."""
        both = (one for one in (self.fast, self.strong) if one is not None)
        return tuple(dict.fromkeys(both))
