"""Read a message as the answer to the last proposal, and find what may be proposed."""

from dataclasses import dataclass
from datetime import datetime

from state.event import Event
from state.initiative import OpenProposal
from state.policy import PolicyDecision
from state.session import Session
from state.talk import TalkRequest
from state.tuning import ProactiveTuning
from tools.access.permissions import may_control
from tools.attention.initiatives import ANYBODY
from tools.dialogue.reply_decisions import control, refuse_control, reply
from tools.nlu.control.goals_and_reminders import (
    goal_in_progress,
    goal_statement,
    inferred_reminder,
    time_of_answer,
)
from tools.nlu.control.occasions import is_timed, occasion_text
from tools.nlu.replies.yes_no import plain_answer
from tools.platform.texts import t
from tools.ports import Catalogue


@dataclass(frozen=True)
class Proposals:
    """Reads messages for answers to what was proposed, and for what may be proposed."""

    catalogue: Catalogue
    tuning: ProactiveTuning

    def answered(
        self, event: Event, session: Session, now: float, here: datetime
    ) -> PolicyDecision | None:
        """Take a message as the answer to an open proposal; None: it is none.

        Args:
            now: seconds since 1970.
            here: the same by the clock on the wall.
        """
        open_ = self._open(event, session, now)
        if open_ is None:
            return None
        about = f"proposed_by:{open_.decision_id}"
        if _lacks_time(open_.request):
            timed = time_of_answer(event.text, open_.request, here)
            if timed is not None:
                return self._taken(event, timed, about)
        plain = plain_answer(event.text)
        if plain is None or plain.kind == "place":
            return None
        if plain.kind == "no":
            return reply(t("dialogue.left"), "proposal_declined", about)
        return self._taken(event, open_.request, about)

    def told(self, event: Event, aims: tuple[str, ...]) -> PolicyDecision | None:
        """Take a goal that is told in passing, or how one goes; None: it tells of none."""
        request = goal_statement(_plain(event.text), aims)
        if request is None or not may_control(request, self.catalogue, event.roles):
            return None
        named = request.model_copy(update={"by": event.user})
        return control(f"talk_request:{request.kind}", talk=named)

    def inferred(self, event: Event, here: datetime) -> PolicyDecision | None:
        """Propose a reminder to who tells what they have to do, or a goal to who works at it."""
        aim = goal_in_progress(_plain(event.text))
        if aim is not None and may_control(aim, self.catalogue, event.roles):
            named = aim.model_copy(update={"by": event.user})
            says = t("dialogue.ask_goal", topic=aim.topic)
            return control("inferred", says=says, proposes=named)
        request = inferred_reminder(event.text, later_seconds=self.tuning.later_seconds, now=here)
        if request is None or not may_control(request, self.catalogue, event.roles):
            return None
        return control("inferred", says=ask_reminder(request), proposes=request)

    def _open(self, event: Event, session: Session, now: float) -> OpenProposal | None:
        own = session.proposed.get(event.user) if event.user else None
        known = [one for one in (own, session.proposed.get(ANYBODY)) if one is not None]
        if not known:
            return None
        newest = max(known, key=lambda one: one.at)
        since = [one.at for one in session.spoken[-1:]]
        since += [one.at for one in (session.offered.get(event.user or ""),) if one is not None]
        is_last = all(at <= newest.at for at in since)
        return newest if is_last and 0 <= now - newest.at <= self.tuning.proposal_seconds else None

    def _taken(self, event: Event, request: TalkRequest, about: str) -> PolicyDecision:
        if not may_control(request, self.catalogue, event.roles):
            return refuse_control(about)
        return control("proposal_taken", f"talk_request:{request.kind}", about, talk=request)


def incomplete_reminder(request: TalkRequest) -> TalkRequest | None:
    """Return a reminder that is asked about because it says no time; None: it is complete."""
    return request if _lacks_time(request) else None


def _plain(text: str) -> str:
    return " ".join(text.replace("’", "'").lower().split()).rstrip(".!")[:200]


def _lacks_time(request: TalkRequest) -> bool:
    return request.kind == "remind" and not is_timed(request)


def ask_reminder(request: TalkRequest) -> str:
    """Ask whether a reminder is wanted."""
    return t("dialogue.ask_reminder", when=_when(request), topic=request.topic)


def _when(request: TalkRequest) -> str:
    if request.repeats is not None or request.when is not None:
        return occasion_text(request)
    if request.seconds is None and request.until is None:
        return ""
    if request.seconds is None:
        return t("dialogue.tomorrow_at" if request.tomorrow else "dialogue.at", until=request.until)
    minutes = request.seconds / 60
    if minutes < 120:
        return t("dialogue.in_minutes", minutes=minutes)
    return t("dialogue.in_hours", hours=minutes / 60)
