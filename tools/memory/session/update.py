"""The session after a decision, a rating or a reaction, each a pure function of a snapshot."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from typing import Any, Self

from state.held import Beside
from state.initiative import OpenProposal
from state.policy import ASKS_WHICH
from state.session import Familiarity, OpenOffer, Session, Spoken, ThreatTold
from state.stages import Gathered
from state.talk import TalkRequest
from state.tuning import HabituationTuning, RelevanceTuning, Tuning
from tools.access.permissions import may_move
from tools.attention import InhibitionRules, update_habituation
from tools.attention.alarms import announced_key, forget_cleared, is_over, remembered_text
from tools.attention.digest import apply_digest
from tools.attention.initiatives import ANYBODY, InitiativeHistory, ProactiveRules
from tools.attention.judge import BEFORE_CHARACTERS
from tools.attention.news import figures_of, with_wording
from tools.catalog import Catalogue
from tools.memory.facts import called
from tools.memory.session.feedback import apply_rating, apply_reaction
from tools.memory.session.requests import age_goals, apply_request, request_of_signal
from tools.memory.session.working_memory import (
    QUESTIONS_KEPT,
    PackMemoryUpdate,
    apply_question,
    apply_shown,
)
from tools.nlu import is_own_words
from tools.response import Character, SkillSelection, remarks

SLIGHTS_KEPT = 20
"""The newest: older ones have faded, and a session is written whole with every event."""


def apply_habituation(
    session: Session, gathered: Gathered, now: float, tuning: HabituationTuning
) -> dict[str, Any]:  # fields of Session
    """Return what a decision changes of what is familiar, and of what was ignored."""
    found = [(one.salience, one.relevance, one.text) for one in delivered_with(gathered)]
    is_ours = gathered.event.is_addressed or gathered.arrival.initiative is not None
    if gathered.salience is not None and not is_ours:
        strength = gathered.relevance.terms["S"] if gathered.relevance else 0.0
        found.append((gathered.salience, strength, gathered.event.text))
    if not found:
        return {}
    familiar = dict(session.familiar)
    for salience, strength, text in found:
        known = update_habituation(
            familiar.get(salience.pattern),
            salience.vector,
            salience.habituation,
            strength,
            now,
            engaged=False,
            tuning=tuning,
            times=gathered.arrival.repeats if salience is gathered.salience else 1,
        )
        seen: dict[str, Any] = {"wordings": with_wording(known.wordings, text)}
        if salience is gathered.salience:
            sender = gathered.event.sender or ""
            seen |= {"last": text[:BEFORE_CHARACTERS], "last_by": sender}
            seen["is_over"] = is_over(gathered.event, salience.judged)
        familiar[salience.pattern] = known.model_copy(update=seen)
    changed: dict[str, Any] = {}
    was_told = gathered.delivery is not None and gathered.delivery.output != "silent"
    if was_told and not is_ours:
        for pattern in {salience.pattern for salience, *_ in found}:
            known = familiar[pattern]
            ignored = _ignored(known, session, now, tuning)
            familiar[pattern] = known.model_copy(update={"told_at": now, "ignored": ignored})
            if ignored > known.ignored and ignored % tuning.ignored_in_a_row == 0:
                changed["slighted_at"] = (*session.slighted_at, now)[-SLIGHTS_KEPT:]
    newest = sorted(familiar.items(), key=lambda item: item[1].at)
    return {**changed, "familiar": dict(newest[-tuning.patterns_kept :])}


def delivered_with(gathered: Gathered) -> tuple[Beside, ...]:
    """List what waited and was told with a decision."""
    if gathered.timing is None or gathered.delivery is None:
        return ()
    return tuple(one for one in gathered.timing.beside if one.ending == "told")


def _ignored(known: Familiarity, session: Session, now: float, tuning: HabituationTuning) -> int:
    """Count the tellings of a pattern in a row that somebody who is here did not answer.

    A stream that nobody ever answers is not ignored: there is nobody.
    """
    engaged = session.proactive.engaged_at
    if known.told_at is None or engaged is None or engaged < session.sitting_since:
        return 0
    if now - known.told_at < tuning.ignored_after_seconds:
        return known.ignored
    was_answered = 0 <= engaged - known.told_at <= tuning.ignored_after_seconds
    return 0 if was_answered else known.ignored + 1


SPOKEN_KEPT = 20
KEPT_CHARACTERS = 400
THREATS_KEPT = 50
FOCUS_CHARACTERS = 200
BUSY_STATES = ("typing", "menu", "combat", "call", "speaking", "focused")
ENDS_BUSY = {
    "typing_pause": ("typing", "focused"),
    "menu_closed": ("menu",),
    "combat_ended": ("combat",),
    "call_ended": ("call",),
    "speech_ended": ("speaking",),
}
"""A signal and what it ends: who pauses typing in a call is still in the call."""


@dataclass(frozen=True)
class SessionUpdate:
    """Apply a decision to the session it was made in."""

    character: Character
    habituation: HabituationTuning
    relevance: RelevanceTuning
    packs: PackMemoryUpdate
    causes: InhibitionRules = field(default_factory=InhibitionRules)
    zone: tzinfo = UTC
    initiatives: InitiativeHistory = field(default_factory=InitiativeHistory)
    skills: SkillSelection = field(default_factory=SkillSelection)
    near_goal: float = 0.5
    """Goal match from which an event counts as one about a goal."""
    digest_from: float = 0.3
    """Worth from which an event that was not told is kept for who asks what they missed."""

    @classmethod
    def of(
        cls,
        catalogue: Catalogue,
        character: Character,
        skills: SkillSelection,
        causes: InhibitionRules,
        tuning: Tuning,
        zone: tzinfo,
    ) -> Self:
        """Build the update for what the packs of a catalogue remember and suggest."""
        rules = ProactiveRules.of(catalogue.packs)
        return cls(
            character,
            tuning.habituation,
            tuning.relevance,
            PackMemoryUpdate(catalogue),
            causes,
            zone,
            InitiativeHistory(rules, tuning.proactive.mood_level),
            skills,
            tuning.salience.near_goal,
            tuning.salience.digest_from,
        )

    def after(self, session: Session, gathered: Gathered) -> Session:
        """Return the session after a decision; `session` is the newest, not the decision's own."""
        if gathered.event.call is not None:  # no person spoke, and nobody was spoken to
            memory = self.packs.after(session.memory, gathered)
            return session.model_copy(update={"memory": memory})
        now = gathered.arrival.received_at.timestamp()
        changed: dict[str, Any] = {}
        if not session.started_at:
            changed |= {"started_at": now}
        if gathered.event.is_addressed and not session.present:
            changed |= {"present": True}  # who speaks is there
        # Of an ambient event nothing is taken as a signal, a complaint or a rating.
        may_steer = gathered.event.kind != "ambient" and may_move(
            gathered.event, self.packs.catalogue
        )
        if gathered.event.kind == "signal" and may_steer:
            changed |= _signalled(session, gathered)
            request = request_of_signal(gathered.event)
            if request is not None:
                request = _by_asker(request, gathered)
                changed |= self._asked(session, request, now, gathered.event.speaker)
        for request in _wishes(gathered):
            lately = session.model_copy(update=changed)
            changed |= self._asked(lately, request, now, gathered.event.speaker)
        changed |= age_goals(
            changed.get("goals", session.goals), gathered, now, near=self.near_goal
        )
        changed |= apply_question(session, gathered, now)
        changed |= apply_shown(session, gathered, now, self.packs.catalogue)
        changed |= _offered(session, gathered, now)
        # What is familiar is changed in turn by wishes, events, reactions and our own questions.
        lately = session.model_copy(update=changed)
        changed |= apply_habituation(lately, gathered, now, self.habituation)
        lately = session.model_copy(update=changed)
        changed |= apply_reaction(
            lately, gathered, now, self.habituation, self.character.tuning, may_complain=may_steer
        )
        lately = session.model_copy(update=changed)
        changed |= _said(session, gathered, now)
        changed |= forget_cleared(session.model_copy(update=changed), gathered, self.relevance)
        changed |= apply_digest(session, gathered, now, self.digest_from)
        changed |= self.causes.explained(session, gathered, now)
        if may_steer:
            lately = session.model_copy(update=changed)
            changed |= apply_rating(lately, gathered.event, now, self.habituation, self.character)
        changed |= self.initiatives.after(lately, gathered, now)
        changed |= _asked_of_event(session.model_copy(update=changed), gathered, now)
        if gathered.event.kind != "signal" or may_steer:
            changed |= {"active_context": self.skills.context_of(gathered.event, session)}
        changed |= {"memory": self.packs.after(session.memory, gathered)}
        return self.character.after(session.model_copy(update=changed), gathered, now)

    def _asked(
        self, session: Session, request: TalkRequest, now: float, speaker: str | None
    ) -> dict[str, Any]:  # fields of Session
        # Who gives no name changes nobody's profile, not even that of who spoke before.
        manner = self.character.asked(session, request) if speaker is not None else {}
        return {
            **apply_request(session, request, now, tuning=self.relevance, zone=self.zone),
            **manner,
            **(called(session, request) if speaker is not None else {}),
            **self.skills.asked(session, request),
        }


def _asked_of_event(session: Session, gathered: Gathered, now: float) -> dict[str, Any]:
    """Keep what a yes would do to a question that an event made us ask."""
    response, delivery, event = gathered.response, gathered.delivery, gathered.event
    was_said = response is not None and delivery is not None and delivery.output != "silent"
    if not was_said or response is None or response.type != "question" or event.is_addressed:
        return {}
    asked = remarks.proposed_in(response.text, event)
    if asked is None:
        return {}
    open_ = OpenProposal(request=asked, decision_id=gathered.arrival.decision_id, at=now)
    return {"proposed": {**session.proposed, ANYBODY: open_}}


def _wishes(gathered: Gathered) -> Iterator[TalkRequest]:
    """Give what was asked about the talking: of two, the one beside the other has the last word."""
    policy = gathered.policy
    if policy is not None and policy.talk is not None:
        yield _by_asker(policy.talk, gathered)
    if policy is not None and policy.beside is not None and policy.beside.talk is not None:
        yield _by_asker(policy.beside.talk, gathered)


def _by_asker(request: TalkRequest, gathered: Gathered) -> TalkRequest:
    """Say whose request it is: a goal is theirs; what the place says may name somebody."""
    user = gathered.event.user
    return request if user is None else request.model_copy(update={"by": user})


def _offered(session: Session, gathered: Gathered, now: float) -> dict[str, Any]:
    """Remember which chips a person was shown; whatever else they say or choose lets them go."""
    user, policy = gathered.event.user, gathered.policy
    if not gathered.event.is_addressed or user is None:
        return {}
    offered = {who: shown for who, shown in session.offered.items() if who != user}
    before = session.offered.get(user)
    shown: OpenOffer | None = None
    if gathered.offer is not None:
        shown = OpenOffer(
            offer_id=gathered.offer.offer_id,
            decision_id=gathered.arrival.decision_id,
            at=now,
            tainted=_is_tainted(gathered),
        )
    elif before is not None and policy is not None and ASKS_WHICH in policy.reasons:
        update = {"decision_id": gathered.arrival.decision_id, "at": now}
        shown = before.model_copy(update=update)
    if shown is not None:
        newest = sorted(offered.items(), key=lambda item: item[1].at)
        offered = {**dict(newest[1 - QUESTIONS_KEPT :]), user: shown}
    return {"offered": offered}


def _is_tainted(gathered: Gathered) -> bool:
    """Tell whether others' words, or a model, may have had a hand in what was offered."""
    classified, result = gathered.classification, gathered.result
    return (
        classified is None
        or bool(classified.tainted)
        or (result is not None and result.tainted)
        or not is_own_words(gathered.event.text)
    )


def _signalled(session: Session, gathered: Gathered) -> dict[str, Any]:
    payload = gathered.event.payload
    changed: dict[str, Any] = {}
    if "busy" in payload:
        busy = payload["busy"]
        changed["busy"] = busy if busy in BUSY_STATES else None
    if session.busy in ENDS_BUSY.get(str(payload.get("signal")), ()):
        changed["busy"] = None
    focus = payload.get("focus")
    if isinstance(focus, (int, float)) and 0 <= focus <= 1:
        changed["focus"] = float(focus)
    elif isinstance(focus, str) or ("focus" in payload and focus is None):
        changed["focus_on"] = " ".join((focus or "").split())[:FOCUS_CHARACTERS] or None
    if isinstance(payload.get("present"), bool):
        changed["present"] = payload["present"]
    return changed


def _said(session: Session, gathered: Gathered, now: float) -> dict[str, Any]:
    delivery, response, salience = gathered.delivery, gathered.response, gathered.salience
    if delivery is None or response is None or delivery.output == "silent":
        return {}
    if gathered.event.is_addressed:
        return _caught_up(session, gathered, now)  # an answer is no interruption, tires nobody
    pattern = f"{response.type}|{salience.pattern if salience else ''}"
    group = gathered.timing.group if gathered.timing else ""
    said = Spoken(
        at=now,
        text=response.text[:KEPT_CHARACTERS],
        pattern=pattern,
        group=group,
        about=remembered_text(gathered.event.text),
        response_id=gathered.result.response_id if gathered.result else "",
    )
    spoken = (*session.spoken, said)
    changed: dict[str, Any] = {"spoken": spoken[-SPOKEN_KEPT:]}
    if gathered.relevance and salience and gathered.relevance.verdict == "alert":
        key = announced_key(gathered.event.sender, salience.pattern, gathered.event.text)
        changed["threats"] = _told(
            session, key, gathered.relevance.threat, now, gathered.event.text
        )
    return changed


def _caught_up(session: Session, gathered: Gathered, now: float) -> dict[str, Any]:
    """Remember what somebody was told who asked for it, so as not to say it again."""
    texts = "\n".join(one.text for one in delivered_with(gathered))
    if not texts:
        return {}
    said = Spoken(at=now, text=texts[:KEPT_CHARACTERS], pattern="")
    return {"spoken": (*session.spoken, said)[-SPOKEN_KEPT:]}


def _told(
    session: Session, key: str, threat: float, now: float, text: str
) -> dict[str, ThreatTold]:
    told = session.threats.get(key)
    rose = told is None or threat > told.level + 1e-9
    times = 1 if told is None or rose else told.times + 1
    fresh = ThreatTold(level=threat, at=now, times=times, figures=figures_of(text))
    threats = {**session.threats, key: fresh}
    newest = sorted(threats.items(), key=lambda item: item[1].at)
    return dict(newest[-THREATS_KEPT:])
