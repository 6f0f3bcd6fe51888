"""Who calls a LangGraph server that runs the graph: the holder of one of our keys, or a visitor.

A visitor without a key may run and look, so that Studio on one's own machine keeps working; what
a visitor answers at the gate counts for nothing (nodes/take_answer.py).
"""

from typing import Any

from langgraph_sdk import Auth

from tools.callers.bearer import credentials_of, may_be_key

auth = Auth()

VISITOR = "visitor"


@auth.authenticate
async def authenticate(scope: dict[str, Any]) -> dict[str, Any]:  # ASGI; a user, as the SDK has it
    """Find whose key stands in `Authorization: Bearer`.

    Raises:
        Auth.exceptions.HTTPException: 401, for a key that is none of ours.
    """
    # Of the scope, and not the server's own reading: that keeps one of two headers.
    given = [
        value.decode("latin-1")
        for name, value in scope.get("headers", ())
        if name.lower() == b"authorization"
    ]
    if not given:
        return {"identity": VISITOR, "is_authenticated": False, "permissions": []}
    secret = credentials_of(given)
    principal = None
    if secret is not None and may_be_key(secret):
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
