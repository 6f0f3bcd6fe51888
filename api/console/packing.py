"""Pages sent packed: a ship's line is thin, and a page of many rows is mostly the same words."""

import gzip

from starlette.requests import Request
from starlette.responses import Response

FEWEST_BYTES = 1_200
"""What fits into one packet is sent as it is."""
_LEVEL = 5
_PACKED = frozenset({"text/html", "text/css", "text/javascript", "image/svg+xml"})


def packed(request: Request, response: Response) -> Response:
    """Pack what a browser shows, if it says that it unpacks.

    What a page repeats of its reader's and what it keeps secret are packed together, and lengths
    could tell of the secret: so the token of a page's forms is another each time it is drawn.
    """
    whole = getattr(response, "body", None)  # a stream has none
    kind = response.headers.get("content-type", "").partition(";")[0]
    if kind not in _PACKED or not isinstance(whole, bytes) or len(whole) < FEWEST_BYTES:
        return response
    response.headers["Vary"] = "Accept-Encoding"
    if _unpacks(request):
        response.body = gzip.compress(whole, _LEVEL, mtime=0)
        response.headers["Content-Encoding"] = "gzip"
        response.headers["Content-Length"] = str(len(response.body))
    return response


def _unpacks(request: Request) -> bool:
    for one in request.headers.get("accept-encoding", "").split(","):
        name, _semicolon, weight = one.partition(";")
        if name.strip().lower() == "gzip":
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False
