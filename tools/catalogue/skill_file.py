"""skills/*.yaml of a pack: one manifest a file. Source: Executive decision loop §7."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from state.noun import CleanText, Name, Noun, Score
from state.personality import TraitName, Traits
from state.response import ResponseType
from state.skill import SkillType

SkillName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,59}$")]
"""Small letters, digits and `_`: people say it with spaces (`load the dry wit skill`)."""
ContextName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*(\.[a-z0-9_]+){0,4}$")]
"""`gaming` holds in `gaming.minecraft` too."""


class SkillLine(Noun):
    """Words around what is to be said: `{text}` stands for that."""

    when: CleanText | None = Field(default=None, description="words an event must hold, all")
    types: tuple[ResponseType, ...] = Field(default=(), description="only of these; empty: any")
    say: CleanText = Field(
        min_length=1, max_length=500, description="{text}, and of a domain {field} of the payload"
    )


class Skill(Noun):
    """A manifest: what it is for, when it is loaded, and what it says."""

    name: SkillName
    type: SkillType
    summary: CleanText = Field(min_length=1, max_length=200)
    context_binding: ContextName | None = Field(
        default=None, description="of a domain: loaded while the session is in this context"
    )
    sources: tuple[Name, ...] = Field(
        default=(), description="of a domain: an event of these brings its context"
    )
    trait: TraitName | None = Field(default=None, description="of a style: the trait it shows")
    at_least: Score = Field(default=0.5, description="loaded from this level of the trait on")
    capabilities: tuple[Name, ...] = ()
    traits: Traits | None = Field(default=None, description="of a personality template")
    says: tuple[SkillLine, ...] = ()

    @model_validator(mode="after")
    def _holds_what_its_type_needs(self) -> Self:
        wants = {
            "domain_skill": ("context_binding", "says"),
            "style_modifier": ("trait", "says"),
            "personality_template": ("traits",),
            "capability_extension": ("says",),
        }[self.type]
        for name in wants:
            if not getattr(self, name):
                raise ValueError(f"a {self.type} needs {name}")
        foreign = {"context_binding", "sources", "trait", "traits", "says"} - set(wants)
        for name in sorted(foreign - ({"sources"} if self.type == "domain_skill" else set())):
            if getattr(self, name):
                raise ValueError(f"a {self.type} has no {name}")
        return self
