"""Judge what a tool does: its server's annotations, held against its name and arguments.

A server may say what it likes. Where it is not trusted, its word only raises a tool's effect, and a
tool counts as reading only if its name says so too.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from state.action import FLOOR_OF_EFFECT, Effect
from tools.adapters.mcp.tool_pins import DescribedTool
from tools.nlu.lexicon.verbs import READ_FAMILIES, family_of_group, groups_of

_ORDER: tuple[Effect, ...] = ("read", "write", "destructive", "financial", "multi_user")
_GRAVE: Mapping[Effect, frozenset[str]] = {
    "destructive": groups_of(("delete", "cancel", "stop")),
    "financial": groups_of(("pay",)),
    "multi_user": groups_of(("email",)),
}
"""Effect → groups of verbs that have it, unless a verb of looking stands first: `get_block`."""
_NEVER_NOUNS = groups_of(("delete",))
"""Behind a verb of looking, too, for nothing that is looked at is called so: `fetch_delete`."""
_ALSO_GRAVE: Mapping[str, Effect] = {
    **dict.fromkeys(("destroy", "purge", "truncate", "kill", "terminate"), "destructive"),
    **dict.fromkeys(("format", "overwrite", "shutdown", "reboot", "uninstall"), "destructive"),
    **dict.fromkeys(("exec", "execute", "eval", "shell", "sudo"), "destructive"),
    **dict.fromkeys(
        ("rm", "rmdir", "del", "drop", "prune", "nuke", "shred", "flush"), "destructive"
    ),
    **dict.fromkeys(("grant", "impersonate", "chmod", "chown", "escalate"), "destructive"),
    **dict.fromkeys(("unregister", "deregister", "deprovision", "failover"), "destructive"),
    **dict.fromkeys(("buy", "purchase", "charge", "refund", "withdraw"), "financial"),
    **dict.fromkeys(("sms", "broadcast", "tweet"), "multi_user"),
}
"""What programs call it, and people seldom: no verb of what is said to us."""
_NOUNS = frozenset(
    {"issue", "pull", "log", "plan", "file", "record", "note", "text", "call", "label", "request"}
    | {"order", "book", "block", "report", "import", "export", "comment", "mail", "email", "pin"}
    | {"link", "bin", "trash", "dump", "strike", "print", "build", "schedule", "release", "form"}
    | {"share", "deploy", "document", "permit"}
)
"""Verbs that name things as well: they say nothing where another verb stands: `issue_read`."""
_LOOKS = frozenset(
    {"peek", "head", "tail", "ls", "cat", "stat", "lookup", "browse", "inspect", "validate"}
    | {"lint", "preview", "ping", "whoami", "help", "discover", "explore", "wait", "diff"}
    | {
        "download",
        "recognize",
        "infer",
        "detect",
        "classify",
        "summarize",
        "suggest",
        "recommend",
        "think",
    }
)
"""Verbs of programs that only look."""
_LOOKED_AT = frozenset(
    {"log", "logs", "status", "info", "details", "summary", "stats", "statistics", "metrics"}
    | {"top", "tree", "schema", "definitions", "versions", "version", "usage", "limits", "history"}
    | {"metadata", "health", "overview", "time", "weather", "docs"}
)
"""At the end of a name of things they say what is shown: `git_log`, `directory_tree`."""
_THINGS = frozenset(
    {"git", "directory", "table", "queue", "topic", "subscription", "knowledge", "database", "vm"}
    | {"repo", "repository", "server", "system", "cluster", "user", "account", "project", "guest"}
    | {"pod", "node", "container", "service", "file", "page", "pipeline", "workflow", "model"}
    | {"commit", "type", "store", "star", "fork", "lock", "patch", "copy", "clone", "vote"}
)
"""No verbs, or verbs that name things behind a verb of looking: `get_commit`."""
_NOT_LOOKING = frozenset({"open", "ask", "name", "call", "present", "set", "put", "pass", "hand"})
"""They look in what people say, and in the names of programs as often change."""
_CHANGES = frozenset(
    {"fork", "star", "unstar", "push", "dismiss", "resolve", "unresolve", "subscribe", "install"}
    | {"unsubscribe", "scale", "restart", "resume", "pause", "clone", "copy", "apply", "enroll"}
    | {"configure", "deploy", "rollout", "upgrade", "migrate", "sync", "commit", "mkdir", "touch"}
    | {"click", "type", "press", "drag", "invite", "join", "follow", "vote", "react", "reply"}
    | {"trigger", "invoke", "store", "provision", "register", "connect", "bind", "rotate", "patch"}
    | {"upsert", "synthesize", "protect", "reindex", "navigate", "respond", "rollback", "lock"}
)
"""Verbs of programs that change something."""
_UNDOES = "un"
"""Before a verb it makes another one, which changes something: `unlock`."""
_ALWAYS_CHANGES = frozenset({"write", "replace", "insert", "upsert", "modify", "overwrite", "send"})
"""Behind a verb of looking, too: `find_replace`."""
_HTTP: Mapping[str, Effect] = {
    **dict.fromkeys(("get", "head", "options"), "read"),
    **dict.fromkeys(("post", "put", "patch"), "write"),
}
_PROGRAMS = frozenset({"command", "commands", "cmd", "sql", "script", "shell", "javascript"})
"""An argument with such a word is a program: what it does is up to whoever fills it."""
_CODE = frozenset({"code", "source_code", "python_code", "js_code", "function_code"})
_QUERIES = frozenset(
    {"query", "queries", "statement", "statements", "expression", "graphql", "mutation"}
)
_SQL = re.compile(r"sql|cypher|sparql|mongo|graphql", re.IGNORECASE)
"""Also inside of a word: `PostgreSQL`, `get_sql_query`."""
_OPERATIONS = frozenset({"method", "action", "operation", "verb"})
"""An argument whose last word it is chooses what the tool does."""
_ADDRESSES = frozenset({"url", "uri", "endpoint", "path", "body", "headers"})
_WRITTEN = frozenset({"body", "payload", "patch", "destination"})
_OUTPUTS = frozenset({"output", "output_path", "output_file", "output_folder", "output_dir"})
"""An argument with such a word is what something is set to, or where it is written."""
_LIGHT = frozenset({"read", "write"})
_MONEY = frozenset({"amount", "price", "currency", "iban"})
_JOINS = re.compile(r"_(?:and|or|then)_")


def identifier(name: str) -> str:
    """Make a plain identifier of any name: `maxResults` and `max-results` become max_results."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name[:200])
    plain = re.sub(r"[^a-z0-9]+", "_", spaced.lower()).strip("_")
    return f"n_{plain}" if plain[:1].isdigit() else plain


def effect_of(tool: DescribedTool, *, is_trusted: bool, server: str) -> Effect:
    """Judge the effect of a tool; one that says nothing may do anything.

    Args:
        is_trusted: its server's word counts. Otherwise it only raises what the tool's name and
            arguments give away, and a tool whose name does not say that it reads is a write.
    """
    claimed = _claimed(tool)
    if is_trusted:
        return claimed
    given_away = effect_given_away(tool, server)
    if given_away is None and claimed == "read":
        return "write"
    return graver_effect(claimed, given_away)


def graver_effect(claimed: Effect, other: Effect | None) -> Effect:
    """Take the graver of two effects; of two that are as grave, the second is more exact."""
    if other is None or FLOOR_OF_EFFECT[other] < FLOOR_OF_EFFECT[claimed]:
        return claimed
    return other


def _claimed(tool: DescribedTool) -> Effect:
    if tool.is_read_only:
        return "read"
    return "write" if tool.is_additive else "destructive"


def effect_given_away(tool: DescribedTool, server: str) -> Effect | None:
    """Guess the effect; None: neither the name nor an argument says anything of it."""
    plain = identifier(tool.name).removeprefix(f"{server}_")
    plain = re.sub(r"(?<=[a-z])(?=\d)|(?<=\d)(?=[a-z])", "_", plain)  # `delete2`
    parts = [part.split("_") for part in _JOINS.split(plain)]
    guesses = [*map(_of_words, parts), *_of_arguments(tool)]
    if not tool.name.isascii():  # letters that look like others hide a word: `get_dеlete`
        guesses.append("write")
    found = [guess for guess in guesses if guess is not None]
    return max(found, key=_ORDER.index, default=None)


def _of_words(words: list[str]) -> Effect | None:
    """Guess from words of a name: a grave one anywhere, or else the verb that comes first."""
    words = [part for word in words for part in _parted(word)]
    natures = [(word, nature) for word in words if (nature := _nature(word)) is not None]
    clear = [(word, nature) for word, nature in natures if word not in _NOUNS]
    shows = words[-1] in _LOOKED_AT and all(map(_is_thing, words[:-1]))
    looks = _first(clear) == "read" or (not clear and shows)
    grave = [effect for word in words for effect in _grave(word, looks=looks)]
    if grave:
        return max(grave, key=_ORDER.index)
    if looks:
        changes = any(nature == "write" and word not in _THINGS for word, nature in clear)
        return "write" if changes or _ALWAYS_CHANGES & {*words} else "read"
    if clear:
        return "write"
    return _first(natures)


def _is_thing(word: str) -> bool:
    """Tell a plural and a word for a thing from what may be a verb: `empty_history`."""
    is_plural = word.endswith("s") and not word.endswith("ss")
    return word in _THINGS or word in _LOOKED_AT or is_plural


def _first(natures: Iterable[tuple[str, Effect]]) -> Effect | None:
    return next((nature for _word, nature in natures), None)


def _nature(word: str) -> Effect | None:
    """Tell whether a word is a verb that looks or one that changes; None: it is no verb."""
    if word in _LOOKS:
        return "read"
    if word in _CHANGES:
        return "write"
    if word.startswith(_UNDOES) and _nature(word[2:]) is not None:
        return "write"
    families = set(map(family_of_group, groups_of((word,))))
    if families & READ_FAMILIES and word not in _NOT_LOOKING:
        return "read"
    return "write" if families else None


def _parted(word: str) -> Iterator[str]:
    """Part a word that is two verbs: `listdrop`, `createorupdate`."""
    if _is_verb(word):
        yield word
        return
    for place in range(2, len(word) - 1):
        first, second = word[:place].removesuffix("or").removesuffix("and"), word[place:]
        if _is_verb(first) and _is_verb(second):
            yield from (first, second)
            return
    yield word


def _is_verb(word: str) -> bool:
    return word in _ALSO_GRAVE or _nature(word) is not None


def _grave(word: str, *, looks: bool) -> Iterator[Effect]:
    if word in _ALSO_GRAVE and not (looks and word in _NOUNS):
        yield _ALSO_GRAVE[word]
    groups = groups_of((word,))
    if looks:
        groups = groups & _NEVER_NOUNS if word not in _NOUNS else frozenset()
    yield from (effect for effect, grave in _GRAVE.items() if groups & grave)


def _of_arguments(tool: DescribedTool) -> Iterator[Effect]:
    described = tool.schema.get("properties", {})
    if not isinstance(described, Mapping):
        return
    arguments = {identifier(name): each for name, each in described.items()}
    words = {word for name in arguments for word in name.split("_")}
    if words & _PROGRAMS or arguments.keys() & _CODE or _takes_sql(tool, arguments):
        yield "destructive"
    if words & _WRITTEN or arguments.keys() & _OUTPUTS:
        yield "write"
    if words & _MONEY and not tool.is_read_only:
        yield "financial"
    for name, each in arguments.items():
        if name.rpartition("_")[2] in _OPERATIONS:
            yield from _of_choices(each, is_request=bool(words & _ADDRESSES))
        else:  # `mode: delete`; a choice that only writes may be a filter, such as `updated`
            graver = (one for one in _of_choices(each, is_request=False) if one not in _LIGHT)
            yield from graver


def _takes_sql(tool: DescribedTool, arguments: Mapping[str, Any]) -> bool:  # JSON Schema
    told = (tool.name, tool.description, *(str(arguments[name]) for name in arguments))
    return bool(_QUERIES & arguments.keys()) and any(map(_SQL.search, told))


def _of_choices(described: Any, *, is_request: bool) -> Iterator[Effect]:  # JSON Schema
    """Guess from what an argument may be set to; any HTTP method may be DELETE."""
    inner = described.get("items") if isinstance(described, Mapping) else None
    if isinstance(inner, Mapping) and "enum" in inner:
        described = inner
    choices = described.get("enum") if isinstance(described, Mapping) else None
    if not isinstance(choices, list):
        if is_request:
            yield "destructive"
        return
    for choice in map(str, choices):
        words = identifier(choice).split("_")
        guess = _HTTP.get(choice.lower()) or _of_words(words)
        if guess is not None and not _NOUNS.issuperset(words):
            yield guess
