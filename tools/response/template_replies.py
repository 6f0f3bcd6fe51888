"""Replies that need no model: acknowledged control requests, batches and digests, late alarms.

And the fallback when neither a heuristic nor a model has words.
"""

from collections.abc import Mapping, Sequence

from state.event import Event
from state.held import Beside
from state.policy import SMALL_TALK_MOODS, Candidate, PolicyDecision
from state.result import DecisionPath, DecisionResult, response_id_of
from state.stages import Decided
from state.strategy import Assigned
from state.talk import TalkKind, TalkRequest
from state.tuning import RelevanceTuning
from tools.nlu.control.goals_and_reminders import REMINDED_WHEN, WHICH_REMINDER
from tools.ports import Catalogue

NO_CLICK = "no_such_click"
"""Policy's reason when an event claims a choice that nobody made."""


_LIKELY = 0.4
"""What a question is surely about has at least this: the router caps it below what is offered."""


def template_reply(
    event: Event,
    policy: PolicyDecision,
    reason: str,
    catalogue: Catalogue | None = None,
    *,
    last_word: str = "",
) -> DecisionResult:
    """Relay an event in its own words; turn down a message that nothing here can answer.

    Args:
        reason: why there are no better words, such as llm_unavailable.
        catalogue: where a question about an action finds how that is asked for.
        last_word: the answer to a message that asks for nothing. See policy/last_word.py.
    """
    relayed = not event.is_addressed
    if policy.routing and policy.routing.mood in SMALL_TALK_MOODS:
        reason = "nothing_asked"
    if NO_CLICK in policy.reasons:
        reason = NO_CLICK
    return DecisionResult(
        path=DecisionPath.FALLBACK if relayed else DecisionPath.REJECTED,
        response_text=event.text if relayed else _turned_down(event, policy, catalogue, last_word),
        response_id=response_id_of(event.decision_id),
        confidence=policy.confidence,
        metadata={"reason": reason, "intent": policy.intent},
    )


def _turned_down(
    event: Event, policy: PolicyDecision, catalogue: Catalogue | None, last_word: str
) -> str:
    if NO_CLICK in policy.reasons:
        return "That choice was not made on an offer of mine; nothing was done."
    is_talk = "small_talk" in policy.reasons
    if policy.routing and (is_talk or policy.routing.mood in SMALL_TALK_MOODS):
        return last_word
    if catalogue is not None and (asked_with := _way_to_ask(event, policy, catalogue)):
        return f'That is done when it is asked for, such as: "{asked_with}". Nothing was done.'
    return "I can't do that yet."


def _way_to_ask(event: Event, policy: PolicyDecision, catalogue: Catalogue) -> str | None:
    """Show how the action that a question is about is asked for, to whom it may ask for it."""
    routing = policy.routing
    if routing is None or routing.mood != "question":
        return None
    best = next(iter(routing.alternatives), None)
    if routing.action is not None:
        best = Candidate(action=routing.action, confidence=routing.confidence)
    if best is None or best.confidence < _LIKELY or not catalogue.may_ask(best.action, event.roles):
        return None
    examples = catalogue.actions[best.action].examples
    return examples[0] if examples else best.action.replace("_", " ")


SHOWN = 7
"""Lines of one utterance; what is beyond is counted, and stands in the records."""


_WORDS: Mapping[TalkKind, str] = {
    "quiet": "I'll keep quiet for a while. {threats}",
    "quiet_hours": "Quiet every day from {hours}. {threats}",
    "no_quiet_hours": "No quiet hours any more.",
    "talk": "I'll speak again when something matters.",
    "less": "I'll say less.",
    "more": "I'll say more.",
    "watch": "I'll keep an eye out for {topic}.",
    "forget": "I'll treat {topic} like anything else again.",
    "goal": "What is about {topic} will matter more.",
    "no_goal": "I let go of {topic}.",
    "goal_progress": "Noted: {topic}, {percent} % done.",
    "goal_reached": "Well done: {topic}.",
    "goals": "These are the goals.",
    "template": "I'll talk as {topic} from now on; what you had adjusted is gone.",
    "as_usual": "I'm my usual self again.",
    "threshold": "The threshold is moved.",
    "load_skill": "I'll use my skill {topic}.",
    "unload_skill": "I won't use my skill {topic}.",
    "habituate": "I'll treat {topic} as nothing new.",
    "remind": "I'll remind you: {topic}.",
    "no_reminder": "Your reminders are called off.",
    "reminders": "These are the reminders.",
    "unclear": (
        'I have changed nothing: say "be quiet for 20 minutes" or "be quiet until 18:00", a day '
        'at most, "stop telling me about" one thing by its name, or "you can talk again".'
    ),
}


_OF_ONE: Mapping[TalkKind, str] = {
    "no_reminder": "The reminder {topic} is called off.",
}
"""Where a topic is given, and the words without one would not be true."""
_UNCLEAR = {
    WHICH_REMINDER: "I have called off none of the reminders: say what it is about, as in "
    '"cancel the reminder about the furnace", or "cancel all my reminders".',
    REMINDED_WHEN: 'I have put nothing down: say "remind me in 20 minutes to …", "in three days '
    'to …", "at 18:00 to …" or "tomorrow at 9 to …", once, in a short sentence.',
}
_NAMES = ("template", "load_skill", "unload_skill")
_ADJECTIVES = {
    "humor": "funny",
    "sarcasm": "sarcastic",
    "formality": "formal",
    "enthusiasm": "enthusiastic",
    "helpfulness": "helpful",
    "verbosity": "verbose",
}


def acknowledgement(
    request: TalkRequest, tuning: RelevanceTuning, beside: Sequence[Beside] = ()
) -> str:
    """Say what a request about the talking will do, with the threat that gets through."""
    threats = f"Threats of {tuning.threat:g} or more still get through."
    match request.kind:
        case "prompt":
            told = _best_first(beside)
            return join_lines(told) if told else "Nothing is waiting to be told."
        case "mute" if request.until:
            return f"Quiet until {request.until}. {threats}"
        case "mute":
            return f"Quiet for {_span(request.seconds or 0)}. {threats}"
        case "unclear" if request.topic in _UNCLEAR:
            return _UNCLEAR[request.topic]
        case "trait":
            return _of_trait(request)
        case "threshold" if request.step == 0:
            return "I'm as picky as usual again."
        case "threshold":
            hours = (request.seconds or tuning.picky_seconds) / 3600
            return f"Only what matters more, for {hours:g} h. {threats}"
        case "suppress":
            return f"{_left_alone(request)} {_of_topic(request, tuning)}"
        case "no_goal" if request.topic is None:
            return "I know of no goal of yours any more."
        case kind:
            topic = (request.topic or "").replace("_", " ") if kind in _NAMES else request.topic
            percent = round(100 * (request.value or 0))
            words = _OF_ONE.get(kind) if request.topic else None
            return (words or _WORDS[kind]).format(
                topic=topic, hours=request.hours, threats=threats, percent=percent
            )


def _of_trait(request: TalkRequest) -> str:
    trait = request.trait or ""
    if request.value is not None:
        return f"My {trait} is {request.value:g} of 1 from now on."
    more = (request.step or 0.0) + (request.steps or 0.0) >= 0
    return f"I'll be {'more' if more else 'less'} {_ADJECTIVES.get(trait, trait)}."


def batch_text(own: str, beside: Sequence[Beside], *, after_quiet: bool) -> str:
    """Say several things in one utterance, the one that called for it first."""
    others = _best_first(beside)
    if after_quiet:
        return f"While it was quiet: {own}" if not others else _digest([own, *others])
    return own if not others else f"{own}\nAlso:\n{join_lines(others)}"


def with_event_age(text: str, age_seconds: float) -> str:
    """Begin an alarm that came late with how long ago it happened."""
    minutes = age_seconds / 60
    if minutes < 2:
        return f"{age_seconds:.0f} seconds ago: {text}"
    if minutes < 120:
        return f"{minutes:.0f} minutes ago: {text}"
    hours = minutes / 60
    return f"{hours:.0f} hours ago: {text}" if hours < 48 else f"{hours / 24:.0f} days ago: {text}"


def _best_first(beside: Sequence[Beside]) -> list[str]:
    """List what is told with it; of many only the first are shown, so the best come first."""
    told = [one for one in beside if one.ending == "told"]
    return [one.text for one in sorted(told, key=lambda one: -one.relevance)]


def join_lines(texts: Sequence[str], shown: int = SHOWN) -> str:
    """Put each text on a line of its own, the same one once."""
    once = list(dict.fromkeys(" ".join(text.split()) for text in texts))
    more = f"\n- and {len(once) - shown} more" if len(once) > shown else ""
    return "\n".join(f"- {text}" for text in once[:shown]) + more


def _digest(texts: Sequence[str]) -> str:
    return f"While it was quiet, {len(texts)} things:\n{join_lines(texts)}"


def _left_alone(request: TalkRequest) -> str:
    span = f" for {_span(request.seconds)}" if request.seconds else ""
    return f"I'll leave {request.topic} alone{span}."


def _span(seconds: float) -> str:
    hours = seconds / 3600
    return f"{hours:g} hours" if hours >= 2 and hours.is_integer() else f"{seconds / 60:g} minutes"


def _of_topic(request: TalkRequest, tuning: RelevanceTuning) -> str:
    if request.threats:
        return f"Only threats of {tuning.threat_in_text:g} or more still get through."
    return f"Threats of {tuning.threat:g} or more still get through."


def policy_result(
    state: Decided, assigned: Assigned, text: str, matched: str | None, tuning: RelevanceTuning
) -> DecisionResult:
    """Make the content of what policy decided by itself.

    Args:
        text: what is said; empty where an action speaks for itself.
        matched: what the record names as the source of it.
    """
    policy, aside = state.policy, state.policy.beside
    told = "" if aside is None else aside.says
    if aside is not None and aside.talk:
        told = acknowledgement(aside.talk, tuning)
    return DecisionResult(
        path=DecisionPath.POLICY,
        response_text=text,
        told_beside=told,
        response_id=response_id_of(state.arrival.decision_id),
        matched_heuristic_id=matched,
        predicted_success=policy.confidence,
        prediction_confidence=policy.confidence,
        action=policy.action,
        arguments=policy.arguments,
        confidence=policy.confidence,
        strategy=assigned.strategy,
        strategy_by=assigned.by,
        metadata={"intent": policy.intent},
    )
