"""Relevance and threshold as numbers, their context, mutes, quiet hours and habituation.

Repeated events of one pattern matter less until they change or time has passed.
Source: executive.md §1.1, §1.2 and §1.8.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Literal

from state.attention import QuietHours
from state.release import FLUSH, group_of
from state.salience import DIMENSIONS, SalienceVector
from state.session import Familiarity, Session
from state.stages import Weighed
from state.tuning import Context, HabituationTuning, RelevanceTuning
from tools.attention.news import content_words, figures_of, moved, news_in
from tools.platform.text_comparison import similarity

_NAMED: Mapping[str, Context] = {"gaming": "gaming", "home": "home", "work": "work"}


def context_in(session: Session, usual: Context) -> Context:
    """Tell the context whose thresholds and times count: `gaming` of `gaming.minecraft`."""
    return _NAMED.get((session.active_context or "").partition(".")[0], usual)


LONGEST_QUIET = timedelta(hours=24)
"""Nothing is kept for longer: a mute without an end would keep it for ever."""
SKEW_SECONDS = 60.0
"""A time this far ahead is no mere unevenness of the clock."""


@dataclass(frozen=True)
class Quiet:
    """Why nothing is said, and until when."""

    reason: Literal["muted", "quiet_hours"]
    until: datetime


def quiet_now(
    session: Session, now: datetime, *, zone: tzinfo = UTC, usual: QuietHours | None = None
) -> Quiet | None:
    """Find the quiet that holds now, the longer one of two; None: we may speak.

    Args:
        zone: of the clock on the wall that quiet hours are meant by.
        usual: quiet hours of the deployment, where the session has none of its own.
    """
    found: list[Quiet] = []
    if session.muted_until is not None:
        # As a time that a clock can show: what waits for the end of the mute is due then.
        muted = datetime.fromtimestamp(session.muted_until, UTC)
        # Asked for at a time that is still to come: the clock was set back, and a mute of twenty
        # minutes would last for as long as it was wrong.
        was_ahead = (session.muted_from or 0.0) > now.timestamp() + SKEW_SECONDS
        if now < muted and not was_ahead:
            found.append(Quiet("muted", muted))
    hours = session.quiet_hours or usual
    until = hours.until(now, zone) if hours else None
    if until is not None and until > now:
        found.append(Quiet("quiet_hours", until))
    return max(found, key=lambda quiet: quiet.until, default=None)


MOVES = ("theta0", "proactive", "helpfulness", "quiet", "shift", "load", "annoyance", "watched")
"""The terms that add up to the threshold."""


def strength(vector: SalienceVector, weights: Mapping[str, float]) -> float:
    """Compute S, 0 to 1: the weighted power mean of order 4 over all but threat.

    Order 4 lets one strong reason carry an event without letting it decide alone.
    """
    powered = sum(weight * getattr(vector, name) ** 4 for name, weight in weights.items())
    return float((powered / sum(weights.values())) ** 0.25)


def relevance_of(terms: Mapping[str, float]) -> float:
    """Compute R = S F (1-H) (1-P) B, 0 to 1."""
    product = terms["S"] * terms["F"] * (1 - terms["H"]) * (1 - terms["P"]) * terms["B"]
    return round(min(1.0, max(0.0, product)), 6)


def threshold_of(terms: Mapping[str, float], tuning: RelevanceTuning) -> float:
    """Compute theta: what it is by context, moved by personality, mutes, load and watches."""
    moved = sum(terms[name] for name in MOVES)
    return round(min(tuning.highest_threshold, max(tuning.lowest_threshold, moved)), 6)


def terms_of(
    state: Weighed,
    now: float,
    *,
    weights: Mapping[str, float],
    tuning: RelevanceTuning,
    context: Context,
) -> dict[str, float]:
    """Compute every number that goes into R and theta; `now` in seconds since 1970.

    What waited to be told with others of its kind is damped by what else was said, never by them:
    else a batch that comes apart into two would tell less than one (executive.md §2).
    """
    is_of_a_batch = state.arrival.released_by == FLUSH
    session = _apart_from_its_group(state) if is_of_a_batch else state.session
    salience = state.salience
    vector = salience.vector
    aimed = max(vector.goal_relevance, salience.goal_match)
    return {
        "S": strength(vector.model_copy(update={"goal_relevance": aimed}), weights),
        "F": 1 + tuning.focus_weight * (session.focus - 0.5),
        "H": 0.0 if is_of_a_batch else salience.habituation,
        "P": repetition(state.event.text, session, now, tuning),
        "B": salience.boost,
        "helpfulness": -tuning.helpfulness_weight
        * max(0.0, 2 * session.traits.helpfulness - 1)
        * (vector.actionability >= 0.5),
        "watched": -tuning.watch_weight * (salience.watched is not None),
        **standing_moves(session, now, tuning, context),
    }


def _apart_from_its_group(state: Weighed) -> Session:
    """Forget what its own group told since it began to wait."""
    since, group = state.arrival.held_since, group_of(state.event)
    if since is None:
        return state.session
    begun = since.timestamp()
    others = tuple(said for said in state.session.spoken if said.group != group or said.at < begun)
    return state.session.model_copy(update={"spoken": others})


def standing_moves(
    session: Session, now: float, tuning: RelevanceTuning, context: Context
) -> dict[str, float]:
    """Compute what moves the threshold now, whatever the event is."""
    return {
        "theta0": tuning.threshold[context],
        "proactive": -tuning.proactive_weight * (2 * session.traits.proactive - 1),
        "quiet": quiet(session, now, tuning) + session.talk_bias,
        "shift": shift(session, now),
        "load": load(session, now, tuning),
        "annoyance": annoyance(session, now, tuning),
    }


def repetition(text: str, session: Session, now: float, tuning: RelevanceTuning) -> float:
    """Compute P: how much this was said a moment ago."""
    return tuning.repeat_weight * max(
        (
            similarity(text, words) * _halved(now - said.at, tuning.repeat_half_seconds)
            for said in session.spoken
            if not _is_news(text, said.about or said.text, tuning)
            for words in (said.text, said.about)
        ),
        default=0.0,
    )


def _is_news(text: str, said: str, tuning: RelevanceTuning) -> bool:
    """Tell whether a text says something that is not in what was said: a word, or a figure."""
    if not content_words(text) <= content_words(said):
        return True
    return moved(text, figures_of(said)) >= tuning.news_from


def quiet(session: Session, now: float, tuning: RelevanceTuning) -> float:
    """Compute q: the rise left of "be quiet"; small rests count as forgotten."""
    if session.quiet_asked_at is None:
        return 0.0
    rise = tuning.quiet_rise * _halved(now - session.quiet_asked_at, tuning.quiet_half_seconds)
    return rise if rise >= tuning.quiet_forgotten_below else 0.0


def shift(session: Session, now: float) -> float:
    """Compute what somebody asked the threshold to be moved by, while that lasts."""
    asked = session.threshold_shift
    return asked.by if asked and (asked.until is None or now < asked.until) else 0.0


def spoken_lately(session: Session, now: float, tuning: RelevanceTuning) -> int:
    """Count what was said in the last ten minutes; a batch or a digest counts once."""
    return sum(1 for said in session.spoken if 0 <= now - said.at <= tuning.load_seconds)


def load(session: Session, now: float, tuning: RelevanceTuning) -> float:
    """Compute l: the cost of having talked much in the last ten minutes."""
    beyond = max(0.0, spoken_lately(session, now, tuning) - free_utterances(session, tuning))
    return min(tuning.load_highest, tuning.load_step * beyond)


def free_utterances(session: Session, tuning: RelevanceTuning) -> float:
    """Tell how often we may speak in `load_seconds` before it costs anything."""
    return tuning.free_utterances * (0.5 + session.traits.proactive)


def annoyance(session: Session, now: float, tuning: RelevanceTuning) -> float:
    """Compute an: what is left of bad reactions."""
    left = sum(
        tuning.annoyance_step * _halved(now - at, tuning.annoyance_half_seconds)
        for at in session.annoyed_at
    )
    left += sum(
        tuning.ignored_weight
        * tuning.annoyance_step
        * _halved(now - at, tuning.annoyance_half_seconds)
        for at in session.slighted_at
    )
    return min(tuning.annoyance_highest, left)


def _halved(age_seconds: float, half_seconds: float) -> float:
    if age_seconds < -SKEW_SECONDS:
        return 0.0  # the clock was set back since: nothing fades for as long as it was wrong
    return float(2.0 ** (-max(0.0, age_seconds) / half_seconds))


RECOVERED = 0.01
"""A level below this is a full recovery: the next time it becomes boring faster."""
SLOWEST, FASTEST = 0.15, 0.6
"""The share of what is left that one event may bore by."""
HIGHEST_GAIN = FASTEST / SLOWEST
"""More would change nothing; without an end it grows past what a float holds in a few weeks."""


def pattern_of(source: str, kind: str, entity: str | None) -> str:
    """Name what repeats: source, type and entity, never free text."""
    return f"{source}|{kind}|{entity or ''}"


def habituation_on_arrival(
    known: Familiarity | None,
    vector: SalienceVector,
    now: float,
    fade_seconds: float,
    tuning: HabituationTuning,
    text: str = "",
) -> float:
    """Compute H for an event that arrives now, 0 to `tuning.highest`.

    Other words and a figure that moved wake it, where the event matters no less than before.
    """
    if known is None:
        return 0.0
    level = habituation_now(known, now, fade_seconds)
    rises = [getattr(vector, name) - getattr(known.seen, name) for name in DIMENSIONS]
    rise = max(0.0, *rises)
    if text and known.wordings and -min(rises) < tuning.wakes_at_rise:
        rise = max(rise, news_in(text, known.wordings))
    if rise >= tuning.wakes_at_rise:
        level *= 1 - rise
    return min(level, tuning.highest)


def habituation_now(known: Familiarity, now: float, fade_seconds: float) -> float:
    """Compute what is left of a habituation at `now`, seconds since 1970."""
    return known.level * math.exp(-max(0.0, now - known.at) / fade_seconds)


def update_habituation(
    known: Familiarity | None,
    vector: SalienceVector,
    level: float,
    strength: float,
    now: float,
    *,
    engaged: bool,
    tuning: HabituationTuning,
    times: int = 1,
) -> Familiarity:
    """Update a pattern after one of its events; `strength` is S, `engaged`: somebody cared.

    Args:
        times: so many identical ones came at once; they bore as one, and count for the pace.
    """
    pace = pace_of(known, now, tuning) + times
    if engaged:
        fresh = {"level": level * tuning.engaged_share, "at": now, "seen": vector, "pace": pace}
        return known.model_copy(update=fresh) if known else Familiarity.model_validate(fresh)
    gain = known.gain if known else 1.0
    if known and level < RECOVERED < known.level:
        gain = min(HIGHEST_GAIN, gain * 1.15)
    eta = min(0.40, max(SLOWEST, tuning.bores_by * (1.25 - 0.5 * strength))) * gain
    eta = min(FASTEST, eta)
    level = min(tuning.highest, level + eta * (1 - level))
    if known is None:
        return Familiarity(level=level, at=now, seen=vector, gain=gain, pace=pace)
    update = {"level": level, "at": now, "seen": vector, "gain": gain, "pace": pace}
    return known.model_copy(update=update)


def pace_of(known: Familiarity | None, now: float, tuning: HabituationTuning) -> float:
    """Compute how fast events of a pattern come: their number, each halved as time passes."""
    if known is None:
        return 0.0
    return float(known.pace * 2.0 ** (-max(0.0, now - known.at) / tuning.pace_half_seconds))
