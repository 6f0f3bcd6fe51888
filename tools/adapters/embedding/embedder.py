"""The port of every encoder (sentences in, unit vectors of shape.

(rows, dimensions) out), and its client for OpenAI-compatible servers, bounded in time, through
`langchain-openai`.
"""

from collections.abc import Sequence
from threading import Lock
from typing import Any, Protocol
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt
from pydantic import SecretStr

from state.errors import EncoderUnavailable

Vectors = npt.NDArray[np.float32]
"""(n, dimensions), each row of length 1: a product of two is their cosine."""


class Embedder(Protocol):
    """Turns sentences into vectors that lie close when the sentences mean the same.

    It blocks, for milliseconds or for a server's answer: call it from a thread, not from a loop.
    """

    @property
    def name(self) -> str:
        """Name model and version: vectors are comparable, and cached, under equal names."""
        ...

    @property
    def dimensions(self) -> int:
        """Tell the length of a vector.

        Raises:
            EncoderUnavailable: only its server knows, and does not answer.
        """
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed texts, in their order.

        A text's vector does not depend on the texts beside it; an empty text has one too.

        Raises:
            EncoderUnavailable: the model is not there, is not the right one, or did not answer.
        """
        ...


class RequestEmbedder(Embedder, Protocol):
    """An embedder for telling requests apart: its vectors say what a text means."""

    @property
    def manner(self) -> Embedder | None:
        """Give the one whose vectors say how a text is said; None: there is none."""
        ...


class ClosableEmbedder(Embedder, Protocol):
    """An embedder that may hold connections or files."""

    def close(self) -> None:
        """Let go of them; the next text opens them again."""
        ...


def unit(rows: npt.NDArray[np.floating]) -> Vectors:
    """Give every row the length 1; a row of zeros stays as it is."""
    wide = np.asarray(rows, np.float64)  # a float32 sum of squares loses the last digits
    lengths = np.linalg.norm(wide, axis=1, keepdims=True)
    return (wide / np.where(lengths > 0, lengths, 1)).astype(np.float32)


_PUBLIC = "api.openai.com"
_BATCH_TEXTS = 256
"""In one request; servers of one's own often refuse the 2,048 that the public one takes."""
_MOST_CHARACTERS = 8_000
"""Of one text: 8,191 tokens are the most that is taken, and some scripts need one a character."""
_RETRIES = 2
"""For a batch, which may wait; a person's message is never tried again, it is read by its words."""


class OpenAIEmbedder:
    """Vectors as long as the model makes them, or as `dimensions` asks for."""

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None,
        api_key: SecretStr | None,
        dimensions: int | None = None,
        query_seconds: float = 3,
        batch_seconds: float = 30,
    ) -> None:
        """Connect to nothing yet.

        Args:
            base_url: an OpenAI-compatible server; default: the public service.
            dimensions: asked of the server, which has to know how to shorten vectors.
            query_seconds: how long a single text may take.
            batch_seconds: how long one request of a batch may take.
        """
        host = urlsplit(base_url).netloc.rpartition("@")[2] if base_url else _PUBLIC
        self.name = f"{model}{f':{dimensions}' if dimensions else ''}@{host or base_url}"
        self._dimensions = dimensions
        self._query_seconds = query_seconds
        self._batch_seconds = batch_seconds
        self._arguments: dict[str, Any] = {  # keyword arguments of OpenAIEmbeddings, of many types
            "model": model,
            "base_url": base_url,
            "api_key": api_key or SecretStr("none"),
            "dimensions": dimensions,
            "check_embedding_ctx_length": False,  # it would fetch a tokenizer from the internet
            "chunk_size": _BATCH_TEXTS,
        }
        self._has_answered = False
        self._lock = Lock()
        self._clients: dict[int, Any] = {}  # OpenAIEmbeddings by retries, once imported
        self._http: Any = None  # a Client of whichever httpx openai was built on

    @property
    def dimensions(self) -> int:
        """Tell the length of a vector; the first answer does. See Embedder.dimensions."""
        return self._dimensions or self.embed(["length"]).shape[1]

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed texts, in their order. See Embedder.embed."""
        if not texts:
            return np.empty((0, self.dimensions), np.float32)
        given = [_readable(text) for text in texts]
        alone = len(given) == 1
        if not alone and not self._has_answered:
            self.embed(["ready"])  # a server that hangs is found out in a message's time
        seconds = self._query_seconds if alone else self._batch_seconds
        return self._checked(self._answer(given, 0 if alone else _RETRIES, seconds), len(given))

    def close(self) -> None:
        """End the connections to the server; the next text opens new ones."""
        with self._lock:
            http, self._http = self._http, None
            self._clients.clear()
        if http is not None:
            http.close()

    def _answer(self, texts: list[str], retries: int, seconds: float) -> list[list[float]]:
        import openai

        try:
            client = self._client(retries)
            found: list[list[float]] = client.embed_documents(texts, timeout=seconds)
        except openai.APITimeoutError as error:
            raise EncoderUnavailable(f"{self.name} took over {seconds:g} s") from error
        except (openai.AuthenticationError, openai.PermissionDeniedError) as error:
            raise EncoderUnavailable(f"{self.name} refuses the key (OPENAI_API_KEY)") from error
        except (openai.OpenAIError, ValueError, TypeError, KeyError, AttributeError) as error:
            # The last four: an answer that is JSON, or not even that, and no list of vectors.
            raise EncoderUnavailable(f"{self.name}: {type(error).__name__}") from error
        return found

    def _checked(self, rows: list[list[float]], wanted: int) -> Vectors:
        try:
            vectors = unit(np.array(rows, np.float64))
        except ValueError as error:  # rows of several lengths, or of no numbers
            raise EncoderUnavailable(f"{self.name} did not answer with vectors") from error
        if (
            len(vectors) != wanted
            or not np.isfinite(vectors).all()
            or not vectors.any(axis=1).all()
        ):
            raise EncoderUnavailable(f"{self.name} did not answer with a vector for each text")
        if self._dimensions not in (None, vectors.shape[1]):
            raise EncoderUnavailable(
                f"{self.name} gives {vectors.shape[1]} dimensions, not {self._dimensions}; "
                "see EXECUTIVE_EMBEDDING_DIMENSIONS"
            )
        self._dimensions = vectors.shape[1]
        self._has_answered = True
        return vectors

    def _client(self, retries: int) -> Any:
        import openai
        from langchain_openai import OpenAIEmbeddings

        with self._lock:
            # Of our own: the one that it makes by itself cannot be closed.
            self._http = self._http or openai.DefaultHttpxClient()
            if retries not in self._clients:
                self._clients[retries] = OpenAIEmbeddings(
                    **self._arguments, max_retries=retries, http_client=self._http
                )
            return self._clients[retries]


def _readable(text: str) -> str:
    """Make text that a server takes: no half characters, not too long, and never empty."""
    return text[:_MOST_CHARACTERS].encode("utf-8", "replace").decode().strip() or "."
