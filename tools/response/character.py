"""The character of a session: template traits moved by requests, outcomes, mood and circumstances.

Outcomes lie between -1 and 1; mood is their slow average, rapport is kept per person, circumstances
rise at once and fade. Personality biases thresholds and wording, never strategy.
Source: executive.md §1.6 and §1.7.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from state.event import Event
from state.personality import (
    CIRCUMSTANCES,
    NEUTRAL_RAPPORT,
    TRAITS,
    Activation,
    Circumstance,
    Mood,
    Personality,
    Profile,
    Traits,
    TraitShift,
)
from state.salience import SalienceVector
from state.session import Session
from state.stages import Gathered
from state.talk import TalkRequest
from state.tuning import PersonalityTuning
from tools.catalog import Pack
from tools.catalog.pack_schema import PersonalityFile
from tools.nlu import reaction
from tools.nlu.feedback import Reaction, reaction_in, sentiment
from tools.platform.clock import DAY_SECONDS
from tools.platform.experiments import hash_position, pick_by_share
from tools.platform.text_comparison import keywords_of, meets_condition

NEGLIGIBLE = 0.01
"""A level below this is over."""


def active_circumstances(
    vector: SalienceVector,
    failures: Sequence[float],
    sentiment: float,
    now: float,
    *,
    tuning: PersonalityTuning,
) -> Mapping[Circumstance, float]:
    """Tell which circumstances hold now and how strongly, 0 to 1.

    Args:
        failures: when something went wrong for the person, seconds since 1970.
        sentiment: of what the person says now, -1 to 1; 0 when nobody speaks.
    """
    lately = sum(1 for at in failures if 0 <= now - at <= tuning.struggle_seconds)
    struggles = lately >= tuning.struggle_failures or sentiment < tuning.struggle_sentiment
    levels: dict[Circumstance, float] = {
        "high_threat": vector.threat if vector.threat >= tuning.threat_from else 0.0,
        "opportunity": (
            vector.opportunity if vector.opportunity >= tuning.opportunity_from else 0.0
        ),
        "user_struggling": float(struggles),
    }
    return {name: level for name, level in levels.items() if level}


def decayed_circumstances(
    circumstances: Mapping[Circumstance, Activation], now: float, tuning: PersonalityTuning
) -> Mapping[Circumstance, float]:
    """Tell what is left of circumstances at `now`, seconds since 1970."""
    levels = {
        name: known.level * 2.0 ** (-max(0.0, now - known.at) / tuning.circumstance_half_seconds)
        for name, known in circumstances.items()
    }
    return {name: level for name, level in levels.items() if level >= NEGLIGIBLE}


def raise_circumstances(
    circumstances: Mapping[Circumstance, Activation],
    levels: Mapping[Circumstance, float],
    now: float,
    tuning: PersonalityTuning,
) -> dict[Circumstance, Activation]:
    """Return the circumstances after these levels were felt at `now`; the stronger one counts."""
    left = decayed_circumstances(circumstances, now, tuning)
    return {
        name: Activation(level=max(left.get(name, 0.0), levels.get(name, 0.0)), at=now)
        for name in CIRCUMSTANCES
        if name in left or name in levels
    }


def circumstance_shift(
    levels: Mapping[Circumstance, float],
    modifiers: Mapping[Circumstance, TraitShift],
    tuning: PersonalityTuning,
) -> TraitShift:
    """Add up what circumstances do to the traits, bounded for each trait."""
    most = tuning.moved_at_most
    sums = {
        trait: sum(
            level * getattr(modifiers[name], trait)
            for name, level in levels.items()
            if name in modifiers
        )
        for trait in TRAITS
    }
    return TraitShift(**{trait: min(most, max(-most, moved)) for trait, moved in sums.items()})


def mood_now(mood: Mood, now: float, enthusiasm: float, tuning: PersonalityTuning) -> Mood:
    """Let a mood fade until `now`, seconds since 1970; `enthusiasm` moves where it rests."""
    rest = tuning.mood_rest * (2 * enthusiasm - 1)
    if mood.at is None:
        return Mood(valence=rest, arousal=rest, at=now)
    kept = 2.0 ** (-max(0.0, now - mood.at) / tuning.mood_half_seconds)
    return Mood(
        valence=_inside_mood_range(rest + (mood.valence - rest) * kept),
        arousal=_inside_mood_range(rest + (mood.arousal - rest) * kept),
        at=now,
    )


def mood_after(mood: Mood, outcome: float, tuning: PersonalityTuning) -> Mood:
    """Move a mood of this moment by an outcome, -1 (very bad) to 1; more of the same moves less."""
    return mood.model_copy(
        update={
            "valence": _moved(mood.valence, outcome, tuning.mood_step),
            "arousal": _moved(mood.arousal, abs(outcome), tuning.mood_step),
        }
    )


def mood_shift(mood: Mood, sitting_hours: float, tuning: PersonalityTuning) -> TraitShift:
    """Tell what a mood, and a long sitting, does to the traits."""
    sat = min(1.0, max(0.0, sitting_hours) / tuning.long_sitting_hours)
    return TraitShift(
        enthusiasm=tuning.mood_enthusiasm * max(0.0, mood.valence),
        sarcasm=-tuning.mood_sarcasm * max(0.0, -mood.valence),
        proactive=-tuning.long_sitting_proactive * sat,
    )


def _moved(value: float, outcome: float, step: float) -> float:
    room = 1 - abs(value) if outcome * value >= 0 else 1.0
    return _inside_mood_range(value + step * outcome * room)


def _inside_mood_range(value: float) -> float:
    return min(1.0, max(-1.0, value))


LOWEST, HIGHEST = 0.001, 0.999
"""Never quite lost and never complete: at 0 or 1 it could not move any more."""


def rapport_now(profile: Profile, now: float, tuning: PersonalityTuning) -> float:
    """Compute what is left of rapport at `now`, seconds since 1970, inside (0, 1)."""
    age = max(0.0, now - profile.rapport_at)
    kept = 2.0 ** (-age / (tuning.rapport_half_days * DAY_SECONDS))
    return _inside_rapport_range(NEUTRAL_RAPPORT + (profile.rapport - NEUTRAL_RAPPORT) * kept)


def rapport_after(rapport: float, feedback: float, tuning: PersonalityTuning) -> float:
    """Move rapport by a reaction: its sign is that of `feedback`, its weight the amount."""
    if feedback >= 0:
        return _inside_rapport_range(rapport + tuning.rapport_gain * feedback * (1 - rapport))
    return _inside_rapport_range(rapport - tuning.rapport_loss * -feedback * rapport)


def with_feedback(
    profile: Profile, feedback: float, now: float, tuning: PersonalityTuning
) -> Profile:
    """Return a profile after a reaction at `now`: 1 praise, -1 annoyance, less for a hint of it."""
    rapport = rapport_after(rapport_now(profile, now, tuning), feedback, tuning)
    return profile.model_copy(update={"rapport": rapport, "rapport_at": now})


def _inside_rapport_range(rapport: float) -> float:
    return min(HIGHEST, max(LOWEST, rapport))


def effective_traits(
    base: Traits, context: TraitShift, mood: TraitShift, overrides: TraitShift
) -> Traits:
    """Add up what the traits are now, each clamped to 0 and 1."""
    return Traits(
        **{
            trait: _clamped(
                getattr(base, trait)
                + getattr(context, trait)
                + getattr(mood, trait)
                + getattr(overrides, trait)
            )
            for trait in TRAITS
        }
    )


def combined_shift(mood: TraitShift, rapport: float, tuning: PersonalityTuning) -> TraitShift:
    """Add to what a mood moves what rapport does: who is close is spoken to less formally."""
    closer = max(0.0, rapport - NEUTRAL_RAPPORT)
    return mood.model_copy(update={"formality": -tuning.rapport_formality * closer})


def adjusted_overrides(
    base: Traits, overrides: TraitShift, request: TalkRequest, tuning: PersonalityTuning
) -> TraitShift:
    """Return a person's overrides after a wish for one trait.

    What they wish for stays inside 0 and 1, so that `less` ten times is taken back by one `more`.
    """
    if request.trait is None:
        return overrides
    own = getattr(base, request.trait)
    wished = request.value
    if wished is None:
        step = (request.step or 0.0) + (request.steps or 0.0) * tuning.trait_step
        wished = own + getattr(overrides, request.trait) + step
    return overrides.model_copy(update={request.trait: round(_clamped(wished) - own, 6)})


def _clamped(value: float) -> float:
    return round(min(1.0, max(0.0, value)), 6)


@dataclass(frozen=True)
class OutcomeAppraiser:
    """Reads outcomes; `words` are those of the packs, phrase → score."""

    tuning: PersonalityTuning
    words: Mapping[str, float] = field(default_factory=dict)

    def outcomes(self, gathered: Gathered) -> Iterator[float]:
        """List what a decision tells of how things went; nothing of it: no outcome."""
        event, done = gathered.event, gathered.outcome
        if done is not None and done.state in ("failed", "unknown"):
            yield self.tuning.outcome_failed
        elif done is not None and done.state == "succeeded" and done.changed:
            yield self.tuning.outcome_done
        elif event.kind == "message" and (felt := self.sentiment(event)):
            yield felt
        elif not event.is_addressed:
            if felt := self.of_event(event):
                yield felt
            for one in gathered.timing.beside if gathered.timing else ():
                if one.ending != "stays" and (beside := self._of_words(one.text)):
                    yield beside

    def of_event(self, event: Event) -> float:
        """Read the outcome that an event brings as `payload.outcome`, or that its words tell."""
        given = event.payload.get("outcome")
        if isinstance(given, (int, float)) and not isinstance(given, bool):
            return min(1.0, max(-1.0, float(given)))
        return self._of_words(event.text)

    def sentiment(self, event: Event) -> float:
        """Tell how a person feels who says this, -1 to 1; their client may know better."""
        if event.kind != "message":
            return 0.0
        given = event.payload.get("sentiment")
        if isinstance(given, (int, float)) and not isinstance(given, bool):
            return min(1.0, max(-1.0, float(given)))
        reacted = reaction(event.text)
        if reacted is not None:
            return self.tuning.outcome_reaction * (1 if reacted == "good" else -1)
        return sentiment(event.text)

    def _of_words(self, text: str) -> float:
        said = keywords_of(text)
        found = [score for phrase, score in self.words.items() if meets_condition(phrase, said)]
        return max(found, key=abs, default=0.0)


def feedback_of(
    gathered: Gathered, last_said_at: float, now: float, within_seconds: float
) -> float:
    """Read a message as a reaction to what was said or answered last: 1, -1, or 0 for none."""
    if gathered.event.kind != "message" or not 0 <= now - last_said_at <= within_seconds:
        return 0.0
    reasons = gathered.policy.reasons if gathered.policy is not None else ()
    taken: Reaction | None = reaction_in(gathered.event.text, reasons)
    return {"good": 1.0, "bad": -1.0, None: 0.0}[taken]


_TRIAL = "personality"
FAILURES_KEPT = 10
"""More than `struggle_failures` ever asks for."""


@dataclass(frozen=True)
class Character:
    """The traits of a session at a moment, and what a decision leaves behind; pure."""

    own: PersonalityFile
    templates: Mapping[str, Traits]
    tuning: PersonalityTuning
    appraising: OutcomeAppraiser = field(init=False)

    def __post_init__(self) -> None:
        words = {word: score for score, phrases in self.own.outcomes.items() for word in phrases}
        object.__setattr__(self, "appraising", OutcomeAppraiser(self.tuning, words))

    @classmethod
    def of(cls, packs: Sequence[Pack], tuning: PersonalityTuning) -> "Character":
        """Take traits, modifiers and outcomes of the first pack, and the templates of all."""
        own = packs[0].personality if packs else PersonalityFile()
        templates = {name: traits for pack in reversed(packs) for name, traits in _templates(pack)}
        return cls(own, templates, tuning)

    def present(self, session: Session, now: float) -> Session:
        """Return a session with the traits that are effective at `now`, seconds since 1970."""
        shifts = self._shifts(session, now)
        traits = effective_traits(self._base(session), *shifts, session.profile.overrides)
        return session.model_copy(update={"traits": traits})

    def stirred(
        self, session: Session, event: Event, vector: SalienceVector, now: float
    ) -> Session:
        """Return a session as an event finds it: what it stirs up holds at once."""
        levels = active_circumstances(
            vector,
            session.failures_at,
            self.appraising.sentiment(event),
            now,
            tuning=self.tuning,
        )
        circumstances = raise_circumstances(session.circumstances, levels, now, self.tuning)
        return self.present(session.model_copy(update={"circumstances": circumstances}), now)

    def standing(self, session: Session, now: float) -> Personality:
        """Tell how a session is spoken to at `now`, and where each part of it comes from."""
        tuning, profile = self.tuning, session.profile
        base = self._base(session)
        context, moved = self._shifts(session, now)
        template = self._template(session)
        return Personality(
            session_id=session.session_id,
            user=session.person,
            template=template,
            templates=tuple(sorted(self.templates)),
            base_traits=base,
            context_modifiers=context,
            circumstances=decayed_circumstances(session.circumstances, now, tuning),
            mood_modifiers=moved,
            user_overrides=profile.overrides,
            effective_traits=effective_traits(base, context, moved, profile.overrides),
            mood=mood_now(session.mood, now, self.eager(session), tuning),
            rapport=rapport_now(profile, now, tuning),
        )

    def _shifts(self, session: Session, now: float) -> tuple[TraitShift, TraitShift]:
        """Return what circumstances move, and what mood and rapport do."""
        tuning = self.tuning
        levels = decayed_circumstances(session.circumstances, now, tuning)
        mood = mood_now(session.mood, now, self.eager(session), tuning)
        moved = mood_shift(mood, self._sat_hours(session, now), tuning)
        rapport = rapport_now(session.profile, now, tuning)
        return (
            circumstance_shift(levels, self.own.context_modifiers, tuning),
            combined_shift(moved, rapport, tuning),
        )

    def asked(self, session: Session, request: TalkRequest) -> dict[str, Any]:  # fields of Session
        """Return what a wish changes for whoever it is; without a person it changes nothing."""
        if session.person is None:
            return {}
        profile, base = session.profile, self._base(session)
        match request.kind:
            case "trait" if request.trait is not None:
                overrides = adjusted_overrides(base, profile.overrides, request, self.tuning)
                update: dict[str, object] = {"overrides": overrides}
            case "template" if request.topic in self.templates:
                update = {"template": request.topic, "overrides": TraitShift()}
            case "as_usual":
                update = {"template": None, "overrides": TraitShift()}
            case _:
                return {}
        return {"profile": profile.model_copy(update=update)}

    def rated(
        self, session: Session, value: float, now: float, *, by: str | None
    ) -> dict[str, Any]:  # fields of Session
        """Return what a rating changes; `value`: -1 to 1, `by`: who rates."""
        mood = mood_now(session.mood, now, self.eager(session), self.tuning)
        mood = mood_after(mood, value * self.tuning.outcome_reaction, self.tuning)
        changed: dict[str, Any] = {"mood": mood}
        if by is not None and session.person == by:
            changed["profile"] = with_feedback(session.profile, value, now, self.tuning)
        return changed

    def after(self, session: Session, gathered: Gathered, now: float) -> Session:
        """Return a session after a decision: sitting, mood, failures, circumstances, rapport."""
        tuning = self.tuning
        now = max(now, session.seen_at)  # what waited for a yes ends in the order it is recorded
        paused = now - session.seen_at > tuning.sitting_pause_seconds
        if gathered.arrival.initiative is None:  # our own words keep nobody here
            since = now if paused else session.sitting_since
            session = session.model_copy(update={"sitting_since": since, "seen_at": now})
        mood = mood_now(session.mood, now, self.eager(session), tuning)
        failures = session.failures_at
        for outcome in self.appraising.outcomes(gathered):
            mood = mood_after(mood, outcome, tuning)
            if outcome <= tuning.failure_from:
                failures = (*failures, now)[-FAILURES_KEPT:]
        changed: dict[str, Any] = {"mood": mood, "failures_at": failures}  # fields of Session
        if session.person and (feedback := self._feedback(session, gathered, now)):
            changed["profile"] = with_feedback(session.profile, feedback, now, tuning)
        told = gathered.delivery is not None and gathered.delivery.output != "silent"
        if told and gathered.event.is_addressed:
            changed["answered_at"] = now
        session = session.model_copy(update=changed)
        vector = gathered.salience.vector if gathered.salience else SalienceVector()
        return self.stirred(session, gathered.event, vector, now)

    def _feedback(self, session: Session, gathered: Gathered, now: float) -> float:
        """Read what a decision says of how it stands with the person, -1 to 1."""
        if session.slighted_at[-1:] == (now,):
            return -self.tuning.rapport_ignored
        told_at = max([session.answered_at, *(said.at for said in session.spoken[-1:])])
        return feedback_of(gathered, told_at, now, self.tuning.answers_within_seconds)

    def _base(self, session: Session) -> Traits:
        return self.templates.get(self._template(session) or "", self.own.traits)

    def _template(self, session: Session) -> str | None:
        """Name the template of a session: the person's own, one on trial, or the pack's."""
        if session.profile.template in self.templates:
            return session.profile.template
        if self.tuning.shares:
            who = session.person or session.session_id
            place = hash_position(_TRIAL, session.tenant_id, who)
            on_trial = pick_by_share(place, self.tuning.shares)
            if on_trial in self.templates:
                return on_trial
        return self.own.template

    def eager(self, session: Session) -> float:
        """Tell the enthusiasm that moods rest on: without what moods do to it."""
        wished = session.profile.overrides.enthusiasm
        return min(1.0, max(0.0, self._base(session).enthusiasm + wished))

    def _sat_hours(self, session: Session, now: float) -> float:
        if now - session.seen_at > self.tuning.sitting_pause_seconds:
            return 0.0
        return (now - session.sitting_since) / 3600


def _templates(pack: Pack) -> Iterator[tuple[str, Traits]]:
    yield from pack.personality.templates.items()
    for skill in pack.skills:
        if skill.traits is not None:
            yield skill.name, skill.traits
