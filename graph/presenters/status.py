"""How personality, skills and quiet of a session stand, and the vector index, in words."""

from collections.abc import Iterable, Iterator
from datetime import datetime

from state.personality import TRAITS, Personality
from state.quietness import Quietness
from state.skill import LoadedSkill
from tools.adapters.vector_index.indexer import IndexState


def personality_words(standing: Personality) -> Iterator[str]:
    """Put into words which traits hold now, and what each is made of."""
    whose = f" for {standing.user}" if standing.user else ""
    yield f"{(standing.template or 'the pack').replace('_', ' ')}{whose}"
    for trait in TRAITS:
        parts = [
            f"{words} {moved:+.2f}"
            for words, moved in (
                ("circumstances", getattr(standing.context_modifiers, trait)),
                ("mood and rapport", getattr(standing.mood_modifiers, trait)),
                ("your wish", getattr(standing.user_overrides, trait)),
            )
            if round(moved, 2)
        ]
        base = getattr(standing.base_traits, trait)
        made = f" = {base:.2f}, {', '.join(parts)}" if parts else ""
        yield f"{trait:<12} {getattr(standing.effective_traits, trait):.2f}{made}"
    for name, level in standing.circumstances.items():
        yield f"it holds now: {name.replace('_', ' ')} ({level:.2f})"
    mood = standing.mood
    yield f"mood {mood.valence:+.2f}, arousal {mood.arousal:+.2f}, rapport {standing.rapport:.2f}"
    if standing.templates:
        yield f"to choose from: {', '.join(standing.templates)}"


def skill_words(skills: Iterable[LoadedSkill]) -> Iterator[str]:
    """Put into words which skills speak and why."""
    for skill in skills:
        sign = "+" if skill.is_loaded else " "
        yield f"{sign} {skill.name} ({skill.type.replace('_', ' ')}): {skill.reason}"
        yield f"    {skill.summary}"


def quiet_words(standing: Quietness) -> Iterator[str]:
    """Put it into words."""
    until = f", until {_clock(standing.until)}" if standing.until else ""
    yield f"{_REASONS.get(standing.reason, standing.reason.replace(':', ': '))}{until}"
    moves = ", ".join(f"{name} {value:+.2f}" for name, value in standing.moves.items())
    yield f"threshold {standing.threshold:.2f}, usually {standing.usual_threshold:.2f}: {moves}"
    yield (
        f"said {standing.said_lately} in the last ten minutes; "
        f"beyond {int(standing.free_utterances)} each raises the threshold"
    )
    if standing.quiet_hours:
        yield f"quiet hours: {standing.quiet_hours}"
    for rule in standing.topics:
        verb = "left alone" if rule.kind == "suppress" else "watched for"
        verb = f"{verb} (proposed, and agreed to)" if rule.learned else verb
        end = f" until {_clock(rule.until)}" if rule.until else ""
        yield f"{verb}{end}: {rule.topic}"
    for goal in standing.goals:
        yield f"goal: {goal}"
    for cause in standing.causes:
        yield f"hides what follows from it until {_clock(cause.until)}: {cause.text}"
    for pattern in standing.used_to:
        yield f"used to {pattern.pattern}: {pattern.level:.2f}"
    for one in standing.waiting:
        yield f"waits until {_clock(one.until)} ({one.why}): {one.text}"
    yield standing.counterfactual


def _clock(instant: datetime) -> str:
    return f"{instant:%Y-%m-%d %H:%M:%S} UTC"


_REASONS = {
    "free": "It speaks when something matters enough",
    "muted": "Quiet was asked for",
    "quiet_hours": "These are quiet hours",
    "asked": "It was asked to talk less",
    "load": "It has talked much lately",
    "annoyance": "Reactions were bad lately",
}


def index_words(index: IndexState) -> str:
    """Say what of the index is not as the tables have it, or that all of it is."""
    if index.problem:
        return f"the vector index cannot be asked ({index.problem})"
    if index.is_damaged:
        return f"the vector index is damaged: {index.unfound} of {index.sampled} are not found"
    parts = [
        f"{count} {what}"
        for count, what in (
            (index.missing, "missing"),
            (index.surplus, "of no row"),
            (index.behind, "rows behind"),
        )
        if count
    ]
    differs = f", {', '.join(parts)}" if parts else ", as in the tables"
    return f"{index.vectors} vectors{differs}"
