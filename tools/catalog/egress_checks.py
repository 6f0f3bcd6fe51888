"""Check a pack's HTTP calls and MCP servers: URLs, hosts, headers, bodies and secrets."""

import re
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from state.action import Action, HttpCall, Slot
from tools.catalog.pack_reader import PackFiles
from tools.catalog.yaml_with_lines import FieldPath
from tools.platform.egress_policy import UrlTemplate, is_plain_host, read_template
from tools.platform.redaction import SECRET

_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}")
_OURS = frozenset(
    {
        "host",
        "content-length",
        "content-type",
        "transfer-encoding",
        "connection",
        "keep-alive",
        "upgrade",
        "te",
        "trailer",
        "accept-encoding",
        "proxy-authorization",
        "proxy-connection",
        "expect",
    }
)
"""Headers that say how a request is sent; who sends it sets them."""


def check_http(files: PackFiles, action: Action) -> None:
    """Note what is wrong with an action's http call."""
    call = action.http
    if call is None:
        return
    path: FieldPath = ("actions", action.name, "http")
    for problem in _url_problems(action, call):
        files.fault("actions", (*path, "url"), problem)
    for problem in _body_problems(action, call):
        files.fault("actions", (*path, "body"), problem)
    _check_headers(files, "actions", (*path, "headers"), call.headers)
    header = call.idempotency_header
    if header is not None and (not _TOKEN.fullmatch(header) or header.lower() in _OURS):
        files.fault("actions", (*path, "idempotency_header"), "is no header that you may set")
    if action.idempotent and header is None:
        problem = "needs http.idempotency_header: the service has to be given the key"
        files.fault("actions", ("actions", action.name, "idempotent"), problem)


def check_mcp(files: PackFiles) -> None:
    """Note what can be seen to be wrong with mcp.yaml before any server is asked."""
    for name, server in files.mcp.servers.items():
        path: FieldPath = ("servers", name)
        if server.url is not None:
            for problem in _fixed_url_problems(server.url):
                files.fault("mcp", (*path, "url"), problem)
        _check_headers(files, "mcp", (*path, "headers"), server.headers)
        for variable, value in server.env.items():
            if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", variable):
                files.fault("mcp", (*path, "env", variable), "is no name of a variable")
            for problem in _secret_problems(value):
                files.fault("mcp", (*path, "env", variable), problem)


def may_be_tool(files: PackFiles, action: str) -> bool:
    """Tell whether a name may be that of a tool, which only its server knows."""
    return any(action.startswith(f"{server}_") for server in files.mcp.servers)


def _url_problems(action: Action, call: HttpCall) -> Iterable[str]:
    try:
        template = read_template(call.url)
    except ValueError as error:
        yield str(error)
        return
    yield from _host_problems(template.origin)
    yield from _slot_problems(action.slots, template)
    if call.method == "GET":
        for name in action.slots.keys() - template.slots:
            yield f"does not take the slot {name}, and GET has no body for it"


def _slot_problems(slots: Mapping[str, Slot], template: UrlTemplate) -> Iterable[str]:
    for name in sorted(template.slots):
        slot = slots.get(name)
        if slot is None:
            yield f"{{{name}}} is no slot; known: {', '.join(slots) or 'none'}"
        elif slot.secret:
            yield f"{{{name}}} is secret; addresses are logged by others, so send it in the body"
        elif slot.type == "json":
            yield f"{{{name}}} is JSON; send it in the body"
        elif name in template.path_slots and (slot.many or slot.type == "list"):
            yield f"{{{name}}} is a list; only the query takes one"
        elif name in template.path_slots and not slot.required:
            yield f"{{{name}}} stands in the path; make the slot required"


def _body_problems(action: Action, call: HttpCall) -> Iterable[str]:
    if call.body is None:
        return
    if call.method == "GET":
        yield "cannot be sent with GET"
    if len(set(call.body)) < len(call.body):
        yield "names a slot twice"
    for name in call.body:
        if name not in action.slots:
            yield f"{name} is no slot; known: {', '.join(action.slots) or 'none'}"


def _fixed_url_problems(url: str) -> Iterable[str]:
    try:
        template = read_template(url)
    except ValueError as error:
        yield str(error)
        return
    if template.slots:
        yield "takes no slots: it is the address of the server"
    yield from _host_problems(template.origin)


def _host_problems(origin: str) -> Iterable[str]:
    try:
        parts = urlsplit(origin)
        is_plain = is_plain_host((parts.hostname or "").lower()) and parts.port != 0
    except ValueError:
        is_plain = False
    if not is_plain:
        yield "names no plain host: a name, or an address in its common form"


def _check_headers(
    files: PackFiles, file: str, path: FieldPath, headers: Mapping[str, str]
) -> None:
    for name, value in headers.items():
        if not _TOKEN.fullmatch(name) or name.lower() in _OURS:
            files.fault(file, (*path, name), "is no header that you may set")
        if not (value.isascii() and value.isprintable()):
            files.fault(file, (*path, name), "holds a character that no header can hold")
        for problem in _secret_problems(value):
            files.fault(file, (*path, name), problem)


def _secret_problems(value: str) -> Iterable[str]:
    if "${" in SECRET.sub("", value):
        yield "names a secret in another form than ${CAPITAL_LETTERS}"
