"""`Be quiet for ten minutes, then close WO-1042`: a wish for quiet and a request of its own."""

import re
from collections.abc import Callable, Iterator

from state.event import Event
from state.policy import ASKS_NOTHING, Mood, PolicyDecision
from state.talk import TalkRequest
from tools.policy.talk_rights import REFUSAL, may_ask_for
from tools.ports import Catalogue
from tools.routing.words.normalise import MAX_READ
from tools.salience.requests import talk_request

_JOINS = re.compile(
    r"\s*(?:[,.;!]\s*(?:and then|and|then)?|\s(?:and then|and|then))\s+", re.IGNORECASE
)
_QUIETS = re.compile(r"\b(?:quiet|silen|talk|shut|mute|hush|disturb|dnd|alone)", re.IGNORECASE)
_FOREIGN = re.compile(r"[:\"“”>]")
"""Marks of words that are somebody else's, or that are to be written down."""
_ASKS: frozenset[Mood] = frozenset({"command", "request", "question"})
_OFFERED = 0.45
"""Below what is asked for: as of any two requests a person picks, and nothing is done before."""


def quiet_and_more(
    event: Event, catalogue: Catalogue, read: Callable[[Event], PolicyDecision]
) -> PolicyDecision | None:
    """Take a wish for quiet at once, and offer what is asked for beside it; None: not both.

    Args:
        read: decides on the rest of the message.
    """
    for request, rest, is_last in _parted(event.text):
        found = read(event.model_copy(update={"text": rest}))
        mood = found.routing.mood if found.routing is not None else "statement"
        if mood in ASKS_NOTHING or found.talk is not None:
            continue
        is_asked = found.action is not None or bool(found.alternatives)
        if is_last and (not is_asked or _is_told_words(found, catalogue)):
            continue  # `note that they shall be quiet for an hour` is about what is noted
        reasons = (f"beside:{request.kind}", *found.reasons)
        if not may_ask_for(request, catalogue, event.roles):
            return found.model_copy(update={"says": REFUSAL, "reasons": reasons})
        update: dict[str, object] = {"talk": request, "reasons": reasons}
        if not is_asked:
            sign = found.routing.sign if found.routing is not None else ""
            is_open = mood in _ASKS or sign.startswith("unknown")
            told = f"I know no action for “{rest.strip(' .!')}”." if is_open else ""
            update |= {"intent": "control", "confidence": 1.0, "says": "", "left_out": told}
        else:
            update |= {"held": "several_requests", "force_tool": None}
            update |= {"confidence": min(found.confidence, _OFFERED)}
        return found.model_copy(update=update)
    return None


def _parted(text: str) -> Iterator[tuple[TalkRequest, str, bool]]:
    """Give each wish for quiet at either end, what else is said, and whether it comes last."""
    if len(text) > MAX_READ or not _QUIETS.search(text) or _FOREIGN.search(text):
        return
    for join in _JOINS.finditer(text):
        before, behind = text[: join.start()], text[join.end() :]
        for own, rest, is_last in ((before, behind, False), (behind, before, True)):
            request = None if re.search(r"[,.;!]\s", own) else talk_request(own)
            if request is not None and request.kind in ("mute", "quiet") and rest.strip(" .!"):
                yield request, rest, is_last


def _is_told_words(found: PolicyDecision, catalogue: Catalogue) -> bool:
    action = catalogue.actions.get(found.action or "")
    given = found.arguments
    return action is not None and any(
        slot.type in ("text", "list") and not slot.choices and (slot.required or name in given)
        for name, slot in action.slots.items()
    )
