"""What is asked about personality and skills over the wire."""

from typing import Self

from pydantic import Field, StrictFloat, StrictInt, model_validator

from api.payloads.sessions import InSession
from state.noun import Name, Noun
from state.personality import TraitName
from state.skill import LoadedSkill
from state.talk import TalkRequest


class LoadedSkills(Noun):
    """The skills of the packs, as a session stands to them."""

    skills: tuple[LoadedSkill, ...]
    next_cursor: str | None = Field(default=None, description="null on the last page")


class TemplateWish(InSession):
    """A personality of the loaded packs; what had been adjusted is gone with it."""

    template: Name

    def request(self) -> TalkRequest:
        """Put it as a person would have said it."""
        return TalkRequest(kind="template", topic=self.template)


class TraitWish(InSession):
    """One trait: so much more or less of it, or where it shall be."""

    trait: TraitName
    step: StrictFloat | StrictInt | None = Field(default=None, ge=-1, le=1)
    value: StrictFloat | StrictInt | None = Field(default=None, ge=0, le=1)

    @model_validator(mode="after")
    def _says_how_far(self) -> Self:
        if (self.step is None) == (self.value is None):
            raise ValueError("give step (more or less of it) or value (where it shall be)")
        return self

    def request(self) -> TalkRequest:
        """Put it as a person would have said it."""
        value = None if self.value is None else float(self.value)
        step = None if self.step is None else float(self.step)
        return TalkRequest(kind="trait", trait=self.trait, step=step, value=value)
