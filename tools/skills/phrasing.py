"""A model as phraser: it may find better words for what is said, and never other facts."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pydantic import BaseModel, Field

from state.errors import ModelUnavailable
from state.personality import TRAITS
from tools.catalogue.skill_file import Skill
from tools.models.chat import ChatModel
from tools.skills.facts import changed_facts
from tools.skills.pipeline import Intent, Wording
from tools.visible import without_controls

MODEL = "model"
"""What a model is called among the skills that spoke."""


class Phrase(BaseModel):
    """The form a model answers in."""

    say: str = Field(max_length=1_000)


@dataclass(frozen=True)
class Phraser:
    """Asks a model once, for a bounded time; without an answer the words stay as they are."""

    model: ChatModel
    seconds: float

    async def phrased(self, plain: Wording, intent: Intent, skills: Sequence[Skill]) -> Wording:
        """Let the model word what the domain made of an intent; an alert does not wait for it."""
        if intent.kind == "alert":
            return plain
        try:
            async with asyncio.timeout(self.seconds):
                answer = await self.model.answer(
                    instructions(), _prompt(plain.text, intent, skills), Phrase
                )
        except (ModelUnavailable, TimeoutError) as failure:
            told = f"{MODEL}: {str(failure) or 'no answer in time'}"
            return Wording(plain.text, plain.spoke, (*plain.kept_plain, told))
        said = " ".join(without_controls(answer.say).split())
        changes = changed_facts(plain.text, said, intent.names) if said else ("said nothing",)
        if changes:
            told = f"{MODEL}: {', '.join(changes)}"
            return Wording(plain.text, plain.spoke, (*plain.kept_plain, told))
        return Wording(said, (*plain.spoke, MODEL), plain.kept_plain)


def _prompt(text: str, intent: Intent, skills: Sequence[Skill]) -> str:
    traits = ", ".join(f"{name} {getattr(intent.traits, name):.2f}" for name in TRAITS)
    styles = [skill.summary for skill in skills if skill.type == "style_modifier"]
    parts = [f"Kind: {intent.kind}.", f"Traits, 0 to 1: {traits}."]
    if styles:
        parts.append(f"Styles: {'; '.join(styles)}.")
    parts.append(f"<<<\n{text}\n>>>")
    return "\n".join(parts)


@cache
def instructions() -> str:
    """Read the instructions that stand beside this file."""
    return Path(__file__).with_suffix(".md").read_text("utf-8")
