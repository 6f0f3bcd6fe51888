"""Who calls a LangGraph server that runs the graph: the holder of one of our keys, or a visitor.

A visitor without a key may run and look, so that Studio on one's own machine keeps working; what
a visitor answers at the gate counts for nothing (nodes/take_answer.py).
"""

from typing import Any

from langgraph_sdk import Auth

auth = Auth()

LONGEST_KEY = 512
VISITOR = "visitor"


@auth.authenticate
async def authenticate(headers: dict[bytes, bytes]) -> dict[str, Any]:  # a user, as the SDK has it
    """Find whose key stands in `Authorization: Bearer`.

    Raises:
        Auth.exceptions.HTTPException: 401, for a key that is none of ours.
    """
    given = _authorization(headers)
    if given is None:
        return {"identity": VISITOR, "is_authenticated": False, "permissions": []}
    scheme, _, secret = given.partition(" ")
    secret = secret.strip(" ")
    principal = None
    if scheme.lower() == "bearer" and 0 < len(secret) <= LONGEST_KEY and secret.isascii():
        from graph.app import toolbox

        principal = await toolbox.keys.principal_of(secret)
    if principal is None:
        raise Auth.exceptions.HTTPException(status_code=401, detail="no such key")
    return {
        "identity": f"{principal.tenant_id}/{principal.user}",
        "display_name": principal.user,
        "is_authenticated": True,
        "permissions": [],
        "principal": principal.model_dump(mode="json"),
    }


def _authorization(headers: dict[bytes, bytes]) -> str | None:
    given = [value for key, value in headers.items() if key.lower() == b"authorization"]
    return given[0].decode("latin-1") if given else None
