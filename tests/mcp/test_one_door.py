"""What reaches other services is used by the one caller of handlers, and made in one place."""

import ast
from collections.abc import Callable, Iterable

import pytest

from tests.architecture.source import Source, product

CALLING = "tools/gate/handlers/dispatch.py"


def _named(source: Source) -> set[str]:
    names = {node.id for node in source.nodes if isinstance(node, ast.Name)}
    return names | {node.attr for node in source.nodes if isinstance(node, ast.Attribute)}


def _called(source: Source) -> set[str]:
    called = [node.func for node in source.nodes if isinstance(node, ast.Call)]
    names = {each.id for each in called if isinstance(each, ast.Name)}
    return names | {each.attr for each in called if isinstance(each, ast.Attribute)}


def users_of_calls(sources: Iterable[Source]) -> set[str]:
    ways = {"call_http", "call_mcp"}
    return {source.name for source in sources if ways & _named(source)}


def callers_of_tools(sources: Iterable[Source]) -> set[str]:
    return {source.name for source in sources if "call_tool" in _named(source)}


def makers_of_clients(sources: Iterable[Source]) -> set[str]:
    ways = {"AsyncClient", "AsyncHTTPTransport", "urlopen", "open_connection", "create_connection"}
    inside = (
        "state/",
        "tools/",
        "nodes/",
        "graph/wiring/composition",
        "graph/wiring/external_services",
    )
    return {
        source.name
        for source in sources
        if source.name.startswith(inside) and ways & _called(source)
    }


FINDINGS: dict[Callable[[Iterable[Source]], set[str]], str] = {
    users_of_calls: CALLING,
    callers_of_tools: "tools/adapters/mcp/connection.py",
    makers_of_clients: "tools/platform/egress.py",
}


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda finding: finding.__name__)
def test_there_is_one_way_out(finding: Callable[[Iterable[Source]], set[str]]) -> None:
    assert finding(product()) == {FINDINGS[finding]}


@pytest.mark.parametrize(
    ("finding", "text"),
    [
        (users_of_calls, "from tools.gate.handlers.remote_handlers import call_http\ncall_http()"),
        (
            users_of_calls,
            "from tools.gate.handlers import remote_handlers\nremote_handlers.call_mcp()",
        ),
        (callers_of_tools, "session.call_tool('pay')"),
        (makers_of_clients, "import httpx\nhttpx.AsyncClient()"),
    ],
)
def test_another_way_would_be_found(
    finding: Callable[[Iterable[Source]], set[str]], text: str
) -> None:
    assert finding([Source("nodes/act.py", text)]) == {"nodes/act.py"}
