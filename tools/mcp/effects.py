"""The effect of a tool: what its server claims, and what its name and its arguments give away."""

import re
from collections.abc import Iterator, Mapping

from state.action import FLOOR_OF_EFFECT, Effect
from tools.mcp.described import DescribedTool
from tools.mcp.slots import identifier
from tools.routing.words.families import READ_FAMILIES, family_of_group
from tools.routing.words.verbs import groups_of

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
    **dict.fromkeys(("buy", "purchase", "charge", "refund", "withdraw"), "financial"),
    **dict.fromkeys(("sms", "broadcast", "tweet"), "multi_user"),
}
"""What programs call it, and people seldom: no verb of what is said to us."""
_RUNS_ANYTHING = frozenset({"command", "cmd", "sql", "code", "script", "shell"})
"""An argument of that name is a program: what it does is up to whoever fills it."""
_MONEY = frozenset({"amount", "price", "currency", "iban"})
_JOINS = re.compile(r"_(?:and|or|then)_")


def effect_of(tool: DescribedTool, *, is_trusted: bool, server: str) -> Effect:
    """Read the effect from a tool's annotations; one that says nothing may do anything.

    Args:
        is_trusted: its server's word counts. Otherwise it only raises what the tool's name and
            arguments give away.
    """
    claimed = _claimed(tool)
    return claimed if is_trusted else raised(claimed, _given_away(tool, server))


def raised(claimed: Effect, other: Effect | None) -> Effect:
    """Take the graver of two effects; of two that are as grave, the second is more exact."""
    if other is None or FLOOR_OF_EFFECT[other] < FLOOR_OF_EFFECT[claimed]:
        return claimed
    return other


def _claimed(tool: DescribedTool) -> Effect:
    if tool.is_read_only:
        return "read"
    return "write" if tool.is_additive else "destructive"


def _given_away(tool: DescribedTool, server: str) -> Effect | None:
    """Guess the effect; None: neither the name nor an argument says anything of it."""
    plain = identifier(tool.name).removeprefix(f"{server}_")
    parts = [part.split("_") for part in _JOINS.split(plain)]
    guesses = [*(_of_words(part) for part in parts), *_of_arguments(tool)]
    found = [guess for guess in guesses if guess is not None]
    return max(found, key=_ORDER.index, default=None)


def _of_words(words: list[str]) -> Effect | None:
    """Guess from words of a name: the verb it begins with, or a grave one anywhere."""
    leading = next((groups for word in words if (groups := groups_of((word,)))), frozenset())
    families = set(map(family_of_group, leading))
    looks = bool(families & READ_FAMILIES)
    grave = [effect for word in words for effect in _grave(word, looks=looks)]
    if grave:
        return max(grave, key=_ORDER.index)
    if not families:
        return None
    return "read" if looks else "write"


def _grave(word: str, *, looks: bool) -> Iterator[Effect]:
    if word in _ALSO_GRAVE:
        yield _ALSO_GRAVE[word]
    groups = groups_of((word,))
    if looks:
        groups &= _NEVER_NOUNS
    yield from (effect for effect, grave in _GRAVE.items() if groups & grave)


def _of_arguments(tool: DescribedTool) -> Iterator[Effect]:
    names = tool.schema.get("properties", {})
    if not isinstance(names, Mapping):
        return
    words = {word for name in names for word in identifier(name).split("_")}
    if words & _RUNS_ANYTHING:
        yield "destructive"
    if words & _MONEY and not tool.is_read_only:
        yield "financial"
