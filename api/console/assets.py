"""The style, the script and the picture of the console, from the package itself."""

from functools import cache
from hashlib import sha256
from importlib.resources import files

from starlette.responses import Response

from api.http.problems import NOT_FOUND, Problem

_TYPES = {
    "console.css": "text/css; charset=utf-8",
    "console.js": "text/javascript; charset=utf-8",
    "htmx.min.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}
_FOR_EVER = "public, max-age=31536000, immutable"
"""Each address carries the version of what it names."""


def asset(name: str) -> Response:
    """Answer with one of the files there are.

    Raises:
        Problem: 404, it is none of them.
    """
    if name not in _TYPES:
        raise Problem(NOT_FOUND, "no such file of the console")
    return Response(_read(name), media_type=_TYPES[name], headers={"Cache-Control": _FOR_EVER})


def asset_version(name: str) -> str:
    """Name the content of a file, so that a new one is fetched at once."""
    return sha256(_read(name)).hexdigest()[:12]


@cache
def _read(name: str) -> bytes:
    return (files("api.console") / "static" / name).read_bytes()
