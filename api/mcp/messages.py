"""Check what claims to be a message of the protocol, and answer what is none as JSON-RPC says."""

from typing import Any, NamedTuple

from pydantic import JsonValue

from tools.platform.texts import t

PARSE_ERROR, INVALID_REQUEST = -32_700, -32_600
METHOD_NOT_FOUND, INVALID_PARAMS = -32_601, -32_602
METHODS = frozenset({"initialize", "ping", "tools/list", "tools/call"})
"""Those that this server answers."""


class Fault(NamedTuple):
    """Why a message cannot be answered; JSON-RPC wants a null id where none could be read."""

    code: int
    detail: str
    id: str | int | None = None

    @property
    def is_of_form(self) -> bool:
        """Tell whether it is no request at all."""
        return self.code in (PARSE_ERROR, INVALID_REQUEST)

    @property
    def answer(self) -> JsonValue:
        """The error that answers it."""
        error: JsonValue = {"code": self.code, "message": self.detail}
        return {"jsonrpc": "2.0", "id": self.id, "error": error}


def parse_fault(detail: str) -> Fault:
    """Name what is no JSON."""
    return Fault(PARSE_ERROR, t("mcp.message.parse", detail=detail))


def fault_of(message: JsonValue) -> Fault | None:
    """Find what is wrong with a message; None: the SDK can read it."""
    if not isinstance(message, dict):
        return Fault(INVALID_REQUEST, t("mcp.message.no_object"))
    named = message.get("id")
    is_named = isinstance(named, (str, int)) and not isinstance(named, bool)
    known = named if isinstance(named, (str, int)) and is_named else None
    if message.get("jsonrpc") != "2.0":
        return Fault(INVALID_REQUEST, t("mcp.message.version"), known)
    if "id" in message and not is_named:
        return Fault(INVALID_REQUEST, t("mcp.message.id"))
    if "method" not in message:
        return _fault_of_answer(message, known)
    method, params = message["method"], message.get("params", {})
    if not isinstance(method, str):
        return Fault(INVALID_REQUEST, t("mcp.message.method"), known)
    if known is not None and method not in METHODS:
        return Fault(METHOD_NOT_FOUND, t("mcp.message.unknown", method=method[:100]), known)
    if known is not None and not isinstance(params, dict):
        return Fault(INVALID_PARAMS, t("mcp.message.params"), known)
    return None  # a notification has no answer, whatever is wrong with it


def _fault_of_answer(message: dict[str, Any], known: str | int | None) -> Fault | None:
    """Check an answer to us, who ask nothing: it is read and dropped."""
    is_answer = known is not None and (
        isinstance(message.get("result"), dict) or isinstance(message.get("error"), dict)
    )
    return None if is_answer else Fault(INVALID_REQUEST, t("mcp.message.no_method"), known)
