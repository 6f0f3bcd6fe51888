"""What a person was asked, so that what they say next may be the answer."""

from typing import Any

from state.session import OpenQuestion, Session
from state.stages import Gathered
from tools.policy.search_slots import WORDS, is_about_something

QUESTIONS_KEPT = 20
"""One a person, the newest people: more do not talk in one session at a time."""
QUESTIONS_ABOUT_SLOTS = ("missing_slot", "unclear")


def questioned(session: Session, gathered: Gathered, now: float) -> dict[str, Any]:
    """Remember what a person was asked; whatever else they say lets it go."""
    user = gathered.event.user
    if gathered.event.kind != "message" or user is None:
        return {}
    questions = {who: known for who, known in session.questions.items() if who != user}
    question = _question(gathered, now)
    if question is not None:
        newest = sorted(questions.items(), key=lambda item: item[1].at)
        questions = {**dict(newest[1 - QUESTIONS_KEPT :]), user: question}
    return {"questions": questions}


def _question(gathered: Gathered, now: float) -> OpenQuestion | None:
    classification, result, policy = gathered.classification, gathered.result, gathered.policy
    if classification is None or result is None or policy is None or result.action is None:
        return None
    if classification.verdict != "ask" or classification.reason not in QUESTIONS_ABOUT_SLOTS:
        return None
    if result.tainted or classification.tainted or policy.routing is None:
        return None  # an answer must not make others' words one's own
    routing = policy.routing
    open_words = () if policy.search is None or is_about_something(policy.search) else WORDS
    named = (*routing.missing_slots, *routing.not_found, *routing.choices, *open_words)
    slots = tuple(dict.fromkeys(name for name in named if name not in result.arguments))
    return OpenQuestion(
        action=result.action,
        arguments=result.arguments,
        slots=slots,
        confidence=result.confidence,
        held=policy.held,
        at=now,
        decision_id=gathered.arrival.decision_id,
    )
