"""Personality and skills of a session, in words."""

from collections.abc import Iterable, Iterator

from state.personality import TRAITS, Personality
from state.skill import LoadedSkill


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
