"""Check across fields and files of a pack.

Slots, people, undo, entities, examples, heuristics, policy, personality, attention, proactive
rules, and what leaves: URLs, hosts, headers, bodies and secrets of HTTP calls and MCP servers.
"""

import difflib
import re
import string
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import urlsplit

from state.action import PRIMITIVE_SLOT_TYPES, Action, HttpCall, Slot
from tools.catalog.function_signatures import (
    PythonShapes,
    ShapeFault,
    check_functions,
    parameter_of,
)
from tools.catalog.pack_reader import PackFiles
from tools.catalog.pack_schema import Achievement, Remark
from tools.catalog.regex_safety import pattern_problem
from tools.catalog.yaml_with_lines import FieldPath
from tools.platform.egress_policy import UrlTemplate, is_plain_host, read_template
from tools.platform.redaction import SECRET
from tools.platform.text_comparison import keywords_of, suggest_name

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


def check_attention(files: PackFiles) -> None:
    """Note what is wrong with a pack's attention.yaml in `files.faults`."""
    for dimension, levels in files.attention.patterns.items():
        for level, patterns in levels.items():
            for place, pattern in enumerate(patterns):
                if problem := pattern_problem(pattern):
                    path = ("patterns", dimension, level, place)
                    files.fault("attention", path, problem)  # type: ignore[arg-type]  # a key of YAML may be a number
    named = Counter(rule.id for rule in files.attention.inhibits)
    for place, rule in enumerate(files.attention.inhibits):
        if named[rule.id] > 1:
            files.fault("attention", ("inhibits", place, "id"), f"{rule.id!r} is there twice")
        if "|" in rule.id:
            files.fault("attention", ("inhibits", place, "id"), "may hold no `|`")


_WORD = re.compile(r"\w+")


def check_examples(files: PackFiles) -> None:
    """Note examples without a word."""
    for action in files.actions.values():
        for file, path, text in _examples(files, action):
            if not _WORD.search(text):
                files.fault(file, path, "says nothing; write what people say, or leave it out")


def _examples(files: PackFiles, action: Action) -> Iterator[tuple[str, FieldPath, str]]:
    """Give each with the file and the place where it stands: its entry's own come first."""
    entry = files.marked["actions"].value["actions"][action.name]
    own = len(entry.get("examples") or ())
    for place, text in enumerate(action.examples):
        if place < own:
            yield "actions", ("actions", action.name, "examples", place), text
        else:
            yield "examples", ("examples", action.name, place - own), text


def check_policy(files: PackFiles) -> None:
    """Note every fault of policy.yaml: what it names has to be there, and be of its kind."""
    policy = files.policy
    if policy.broad_search is not None:
        _check_broad_search(files, policy.broad_search)
    _check_intents(files)
    _check_remembered(files)
    for place, step in enumerate(policy.stage_transitions):
        _check_action_named(files, ("stage_transitions", place, "on_action"), step.on_action)
    for place, name in enumerate(policy.stages_seen_by):
        _check_action_named(files, ("stages_seen_by", place), name)


def _check_forced(files: PackFiles, path: FieldPath, name: str) -> None:
    _check_action_named(files, path, name)
    action = files.actions.get(name)
    if action is not None and action.floor != "A":
        files.fault("policy", path, f"{name} is {action.effect}; only a read may be forced")


def _check_broad_search(files: PackFiles, name: str) -> None:
    _check_action_named(files, ("broad_search",), name)
    action = files.actions.get(name)
    if action is None:
        return
    if action.effect != "read":
        files.fault("policy", ("broad_search",), f"{name} is {action.effect}; only a read may run")
    texts = [slot for slot in action.slots.values() if slot.type == "text"]
    others = [slot for slot in action.slots.values() if slot.required and slot.type != "text"]
    if not texts or others or sum(slot.required for slot in texts) > 1:
        problem = f"{name} must do with one text slot, which the question fills"
        files.fault("policy", ("broad_search",), problem)


def _check_action_named(files: PackFiles, path: FieldPath, name: str) -> None:
    if name not in files.named_actions and not may_be_tool(files, name):
        problem = f"no such action {name!r}; {suggest_name(name, sorted(files.named_actions))}"
        files.fault("policy", path, problem)


def _check_intents(files: PackFiles) -> None:
    for name, rule in files.policy.intents.items():
        for place, pattern in enumerate(rule.patterns):
            if problem := pattern_problem(pattern):
                files.fault("policy", ("intents", name, "patterns", place), problem)
        for place, action in enumerate(rule.actions):
            _check_action_named(files, ("intents", name, "actions", place), action)
        if rule.force_tool is not None:
            _check_forced(files, ("intents", name, "force_tool"), rule.force_tool)


def _check_remembered(files: PackFiles) -> None:
    for name, remembered in files.policy.remembers.items():
        if remembered.set_by is not None:
            _check_action_named(files, ("remembers", name, "set_by"), remembered.set_by)
        for place, pattern in enumerate(remembered.patterns):
            path: FieldPath = ("remembers", name, "patterns", place)
            if problem := pattern_problem(pattern):
                files.fault("policy", path, problem)
            elif "value" not in re.compile(pattern).groupindex:
                files.fault("policy", path, "names no value; write (?P<value>…) around it")


def check_proactive(files: PackFiles) -> None:
    """Note what is wrong with a pack's proactive.yaml in `files.faults`."""
    file = files.proactive
    rules: list[tuple[str, int, Remark | Achievement]] = [
        *(("observations", place, one) for place, one in enumerate(file.observations)),
        *(("achievements", place, one) for place, one in enumerate(file.achievements)),
    ]
    named = Counter(rule.id for _, _, rule in rules)
    for kind, place, rule in rules:
        if named[rule.id] > 1:
            files.fault("proactive", (kind, place, "id"), f"{rule.id!r} is there twice")
        if not keywords_of(rule.when):
            files.fault("proactive", (kind, place, "when"), "holds no word, so it is never met")
    for place, remark in enumerate(file.observations):
        if not remark.say and remark.goal is None:
            files.fault("proactive", ("observations", place), "says nothing: give say or goal")
    for place, achievement in enumerate(file.achievements):
        rest = achievement.say.replace("{count}", "")
        if "{" in rest or "}" in rest:
            path = ("achievements", place, "say")
            files.fault("proactive", path, "has a placeholder beside {count}")


_SAY_FIELDS = ("text", "source")


def check_parts(files: PackFiles) -> None:
    """Note every fault between the parts of a pack in `files.faults`."""
    shapes = PythonShapes(files.folder)
    for action in files.actions.values():
        _check_slots(files, action)
        _check_summary(files, action)
        check_functions(files, shapes, action)
        check_http(files, action)
        _check_people(files, action)
        _check_undo(files, action)
    check_examples(files)
    check_mcp(files)
    _check_entities(files, shapes)
    _check_heuristics(files)
    check_policy(files)
    _check_personality(files)
    check_attention(files)
    check_proactive(files)


def _check_slots(files: PackFiles, action: Action) -> None:
    known = (*PRIMITIVE_SLOT_TYPES, *files.entities.entities)
    for name, slot in action.slots.items():
        path = ("actions", action.name, "slots", name)
        taken = {"context", "connection"} if action.transactional else {"context"}
        alike = [other for other in action.slots if parameter_of(other) == parameter_of(name)]
        if not name.replace("-", "_").isidentifier() or name in taken:
            files.fault("actions", path, "cannot be a Python parameter; use a_word_like_this")
        elif len(alike) > 1:
            problem = f"{' and '.join(alike)} would both be the parameter {parameter_of(name)}"
            files.fault("actions", path, problem)
        if slot.type not in known and not files.is_broken("entities"):
            problem = f"no such type {slot.type!r}; {suggest_name(slot.type, known)}"
            files.fault("actions", (*path, "type"), problem)
        _check_bounds(files, path, slot)


def _check_bounds(files: PackFiles, path: FieldPath, slot: Slot) -> None:
    bounds = {"minimum": slot.minimum, "maximum": slot.maximum}
    given = [name for name, bound in bounds.items() if bound is not None]
    if given and slot.type not in ("number", "integer"):
        files.fault("actions", (*path, given[0]), f"is for numbers, and the slot is a {slot.type}")
    elif slot.minimum is not None and slot.maximum is not None and slot.minimum > slot.maximum:
        problem = f"is more than the maximum, {slot.maximum:g}: nothing fits"
        files.fault("actions", (*path, "minimum"), problem)


def _check_summary(files: PackFiles, action: Action) -> None:
    path = ("actions", action.name, "summary")
    for problem in _placeholder_problems(action.summary, tuple(action.slots)):
        files.fault("actions", path, problem)


def _check_people(files: PackFiles, action: Action) -> None:
    path: FieldPath = ("actions", action.name)
    asked = {role for other in files.actions.values() for role in other.roles}
    for field, roles in (("roles", action.roles), ("approvers", action.approvers.roles)):
        place = (*path, field) if field == "roles" else (*path, field, "roles")
        if len(set(roles)) < len(roles):
            files.fault("actions", place, "names a role twice")
        for role in roles:
            if role != role.strip() or not role:
                files.fault("actions", place, f"role {role!r} has spaces around it")
    for role in action.approvers.roles:
        near = difflib.get_close_matches(role, sorted(asked), 1, 0.8)
        if role not in asked and near:
            problem = f"nobody is called {role!r} elsewhere; did you mean {near[0]!r}?"
            files.fault("actions", (*path, "approvers", "roles"), problem)
    if action.floor != "C" and action.approvers.quorum > 1:
        problem = "asks several people for an action that needs no yes; mend effect or quorum"
        files.fault("actions", (*path, "approvers", "quorum"), problem)


def _check_undo(files: PackFiles, action: Action) -> None:
    if action.undo is None:
        return
    path = ("actions", action.name, "undo")
    # It may name itself: to set a limit is undone by setting the one that was there before.
    if action.undo not in files.named_actions:
        known = sorted(files.named_actions)
        problem = f"no such action {action.undo!r}; {suggest_name(action.undo, known)}"
        files.fault("actions", path, problem)


def _check_entities(files: PackFiles, shapes: PythonShapes) -> None:
    for name, entity in files.entities.entities.items():
        path: FieldPath = ("entities", name)
        if name in PRIMITIVE_SLOT_TYPES:
            files.fault("entities", path, "is a slot type of its own; take another name")
        for place, pattern in enumerate(entity.patterns):
            if problem := pattern_problem(pattern):
                files.fault("entities", (*path, "patterns", place), problem)
        if not (entity.patterns or entity.names or entity.lookup):
            files.fault("entities", path, "names nothing; give it a list, patterns or a lookup")
        if entity.lookup is None:
            continue
        shape = shapes.find(*entity.lookup.split(":"))
        if isinstance(shape, ShapeFault):
            files.fault("entities", (*path, "lookup"), shape.problem)
        elif len(shape.positional) != 1 or shape.keyword_required:
            files.fault("entities", (*path, "lookup"), "must take the data folder and nothing else")


def _check_heuristics(files: PackFiles) -> None:
    seen: set[str] = set()
    for place, heuristic in enumerate(files.heuristics.heuristics):
        path: FieldPath = ("heuristics", place)
        if heuristic.id in seen:
            files.fault("heuristics", (*path, "id"), f"{heuristic.id!r} is taken; ids are unique")
        seen.add(heuristic.id)
        for problem in _placeholder_problems(heuristic.say, _SAY_FIELDS):
            files.fault("heuristics", (*path, "say"), problem)
        if not heuristic.floor <= heuristic.confidence <= heuristic.ceiling:
            files.fault("heuristics", (*path, "confidence"), "lies outside floor and ceiling")


def _check_personality(files: PackFiles) -> None:
    personality = files.personality
    for circumstance in ("high_threat", "opportunity"):
        shift = personality.context_modifiers.get(circumstance)
        for trait in ("proactive", "helpfulness"):
            if shift is not None and getattr(shift, trait) < 0:
                problem = "may not fall: what stands out more is never said less for it"
                files.fault("personality", ("context_modifiers", circumstance, trait), problem)
    if personality.template is not None and personality.template not in personality.templates:
        known = sorted(personality.templates)
        problem = f"no such template; {suggest_name(personality.template, known)}"
        files.fault("personality", ("template",), problem)


def _placeholder_problems(template: str, known: Iterable[str]) -> Iterable[str]:
    names = tuple(known)
    try:
        parts = list(string.Formatter().parse(template))
    except ValueError as error:
        yield f"is not a template: {error}"
        return
    for _, name, layout, conversion in parts:
        if name is None:
            continue
        if layout or conversion:
            yield f"{{{name}}} takes no layout: code renders it"
        if name not in names:
            yield f"{{{name}}} is no slot; {suggest_name(name, names)}"
