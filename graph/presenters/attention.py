"""The attention stages of a decision in words: salience, relevance, timing, and what waited."""

from collections.abc import Iterator, Mapping

from graph.presenters.reasons import meaning_of
from state.held import Beside
from state.judgement import Relevance, Timing
from state.salience import DIMENSIONS, Salience
from tools.platform.texts import section, t


class Detail(str):
    """A line of internals, such as scores and ids; shown by `why --verbose` alone."""

    __slots__ = ()


def salience_words(salience: Salience) -> Iterator[str]:
    """Give how much an event stands out, and by which evidence."""
    scores = [
        f"{name.replace('_', ' ')} {value:.2f}"
        for name in DIMENSIONS
        if (value := getattr(salience.vector, name)) > 0
    ]
    yield t(
        "why.salience.scores",
        source=t(f"why.salience.{salience.source}"),
        scores=", ".join(scores) or t("why.salience.none"),
    )
    yield from _evidence(salience)
    if salience.habituation:
        yield t("why.salience.habituation", level=salience.habituation, pattern=salience.pattern)
    if salience.watched:
        yield t("why.salience.watched", topic=salience.watched, boost=salience.boost)
    if salience.suppressed:
        yield t("why.salience.suppressed", topic=salience.suppressed)
    if salience.hidden_by:
        yield t("why.salience.hidden_by", cause=salience.hidden_by)
    if salience.opens:
        yield Detail(t("why.salience.opens", rules=", ".join(salience.opens)))
    if salience.goal_match:
        yield t("why.salience.goal", match=salience.goal_match)
    if salience.dull:
        yield t("why.salience.dull")


def _evidence(salience: Salience) -> Iterator[str]:
    if salience.like:
        yield Detail(t("why.salience.like", situation=salience.situation or "", text=salience.like))
        yield Detail(t("why.salience.wanted", probability=salience.wanted or 0.0))
    if salience.prior:
        yield t("why.salience.prior", source=salience.prior)
    if salience.is_new:
        yield t("why.salience.new")
    if salience.words:
        yield t("why.salience.trigger_words", words=", ".join(salience.words))


def relevance_words(relevance: Relevance) -> Iterator[str]:
    """Give the verdict, then every number behind it."""
    threat = relevance.threat and t("decision.threat", threat=relevance.threat)
    yield t(
        "why.relevance.score",
        score=relevance.score,
        threshold=relevance.threshold,
        threat=threat or "",
        verdict=t(f"why.relevance.verdict.{relevance.verdict}"),
    )
    yield _sentence(meaning_of(relevance.reason))
    if relevance.model:
        yield t("why.relevance.model", answer=relevance.model)
    if relevance.until:
        yield t("why.relevance.until", until=relevance.until)
    terms = relevance.terms
    factors = section("why.relevance.factor")
    shown = (f"{label} {terms[name]:.2f}" for name, label in factors.items() if name in terms)
    yield Detail(t("why.relevance.factors", factors=", ".join(shown)))
    yield Detail(
        t(
            "why.relevance.threshold",
            base=terms.get("theta0", 0.0),
            moves=", ".join(threshold_moves(terms)),
        )
    )


def threshold_moves(terms: Mapping[str, float]) -> Iterator[str]:
    """Give each move of the threshold, such as `quiet requested +0.20`; what is 0 is left out."""
    for name, label in section("why.relevance.move").items():
        if round(moved := terms.get(name, 0.0), 2):
            yield f"{label} {moved:+.2f}"


def timing_words(timing: Timing) -> Iterator[str]:
    """Give the moment, and what waited beside it."""
    yield t(
        "why.timing.line",
        outcome=t(f"why.timing.outcome.{timing.outcome}"),
        reason=meaning_of(timing.reason),
    )
    weighed = (f"{kind} {value:.2f}" for kind, value in timing.utilities.items() if value)
    yield Detail(
        t(
            "why.timing.type",
            type=timing.response_type,
            urgency=timing.urgency,
            weighed=", ".join(weighed),
        )
    )
    if timing.due_at:
        signals = ", ".join(timing.release_on).replace("_", " ")
        yield t("why.timing.due", due=timing.due_at, signals=signals)
    if timing.group and timing.outcome != "immediate":
        yield t("why.timing.group", group=timing.group)
    if timing.value is not None:
        yield t("why.timing.left", value=timing.value)
    for one in timing.beside:
        yield t("why.timing.beside", ending=_ending(one), text=one.text[:80])


def batched_words(beside: Beside) -> Iterator[str]:
    """Give what became of a decision that waited when another one was announced."""
    yield t("why.timing.line", outcome=_sentence(_ending(beside)), reason=meaning_of(beside.reason))
    yield t("why.timing.beside_relevance", relevance=beside.relevance)


def _ending(beside: Beside) -> str:
    return t(f"why.timing.ending.{beside.ending}")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
