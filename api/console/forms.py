"""A form of the console, read without believing it."""

from typing import Final
from urllib.parse import parse_qsl

from starlette.requests import Request

from api.http.bodies import in_time, media_type
from api.http.problems import MALFORMED, TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, Problem

FORM: Final = "application/x-www-form-urlencoded"
MAX_FORM_BYTES = 262_144
"""Longest form: the longest text with every character escaped."""
_MOST_FIELDS = 200


class Form(dict[str, str]):
    """The fields of a form; one that was not sent is empty."""

    def __missing__(self, name: str) -> str:
        return ""


class FormRequest(Request):
    """A request that carries a small form."""

    async def fields(self) -> Form:
        """Read the fields, once; of two of one name the last counts.

        Raises:
            Problem: another content type (415), too long (413), too slow (408), or no form (400).
        """
        if not hasattr(self, "_fields"):
            async with in_time():
                sent = await self._bounded()
            self._fields = _parsed(sent)
        return self._fields

    async def _bounded(self) -> bytes:
        if media_type(self) != FORM:
            raise Problem(UNSUPPORTED_MEDIA_TYPE, "the console takes its own forms alone")
        sent = b""
        async for chunk in self.stream():
            sent += chunk
            if len(sent) > MAX_FORM_BYTES:
                raise Problem(TOO_LARGE, f"a form may hold {MAX_FORM_BYTES} bytes")
        return sent


def _parsed(sent: bytes) -> Form:
    try:
        pairs = parse_qsl(
            sent.decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=_MOST_FIELDS,
        )
    except ValueError as error:  # not UTF-8, or too many fields
        raise Problem(MALFORMED, "the form cannot be read; load the page again") from error
    return Form(pairs)
