"""Report how a session's attention stands.

Quiet, threshold, topics, what waits, and how each modulation is reverted. Pure, from the session's
snapshot and the held events.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

from state.errors import NotFound
from state.held import Held
from state.modulation import Modulation
from state.quietness import Cause, Quietness, Topic, UsedTo, Waits
from state.session import Session
from state.talk import TalkRequest
from state.tuning import Context, HabituationTuning, RelevanceTuning, Tuning
from tools.attention.relevance import (
    Quiet,
    context_in,
    free_utterances,
    habituation_now,
    quiet,
    quiet_now,
    spoken_lately,
    standing_moves,
)
from tools.platform.clock import instant_of
from tools.platform.texts import t

THRESHOLD = "threshold"


def modulations_of(
    session: Session, now: float, fade_seconds: float, tuning: HabituationTuning
) -> tuple[Modulation, ...]:
    """List what holds at `now`, seconds since 1970: rules, the threshold, what it is used to."""
    rules = [
        Modulation(
            modulation_id=f"{rule.kind}:{rule.topic}",
            kind="suppress" if rule.kind == "suppress" else "heighten",
            topic=rule.topic,
            until=instant_of(rule.until),
            threats=rule.threats,
            origin="proposed" if rule.learned else "asked",
        )
        for rule in session.topics
        if rule.until is None or rule.until > now
    ]
    shift = session.threshold_shift
    if shift is not None and (shift.until is None or shift.until > now):
        rules.append(
            Modulation(
                modulation_id=THRESHOLD,
                kind="adjust_threshold",
                amount=shift.by,
                until=instant_of(shift.until),
            )
        )
    for pattern, known in session.familiar.items():
        level = habituation_now(known, now, fade_seconds)
        if level >= tuning.bored_from:
            rules.append(
                Modulation(
                    modulation_id=f"habituate:{pattern}",
                    kind="habituate",
                    topic=pattern,
                    amount=round(level, 3),
                    origin="implicit",
                )
            )
    return tuple(rules)


def reverting_request(modulation_id: str, known: tuple[Modulation, ...]) -> TalkRequest:
    """Say what a person would ask for to take one back.

    Raises:
        NotFound: none of that id holds.
    """
    for one in known:
        if one.modulation_id == modulation_id:
            match one.kind:
                case "suppress" | "heighten":
                    return TalkRequest(kind="forget", topic=one.topic)
                case "adjust_threshold":
                    return TalkRequest(kind="threshold", step=0.0)
                case "habituate":
                    return TalkRequest(kind="habituate", topic=one.topic, value=0.0)
    raise NotFound("modulation", modulation_id)


SHOWN_CHARACTERS = 200
_PASSING = ("quiet", "shift", "load", "annoyance")
_REASONS = {"quiet": "asked", "shift": "asked", "load": "load", "annoyance": "annoyance"}


@dataclass(frozen=True)
class AttentionStatus:
    """Tells how sessions stand, by the thresholds of this deployment."""

    tuning: Tuning
    context: Context
    zone: tzinfo = UTC

    def of(self, session: Session, waiting: Sequence[Held], now: datetime) -> Quietness:
        """Tell how a session stands; `waiting` is what it holds."""
        relevance = self.tuning.relevance
        seconds = now.timestamp()
        moves = standing_moves(session, seconds, relevance, context_in(session, self.context))
        hours = session.quiet_hours or relevance.quiet_hours
        ordered = quiet_now(session, now, zone=self.zone, usual=relevance.quiet_hours)
        threshold = _between(sum(moves.values()), relevance)
        usual = sum(value for name, value in moves.items() if name not in _PASSING)
        reason, until = self._reason(session, moves, ordered, now)
        return Quietness(
            session_id=session.session_id,
            at=now,
            is_quiet=ordered is not None,
            reason=reason,
            until=until,
            threshold=threshold,
            usual_threshold=_between(usual, relevance),
            moves={name: round(value, 4) for name, value in moves.items() if value},
            said_lately=spoken_lately(session, seconds, relevance),
            free_utterances=free_utterances(session, relevance),
            quiet_hours=hours,
            topics=_topics(session, seconds),
            goals=session.aims,
            causes=_causes(session, seconds),
            used_to=self._used_to(session, seconds),
            waiting=tuple(map(_waits, waiting)),
            counterfactual=self._counterfactual(session, threshold, ordered, seconds),
        )

    def _reason(
        self, session: Session, moves: dict[str, float], ordered: Quiet | None, now: datetime
    ) -> tuple[str, datetime | None]:
        if ordered is not None:
            return ordered.reason, ordered.until
        if session.busy is not None:
            return f"busy:{session.busy}", None
        name = max(_PASSING, key=lambda each: moves[each])
        if moves[name] <= 0:
            return "free", None
        if name == "shift" and session.threshold_shift and session.threshold_shift.until:
            return _REASONS[name], datetime.fromtimestamp(session.threshold_shift.until, UTC)
        return _REASONS[name], self._fades(session, now) if name == "quiet" else None

    def _fades(self, session: Session, now: datetime) -> datetime | None:
        """Tell when "be quiet" is forgotten; "talk less" stays until it is taken back."""
        relevance = self.tuning.relevance
        if session.quiet_asked_at is None or not quiet(session, now.timestamp(), relevance):
            return None
        halves = math.log2(relevance.quiet_rise / relevance.quiet_forgotten_below)
        asked = datetime.fromtimestamp(session.quiet_asked_at, UTC)
        return asked + timedelta(seconds=halves * relevance.quiet_half_seconds)

    def _used_to(self, session: Session, seconds: float) -> tuple[UsedTo, ...]:
        fade = self.tuning.habituation.fade_seconds[context_in(session, self.context)]
        levels = {
            pattern: habituation_now(known, seconds, fade)
            for pattern, known in session.familiar.items()
        }
        bored = sorted(levels.items(), key=lambda item: -item[1])
        return tuple(
            UsedTo(pattern=pattern, level=round(min(1.0, level), 3))
            for pattern, level in bored
            if level >= self.tuning.habituation.bored_from
        )

    def _counterfactual(
        self, session: Session, threshold: float, ordered: Quiet | None, seconds: float
    ) -> str:
        tuning = self.tuning.relevance
        fields = {
            "threat": tuning.threat,
            "topics": " and ".join(
                topic.topic
                for topic in _topics(session, seconds)
                if topic.kind == "suppress" and topic.threats
            ),
            "gravest": tuning.threat_in_text,
        }
        if ordered is None:
            return t("status.quiet.now", threshold=threshold, **fields)
        is_hours = ordered.reason == "quiet_hours"
        end = t("status.quiet.end_hours" if is_hours else "status.quiet.end")
        return t("status.quiet.ordered", until=ordered.until, end=end, **fields)


def _between(value: float, tuning: RelevanceTuning) -> float:
    return round(min(tuning.highest_threshold, max(tuning.lowest_threshold, value)), 6)


def _topics(session: Session, seconds: float) -> tuple[Topic, ...]:
    return tuple(
        Topic(
            topic=rule.topic,
            kind=rule.kind,
            until=None if rule.until is None else datetime.fromtimestamp(rule.until, UTC),
            threats=rule.threats,
            learned=rule.learned,
        )
        for rule in session.topics
        if rule.until is None or rule.until > seconds
    )


def _causes(session: Session, seconds: float) -> tuple[Cause, ...]:
    return tuple(
        Cause(text=cause.text, rule=cause.rule, until=datetime.fromtimestamp(cause.until, UTC))
        for cause in session.causes.values()
        if cause.until > seconds
    )


def _waits(held: Held) -> Waits:
    return Waits(
        decision_id=held.decision_id,
        text=held.event.text[:SHOWN_CHARACTERS],
        why=held.timing,
        until=held.due_at,
        ends_on=held.release_on,
    )
