"""What `that` means in a request about the talking: what was told or shown last."""

import re

from state.session import Session, Shown, Spoken
from state.talk import TalkRequest
from tools.salience.requests import talk_request

LASTING_SECONDS = 600.0
"""So long `that` may mean what was told: within one sitting, as an answer to a question."""
_THAT = r"(?:that|this|it|them|those|these)(?: one)?"
_POINTS = re.compile(rf"\b(?P<lead>about|of|with|for) (?P<that>{_THAT})\b", re.IGNORECASE)


def bound_request(
    text: str, session: Session | None, now: float, user: str | None = None
) -> TalkRequest | None:
    """Read a request about the talking, with what was told last in the place of `that`.

    Args:
        now: seconds since 1970.
        user: who speaks: what they were shown last counts as told to them.
    """
    asked = talk_request(text)
    if session is None or (asked is not None and asked.kind not in ("unclear", "remind")):
        return asked
    last, seen = _last_told(session, now), _last_shown(session, now, user)
    if seen is not None and (last is None or last.at < seen.at):
        topic, words = seen.thing, seen.thing
    elif last is not None:
        topic, words = _topic_of(last), " ".join(last.text.split())[:200]
    else:
        return asked
    if asked is not None and asked.kind == "remind":
        is_that = re.fullmatch(_THAT, asked.topic or "", re.IGNORECASE)
        return asked.model_copy(update={"topic": words}) if is_that else asked
    pointed = _POINTS.search(text)
    if pointed is None or not topic:
        return asked
    start, end = pointed.span("that")
    return talk_request(f"{text[:start]}{topic}{text[end:]}") or asked


def _last_told(session: Session, now: float) -> Spoken | None:
    last = session.spoken[-1] if session.spoken else None
    return last if last is not None and 0 <= now - last.at <= LASTING_SECONDS else None


def _last_shown(session: Session, now: float, user: str | None) -> Shown | None:
    last = session.shown.get(user or "")
    return last if last is not None and 0 <= now - last.at <= LASTING_SECONDS else None


def _topic_of(told: Spoken) -> str:
    """Name what was told: the thing it was about, else where it came from."""
    # type|source|kind|entity; words that stand for an entity have a plus between them.
    parts = told.pattern.split("|")
    thing = parts[3] if len(parts) > 3 else ""
    return (thing or (parts[1] if len(parts) > 1 else "")).replace("+", " ")
