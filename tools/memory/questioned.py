"""What a person was asked, so that what they say next may be the answer."""

from typing import Any

from state.policy import Routing
from state.result import DecisionResult
from state.session import OpenQuestion, Session
from state.stages import Gathered
from tools.policy.search_slots import WORDS, is_about_something

QUESTIONS_KEPT = 20
"""One a person, the newest people: more do not talk in one session at a time."""
ONE_OF_SEVERAL = "several_things"
QUESTIONS_ABOUT_SLOTS = ("missing_slot", "unclear", ONE_OF_SEVERAL)


def questioned(session: Session, gathered: Gathered, now: float) -> dict[str, Any]:
    """Remember what a person was asked; whatever else they say lets it go."""
    user = gathered.event.user
    if gathered.event.kind != "message" or user is None:
        return {}
    # What ends late, as it waited for a yes, lets no question go that was asked meanwhile.
    questions = {
        who: known for who, known in session.questions.items() if who != user or known.at > now
    }
    if user in questions:
        return {}
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
    named = (*named, *policy.asks)
    several = _named_twice(routing, result) if classification.reason == ONE_OF_SEVERAL else ()
    if classification.reason == ONE_OF_SEVERAL and not several:
        return None  # it was asked about words that no answer can name
    known = {name: value for name, value in result.arguments.items() if name not in several}
    slots = tuple(dict.fromkeys(name for name in (*several, *named) if name not in known))
    return OpenQuestion(
        action=result.action,
        arguments=known,
        slots=slots,
        confidence=result.confidence,
        held=policy.held,
        at=now,
        decision_id=gathered.arrival.decision_id,
    )


def _named_twice(routing: Routing, result: DecisionResult) -> tuple[str, ...]:
    """Name the slots of one thing for which a text names several: `cancel WO-1 and WO-2`."""
    kinds: dict[str, set[str]] = {}
    for one in routing.entities:
        kinds.setdefault(one.type, set()).add(one.value)
    rivals = set().union(*(values for values in kinds.values() if len(values) > 1))
    return tuple(
        name
        for name, value in result.arguments.items()
        if isinstance(value, str) and value in rivals
    )
