"""Answers that need not be sent again: whoever polls sends back the tag, and gets 304."""

import hashlib

from starlette.requests import Request
from starlette.responses import Response

_OK, _NOT_MODIFIED = 200, 304


def unless_known(request: Request, response: Response) -> Response:
    """Tag the whole answer to a GET; one whose tag the caller has already is not sent."""
    whole = getattr(response, "body", None)  # a stream has none
    if request.method != "GET" or response.status_code != _OK or not isinstance(whole, bytes):
        return response
    tag = f'"{hashlib.sha256(whole).hexdigest()[:32]}"'
    if tag in _known_tags(request):
        return Response(status_code=_NOT_MODIFIED, headers={"ETag": tag})
    response.headers["ETag"] = tag
    return response


def _known_tags(request: Request) -> set[str]:
    # RFC 9110, 13.1.2: a list, compared weakly; `*` asks whether there is anything, and there is.
    given = ",".join(request.headers.getlist("if-none-match")).split(",")
    return {tag.strip().removeprefix("W/") for tag in given}
