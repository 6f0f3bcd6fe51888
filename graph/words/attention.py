"""Whether and when to speak, in words: the numbers, the gate, what waited beside."""

from collections.abc import Iterator

from graph.words.reasons import meaning_of
from state.held import Beside
from state.judgement import Relevance, Timing
from state.salience import DIMENSIONS, Salience


def salience_words(salience: Salience) -> Iterator[str]:
    """Tell how much an event stands out."""
    source = {
        "given": "as its sender scored it",
        "words": "scored by its words",
        "meaning": "scored by its meaning",
        "addressed": "somebody spoke to us",
    }[salience.source]
    scores = [
        f"{name.replace('_', ' ')} {value:.2f}"
        for name in DIMENSIONS
        if (value := getattr(salience.vector, name)) > 0
    ]
    yield f"{source}: {', '.join(scores) or 'nothing stands out'}"
    yield from _evidence(salience)
    if salience.habituation:
        yield f"habituation {salience.habituation:.2f} to {salience.pattern}: seen a lot lately"
    if salience.watched:
        yield f"watched for: {salience.watched}, counts {salience.boost:g} times"
    if salience.suppressed:
        yield f"to be left alone: {salience.suppressed}"
    if salience.hidden_by:
        yield f"follows from a cause that was told: {salience.hidden_by}"
    if salience.opens:
        yield f"is a cause that hides what follows, once told: {', '.join(salience.opens)}"
    if salience.goal_match:
        yield f"near to a goal of the person: {salience.goal_match:.2f}"
    if salience.dull:
        yield "dull: nothing in it stands out enough to be weighed"


def _evidence(salience: Salience) -> Iterator[str]:
    if salience.like:
        yield f"like ({salience.situation}): {salience.like}"
        yield f"a word would help with probability {salience.wanted or 0:.2f}"
    if salience.prior:
        yield f"its source matters of itself: {salience.prior}"
    if salience.is_new:
        yield "the first of its kind from a source that is known"
    if salience.words:
        yield f"the words: {', '.join(salience.words)}"


def relevance_words(relevance: Relevance) -> Iterator[str]:
    """Tell the verdict and every number behind it."""
    yield (
        f"relevance {relevance.score:.3f} against a threshold of {relevance.threshold:.3f}, "
        f"threat {relevance.threat:.2f}: {relevance.verdict}"
    )
    yield f"because {meaning_of(relevance.reason)} ({relevance.reason})"
    if relevance.model:
        yield f"it was close, so a model was asked: {relevance.model}"
    if relevance.until:
        yield f"that gate opens by itself at {relevance.until:%Y-%m-%d %H:%M:%S} UTC"
    factors = [
        f"{words} {relevance.terms[name]:.2f}"
        for name, words in _FACTORS.items()
        if name in relevance.terms
    ]
    yield f"relevance: {', '.join(factors)}"
    moved = [
        f"{words} {relevance.terms[name]:+.3f}"
        for name, words in _MOVES.items()
        if relevance.terms.get(name)
    ]
    yield f"threshold: {relevance.terms.get('theta0', 0):.2f} here, {', '.join(moved) or 'unmoved'}"


def timing_words(timing: Timing) -> Iterator[str]:
    """Tell the moment, and what waited beside it."""
    yield f"{timing.outcome}: {meaning_of(timing.reason)} ({timing.reason})"
    weighed = ", ".join(f"{kind} {value:.2f}" for kind, value in timing.utilities.items() if value)
    yield f"as {timing.response_type}, urgency {timing.urgency:.2f}" + (
        f"; weighed: {weighed}" if weighed else ""
    )
    if timing.due_at:
        ends = f", or until: {', '.join(timing.release_on)}" if timing.release_on else ""
        yield f"held until {timing.due_at:%Y-%m-%d %H:%M:%S} UTC at the latest{ends}"
    if timing.group and timing.outcome != "immediate":
        yield f"told together with what is about: {timing.group}"
    if timing.value is not None:
        yield f"after the wait {timing.value:.3f} of its relevance is left"
    for one in timing.beside:
        yield f"{_ENDINGS[one.ending]}: {one.text[:80]} ({one.decision_id})"


def beside_words(beside: Beside) -> Iterator[str]:
    """Tell what became of a decision that waited when another one was told."""
    yield f"{_ENDINGS[beside.ending]}: {meaning_of(beside.reason)} ({beside.reason})"
    yield f"relevance {beside.relevance:.3f} at that moment"


_FACTORS = {
    "S": "strength",
    "F": "times focus",
    "H": "less habituation",
    "P": "less just said",
    "B": "times watched",
}
_MOVES = {
    "proactive": "proactive",
    "helpfulness": "helpfulness",
    "quiet": "asked to be quiet",
    "shift": "asked to be pickier",
    "load": "talked much lately",
    "annoyance": "bad reactions",
    "watched": "watched for",
}
_ENDINGS = {"told": "told with it", "passed": "let go of", "stays": "goes on waiting"}
