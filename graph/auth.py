"""Authenticate callers of a LangGraph server that runs the graph, and authorize access to threads.

A thread's metadata names its tenant and the user who started it; a caller reads and resumes
threads of its own tenant alone. `EXECUTIVE_VISITORS` admits callers without a key from this
machine to the default tenant; their answers to approvals do not count.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from langgraph_sdk import Auth

from state.principal import Principal
from tools.access import KeyRing, bearer_credentials, server_run
from tools.access.permissions import VISITORS_TENANT
from tools.platform.egress_policy import is_loopback
from tools.platform.texts import t

TENANT = "tenant_id"
STARTED_BY = "started_by"

NOBODY = ""
"""No user is called this."""


def thread_owner(tenant_id: str, user: str | None = None) -> dict[str, str]:
    """Say that a thread is a tenant's, and who started it; None: a visitor."""
    return {TENANT: tenant_id, STARTED_BY: user or NOBODY}


auth = Auth()


VISITOR = "visitor"
_OF_LANGSMITH = ("lsv2_", "ls__")
"""How its keys begin."""
DECISION_ID_VERSION = 5
"""See Event.decision_id; a server's own ids are random."""


@auth.authenticate
async def authenticate(scope: dict[str, Any]) -> dict[str, Any]:  # ASGI; a user, as the SDK has it
    """Find whose key stands in `Authorization: Bearer`, or in `X-Api-Key` as Agent Inbox sends it.

    Raises:
        Auth.exceptions.HTTPException: 401, for a key that is none of ours; and for none, but of a
            visitor where those are let in.
    """
    from graph.app import toolbox

    return await identify(scope, toolbox.keys, visitors=toolbox.settings.visitors)


async def identify(scope: Mapping[str, Any], keys: KeyRing, *, visitors: bool) -> dict[str, Any]:
    """Name the caller as `authenticate` does; `visitors`: whether those are let in.

    Raises:
        Auth.exceptions.HTTPException: 401.
    """
    given = _keys_given(scope)
    if not given and visitors and is_at_this_machine(scope):
        return {"identity": VISITOR, "is_authenticated": False, "permissions": []}
    secret = bearer_credentials(given)
    if secret is None:
        detail = t("problem.graph.send_key")
        raise Auth.exceptions.HTTPException(status_code=401, detail=detail)
    principal = await keys.principal_of(secret)
    if principal is None:
        raise Auth.exceptions.HTTPException(status_code=401, detail=t("problem.graph.wrong_key"))
    return {
        "identity": f"{principal.tenant_id}/{principal.user}",
        "display_name": principal.user,
        "is_authenticated": True,
        "permissions": [],
        "principal": principal.model_dump(mode="json"),
    }


def is_at_this_machine(scope: Mapping[str, Any]) -> bool:
    """Tell whether a request was made here and for here: no proxy or tunnel passed it on."""
    (client, *_port) = scope.get("client") or ("",)
    hosts = _headers(scope, b"host")
    is_passed_on = any(_headers(scope, name) for name in (b"forwarded", b"x-forwarded-for"))
    names = [client, *(urlsplit(f"//{host}").hostname or "" for host in hosts)]
    return len(hosts) == 1 and not is_passed_on and all(map(is_loopback, names))


def _keys_given(scope: Mapping[str, Any]) -> list[str]:
    """List what is said to be a key, as `Authorization` has it; a false one is not passed over."""
    # Of the scope, and not the server's own reading: that keeps one of two headers.
    given = _headers(scope, b"authorization")
    if given:
        return given
    # Studio and Agent Inbox may send a key of LangSmith there, which is none of our business.
    others = _headers(scope, b"x-api-key")
    return [f"Bearer {value}" for value in others if not value.startswith(_OF_LANGSMITH)]


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
    caller = server_run.principal_of(ctx.user)
    _demand_caller(caller)
    _demand_scope(caller, ctx.action, value)
    is_barred = _is_barred(caller)
    belongs = (
        thread_owner(caller.tenant_id, caller.user) if caller else thread_owner(VISITORS_TENANT)
    )
    if ctx.action in ("create", "create_run"):
        _put_into_metadata(value, belongs)
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


def _demand_caller(caller: Principal | None) -> None:
    # Also where a server has ways in of its own, as LangGraph's has for Studio by a header alone.
    from graph.app import toolbox

    if caller is None and not toolbox.settings.visitors:
        raise Auth.exceptions.HTTPException(status_code=403, detail=t("problem.graph.needs_key"))


def _is_barred(caller: Principal | None) -> bool:
    from graph.app import toolbox

    known = caller or Principal(user=VISITOR, tenant_id=VISITORS_TENANT, kind="service")
    return bool(toolbox.readers.of(known).closed)


def _demand_scope(caller: Principal | None, action: str, value: Mapping[str, Any]) -> None:
    # A resume is let through: who gives an answer to whom is for the ledger to say.
    is_free = action in ("read", "search") or _only_resumes(action, value)
    if caller and not is_free and "ask" not in caller.scopes:
        raise Auth.exceptions.HTTPException(status_code=403, detail=t("problem.graph.key_scope"))


def _refuse_a_decisions_id(thread_id: object) -> None:
    # A decision's id follows from its event: whoever guesses it could own its thread beforehand.
    with suppress(ValueError):
        if UUID(str(thread_id)).version == DECISION_ID_VERSION:
            raise Auth.exceptions.HTTPException(
                status_code=403, detail=t("problem.graph.thread_id")
            )


def _refuse_moving(metadata: Mapping[str, Any]) -> None:
    if {TENANT, STARTED_BY} & set(metadata):
        raise Auth.exceptions.HTTPException(
            status_code=403,
            detail=t("problem.graph.metadata_kept", tenant=TENANT, started_by=STARTED_BY),
        )


def _put_into_metadata(value: dict[str, Any], belongs: Mapping[str, str]) -> None:
    """Write into the metadata in place: the server keeps that very one. Without any, make some.

    Raises:
        Auth.exceptions.HTTPException: 422, it is no object; other servers than ours hand that on.
    """
    if value.get("metadata") is None:
        value["metadata"] = {}
    metadata = value["metadata"]
    if not isinstance(metadata, dict):
        raise Auth.exceptions.HTTPException(status_code=422, detail=t("problem.graph.metadata"))
    metadata.update(belongs)


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
