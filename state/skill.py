"""A skill as a session stands to it."""

from typing import Literal

from pydantic import Field

from state.noun import Noun

SkillType = Literal[
    "domain_skill", "style_modifier", "personality_template", "capability_extension"
]


class LoadedSkill(Noun):
    """A skill of the packs, with whether it is loaded and the reason."""

    name: str
    type: SkillType
    summary: str
    is_loaded: bool
    reason: str = Field(description="why it is loaded, or when it would be")
    capabilities: tuple[str, ...] = ()
