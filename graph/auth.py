"""Who calls a LangGraph server that runs the graph, and which threads are theirs.

A visitor without a key may run and look in the default tenant, so that Studio on one's own machine
keeps working; a visitor asks as nobody (nodes/receive.py), and what one answers at the gate counts
for nothing (nodes/take_answer.py).
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from uuid import UUID

from langgraph_sdk import Auth

from graph.running.belonging import STARTED_BY, TENANT, belonging
from state.principal import Principal
from tools.callers.attribution import VISITORS_TENANT
from tools.callers.bearer import credentials_of, may_be_key
from tools.callers.server_user import principal_of
from tools.storage.keys import PREFIX

auth = Auth()

VISITOR = "visitor"
DECISION_ID_VERSION = 5
"""See Event.decision_id; a server's own ids are random."""


@auth.authenticate
async def authenticate(scope: dict[str, Any]) -> dict[str, Any]:  # ASGI; a user, as the SDK has it
    """Find whose key stands in `Authorization: Bearer`, or in `X-Api-Key` as Agent Inbox sends it.

    Raises:
        Auth.exceptions.HTTPException: 401, for a key that is none of ours.
    """
    # Of the scope, and not the server's own reading: that keeps one of two headers.
    given = _headers(scope, b"authorization")
    if not given:
        # Studio and Agent Inbox may send a key of LangSmith there, which is none of our business.
        ours = [value for value in _headers(scope, b"x-api-key") if value.startswith(PREFIX)]
        given = [f"Bearer {value}" for value in ours]
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


def _headers(scope: Mapping[str, Any], wanted: bytes) -> list[str]:
    headers = scope.get("headers", ())
    return [value.decode("latin-1") for name, value in headers if name.lower() == wanted]


@auth.on.threads
async def keep_apart(ctx: Auth.types.AuthContext, value: dict[str, Any]) -> dict[str, str]:
    """Let a caller read and resume the threads of its tenant, and write into its own alone.

    To whom a session of the tenant is closed only its own are shown: what session a thread is of,
    its metadata does not say. Whoever may write into a thread decides what is asked there in
    the name of who started it.
    """
    if ctx.action == "create" or value.get("if_not_exists") == "create":
        _refuse_a_decisions_id(value.get("thread_id"))
    caller = principal_of(ctx.user)
    _demand_scope(caller, ctx.action, value)
    is_barred = _is_barred(caller)
    belongs = belonging(caller.tenant_id, caller.user) if caller else belonging(VISITORS_TENANT)
    if ctx.action in ("create", "create_run"):
        value.setdefault("metadata", {}).update(belongs)  # in place: the server keeps that very one
    elif ctx.action == "update":
        _refuse_moving(value.get("metadata") or {})
    reads = ctx.action in ("create", "read", "search") or _only_resumes(ctx.action, value)
    if reads and not is_barred:
        return {TENANT: belongs[TENANT]}
    return belongs


@auth.on.crons
async def no_crons(ctx: Auth.types.AuthContext, value: dict[str, Any]) -> bool:
    """Refuse runs on a schedule: they would go on after the key they were made with has ended."""
    return False


@auth.on.assistants
async def only_look(ctx: Auth.types.AuthContext, value: dict[str, Any]) -> bool:
    """Let anybody see the graph; what is set on it would hold for every tenant's runs."""
    return ctx.action in ("read", "search")


@auth.on.store
async def no_store(ctx: Auth.types.AuthContext, value: dict[str, Any]) -> bool:
    """Refuse the server's own store: nothing of ours is in it, and no tenant has a part of it."""
    return False


def _is_barred(caller: Principal | None) -> bool:
    from graph.app import toolbox

    known = caller or Principal(user=VISITOR, tenant_id=VISITORS_TENANT, kind="service")
    return bool(toolbox.readers.of(known).closed)


def _demand_scope(caller: Principal | None, action: str, value: Mapping[str, Any]) -> None:
    # A resume is let through: who gives an answer to whom is for the ledger to say.
    is_free = action in ("read", "search") or _only_resumes(action, value)
    if caller and not is_free and "ask" not in caller.scopes:
        raise Auth.exceptions.HTTPException(status_code=403, detail="this key is not good for that")


def _refuse_a_decisions_id(thread_id: object) -> None:
    # A decision's id follows from its event: whoever guesses it could own its thread beforehand.
    with suppress(ValueError):
        if UUID(str(thread_id)).version == DECISION_ID_VERSION:
            raise Auth.exceptions.HTTPException(
                status_code=403, detail="that is a decision's id; leave thread_id out"
            )


def _refuse_moving(metadata: Mapping[str, Any]) -> None:
    if {TENANT, STARTED_BY} & set(metadata):
        raise Auth.exceptions.HTTPException(
            status_code=403, detail=f"{TENANT} and {STARTED_BY} of a thread stay as they are"
        )


def _only_resumes(action: str, value: Mapping[str, Any]) -> bool:
    """Tell a run that only answers the question of a thread, on its newest checkpoint."""
    if action != "create_run":
        return False
    run = value.get("kwargs") or {}
    command = run.get("command")
    configured = (run.get("config") or {}).get("configurable") or {}
    return (
        isinstance(command, Mapping)
        and {name for name, given in command.items() if given is not None} == {"resume"}
        and not any(run.get(name) for name in ("input", "interrupt_before", "interrupt_after"))
        and not any(configured[name] for name in configured if name.startswith("checkpoint"))
    )
