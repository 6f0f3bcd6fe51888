"""The chat model: any OpenAI-compatible server, bounded in time, answering in a fixed form."""

import asyncio
from threading import Lock
from typing import Any, Protocol, TypeVar

from langchain_core.exceptions import OutputParserException
from pydantic import BaseModel, SecretStr, ValidationError

from state.errors import ModelUnavailable

Answer = TypeVar("Answer", bound=BaseModel)


class ChatModel(Protocol):
    """Phrase something; never decide."""

    @property
    def model_name(self) -> str:
        """Name the model, for the record."""
        ...

    async def answer(self, instructions: str, prompt: str, form: type[Answer]) -> Answer:
        """Answer a prompt in a form.

        Raises:
            ModelUnavailable: no answer in time, or not in the form.
        """
        ...


class OpenAIChat:
    """`langchain-openai` on a base URL; imported late, for it takes a second to import."""

    def __init__(
        self, model: str, *, base_url: str | None, api_key: SecretStr | None, seconds: float
    ) -> None:
        self._name = model
        self._seconds = seconds
        self._arguments: dict[str, Any] = {  # keyword arguments of ChatOpenAI, of many types
            "model": model,
            "base_url": base_url,
            "api_key": api_key or SecretStr("none"),
            "use_responses_api": False,  # local servers only know chat completions
            "max_retries": 0,  # a retry would outlive the decision's time
            "timeout": seconds,
            "temperature": 0,
        }
        self._model: Any = None  # ChatOpenAI, once imported
        self._building = Lock()
        self._client: Any = None  # an AsyncClient of whichever httpx openai was built on

    @property
    def model_name(self) -> str:
        """Name the model, for the record."""
        return self._name

    async def answer(self, instructions: str, prompt: str, form: type[Answer]) -> Answer:
        """Answer a prompt in a form. See ChatModel.answer."""
        try:
            async with asyncio.timeout(self._seconds):
                model = self._model or await asyncio.to_thread(self._build)
                structured = model.with_structured_output(form, method="json_schema")
                given = await structured.ainvoke([("system", instructions), ("human", prompt)])
        except TimeoutError as error:
            raise ModelUnavailable(f"{self._name} took over {self._seconds:g} s") from error
        except (_error(), ValidationError, OutputParserException, ValueError) as error:
            raise ModelUnavailable(f"{self._name}: {type(error).__name__}") from error
        if not isinstance(given, form):
            raise ModelUnavailable(f"{self._name} did not answer in form")
        return given

    async def close(self) -> None:
        """End the connections to the server; the next answer opens new ones."""
        client, self._client, self._model = self._client, None, None
        if client is not None:
            await client.aclose()

    def _build(self) -> Any:
        import openai
        from langchain_openai import ChatOpenAI

        with self._building:  # several may ask at first, each on a thread of its own
            if self._model is None:
                # Of our own: the one that it makes by itself is shared with others who ask there.
                self._client = self._client or openai.DefaultAsyncHttpxClient(timeout=self._seconds)
                self._model = ChatOpenAI(**self._arguments, http_async_client=self._client)
            return self._model


def _error() -> type[Exception]:
    """Name what the library raises; it is imported by then, and not before: it takes a second."""
    import openai

    return openai.OpenAIError
