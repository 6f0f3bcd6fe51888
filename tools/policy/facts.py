"""What a text says of the things a pack remembers by name, such as the research question."""

from collections.abc import Callable, Mapping, Sequence

from state.memory import PackMemory
from state.policy import ASKS_NOTHING, Mood, PolicyDecision
from tools.catalogue.models import MemoryRule
from tools.catalogue.pack import Pack
from tools.classification.taint import is_own_words
from tools.policy.declared import declared

MOST_CHARACTERS = 500
"""Of one fact: it is kept in the session's row, and shown in a list."""


def learnt_in(
    text: str,
    mood: Mood,
    packs: Sequence[Pack],
    roles: Sequence[str],
    *,
    memory: Mapping[str, PackMemory],
    may_ask: Callable[[str], bool],
) -> Mapping[str, Mapping[str, str]]:
    """Read pack → name → value; only what the asker declares teaches, in words of their own.

    Who only reads in a pack changes nothing it remembers either, and who may not ask for the
    action that sets a thing does not set it by telling it. What a person has said or set before is
    for that action alone to replace: with a chip, and not in passing.
    """
    if mood in ASKS_NOTHING or not is_own_words(text):
        return {}
    found: dict[str, Mapping[str, str]] = {}
    for pack in packs:
        read_only = pack.policy.read_only_roles
        if read_only and not set(roles) - set(read_only):
            continue
        rules = {
            name: rule
            for name, rule in pack.policy.remembers.items()
            if rule.set_by is None or may_ask(rule.set_by)
        }
        kept = memory.get(pack.name, PackMemory())
        values = {
            name: value
            for name, value in _values(text, rules).items()
            if rules[name].set_by is None or not _is_settled(kept, name, value)
        }
        if values:
            found[pack.name] = values
    return found


def with_learnt(
    decision: PolicyDecision, learnt: Mapping[str, Mapping[str, str]]
) -> PolicyDecision:
    """Keep what a text taught us beside what it asks for; when it asks nothing, say so."""
    if not learnt:
        return decision
    told = [f"learnt:{pack}.{name}" for pack, values in learnt.items() for name in values]
    update: dict[str, object] = {"learnt": learnt, "reasons": (*decision.reasons, *told)}
    states = decision.routing is not None and decision.routing.mood == "statement"
    if decision.action is None or (states and decision.force_tool is None):
        lines = [
            f"{name.replace('_', ' ').capitalize()}: {value}"
            for values in learnt.values()
            for name, value in values.items()
        ]
        update |= {"intent": "remember", "says": "Noted. " + "; ".join(lines), "confidence": 1.0}
        update |= {"action": None, "arguments": {}, "alternatives": (), "variants": ()}
        update |= {"unclear": "", "search": None, "stage_transition": None}
    return decision.model_copy(update=update)


def _is_settled(memory: PackMemory, name: str, value: str) -> bool:
    known = memory.facts.get(name)
    return known is not None and known.source != "search" and known.value != value


def _values(text: str, rules: Mapping[str, MemoryRule]) -> Mapping[str, str]:
    found = {name: declared(text, rule.patterns) for name, rule in rules.items()}
    return {
        name: " ".join(written.split())[:MOST_CHARACTERS]
        for name, written in found.items()
        if written
    }
