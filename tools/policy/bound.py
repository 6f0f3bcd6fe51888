"""What `that` means in a request about the talking: what was told or shown last."""

import re

from state.session import Session, Shown, Spoken
from state.talk import TalkRequest
from tools.salience.requests import talk_request

_THAT = r"(?:that|this|it|them|those|these)(?: one)?"
_POINTS = re.compile(rf"\b(?P<lead>about|of|with|for) (?P<that>{_THAT})\b", re.IGNORECASE)


def bound_request(
    text: str,
    session: Session | None,
    now: float,
    user: str | None = None,
    *,
    lasting_seconds: float,
) -> TalkRequest | None:
    """Read a request about the talking, with what was told last in the place of `that`.

    Args:
        now: seconds since 1970.
        user: who speaks: what they were shown last counts as told to them.
        lasting_seconds: so long `that` may mean what was told.
    """
    asked = talk_request(text)
    if session is None or (asked is not None and asked.kind not in ("unclear", "remind")):
        return asked
    last, seen = _last_told(session), _last_shown(session, user)
    last = last if last is not None and 0 <= now - last.at <= lasting_seconds else None
    seen = seen if seen is not None and 0 <= now - seen.at <= lasting_seconds else None
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


def _last_told(session: Session) -> Spoken | None:
    return session.spoken[-1] if session.spoken else None


def _last_shown(session: Session, user: str | None) -> Shown | None:
    return session.shown.get(user or "")


def _topic_of(told: Spoken) -> str:
    """Name what was told: the thing it was about, else where it came from."""
    # type|source|kind|entity; words that stand for an entity have a plus between them.
    parts = told.pattern.split("|")
    thing = parts[3] if len(parts) > 3 else ""
    return (thing or (parts[1] if len(parts) > 1 else "")).replace("+", " ")
