"""The chat model: any OpenAI-compatible server, bounded in time, answering in a fixed form."""

import asyncio
from threading import Lock
from typing import Any, Protocol

from circuitbreaker import CircuitBreaker
from langchain_core.exceptions import OutputParserException
from pydantic import SecretStr, ValidationError

from state.errors import ModelUnavailable
from state.model_use import CallEnd, Slot
from state.strategy_tuning import TokenPrice
from tools.models.calling import Calling, asked_hash
from tools.models.metering import note_use
from tools.models.streaming import Answer, Told, streamed

_FREE = TokenPrice(input=0, output=0)


class ChatModel(Protocol):
    """Phrase something; never decide."""

    @property
    def model_name(self) -> str:
        """Name the model, for the record."""
        ...

    async def answer(
        self, instructions: str, prompt: str, form: type[Answer], *, told: Told | None = None
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
        self, instructions: str, prompt: str, form: type[Answer], *, told: Told | None = None
    ) -> Answer:
        """Answer a prompt in a form. See ChatModel.answer."""
        asked = asked_hash(self._slot, instructions, prompt, form)
        call = Calling(self._slot, self._name, instructions, self._price, asked)
        if self._breaker.opened:
            note_use(call.use("resting"))
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
        self, call: Calling, prompt: str, form: type[Answer], told: Told | None
    ) -> Answer:
        end: CallEnd = "malformed"
        try:
            async with asyncio.timeout(self._seconds):
                model = self._model or await asyncio.to_thread(self._build)
                messages = [("system", call.instructions), ("human", prompt)]
                given = await (
                    _whole(model, messages, form, call)
                    if told is None
                    else streamed(model, messages, form, call, told)
                )
            call.gave(given)
            end = "answered"
        except asyncio.CancelledError:
            end = "timeout"
            raise
        except TimeoutError as error:
            end = "timeout"
            raise ModelUnavailable(f"{self._name} took over {self._seconds:g} s") from error
        except (_error(), ValidationError, OutputParserException, ValueError) as error:
            end = _end_of(error)
            raise ModelUnavailable(f"{self._name}: {type(error).__name__}") from error
        finally:
            note_use(call.use(end))
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


async def _whole(model: Any, messages: Any, form: type[Answer], call: Calling) -> Answer:
    structured = model.with_structured_output(form, method="json_schema", include_raw=True)
    given = await structured.ainvoke(messages)
    call.took(getattr(given["raw"], "usage_metadata", None))
    if not isinstance(given["parsed"], form):
        # A refusal is an error of the library's own that is none of its others.
        raise OutputParserException("not in form") from given["parsing_error"]
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
