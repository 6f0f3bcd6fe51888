"""Relevance and threshold as numbers. Source: executive.md §1.1 and §1.2."""

from collections.abc import Mapping

from state.salience import SalienceVector
from state.session import Session
from state.stages import Weighed
from state.tuning import Context, RelevanceTuning
from tools.relevance.quiet import SKEW_SECONDS
from tools.salience.similarity import similarity
from tools.timing.worth import FLUSH, group_of

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
        "P": just_said(state.event.text, session, now, tuning),
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


def just_said(text: str, session: Session, now: float, tuning: RelevanceTuning) -> float:
    """Compute P: how much this was said a moment ago."""
    return tuning.repeat_weight * max(
        (
            similarity(text, words) * _halved(now - said.at, tuning.repeat_half_seconds)
            for said in session.spoken
            for words in (said.text, said.about)
        ),
        default=0.0,
    )


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
