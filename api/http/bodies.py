"""Read a body without believing it: limits before buffering, and JSON that means one thing."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NoReturn, TypeVar

from pydantic import JsonValue, ValidationError
from starlette.requests import Request

from api.http.problems import (
    MALFORMED,
    TOO_LARGE,
    TOO_SLOW,
    UNSUPPORTED_MEDIA_TYPE,
    Problem,
    invalid,
)
from state.errors import BadInput
from state.noun import Noun
from tools.platform.serialization import read_json
from tools.platform.texts import t

MAX_BODY_BYTES = 1_048_576
"""Longest JSON body."""
MAX_LINE_BYTES = 262_144
"""Longest NDJSON line: the longest text with every character escaped, and room for the rest."""
BODY_SECONDS = 10.0
"""Longest a body may take to come: meanwhile its request holds a place that others want."""

_LONG_BYTES = 65_536
"""Beyond it a body is parsed beside the event loop: the worst megabyte takes half a second."""

JSON = "application/json"
NDJSON = "application/x-ndjson"

N = TypeVar("N", bound=Noun)


class JsonRequest(Request):
    """A request whose body is bounded, and whose JSON is strict."""

    accepted: tuple[str, ...] = (JSON,)
    """Content types of its body."""

    async def body(self) -> bytes:
        """Read the whole body of a JSON request.

        Raises:
            Problem: another content type (415), longer than the limit (413) or too slow (408).
        """
        if not hasattr(self, "_body"):
            refuse_other_types(self, *self.accepted)
            async with in_time():
                self._body = b"".join([chunk async for chunk in self._bounded()])
        return self._body

    async def json(self) -> Any:  # JsonValue, but FastAPI's base class says Any
        """Parse the body.

        Raises:
            Problem: as `body`, or not JSON as `parse_json` takes it (400).
        """
        raw = await self.body()
        if len(raw) > _LONG_BYTES:
            return await asyncio.to_thread(parse_json, raw)
        return parse_json(raw)

    async def _bounded(self) -> AsyncIterator[bytes]:
        announced = self.headers.get("content-length", "")
        if announced.isdecimal() and int(announced[:20]) > MAX_BODY_BYTES:
            self._refuse_length()
        size = 0
        async for chunk in self.stream():
            size += len(chunk)
            if size > MAX_BODY_BYTES:
                self._refuse_length()
            yield chunk

    def too_large(self) -> str:
        """Say what is wrong with a longer body."""
        return t("problem.body_large", size=MAX_BODY_BYTES)

    def _refuse_length(self) -> NoReturn:
        raise Problem(TOO_LARGE, self.too_large())


@asynccontextmanager
async def in_time() -> AsyncIterator[None]:
    """Give a body its time to come; what is left of it is not waited for, and the line is closed.

    Raises:
        Problem: 408, after BODY_SECONDS.
    """
    try:
        async with asyncio.timeout(BODY_SECONDS):
            yield
    except TimeoutError as error:
        detail = t("problem.body_slow", seconds=BODY_SECONDS)
        raise Problem(TOO_SLOW, detail, headers={"Connection": "close"}) from error


def media_type(request: Request) -> str:
    """Name the content type without its parameters, in lower case."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def refuse_other_types(request: Request, *accepted: str) -> None:
    """Refuse what is not one of `accepted` in UTF-8, and any compression.

    Raises:
        Problem: 415, naming what would be taken.
    """
    _, _, parameters = request.headers.get("content-type", "").partition(";")
    charset = parameters.lower().partition("charset=")[2].partition(";")[0].strip(' "')
    encoding = request.headers.get("content-encoding", "identity").strip().lower()
    if media_type(request) not in accepted or charset not in ("", "utf-8", "utf8"):
        raise Problem(
            UNSUPPORTED_MEDIA_TYPE,
            t("problem.content_type", accepted=" or ".join(accepted)),
            headers={"Accept-Post": ", ".join(accepted)},
        )
    if encoding != "identity":
        raise Problem(UNSUPPORTED_MEDIA_TYPE, t("problem.content_encoding"))


def parse_json(raw: bytes) -> JsonValue:
    """Parse JSON in which every reader would see the same.

    Raises:
        Problem: 400, saying what it is and where.
    """
    try:
        return read_json(raw)
    except BadInput as error:
        raise Problem(MALFORMED, str(error)) from error


def validated(noun: type[N], value: JsonValue, place: str = "") -> N:
    """Make a noun of a parsed value; `place` says where in the body it stood.

    Raises:
        Problem: 422, with every field that is wrong.
    """
    try:
        return noun.model_validate(value)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False, include_context=False)
        raise invalid(found, place) from error
