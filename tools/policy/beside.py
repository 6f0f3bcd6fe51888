"""`Be quiet for ten minutes, and why did you do that?`: a wish for quiet beside something else."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from state.event import Event
from state.policy import ASKS_NOTHING, Mood, PolicyDecision
from state.talk import Aside, TalkKind, TalkRequest
from tools.policy.manners import is_thanks
from tools.policy.self_questions import self_question
from tools.policy.talk_rights import REFUSAL, may_ask_for
from tools.ports import Catalogue
from tools.routing.speech_acts.undo_words import asks_undo
from tools.routing.words.normalise import MAX_READ
from tools.routing.worth import OFFERED
from tools.salience.requests import talk_request

_JOINS = re.compile(
    r"\s*(?:[,.;!?]\s*(?:and then|and|then)?|\s(?:and then|and|then))\s+(?!a (?:half|quarter)\b)",
    re.IGNORECASE,
)
"""`An hour and a half` is one span, and joins nothing."""
_QUIETS = re.compile(r"\b(?:quiet|silen|talk|shut|mute|hush|disturb|dnd|alone)", re.IGNORECASE)
_FOREIGN = re.compile(r"[:\"“”>]")
"""Marks of words that are somebody else's, or that are to be written down."""
_COURTESY = re.compile(r"[,.;!]\s*(?:thanks|thank you|please)\W*$", re.IGNORECASE)
_ASKS: frozenset[Mood] = frozenset({"command", "request", "question"})
_HUSHES: frozenset[TalkKind] = frozenset({"mute", "quiet", "quiet_hours"})
_FREE: frozenset[TalkKind] = frozenset({"remind", "goal", "goal_progress", "goal_reached"})
"""Requests that take any words: `remind me to go home and be quiet` may mean both of them."""
_ANSWERED = ("explain", "recall", "journal", "decision", "undo")
"""Intents of what is answered without an action."""


@dataclass(frozen=True)
class _Wish:
    """A wish for quiet at one end of a message."""

    request: TalkRequest
    rest: str
    is_last: bool
    is_parted: bool
    """A mark stands between the two, so that the one is no part of the other's sentence."""


def with_quiet(
    event: Event, catalogue: Catalogue, read: Callable[[Event], PolicyDecision]
) -> PolicyDecision | None:
    """Decide on both of a wish for quiet and what stands beside it; None: it is not both.

    Args:
        read: decides on the rest of the message.
    """
    for wish in _parted(event.text):
        is_undo = asks_undo(wish.rest)
        rest = event.model_copy(update={"text": wish.rest})
        found = PolicyDecision(intent="undo") if is_undo else read(rest)
        if _is_beside(wish, found, catalogue):
            return _both(wish, found, may=may_ask_for(wish.request, catalogue, event.roles))
    return None


def wishes_in(text: str) -> Iterator[TalkRequest]:
    """Give the request about the talking that a message is, and those beside a wish for quiet."""
    whole = talk_request(text)
    rests = (talk_request(wish.rest) for wish in _parted(text))
    yield from (one for one in (whole, *rests) if one is not None)


def _is_beside(wish: _Wish, found: PolicyDecision, catalogue: Catalogue) -> bool:
    """Tell whether they are two; behind other words, a wish for quiet may be one of those."""
    if _mood(found) in ASKS_NOTHING:
        return False
    if not wish.is_last or found.intent == "undo" or _asks_of_us(wish.rest):
        return True
    if found.action is not None or found.alternatives:
        # `note that they shall be quiet for an hour` is about what is noted.
        return not _is_told_words(found, catalogue)
    if found.talk is not None:
        return wish.is_parted or found.talk.kind not in _FREE
    return wish.is_parted and _is_answered(wish, found)


def _both(wish: _Wish, found: PolicyDecision, *, may: bool) -> PolicyDecision:
    request, rest = wish.request, wish.rest
    reasons = (f"beside:{request.kind}", *found.reasons)
    is_asked = found.action is not None or bool(found.alternatives)
    if not (is_asked or _is_answered(wish, found)) and not may:
        return found.model_copy(update={"says": REFUSAL, "reasons": reasons})
    # `be quiet for an hour, then you can talk again`: that is how a mute ends anyway.
    is_end = found.talk is not None and found.talk.kind == "talk"
    if is_end or not (is_asked or _is_answered(wish, found)):
        sign = found.routing.sign if found.routing is not None else ""
        is_open = not is_end and (_mood(found) in _ASKS or sign.startswith("unknown"))
        told = f"I know no action for “{rest.strip(' .!?')}”." if is_open else ""
        alone = {"intent": "control", "confidence": 1.0, "talk": request, "says": ""}
        return found.model_copy(update={**alone, "left_out": told, "reasons": reasons})
    aside = Aside(talk=request if may else None, says="" if may else REFUSAL, rest=rest)
    update: dict[str, object] = {"beside": aside, "reasons": reasons}
    if is_asked and may:  # a wish that is refused leaves one request, which is decided as ever
        update |= {"held": "several_requests", "force_tool": None}
        update |= {"confidence": min(found.confidence, OFFERED)}
    return found.model_copy(update=update)


def _is_answered(wish: _Wish, found: PolicyDecision) -> bool:
    is_said = bool(found.says) and not is_thanks(wish.rest)
    return is_said or found.talk is not None or found.intent in _ANSWERED


def _asks_of_us(text: str) -> bool:
    """Tell whether a question about our doing names nothing: a topic may be any words."""
    asked = self_question(text)
    return asked is not None and not asked.topic


def _mood(found: PolicyDecision) -> Mood:
    return found.routing.mood if found.routing is not None else "statement"


def _parted(text: str) -> Iterator[_Wish]:
    """Give each wish for quiet at either end, with what else is said."""
    if len(text) > MAX_READ or not _QUIETS.search(text) or _FOREIGN.search(text):
        return
    text = _COURTESY.sub("", text)
    for join in _JOINS.finditer(text):
        mark = "?" if "?" in join[0] else ""
        before, behind = f"{text[: join.start()]}{mark}", text[join.end() :]
        is_parted = any(one in join[0] for one in ",.;!?")
        for own, rest, is_last in ((before, behind, False), (behind, before, True)):
            request = None if re.search(r"[,.;!?]\s", own) else talk_request(own)
            if request is not None and request.kind in _HUSHES and rest.strip(" .!?"):
                yield _Wish(request, rest, is_last, is_parted)


def _is_told_words(found: PolicyDecision, catalogue: Catalogue) -> bool:
    action = catalogue.actions.get(found.action or "")
    given = found.arguments
    return action is not None and any(
        slot.type in ("text", "list") and not slot.choices and (slot.required or name in given)
        for name, slot in action.slots.items()
    )
