"""What is said about ourselves: the talking, our doing, and what was said before."""

from state.errors import NotFound
from state.event import Event
from state.policy import PolicyDecision
from state.session import Session
from state.talk import TalkRequest
from tools.memory.goals import meant_goals
from tools.policy.bound import bound_request
from tools.policy.manner_names import resolved, unknown_words
from tools.policy.recall_questions import recall_question
from tools.policy.self_questions import self_question
from tools.policy.talk_rights import REFUSAL, may_ask_for
from tools.ports import Catalogue
from tools.proactive.proposals import lacking_time


def about_us(
    event: Event,
    session: Session | None,
    catalogue: Catalogue,
    now: float,
    *,
    lasting_seconds: float,
) -> PolicyDecision | None:
    """Decide on a message that is about us; None: it is about something else.

    Args:
        now: seconds since 1970.
        lasting_seconds: so long `that` may mean what was told last.
    """
    text, user, lasting = event.text, event.user, lasting_seconds
    if request := bound_request(text, session, now, user, lasting_seconds=lasting):
        if not may_ask_for(request, catalogue, event.roles):
            return _says(REFUSAL, "talk_refused")
        if request.kind == "no_goal" and not _has_goal(request.topic, session, event.user):
            about = f" about {request.topic}" if request.topic else ""
            return _says(f"I know of no goal of yours{about}: nothing is changed.", "no_such_goal")
        return _about_talking(request, catalogue)
    if self_question(event.text) is not None:
        return PolicyDecision(intent="explain", confidence=1.0, reasons=("asks_why_of_us",))
    if recall_question(event.text) is not None:
        return PolicyDecision(intent="recall", confidence=1.0, reasons=("asks_what_was_said",))
    return None


def _about_talking(request: TalkRequest, catalogue: Catalogue) -> PolicyDecision:
    try:
        meant = resolved(request, catalogue)
    except NotFound as unknown:
        return _says(unknown_words(unknown, catalogue), "no_such_manner")
    return PolicyDecision(
        intent="control",
        confidence=1.0,
        talk=meant,
        proposes=lacking_time(meant),
        reasons=(f"talk_request:{meant.kind}",),
    )


def _has_goal(topic: str | None, session: Session | None, user: str | None) -> bool:
    goals = session.goals if session is not None else ()
    return any(goal.is_of(user) for goal in meant_goals(goals, topic))


def _says(text: str, reason: str) -> PolicyDecision:
    return PolicyDecision(intent="control", confidence=1.0, says=text, reasons=(reason,))
