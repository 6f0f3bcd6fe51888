"""Find occasions to speak unprompted, within budgets and back-off, and record what was said.

Rules come from the packs; chance is drawn from the seed, the session and the second alone, so a
replay repeats it. Source: executive.md §1.10.
"""

import random
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from typing import Any, Self

from state.attention import QuietHours
from state.initiative import Initiative, OpenProposal, Proactive, Tally
from state.session import Session
from state.stages import Gathered
from state.talk import TalkRequest
from state.tuning import ProactiveTuning
from tools.attention.relevance import quiet_now
from tools.catalog import Pack
from tools.catalog.pack_schema import Achievement, Remark
from tools.platform.clock import HOUR_SECONDS
from tools.platform.text_comparison import keywords_of, meets_condition
from tools.platform.texts import t
from tools.response import Character


def chance_of(session: Session, now: datetime, *, seed: int, name: str) -> random.Random:
    """Make the generator of one session, second and purpose.

    Nothing is carried from tick to tick: a restart, or a tick that was missed, draws the same
    afterwards as if it had not happened.
    """
    second = int(now.timestamp())
    return random.Random(f"{seed}|{session.tenant_id}|{session.session_id}|{second}|{name}")  # noqa: S311 - no secret


def hourly_budget(session: Session, tuning: ProactiveTuning) -> float:
    """Tell how many check-ins, observations and mood comments an hour may hear."""
    return tuning.hourly * (0.5 + session.traits.proactive)


def has_budget(session: Session, now: float, tuning: ProactiveTuning) -> bool:
    """Tell whether one more fits into the hour before `now`, seconds since 1970."""
    return recent_initiatives(session, now) + 1 <= hourly_budget(session, tuning)


def recent_initiatives(session: Session, now: float) -> int:
    """Count what the hour before `now`, seconds since 1970, has heard of these."""
    return sum(1 for at in session.proactive.said_at if 0 <= now - at < HOUR_SECONDS)


def ignored_in_a_row(session: Session) -> int:
    """Count the check-ins that nobody answered, the last one included; 0 after any word to us."""
    own = session.proactive
    if own.checked_in_at is None or (own.engaged_at or 0.0) >= own.checked_in_at:
        return 0
    return own.ignored_check_ins + 1


def check_in_wait(session: Session, tuning: ProactiveTuning) -> float:
    """Compute the seconds between the last word and the next check-in, 4 hours at most."""
    doubled = tuning.check_in_seconds * 2.0 ** min(ignored_in_a_row(session), 32)
    return min(tuning.check_in_longest_seconds, doubled)


def may_check_in(session: Session, now: float, tuning: ProactiveTuning) -> bool:
    """Tell whether that wait is over, since anybody said anything."""
    own = session.proactive
    told = max((one.at for one in session.spoken if one.at <= now), default=0.0)
    last = max(own.checked_in_at or 0.0, own.engaged_at or 0.0, session.sitting_since, told)
    return now - last >= check_in_wait(session, tuning)


def is_past_warm_up(session: Session, now: float, tuning: ProactiveTuning) -> bool:
    """Tell whether somebody is there and the first minutes of the sitting are over."""
    is_there = session.present and 0 <= now - session.seen_at <= tuning.present_seconds
    return is_there and now - session.sitting_since >= tuning.settling_seconds


@dataclass(frozen=True)
class ProactiveRules:
    """Lines and rules; the name of a rule says which pack it is of."""

    check_ins: tuple[str, ...] = ()
    remarks: tuple[Remark, ...] = ()
    achievements: tuple[Achievement, ...] = ()
    low_mood: tuple[str, ...] = ()
    high_mood: tuple[str, ...] = ()

    @classmethod
    def of(cls, packs: Iterable[Pack]) -> Self:
        """Join what each pack says."""
        files = [(pack.name, pack.proactive) for pack in packs]
        return cls(
            tuple(line for _, file in files if file.check_in for line in file.check_in.say),
            tuple(
                rule.model_copy(update={"id": f"{name}.{rule.id}"})
                for name, file in files
                for rule in file.observations
            ),
            tuple(
                rule.model_copy(update={"id": f"{name}.{rule.id}"})
                for name, file in files
                for rule in file.achievements
            ),
            tuple(line for _, file in files for line in file.mood.low),
            tuple(line for _, file in files for line in file.mood.high),
        )

    @property
    def counted(self) -> tuple[Remark | Achievement, ...]:
        """List what is counted in the events of a session."""
        return (*self.remarks, *self.achievements)

    @property
    def says_nothing(self) -> bool:
        """Tell whether nothing is ever said unasked, reminders apart."""
        moods = (*self.low_mood, *self.high_mood)
        return not (self.check_ins or self.counted or moods)


_NEVER = Tally()
ALARMING = 0.5
"""What has such a threat is never proposed to be left alone: it would be an alert (§1.5)."""
IGNORED = "ignored:"


@dataclass(frozen=True)
class Opportunity:
    """What would be said, and what it would be."""

    initiative: Initiative
    text: str


@dataclass(frozen=True)
class Opportunities:
    """Finds the occasion of a second in one session; pure, and the same for the same second."""

    rules: ProactiveRules
    tuning: ProactiveTuning
    zone: tzinfo = UTC
    usual_quiet: QuietHours | None = None
    character: Character | None = None
    """Whose moods are commented on; None: nobody's."""
    ignored_in_a_row: int = 3

    def find(
        self,
        session: Session,
        now: datetime,
        *,
        may_chat: bool = True,
        begun: Collection[str] = (),
    ) -> Opportunity | None:
        """Find the first occasion there is: one a second, what was earned before what is chatted.

        Nobody is asked how things go in the first minutes, while they are busy, in the quiet, or
        when nobody is there; a milestone is told to whoever is busy at their next break.

        Args:
            may_chat: nothing else waits to be said.
            begun: names of occasions that were taken, whether or not anything was said.
        """
        if not session.started_at:
            return None
        if (earned := self._achievement(session, now, begun)) is not None:
            return earned
        if not (may_chat and self._is_a_moment(session, now)):
            return None
        if self.character is not None:
            session = self.character.present(session, now.timestamp())
        if not has_budget(session, now.timestamp(), self.tuning):
            return None
        return next((found for found in self._chat(session, now) if found is not None), None)

    def _chat(self, session: Session, now: datetime) -> Iterator[Opportunity | None]:
        yield self._left_alone(session)
        yield self._mood_comment(session, now)
        yield self._observation(session, now)
        yield self._check_in(session, now)

    def _is_a_moment(self, session: Session, now: datetime) -> bool:
        return (
            session.busy is None
            and is_past_warm_up(session, now.timestamp(), self.tuning)
            and quiet_now(session, now, zone=self.zone, usual=self.usual_quiet) is None
        )

    def _achievement(
        self, session: Session, now: datetime, begun: Collection[str]
    ) -> Opportunity | None:
        for rule in self.rules.achievements:
            tally = session.proactive.tallies.get(rule.id, _NEVER)
            reached = max((one for one in rule.at if one <= tally.total), default=0)
            if reached > tally.told:
                meant = Initiative(kind="achievement", about=rule.id, count=reached)
                if occasion_name(session, meant, now) in begun:
                    continue
                return Opportunity(meant, rule.say.replace("{count}", str(reached)))
        return None

    def _left_alone(self, session: Session) -> Opportunity | None:
        """Ask whether to leave alone what is let go by again and again: once, and never assumed."""
        for pattern, known in session.familiar.items():
            source, _, thing = pattern.split("|", 2)
            if not thing and _tells_of_more(source, session):
                continue  # to leave all of it alone is not what is let go by
            topic = (thing or source).replace("+", " ").lower()
            is_ruled = any(rule.topic == topic for rule in session.topics)
            is_due = known.ignored >= self.ignored_in_a_row and known.asked_at is None
            if is_due and not is_ruled and known.seen.threat < ALARMING:
                request = TalkRequest(kind="suppress", topic=topic, learned=True)
                meant = Initiative(kind="proposal", about=f"{IGNORED}{pattern}", proposes=request)
                question = t("attention.ask_mute", count=known.ignored, topic=topic)
                return Opportunity(meant, question)
        return None

    def _mood_comment(self, session: Session, now: datetime) -> Opportunity | None:
        """Comment on a mood that has lasted, to whom we know well enough, and not often."""
        own, seconds, tuning = session.proactive, now.timestamp(), self.tuning
        if self.character is None or not (self.rules.low_mood or self.rules.high_mood):
            return None
        said = own.mood_commented_at
        if said is not None and 0 <= seconds - said < tuning.mood_seconds:
            return None
        since = own.mood_strong_since or session.mood.at
        if since is None or seconds - since < tuning.mood_lasting_seconds:
            return None
        standing = self.character.standing(session, seconds)
        lines = self.rules.low_mood if standing.mood.valence < 0 else self.rules.high_mood
        is_strong = abs(standing.mood.valence) >= tuning.mood_level
        if not (lines and is_strong and standing.rapport >= tuning.mood_rapport):
            return None
        chance = chance_of(session, now, seed=tuning.seed, name="mood")
        about = "low" if standing.mood.valence < 0 else "high"
        return Opportunity(Initiative(kind="mood_comment", about=about), chance.choice(lines))

    def _observation(self, session: Session, now: datetime) -> Opportunity | None:
        last = session.proactive.observed_at
        if last is not None and 0 <= now.timestamp() - last < self.tuning.observation_seconds:
            return None
        for rule in self.rules.remarks:
            tally = session.proactive.tallies.get(rule.id, _NEVER)
            if self._is_a_pattern(tally, now.timestamp()):
                found = self._remark(rule, tally, session, now)
                if found is not None:
                    return found
        return None

    def _is_a_pattern(self, tally: Tally, now: float) -> bool:
        window = self.tuning.observation_window_seconds
        lately = sum(1 for at in tally.recent if 0 <= now - at <= window)
        return (
            lately >= self.tuning.observation_events
            and novelty_of(tally, now, self.tuning) >= self.tuning.observation_novelty
        )

    def _remark(
        self, rule: Remark, tally: Tally, session: Session, now: datetime
    ) -> Opportunity | None:
        if rule.goal is not None and rule.goal not in session.aims and tally.observed_at is None:
            request = TalkRequest(kind="goal", topic=rule.goal)
            meant = Initiative(kind="proposal", about=rule.id, proposes=request)
            return Opportunity(
                meant,
                t("attention.ask_goal", goal=rule.goal),
            )
        if not rule.say:
            return None
        chance = chance_of(session, now, seed=self.tuning.seed, name=rule.id)
        return Opportunity(Initiative(kind="observation", about=rule.id), chance.choice(rule.say))

    def _check_in(self, session: Session, now: datetime) -> Opportunity | None:
        if not self.rules.check_ins or not may_check_in(session, now.timestamp(), self.tuning):
            return None
        chance = chance_of(session, now, seed=self.tuning.seed, name="check_in")
        if chance.random() >= self.tuning.check_in_probability * session.traits.proactive:
            return None
        return Opportunity(Initiative(kind="check_in"), chance.choice(self.rules.check_ins))


def _tells_of_more(source: str, session: Session) -> bool:
    """Tell whether a source is known for several things: it is no name of any of them."""
    return sum(1 for pattern in session.familiar if pattern.startswith(f"{source}|")) > 1


def occasion_name(session: Session, meant: Initiative, now: datetime) -> str:
    """Name an occasion, so that it is taken once: a milestone for good, the rest by its second."""
    which = meant.count if meant.kind == "achievement" else int(now.timestamp())
    return f"{meant.kind}|{session.session_id}|{meant.about}|{which}"


def novelty_of(tally: Tally, now: float, tuning: ProactiveTuning) -> float:
    """Tell how much news a remark would be: 1 if it was never made, .5 an hour after it was."""
    if tally.observed_at is None:
        return 1.0
    age = max(0.0, now - tally.observed_at)
    return float(1 - 2.0 ** (-age / tuning.observation_novelty_half_seconds))


SAID_KEPT = 20
RECENT_KEPT = 20
PROPOSALS_KEPT = 20
"""Of people who were asked and never spoke again, in one session."""
ANYBODY = ""
"""Whose proposal it is when a tick made it: everybody in the session heard it."""


@dataclass(frozen=True)
class InitiativeHistory:
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
        said = keywords_of(f"{event.text} {' '.join(entity.value for entity in event.entities)}")
        met = [rule.id for rule in self.rules.counted if meets_condition(rule.when, said)]
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
