"""Who may call a LangGraph server, what its requests may lack, and whose threads they see."""

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from langgraph_sdk import Auth

from graph.auth import STARTED_BY, TENANT, _put_into_metadata, identify, keep_apart
from state.principal import Principal
from state.reader import ClosedSessions
from tools.access.permissions import SessionReaders

HERE = {"client": ("127.0.0.1", 5), "headers": [(b"host", b"localhost:2024")]}


class Keys:
    async def principal_of(self, secret: str) -> Principal | None:
        return Principal(user="ann", tenant_id="ship") if secret == "pf_ann" else None


async def status(scope: dict[str, Any], *, visitors: bool) -> int | str:
    try:
        return str((await identify(scope, Keys(), visitors=visitors))["identity"])
    except Auth.exceptions.HTTPException as refused:
        return refused.status_code


@pytest.mark.parametrize(
    ("more", "visited"),
    [
        ({}, "visitor"),
        ({"client": ("::1", 5), "headers": [(b"host", b"[::1]:2024")]}, "visitor"),
        ({"headers": [(b"host", b"127.0.0.1"), (b"x-api-key", b"lsv2_pt_x")]}, "visitor"),
        ({"client": ("192.168.0.7", 5)}, 401),
        ({"client": None}, 401),
        ({"headers": [(b"host", b"ship.example")]}, 401),  # a trusted name, by a proxy here
        ({"headers": [*HERE["headers"], (b"x-forwarded-for", b"192.0.2.1")]}, 401),
        ({"headers": [*HERE["headers"], (b"forwarded", b"for=192.0.2.1")]}, 401),
        ({"headers": [*HERE["headers"], (b"authorization", b"Bearer pf_false")]}, 401),
        ({"headers": [*HERE["headers"], (b"x-api-key", b"false")]}, 401),
        ({"headers": []}, 401),
    ],
    ids=str,
)
async def test_only_this_machine_looks_without_a_key_and_only_where_it_may(more, visited) -> None:
    assert await status({**HERE, **more}, visitors=True) == visited
    assert await status({**HERE, **more}, visitors=False) == 401


async def test_what_is_no_request_is_nobodys() -> None:
    """Another server than LangGraph's own may hand over its headers alone."""
    assert (
        await status({"authorization": "Bearer pf_false", "host": "localhost"}, visitors=True)
        == 401
    )


@pytest.mark.parametrize("name", [b"Authorization", b"X-Api-Key"])
async def test_a_key_is_its_holder(name: bytes) -> None:
    key = b"Bearer pf_ann" if name == b"Authorization" else b"pf_ann"
    assert await status({"headers": [(name, key)]}, visitors=False) == "ship/ann"


@pytest.mark.parametrize("given", [{}, {"metadata": None}, {"metadata": {"name": "x"}}], ids=str)
def test_whose_a_thread_is_is_noted_whatever_metadata_came(given: dict[str, Any]) -> None:
    kept = given.get("metadata")
    _put_into_metadata(given, {"tenant_id": "ship"})
    assert given["metadata"]["tenant_id"] == "ship"
    assert kept is None or given["metadata"] is kept


def test_metadata_that_is_no_object_is_refused() -> None:
    with pytest.raises(Auth.exceptions.HTTPException) as refused:
        _put_into_metadata({"metadata": ["x"]}, {})
    assert refused.value.status_code == 422


# On a LangGraph server whoever is barred from a session sees no threads but their own.


class User(dict[str, Any]):
    """Who calls, as the server has them."""

    is_authenticated = True


async def shown(who: str | None, action: str, **given: Any) -> Any:  # what it may match
    principal = Principal(user=who or "", tenant_id="default") if who else None
    user = User(principal=principal.model_dump(mode="json")) if principal else None
    ctx: Any = SimpleNamespace(user=user, action=action)
    judge: Any = keep_apart  # what the decorator gives back is called by the server alone
    return await judge(ctx, given)


async def test_a_barred_caller_sees_and_resumes_their_own_threads_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = (ClosedSessions(names=("board",), users=("olga",)),)
    app: Any = ModuleType("graph.app")
    app.toolbox = SimpleNamespace(
        readers=SessionReaders(rules), settings=SimpleNamespace(visitors=True)
    )
    monkeypatch.setitem(sys.modules, "graph.app", app)
    resumed = {"kwargs": {"command": {"resume": True}}}
    for action, value in (("read", {}), ("search", {}), ("create_run", resumed)):
        assert await shown("olga", action, **value) == {TENANT: "default"}
        assert await shown("amir", action, **value) == {TENANT: "default", STARTED_BY: "amir"}
        assert await shown(None, action, **value) == {TENANT: "default", STARTED_BY: ""}
    app.toolbox.readers = SessionReaders()
    assert await shown("amir", "read") == {TENANT: "default"}
