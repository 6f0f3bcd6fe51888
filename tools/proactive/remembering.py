"""What a session keeps for its own initiatives: what happened how often, what was said when."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from state.initiative import Initiative, OpenProposal, Proactive, Tally
from state.session import Session
from state.stages import Gathered
from tools.proactive.opportunities import IGNORED
from tools.proactive.pacing import ignored_in_a_row
from tools.proactive.rules import ProactiveRules
from tools.salience.conditions import meets, words_of

SAID_KEPT = 20
RECENT_KEPT = 20
PROPOSALS_KEPT = 20
"""Of people who were asked and never spoke again, in one session."""
ANYBODY = ""
"""Whose proposal it is when a tick made it: everybody in the session heard it."""


@dataclass(frozen=True)
class RememberedInitiatives:
    """Applies a decision to what the next ticks go by."""

    rules: ProactiveRules = field(default_factory=ProactiveRules)
    mood_level: float = 0.5
    """Valence from which a mood counts as strong, either way."""

    def after(self, session: Session, gathered: Gathered, now: float) -> dict[str, Any]:
        """Return what changes in a session; `now` in seconds since 1970."""
        changed: dict[str, Any] = self._mood(session)
        event = gathered.event
        if event.is_addressed:
            changed["engaged_at"] = now
        elif event.kind == "ambient" and self.rules.counted:
            changed |= self._counted(session.proactive, gathered, now)
        meant = gathered.arrival.initiative
        was_said = gathered.delivery is not None and gathered.delivery.output != "silent"
        proposed = _proposed(session, gathered, now, was_said=was_said)
        if meant is not None and was_said:
            changed |= _said(session, meant, now)
            proposed |= _asked_of(session, meant, now)
        if changed:
            proposed["proactive"] = session.proactive.model_copy(update=changed)
        return proposed

    def _mood(self, session: Session) -> dict[str, Any]:
        """Keep since when the mood has been strong: as the decision before this one left it."""
        since = session.proactive.mood_strong_since
        if abs(session.mood.valence) < self.mood_level:
            return {} if since is None else {"mood_strong_since": None}
        return {} if since is not None else {"mood_strong_since": session.mood.at}

    def _counted(self, own: Proactive, gathered: Gathered, now: float) -> dict[str, Any]:
        event = gathered.event
        said = words_of(f"{event.text} {' '.join(entity.value for entity in event.entities)}")
        met = [rule.id for rule in self.rules.counted if meets(rule.when, said)]
        if not met:
            return {}
        tallies = dict(own.tallies)
        for name in met:
            tally = tallies.get(name, Tally())
            times = gathered.arrival.repeats
            recent = (*tally.recent, *(now for _one in range(min(times, RECENT_KEPT))))
            update = {"total": tally.total + times, "recent": recent[-RECENT_KEPT:]}
            tallies[name] = tally.model_copy(update=update)
        return {"tallies": tallies}


def _said(session: Session, meant: Initiative, now: float) -> dict[str, Any]:
    own = session.proactive
    spent = {"said_at": (*own.said_at, now)[-SAID_KEPT:]}
    match meant.kind:
        case "reminder" | "emitted":
            return {}
        case "achievement":
            return {"tallies": _marked(own.tallies, meant.about, told=meant.count or 0)}
        case "mood_comment":
            return {**spent, "mood_commented_at": now}
        case "observation" | "proposal":
            observed = _marked(own.tallies, meant.about, observed_at=now)
            return {**spent, "observed_at": now, "tallies": observed}
        case "check_in":
            return {**spent, "checked_in_at": now, "ignored_check_ins": ignored_in_a_row(session)}


def _asked_of(session: Session, meant: Initiative, now: float) -> dict[str, Any]:
    """Note that it was asked whether to leave a pattern alone: it is not asked again."""
    pattern = meant.about.removeprefix(IGNORED)
    known = session.familiar.get(pattern)
    if meant.kind != "proposal" or known is None:
        return {}
    asked = known.model_copy(update={"asked_at": now})
    return {"familiar": {**session.familiar, pattern: asked}}


def _marked(tallies: Mapping[str, Tally], name: str, **update: Any) -> Mapping[str, Tally]:
    known = tallies.get(name)
    return tallies if known is None else {**tallies, name: known.model_copy(update=update)}


def _proposed(
    session: Session, gathered: Gathered, now: float, *, was_said: bool
) -> dict[str, Any]:
    """Keep what a yes would do, until somebody says anything."""
    event, meant = gathered.event, gathered.arrival.initiative
    asked = gathered.policy.proposes if gathered.policy else None
    user = event.user or ANYBODY
    proposed = dict(session.proposed)
    if event.is_addressed:
        for known in (user, ANYBODY):
            proposed.pop(known, None)
    if meant is not None and meant.proposes is not None and was_said:
        user, asked = ANYBODY, meant.proposes
    if asked is not None and was_said:
        decision_id = gathered.arrival.decision_id
        proposed[user] = OpenProposal(request=asked, decision_id=decision_id, at=now)
        newest = sorted(proposed.items(), key=lambda one: one[1].at)[-PROPOSALS_KEPT:]
        proposed = dict(newest)
    return {} if proposed == session.proposed else {"proposed": proposed}
