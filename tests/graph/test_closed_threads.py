"""On a LangGraph server whoever is barred from a session sees no threads but their own."""

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from graph.auth import STARTED_BY, TENANT, keep_apart
from state.principal import Principal
from state.reader import ClosedSessions
from tools.access.permissions import SessionReaders


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
