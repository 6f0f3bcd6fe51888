"""Track dialogue state: memory that still counts, a pack's stage, and facts that are declared.

Reads and proposes; nothing is stored here.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from state.action import Action
from state.memory import PackMemory, Searched
from state.policy import ASKS_NOTHING, Mood, PolicyDecision, StageTransition
from state.session import Session, Shown
from tools.catalog.pack import Pack
from tools.catalog.pack_schema import MemoryRule, PolicyFile
from tools.nlu.lexicon.normalization import normalise, singular, words_of
from tools.nlu.search_query.requests import SearchInterpreter
from tools.nlu.taint import is_own_words
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


_LEAD = re.compile(
    r"(?:(?:and|but|so|well|ok|okay|oh|hi|hello|hey|yes|also|now|today|btw|by the way|fyi|again"
    r"|for (?:context|now|the record)|just so you know|from now on|as of (?:today|now)|everyone"
    r"|everybody|all|there|please|(?:please )?note(?: that)?|remember(?: that)?|because|since|as"
    r"|good (?:morning|afternoon|evening))\b[\s,:]*)*",
    re.IGNORECASE,
)
"""What may stand before a declaration in its own clause; anything else makes it part of more."""
_OPENS_MORE = re.compile(
    r"(?<!\w)(?:if|unless|when|whenever|suppos(?:e|ing)|imagin(?:e|ing)|assum(?:e|ing)|pretend"
    r"|say|what|whether|would|were|had|in case|hypothetically|provided|once|until|as though"
    r"|maybe|perhaps|possibly|no|not|never|nobody|said|says|told|wrote|thinks?|example)(?!\w)",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"(?:how|whether|why|which|what|when|where|who|do|does|did|is|are|can|could|will|would|should"
    r"|has|have)\b",
    re.IGNORECASE,
)
_OF_YOU = re.compile(r"(?<!\w)(?:you|your|yours|yourself|u)(?!\w)", re.IGNORECASE)
_OF_WORTH = re.compile(
    r"(?:so|too|very|quite|really|pretty|rather|totally|completely|still|already|almost|just|only"
    r"|always|never|no|none|nothing|nobody|not|it|that|this|here|there|wrong|right|good|bad|great"
    r"|boring|stupid|dumb|hard|easy|difficult|interesting|important|urgent|secret|confidential"
    r"|private|ready|done|finished|over|dead|late|fine|cool|nice|better|worse|more|less|unclear"
    r"|closed|fixed|due|off|going|getting|being|getting|on hold|in trouble|none of|my own"
    r"|an? (?:\w+ )?(?:mess|joke|disaster|failure|success|secret|nightmare|pain|lot))\b",
    re.IGNORECASE,
)
"""What a predicate begins with that judges a thing, and does not say what it is."""
_TAKEN_BACK = re.compile(
    r"[,.;–—-]\s*(?:right|no|not|or (?:is|was) it|isn't it|what would|would you|do you|just kidding"
    r"|jk|kidding|lol|haha|never ?mind|said (?:no|nobody)|i guess|maybe|perhaps|for example"
    r"|hypothetically|if )\b.*$",
    re.IGNORECASE | re.DOTALL,
)
_WORD = re.compile(r"\w[\w'-]*")
_BOUNDS = re.compile(r"[.!?\n]\s+|\n")
_CLAUSES = re.compile(r"[,;:–—]\s+|\s-\s|\s(?=(?:and|because|since|as|so|but)\s)")
_GOES_ON = re.compile(r",\s+so\s+(?!no\b|not\b|just\b)", re.IGNORECASE)
"""Behind what is declared: `my topic is graphs, so find me papers`."""
_QUIET_SIGNS = " \t\n\"'“”.,;:!"


def declared_value(text: str, patterns: Sequence[str]) -> str:
    """Give the value that one of the patterns finds in a declaration; empty: none is declared."""
    normal = normalise(text)
    for pattern in patterns:
        for match in _compiled(pattern).finditer(normal.text):
            before = normal.text[: match.start()]
            if not _begins_declaration(before):
                continue
            whole = normal.written(*match.span("value")).strip(_QUIET_SIGNS)
            written = _GOES_ON.split(whole)[0].strip(_QUIET_SIGNS)
            if not _TAKEN_BACK.search(whole) and _is_worth_keeping(written):
                return written
    return ""


def _begins_declaration(before: str) -> bool:
    """Tell whether what follows begins a clause of its own, of a sentence that supposes nothing."""
    sentence = _BOUNDS.split(before)[-1]
    if _OPENS_MORE.search(sentence):
        return False
    return _LEAD.fullmatch(_CLAUSES.split(sentence)[-1].strip()) is not None


def _is_worth_keeping(value: str) -> bool:
    if _OF_YOU.search(value) or _OF_WORTH.match(value):
        return False
    if value.endswith("?") and not _ASKS.match(value):
        return False
    return len(_WORD.findall(value)) > 1


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{pattern})", re.IGNORECASE)


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
