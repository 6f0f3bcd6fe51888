"""Track dialogue state: memory that still counts, a pack's stage, and facts that are declared.

Reads and proposes; nothing is stored here.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from state.action import Action
from state.memory import PackMemory, Searched
from state.policy import ASKS_NOTHING, Mood, PolicyDecision, StageTransition
from state.session import Session, Shown
from tools.catalog import Pack
from tools.catalog.pack_schema import MemoryRule, PolicyFile
from tools.nlu import is_own_words, words_of
from tools.nlu.lexicon.normalization import singular
from tools.nlu.replies.declarations import declared_value
from tools.nlu.search_query.requests import SearchInterpreter
from tools.ports import Catalogue

_NOTHING = PackMemory()


@dataclass(frozen=True)
class DialogueState:
    """The memory of the packs at one moment."""

    memory: Mapping[str, PackMemory]
    now: datetime
    follow_up_seconds: float
    shown: Shown | None = None
    """What whoever speaks was shown or changed last."""

    @property
    def since(self) -> float:
        """Tell from when on lists and searches are remembered, seconds since 1970."""
        return self.now.timestamp() - self.follow_up_seconds

    def of(self, pack: Pack) -> PackMemory:
        """Give what is kept for a pack."""
        return self.memory.get(pack.name, _NOTHING)

    def last_search(self, pack: Pack) -> Searched | None:
        """Give the search that a follow-up may be about."""
        last = self.of(pack).searched
        return last if last is not None and last.at >= self.since else None

    def seeker(self, pack: Pack, action: Action) -> SearchInterpreter:
        """Read searches by an action of a pack."""
        kind = frozenset(map(singular, words_of(action.object)))
        day, last = self.now.date(), self.last_search(pack)
        return SearchInterpreter(pack.policy, self.of(pack), day, kind, last)


def current_stage(policy: PolicyFile, memory: PackMemory) -> str | None:
    """Tell where a session stands in a pack; before its first step, where the pack begins."""
    return memory.stage or policy.first_stage


def transition_of(action: Action, policy: PolicyFile, memory: PackMemory) -> StageTransition | None:
    """Find the first step that fits; one that leads to where the session stands is none."""
    standing = current_stage(policy, memory)
    for rule in policy.stage_transitions:
        if rule.on_action != action.name or rule.to_stage == standing:
            continue
        if rule.from_stages and standing not in rule.from_stages:
            continue
        return StageTransition(
            from_stage=standing,
            to_stage=rule.to_stage,
            on_action=action.name,
            reason=rule.reason or f"{action.name} succeeded",
        )
    return None


def transition_for(
    name: str, catalogue: Catalogue, session: Session | None
) -> StageTransition | None:
    """Find the step that an action of the catalogue takes in a session; None: it takes none."""
    action = catalogue.actions.get(name)
    if action is None:
        return None
    memory = session.memory.get(action.pack, _NOTHING) if session is not None else _NOTHING
    return transition_of(action, catalogue.pack(action.pack).policy, memory)


def transition_reasons(transition: StageTransition | None) -> Sequence[str]:
    """Say a decided step as a reason."""
    if transition is None:
        return ()
    return (f"stage:{transition.from_stage or 'none'}->{transition.to_stage}",)


MOST_FACT_CHARACTERS = 500
"""Of one fact: it is kept in the session's row, and shown in a list."""


def facts_in(
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


def with_facts(decision: PolicyDecision, learnt: Mapping[str, Mapping[str, str]]) -> PolicyDecision:
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
    found = {name: declared_value(text, rule.patterns) for name, rule in rules.items()}
    return {
        name: " ".join(written.split())[:MOST_FACT_CHARACTERS]
        for name, written in found.items()
        if written
    }
