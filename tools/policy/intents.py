"""Which intent of a pack a text has, and which read it forces."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from state.action import Action
from state.execution import ExecutionTuning
from state.policy import ASKS_NOTHING, IMPLIED, Routing
from tools.catalogue.models import IntentRule
from tools.catalogue.pack import Pack
from tools.ports import Catalogue
from tools.routing.words.normalise import normalise
from tools.routing.words.verbs import family_of
from tools.search_fields.talk import only_talks_of_papers, tells_or_asks_what_was

_FORCES_NOTHING: Mapping[str, frozenset[str]] = {
    "question": frozenset({"how_to", "about_itself"}),
    "statement": frozenset({"reason", "declared", "unable", "unknown_verb", "unknown_word"}),
    "request": frozenset({"unknown_verb"}),
}
"""By mood, the signs of what asks for words and not for the deed, or may not ask at all."""
_DOUBTS = frozenset(
    f"doubt:{doubt}"
    for doubt in (
        "taken_back",
        "told",
        "unclear_part",
        "unknown_words",
        "afterthought",
        "irony",
        "addressed",
        "also_wonders",
        "asks_how",
    )
)

_UNLIKELY = 0.1
"""Share of the best action's confidence below which an intent's words do not force a read. .1 and
.03 do the same on research phrasings, and .1 a little better on fresh ones."""


@dataclass(frozen=True)
class Meant:
    """An intent that a text has, in its pack, and what in the text says so."""

    pack: str
    intent: str
    rule: IntentRule
    reason: str


def intent_of_text(
    text: str, packs: Sequence[Pack], routing: Routing, catalogue: Catalogue
) -> Meant | None:
    """Find the first intent of a text that it does not deny, or the first of all."""

    def is_denied(meant: Meant) -> bool:
        action = catalogue.actions.get(meant.rule.force_tool or "")
        return action is not None and denies(routing, action)

    intents = tuple(_intents_of(text, packs))
    return next((one for one in intents if not is_denied(one)), next(iter(intents), None))


def only_denies(routing: Routing, tuning: ExecutionTuning) -> bool:
    """Tell `don't search, just tell me`: what is left of it is surely no action."""
    told = any(reason.startswith("denied:") for reason in routing.reasons)
    return told and IMPLIED not in routing.reasons and routing.confidence < tuning.ask_confidence


def _intents_of(text: str, packs: Sequence[Pack]) -> Iterator[Meant]:
    """Find the intents whose words or patterns a text holds; packs in their order."""
    said = " ".join(normalise(text).text.split())
    for pack in packs:
        for name, rule in pack.policy.intents.items():
            for kind, form in _forms(rule):
                found = form.search(said)
                if found:
                    yield Meant(pack.name, name, rule, f"intent:{name}:{kind}:{found[0][:60]}")
                    break


def intent_of_action(action: Action, intents: Mapping[str, IntentRule]) -> str | None:
    """Name the intent that somebody has who asks for an action; None: the pack has none for it."""
    listed = (name for name, rule in intents.items() if action.name in rule.actions)
    forced = (name for name, rule in intents.items() if action.name == rule.force_tool)
    return next(listed, None) or next(forced, None)


def may_force(routing: Routing) -> bool:
    """Tell whether a text asks at all: what is denied, told or supposed forces nothing."""
    if routing.mood in ASKS_NOTHING:
        return False
    if routing.sign in _FORCES_NOTHING.get(routing.mood, ()):
        return False
    if only_talks_of_papers(routing.text) or tells_or_asks_what_was(routing.text):
        return False
    return _DOUBTS.isdisjoint(routing.reasons)


def denies(routing: Routing, action: Action) -> bool:
    """Tell whether a clause denies what an action does: `don't search, tell me what you think`."""
    return family_of(action.verb) in routing.denied


def is_unlikely(routing: Routing, action: Action, tuning: ExecutionTuning) -> bool:
    """Tell whether the router offers another action and finds this one out of the question."""
    found = {one.action: one.confidence for one in routing.alternatives}
    if routing.action is not None:
        found[routing.action] = routing.confidence
    best = max(found.values(), default=0.0)
    least = _UNLIKELY * best
    return best >= tuning.offer_confidence and found.get(action.name, 0.0) < least


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE)


def _forms(rule: IntentRule) -> list[tuple[str, re.Pattern[str]]]:
    words = [("word", _compiled(re.escape(word))) for word in rule.words]
    return [*words, *(("pattern", _compiled(pattern)) for pattern in rule.patterns)]
