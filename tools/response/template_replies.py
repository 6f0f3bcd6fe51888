"""Replies that need no model: acknowledged control requests, batches and digests, late alarms.

And the fallback when neither a heuristic nor a model has words.
"""

import re
from collections.abc import Sequence

from state.event import Event
from state.held import Beside
from state.offer import Chip
from state.policy import SMALL_TALK_MOODS, Candidate, PolicyDecision
from state.release import DIGEST_LINES
from state.result import DecisionPath, DecisionResult, response_id_of
from state.session import PassedOver
from state.stages import Decided
from state.strategy import Assigned
from state.talk import TalkRequest
from state.tuning import RelevanceTuning
from tools.nlu.control.goals_and_reminders import REMINDED_WHEN, WHICH_REMINDER
from tools.platform.texts import section, t
from tools.ports import Catalogue
from tools.response.remarks import ended

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
        last_word: the answer to a message that asks for nothing. See tools/dialogue/chitchat.py.
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
        return t("answer.fallback.no_click")
    is_talk = "small_talk" in policy.reasons
    if policy.routing and (is_talk or policy.routing.mood in SMALL_TALK_MOODS):
        return last_word
    if catalogue is not None and (asked_with := _way_to_ask(event, policy, catalogue)):
        return t("answer.fallback.how_to_ask", example=asked_with)
    return t("answer.fallback.not_possible")


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


_UNCLEAR = {WHICH_REMINDER: "which_reminder", REMINDED_WHEN: "reminded_when"}
_NAMES = ("template", "load_skill", "unload_skill")
_WANTS = re.compile(
    r"^(?:to )?(?:find|get|reach|finish|build|make|buy|sell|learn|fix|write|complete|win|see) "
)


def acknowledgement(
    request: TalkRequest,
    tuning: RelevanceTuning,
    beside: Sequence[Beside] = (),
    missed: Sequence[PassedOver] = (),
) -> str:
    """Say what a request about the talking will do, with the threat that gets through.

    Args:
        missed: what was passed over, for who asks; behind what waited.
    """
    threats = t("control.threats", threat=tuning.threat)
    match request.kind:
        case "prompt":
            told = [*_best_first(beside), *most_worthy_first(missed)]
            if len(told) == 1:
                return told[0]
            return join_lines(told, DIGEST_LINES) if told else t("control.nothing_missed")
        case "mute":
            return _of_mute(request, threats)
        case "unclear" if request.topic in _UNCLEAR:
            return t(f"control.unclear.{_UNCLEAR[request.topic]}")
        case "trait":
            return _of_trait(request)
        case "threshold" if request.step != 0:
            hours = (request.seconds or tuning.picky_seconds) / 3600
            return t("control.pickier", hours=hours, threats=threats)
        case "suppress":
            return _of_topic(request, tuning)
        case "no_goal" if request.topic is None:
            return t("control.no_goals")
        case "no_reminder" if request.topic is not None:
            return t("control.cancelled_one", topic=request.topic)
        case kind:
            return t(
                f"control.done.{kind}",
                topic=_topic(request),
                hours=request.hours,
                threats=threats,
                percent=round(100 * (request.value or 0)),
            )


def _topic(request: TalkRequest) -> str:
    topic = request.topic or ""
    if request.kind in _NAMES:
        return topic.replace("_", " ")
    return _WANTS.sub("", topic) or topic if request.kind == "goal" else topic


def _of_mute(request: TalkRequest, threats: str) -> str:
    if request.until:
        return t("control.mute_until", until=request.until, threats=threats)
    return t("control.mute", span=_span(request.seconds or 0), threats=threats)


def _of_trait(request: TalkRequest) -> str:
    trait = request.trait or ""
    if request.value is not None:
        level = t(f"control.level.{_level(request.value)}")
        return t("control.trait_value", trait=trait, level=level)
    is_more = (request.step or 0.0) + (request.steps or 0.0) >= 0
    adjective = section("control.trait").get(trait, trait)
    return t("control.trait_more" if is_more else "control.trait_less", adjective=adjective)


def _level(value: float) -> str:
    """Name a level of 0 to 1 in words."""
    if value in (0.0, 1.0):
        return "highest" if value else "lowest"
    return "low" if value < 0.4 else "high" if value > 0.6 else "middle"


def batch_text(own: str, beside: Sequence[Beside], *, after_quiet: bool) -> str:
    """Say several things in one utterance, the one that called for it first."""
    others = _best_first(beside)
    if not others:
        return t("control.digest.one", text=own) if after_quiet else own
    if not after_quiet and len(others) == 1:
        return t("control.digest.also_one", text=ended(own), other=others[0])
    if not after_quiet:
        return t("control.digest.also", text=own, lines=join_lines(others))
    texts = [own, *others]
    return t("control.digest.several", count=len(texts), lines=join_lines(texts))


def with_event_age(text: str, age_seconds: float) -> str:
    """Begin an alarm that came late with how long ago it happened."""
    minutes = age_seconds / 60
    if minutes < 2:
        return t("control.digest.seconds_ago", age=age_seconds, text=text)
    if minutes < 120:
        return t("control.digest.minutes_ago", age=minutes, text=text)
    hours = minutes / 60
    if hours < 48:
        return t("control.digest.hours_ago", age=hours, text=text)
    return t("control.digest.days_ago", age=hours / 24, text=text)


def _best_first(beside: Sequence[Beside]) -> list[str]:
    """List what is told with it; of many only the first are shown, so the best come first."""
    told = [one for one in beside if one.ending == "told"]
    return [one.text for one in sorted(told, key=lambda one: -one.relevance)]


def most_worthy_first(missed: Sequence[PassedOver]) -> list[str]:
    """List what was passed over, what is most worth knowing first."""
    return [one.text for one in sorted(missed, key=lambda one: -one.worth)]


def join_lines(texts: Sequence[str], shown: int = SHOWN) -> str:
    """Put each text on a line of its own, the same one once."""
    once = list(dict.fromkeys(" ".join(text.split()) for text in texts))
    lines = [f"- {text}" for text in once[:shown]]
    if len(once) > shown:
        lines.append(t("control.digest.more", count=len(once) - shown))
    return "\n".join(lines)


def spoken_text(text: str) -> str:
    """Write a text for a voice: the lines of a list are sentences, without their dashes."""
    lines = [line.removeprefix("- ").strip() for line in text.splitlines()]
    return " ".join(ended(line) for line in lines if line)


def chip_lines(chips: Sequence[Chip]) -> str:
    """Put each chip on a line: its number, what it does, what is still missing for it."""
    return "\n".join(
        t(
            "answer.offer.chip",
            chip=chip.chip_id,
            summary=chip.summary,
            missing=" and ".join(chip.missing_slots).replace("_", " "),
        )
        for chip in chips
    )


def _span(seconds: float) -> str:
    hours = seconds / 3600
    if hours >= 2 and hours.is_integer():
        return t("control.hours", count=hours)
    return t("control.minutes", count=seconds / 60)


def _of_topic(request: TalkRequest, tuning: RelevanceTuning) -> str:
    span = _span(request.seconds) if request.seconds else ""
    if request.threats:
        return t("control.suppress", topic=request.topic, span=span, threat=tuning.threat_in_text)
    return t("control.suppress_all", topic=request.topic, span=span, threat=tuning.threat)


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
