"""The MCP server itself: lists tools and calls them, each by requests to our own API.

It holds no way to the gate of its own: a call is a proposal, with the key of whoever calls, and
there is no tool that approves or chooses.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from jsonschema import Draft202012Validator
from pydantic import JsonValue

from api.mcp import results, tools
from api.mcp.client import Answer, Api
from api.mcp.tools import PROMPT, PermissionPrompt
from api.resources.health import PRODUCT_VERSION
from tools.platform.texts import t

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server
    from mcp.types import CallToolRequest, CallToolResult, ListToolsRequest, ServerResult

META = "prefrontal/call"
"""Key of `_meta` in tools/call: what the host says of the call, such as reason and tainted."""
_INVALID = 422
_NOT_FOUND = 404

Arguments = Mapping[str, Any]  # JSON, checked against the tool's schema


def build_server(
    api: Api, pages: Callable[[], str | None], prompt: PermissionPrompt | None = None
) -> "Server[Any, Any]":
    """Build the server of one caller.

    Args:
        api: the service, with the caller's key.
        pages: gives the address of the console; None: it is not known.
        prompt: answers Claude Code's permission prompts; None: that tool is not offered.
    """
    from mcp.server.lowlevel import Server
    from mcp.types import CallToolRequest, ListToolsRequest, ListToolsResult, ServerResult

    server: Server[Any, Any] = Server(
        "prefrontal", version=PRODUCT_VERSION, instructions=t("mcp.instructions")
    )
    door = _Door(api, pages)

    # Set as they are: the decorators of the SDK keep one list of tools for all callers, and make a
    # result of every error.
    async def listing(_request: "ListToolsRequest") -> "ServerResult":
        listed = tools.list_tools(await door.catalog())
        return ServerResult(ListToolsResult(tools=[*listed, *([prompt.tool()] if prompt else [])]))

    async def calling(request: "CallToolRequest") -> "ServerResult":
        meta = request.params.meta
        said = (meta.model_extra or {}).get(META) if meta is not None else None
        given = request.params.arguments or {}
        if prompt is not None and request.params.name == PROMPT:
            return ServerResult(await prompt.answer(given))
        return ServerResult(await door.call(request.params.name, given, said))

    server.request_handlers[ListToolsRequest] = listing
    server.request_handlers[CallToolRequest] = calling
    return server


class _Door:
    """Answers the calls of one caller."""

    def __init__(self, api: Api, pages: Callable[[], str | None]) -> None:
        self._api, self._pages = api, pages
        self._run_here: set[str] = set()

    async def catalog(self) -> list[tools.Entry]:
        """Read the actions that the caller may propose and that are run here.

        A tool that an agent runs itself is left out: over MCP nobody can take its permit.

        Raises:
            McpError: the service does not list them.
        """
        answer = await self._api.ask("GET", "/v1/catalog")
        if answer.is_problem:
            raise _protocol_error(t("mcp.catalog", detail=answer.detail), answer)
        return [entry for entry in answer.body["actions"] if not tools.is_permitted_only(entry)]

    async def call(self, name: str, given: Arguments, said: JsonValue) -> "CallToolResult":
        """Call one of our tools, or propose the action of a tool.

        Raises:
            McpError: there is no such tool.
        """
        if name not in tools.OWN:
            return await self._propose(name, given, said)
        faults = [
            {"field": ".".join(map(str, fault.path)) or name, "problem": fault.message[:300]}
            for fault in Draft202012Validator(tools.own_tools()[name]).iter_errors(dict(given))
        ]
        if faults:
            wrong = {"detail": t("mcp.invalid_arguments", tool=name), "errors": faults}
            return results.problem_result(Answer(_INVALID, wrong))
        calls: Mapping[str, Callable[[Arguments], Awaitable[CallToolResult]]] = {
            tools.CHECK: self._check,
            tools.WITHDRAW: self._withdraw,
            tools.WHY: self._why,
            tools.SEARCH: self._search,
            tools.WAITING: self._waiting,
        }
        return await calls[name](given)

    async def _propose(self, name: str, given: Arguments, said: JsonValue) -> "CallToolResult":
        if said is not None and not isinstance(said, dict):
            return results.result(t("mcp.not_an_object", key=META), is_error=True)
        await self._demand_run_here(tools.action_name(name))
        wanted: JsonValue = {
            **(said or {}),
            "action": tools.action_name(name),
            "arguments": dict(given),
            "wait_seconds": tools.WAIT_SECONDS,
        }
        answer = await self._api.ask("POST", "/v1/proposals", body=wanted)
        if answer.status == _INVALID and _is_about(answer, "action"):
            raise _protocol_error(t("mcp.unknown_tool", detail=answer.detail), answer)
        if answer.is_problem:
            return results.problem_result(answer)
        return results.view_result(answer.body)

    async def _demand_run_here(self, action: str) -> None:
        """Refuse the tool of an agent itself, before a person is asked about it.

        Whatever else stands against the action, its proposal is answered with.
        """
        if action in self._run_here:
            return
        answer = await self._api.ask("GET", "/v1/catalog")
        listed: list[tools.Entry] = [] if answer.is_problem else answer.body["actions"]
        kept = {entry["name"] for entry in listed if tools.is_permitted_only(entry)}
        if action in kept:
            wrong = {"detail": t("mcp.own_tool", tool=action)}
            sentence = t("mcp.unknown_tool", detail=wrong["detail"])
            raise _protocol_error(sentence, Answer(_INVALID, wrong))
        self._run_here = {entry["name"] for entry in listed} - kept

    async def _check(self, given: Arguments) -> "CallToolResult":
        wait = {"wait": given.get("wait_seconds", 0)}
        answer = await self._api.ask("GET", _path("proposals", given["proposal_id"]), wait)
        return self._or_problem(answer, results.view_result)

    async def _withdraw(self, given: Arguments) -> "CallToolResult":
        answer = await self._api.ask("DELETE", _path("proposals", given["proposal_id"]))
        if answer.is_problem:
            return results.problem_result(answer)
        return results.view_result(answer.body, is_withdrawal=True)

    async def _why(self, given: Arguments) -> "CallToolResult":
        named = given["decision_id"]
        answer = await self._api.ask("GET", _path("decisions", named))
        if answer.status == _NOT_FOUND:
            written = await self._api.ask("GET", _path("journal/decisions", named))
            if not written.is_problem:
                return results.record_result(written.body)
        return self._or_problem(answer, results.trace_result)

    async def _search(self, given: Arguments) -> "CallToolResult":
        wanted = {"q": given["question"], "limit": given.get("limit", 10)}
        answer = await self._api.ask("GET", "/v1/journal/search", wanted)
        return self._or_problem(answer, results.search_result)

    async def _waiting(self, _given: Arguments) -> "CallToolResult":
        approvals = await self._api.ask("GET", "/v1/approvals")
        offers = await self._api.ask("GET", "/v1/offers")
        for answer in (approvals, offers):
            if answer.is_problem:
                return results.problem_result(answer)
        return results.waiting_result(approvals.body, offers.body, self._pages())

    @staticmethod
    def _or_problem(
        answer: Answer, told: Callable[[Mapping[str, Any]], "CallToolResult"]
    ) -> "CallToolResult":
        return results.problem_result(answer) if answer.is_problem else told(answer.body)


def _path(resource: str, name: str) -> str:
    return f"/v1/{resource}/{quote(name, safe='')}"


def _is_about(answer: Answer, field: str) -> bool:
    return any(one["field"] == field for one in answer.body.get("errors", ()))


def _protocol_error(sentence: str, answer: Answer) -> Exception:
    from mcp.shared.exceptions import McpError
    from mcp.types import INTERNAL_ERROR, INVALID_PARAMS, ErrorData

    code = INVALID_PARAMS if answer.status == _INVALID else INTERNAL_ERROR
    return McpError(ErrorData(code=code, message=sentence, data=answer.body))
