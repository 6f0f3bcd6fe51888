"""Is there an occasion to speak unasked, this second? Source: executive.md §1.10."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

from state.attention import QuietHours
from state.initiative import Initiative, Tally
from state.session import Session
from state.talk import TalkRequest
from state.tuning import ProactiveTuning
from tools.catalogue.proactive_file import Remark
from tools.personality.character import Character
from tools.proactive.chance import chance_of
from tools.proactive.pacing import has_budget, is_settled_in, may_check_in
from tools.proactive.rules import ProactiveRules
from tools.relevance.quiet import quiet_now

_NEVER = Tally()
ALARMING = 0.5
"""What has such a threat is never proposed to be left alone: it would be an alert (§1.5)."""
IGNORED = "ignored:"
_IGNORED = "You let the last {} about {} go by. Shall I leave that alone?"


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
            and is_settled_in(session, now.timestamp(), self.tuning)
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
                return Opportunity(meant, f"{_IGNORED.format(known.ignored, topic)} Say yes or no.")
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
                f"Is it your goal to {rule.goal}? Say yes, and what is about it matters more.",
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
