"""JSON that may be printed: nothing that somebody said drives the terminal of who reads it."""

from starlette.responses import Response

from tools.visible import inert_json


def make_inert(response: Response) -> None:
    """Escape in a JSON answer what `curl` would hand to a terminal; it stays the same JSON."""
    body = getattr(response, "body", None)  # a stream has none
    if not isinstance(body, bytes) or (body.isascii() and b"\x7f" not in body):
        return
    if not response.headers.get("content-type", "").startswith("application/"):
        return
    response.body = inert_json(body.decode()).encode()
    response.headers["content-length"] = str(len(response.body))
