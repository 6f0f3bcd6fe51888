"""What `that` means in a request about the talking: what was told last in the session."""

import re

from state.session import Session, Spoken
from state.talk import TalkRequest
from tools.salience.requests import talk_request

LASTING_SECONDS = 600.0
"""So long `that` may mean what was told: within one sitting, as an answer to a question."""
_THAT = r"(?:that|this|it|them|those|these)(?: one)?"
_POINTS = re.compile(rf"\b(?P<lead>about|of|with|for) (?P<that>{_THAT})\b", re.IGNORECASE)


def bound_request(text: str, session: Session | None, now: float) -> TalkRequest | None:
    """Read a request about the talking, with what was told last in the place of `that`.

    Args:
        now: seconds since 1970.
    """
    asked = talk_request(text)
    last = _last_told(session, now)
    if last is None or (asked is not None and asked.kind not in ("unclear", "remind")):
        return asked
    if asked is not None and asked.kind == "remind":
        is_that = re.fullmatch(_THAT, asked.topic or "", re.IGNORECASE)
        told = " ".join(last.text.split())[:200]
        return asked.model_copy(update={"topic": told}) if is_that else asked
    topic = _topic_of(last)
    pointed = _POINTS.search(text)
    if pointed is None or not topic:
        return asked
    start, end = pointed.span("that")
    return talk_request(f"{text[:start]}{topic}{text[end:]}") or asked


def _last_told(session: Session | None, now: float) -> Spoken | None:
    if session is None or not session.spoken:
        return None
    last = session.spoken[-1]
    return last if 0 <= now - last.at <= LASTING_SECONDS else None


def _topic_of(told: Spoken) -> str:
    """Name what was told: the thing it was about, else where it came from."""
    # type|source|kind|entity; words that stand for an entity have a plus between them.
    parts = told.pattern.split("|")
    thing = parts[3] if len(parts) > 3 else ""
    return (thing or (parts[1] if len(parts) > 1 else "")).replace("+", " ")
