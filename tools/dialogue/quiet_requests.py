"""Decide on requests for quiet: how long it holds, and what else the same message asks for.

`Be quiet for ten minutes, and why did you do that?` is both.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from state.policy import ASKS, ASKS_NOTHING, Mood, PolicyDecision
from state.talk import Aside, TalkKind, TalkRequest
from tools.access.permissions import may_control
from tools.dialogue.chitchat import is_thanks
from tools.dialogue.interpreter import Message
from tools.nlu import control_request
from tools.nlu.control.meta_questions import self_question
from tools.nlu.control.requests import UNCLEAR
from tools.nlu.dialogue_acts.negated_orders import asks_undo
from tools.nlu.intent_classifier.calibration import OFFERED
from tools.nlu.lexicon.normalization import MAX_READ
from tools.platform.texts import t
from tools.ports import Catalogue


def _may(request: TalkRequest, message: Message) -> bool:
    return may_control(request, message.reader.catalogue, message.event.roles)


def is_open_ended_quiet(found: PolicyDecision | None) -> bool:
    """Tell whether fixed phrases leave open how long the quiet is to hold: `until 5`."""
    talk = found.talk if found is not None else None
    return talk is not None and (
        talk == UNCLEAR or (talk.kind == "mute" and talk.until is not None)
    )


def how_long(request: TalkRequest) -> str:
    """Say how long a quiet holds."""
    if request.until:
        return t("dialogue.quiet_until", until=request.until)
    if request.seconds:
        return t("dialogue.quiet_minutes", seconds=request.seconds / 60)
    if request.hours:
        return t("dialogue.quiet_hours", hours=request.hours)
    if request.topic:
        return t("dialogue.quiet_topic", topic=request.topic)
    return t("dialogue.quiet_a_while")


_JOINS = re.compile(
    r"\s*(?:[,.;!?]\s*(?:and then|and|then)?|\s(?:and then|and|then))\s+(?!a (?:half|quarter)\b)",
    re.IGNORECASE,
)
"""`An hour and a half` is one span, and joins nothing."""
_QUIETS = re.compile(r"\b(?:quiet|silen|talk|shut|mute|hush|disturb|dnd|alone)", re.IGNORECASE)
_COMPOUND_FOREIGN = re.compile(r"[:\"“”>]")
"""Marks of words that are somebody else's, or that are to be written down."""
_COURTESY = re.compile(r"[,.;!]\s*(?:thanks|thank you|please)\W*$", re.IGNORECASE)
HUSHES: frozenset[TalkKind] = frozenset({"mute", "quiet", "quiet_hours"})
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


def decide_with_quiet(message: Message) -> PolicyDecision | None:
    """Decide on both of a wish for quiet and what stands beside it; None: it is not both."""
    if message.is_part:
        return None
    catalogue = message.reader.catalogue
    for wish in _parted(message.text):
        rest = message.event.model_copy(update={"text": wish.rest})
        if asks_undo(wish.rest):
            found = PolicyDecision(intent="undo")
        else:
            found = message.reader.read(rest, message.session, is_part=True)
        if _is_beside(wish, found, catalogue):
            return both(wish.request, wish.rest, found, may=_may(wish.request, message))
    return None


def control_requests_in(text: str) -> Iterator[TalkRequest]:
    """Give the request about the talking that a message is, and those beside a wish for quiet."""
    whole = control_request(text)
    rests = (control_request(wish.rest) for wish in _parted(text))
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
    return wish.is_parted and _is_said(wish.rest, found)


def both(request: TalkRequest, rest: str, found: PolicyDecision, *, may: bool) -> PolicyDecision:
    """Join a control request to what was decided on the rest of its message.

    Args:
        may: the speaker may steer the talking; else they are told that they may not.
    """
    reasons = (f"beside:{request.kind}", *found.reasons)
    is_asked = found.action is not None or bool(found.alternatives)
    if not (is_asked or _is_said(rest, found)) and not may:
        return found.model_copy(update={"says": t("dialogue.refused.control"), "reasons": reasons})
    # `be quiet for an hour, then you can talk again`: that is how a mute ends anyway.
    is_end = found.talk is not None and found.talk.kind == "talk"
    if is_end or not (is_asked or _is_said(rest, found)):
        sign = found.routing.sign if found.routing is not None else ""
        is_open = not is_end and (_mood(found) in ASKS or sign.startswith("unknown"))
        told = t("dialogue.no_action_for", rest=rest.strip(" .!?")) if is_open else ""
        alone = {"intent": "control", "confidence": 1.0, "talk": request, "says": ""}
        return found.model_copy(update={**alone, "left_out": told, "reasons": reasons})
    aside = Aside(
        talk=request if may else None, says="" if may else t("dialogue.refused.control"), rest=rest
    )
    update: dict[str, object] = {"beside": aside, "reasons": reasons}
    if is_asked and may:  # a wish that is refused leaves one request, which is decided as ever
        update |= {"held": "several_requests", "force_tool": None}
        update |= {"confidence": min(found.confidence, OFFERED)}
    return found.model_copy(update=update)


def is_answered(found: PolicyDecision) -> bool:
    """Tell whether something was asked, of an action or of us."""
    is_request = found.action is not None or bool(found.alternatives) or found.talk is not None
    return is_request or found.intent in _ANSWERED


def _is_said(rest: str, found: PolicyDecision) -> bool:
    is_said = bool(found.says) and not is_thanks(rest)
    return is_said or found.talk is not None or found.intent in _ANSWERED


def _asks_of_us(text: str) -> bool:
    """Tell whether a question about our doing names nothing: a topic may be any words."""
    asked = self_question(text)
    return asked is not None and not asked.topic


def _mood(found: PolicyDecision) -> Mood:
    return found.routing.mood if found.routing is not None else "statement"


def _parted(text: str) -> Iterator[_Wish]:
    """Give each wish for quiet at either end, with what else is said."""
    if len(text) > MAX_READ or not _QUIETS.search(text) or _COMPOUND_FOREIGN.search(text):
        return
    text = _COURTESY.sub("", text)
    for join in _JOINS.finditer(text):
        mark = "?" if "?" in join[0] else ""
        before, behind = f"{text[: join.start()]}{mark}", text[join.end() :]
        is_parted = any(one in join[0] for one in ",.;!?")
        for own, rest, is_last in ((before, behind, False), (behind, before, True)):
            request = None if re.search(r"[,.;!?]\s", own) else control_request(own)
            if request is not None and request.kind in HUSHES and rest.strip(" .!?"):
                yield _Wish(request, rest, is_last, is_parted)


def _is_told_words(found: PolicyDecision, catalogue: Catalogue) -> bool:
    action = catalogue.actions.get(found.action or "")
    given = found.arguments
    return action is not None and any(
        slot.type in ("text", "list") and not slot.choices and (slot.required or name in given)
        for name, slot in action.slots.items()
    )
