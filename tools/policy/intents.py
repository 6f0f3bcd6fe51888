"""Which intent of a pack a text has, and which read it forces."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from state.action import Action
from state.policy import ASKS_NOTHING, Routing
from tools.catalogue.models import IntentRule
from tools.catalogue.pack import Pack
from tools.routing.normalise import normalise
from tools.routing.verbs import family_of

_ABOUT_US = ("how_to", "about_system")
"""Signs of a question about what we can do: it asks for words, not for the deed."""


@dataclass(frozen=True)
class Meant:
    """An intent that a text has, in its pack, and what in the text says so."""

    pack: str
    intent: str
    rule: IntentRule
    reason: str


def intent_of_text(text: str, packs: Sequence[Pack]) -> Meant | None:
    """Find the first intent whose words or patterns a text holds; packs in their order."""
    said = " ".join(normalise(text).text.split())
    for pack in packs:
        for name, rule in pack.policy.intents.items():
            for kind, form in _forms(rule):
                found = form.search(said)
                if found:
                    return Meant(pack.name, name, rule, f"intent:{name}:{kind}:{found[0][:60]}")
    return None


def intent_of_action(action: Action, intents: Mapping[str, IntentRule]) -> str | None:
    """Name the intent that somebody has who asks for an action; None: the pack has none for it."""
    listed = (name for name, rule in intents.items() if action.name in rule.actions)
    forced = (name for name, rule in intents.items() if action.name == rule.force_tool)
    return next(listed, None) or next(forced, None)


def may_force(routing: Routing) -> bool:
    """Tell whether a text asks at all: what is denied, told or supposed forces nothing."""
    if routing.mood in ASKS_NOTHING:
        return False
    return routing.mood != "question" or routing.sign not in _ABOUT_US


def denies(routing: Routing, action: Action) -> bool:
    """Tell whether a clause denies what an action does: `don't search, tell me what you think`."""
    return family_of(action.verb) in routing.denied


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE)


def _forms(rule: IntentRule) -> list[tuple[str, re.Pattern[str]]]:
    words = [("word", _compiled(re.escape(word))) for word in rule.words]
    return [*words, *(("pattern", _compiled(pattern)) for pattern in rule.patterns)]
