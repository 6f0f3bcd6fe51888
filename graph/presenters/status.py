"""How personality, skills and quiet of a session stand, and the vector index, in words."""

from collections.abc import Iterable, Iterator
from datetime import datetime

from graph.presenters.reasons import meaning_of, threshold_moves
from state.personality import TRAITS, Personality
from state.quietness import Quietness
from state.skill import LoadedSkill
from tools.adapters.vector_index.indexer import IndexState
from tools.platform.texts import section, t


def personality_words(standing: Personality) -> Iterator[str]:
    """Give the traits in effect, and what each is made of."""
    name = (standing.template or t("status.personality.pack")).replace("_", " ")
    yield t("status.personality.name", name=name, user=standing.user)
    shifts = {
        "context": standing.context_modifiers,
        "mood": standing.mood_modifiers,
        "user": standing.user_overrides,
    }
    for trait in TRAITS:
        parts = ", ".join(
            f"{t(f'status.personality.{source}')} {moved:+.2f}"
            for source, moves in shifts.items()
            if round(moved := getattr(moves, trait), 2)
        )
        base = getattr(standing.base_traits, trait)
        yield t(
            "status.personality.trait",
            trait=trait,
            level=getattr(standing.effective_traits, trait),
            made=t("status.personality.made", base=base, parts=parts) if parts else "",
        )
    for name, level in standing.circumstances.items():
        yield t("status.personality.circumstance", name=name.replace("_", " "), level=level)
    mood = standing.mood
    yield t(
        "status.personality.state",
        valence=mood.valence,
        arousal=mood.arousal,
        rapport=standing.rapport,
    )
    if standing.templates:
        names = ", ".join(standing.templates).replace("_", " ")
        yield t("status.personality.templates", names=names)


def skill_words(skills: Iterable[LoadedSkill]) -> Iterator[str]:
    """Give each skill: whether it is loaded, and why."""
    for skill in skills:
        yield t(
            "status.personality.skill",
            sign="+" if skill.is_loaded else " ",
            name=skill.name,
            type=skill.type.replace("_", " "),
            reason=skill.reason,
        )
        yield f"    {skill.summary}"


def quiet_reason(standing: Quietness) -> str:
    """Return why a session is quiet, or when it speaks."""
    reasons = section("status.quiet.reason")
    return reasons.get(standing.reason) or meaning_of(standing.reason)


def quiet_words(standing: Quietness, *, brief: bool = False) -> Iterator[str]:
    """Give how quiet a session is, why, and what waits; in brief without figures."""
    until = _clock(standing.until) if standing.until else ""
    yield t("status.quiet.line", reason=quiet_reason(standing), until=until)
    if not brief:
        yield t(
            "status.quiet.threshold",
            threshold=standing.threshold,
            usual=standing.usual_threshold,
            moves=", ".join(threshold_moves(standing.moves)),
        )
        free = int(standing.free_utterances)
        yield t("status.quiet.said", said=standing.said_lately, free=free)
    if standing.quiet_hours:
        yield t("status.quiet.hours", hours=standing.quiet_hours)
    for rule in standing.topics:
        what = t("status.quiet.suppressed" if rule.kind == "suppress" else "status.quiet.watched")
        yield t(
            "status.quiet.topic",
            what=t("status.quiet.learned", what=what) if rule.learned else what,
            until=_clock(rule.until) if rule.until else "",
            topic=rule.topic,
        )
    for goal in standing.goals:
        yield t("status.quiet.goal", goal=goal)
    for cause in standing.causes:
        yield t("status.quiet.cause", until=_clock(cause.until), text=cause.text)
    for pattern in standing.used_to:
        yield t("status.quiet.used_to", pattern=pattern.pattern, level=pattern.level)
    for one in standing.waiting:
        yield t("status.quiet.waiting", until=_clock(one.until), why=one.why, text=one.text)
    yield standing.counterfactual


def _clock(instant: datetime) -> str:
    return f"{instant:%Y-%m-%d %H:%M:%S} UTC"


def index_words(index: IndexState) -> str:
    """Return where the index differs from the tables, or that it does not."""
    if index.problem:
        return t("status.index.unreachable", problem=index.problem)
    if index.is_damaged:
        return t("status.index.damaged", unfound=index.unfound, sampled=index.sampled)
    differing = {"missing": index.missing, "surplus": index.surplus, "behind": index.behind}
    parts = [t(f"status.index.{name}", count=count) for name, count in differing.items() if count]
    state = ", ".join(parts) or t("status.index.in_sync")
    return t("status.index.counted", vectors=index.vectors, state=state)
