"""Rephrase a reply by a model, bounded in time; the plain words stand if facts would change."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from pydantic import BaseModel, Field

from state.errors import ModelUnavailable
from state.response import MODEL, Intent, Wording
from state.strategy import Background
from tools.adapters import ChatModel
from tools.catalog.pack_schema import Skill
from tools.platform.serialization import prompt_beside
from tools.platform.unicode_safety import strip_controls
from tools.response.entailment import WordingCheck
from tools.response.llm_answer import Block, lay_out
from tools.response.skills import apply_personality, apply_skills, realize


class Phrase(BaseModel):
    """The form a model answers in."""

    say: str = Field(max_length=1_000)


@dataclass(frozen=True)
class Phraser:
    """Asks a model once, for a bounded time; without an answer the words stay as they are."""

    model: ChatModel
    seconds: float
    check: WordingCheck = field(default_factory=WordingCheck)

    async def phrased(
        self,
        plain: Wording,
        intent: Intent,
        skills: Sequence[Skill],
        background: Background | None = None,
    ) -> Wording:
        """Let the model word what the domain made of an intent; an alert does not wait for it."""
        if intent.kind == "alert":
            return plain
        try:
            async with asyncio.timeout(self.seconds):
                answer = await self.model.answer(
                    instructions(), _prompt(plain.text, intent, skills, background), Phrase
                )
        except (ModelUnavailable, TimeoutError) as failure:
            told = f"{MODEL}: {str(failure) or 'no answer in time'}"
            return Wording(plain.text, plain.spoke, (*plain.kept_plain, told))
        said = " ".join(strip_controls(answer.say).split())
        event = intent.event
        changes = await asyncio.to_thread(self.check, event.source, plain.text, said, intent.names)
        if changes:
            told = f"{MODEL}: {', '.join(changes)}"
            return Wording(plain.text, plain.spoke, (*plain.kept_plain, told))
        return Wording(said, (*plain.spoke, MODEL), plain.kept_plain)


async def realize_with_model(
    phraser: Phraser | None,
    intent: Intent,
    skills: Sequence[Skill],
    background: Background | None = None,
) -> Wording:
    """Shape an intent as `realize` does; a model, when it may phrase, stands for the styles.

    Args:
        background: what the model is told beside it.
    """
    if phraser is None:
        return realize(intent, skills)
    styles = [skill for skill in skills if skill.type == "style_modifier"]
    known = [skill for skill in skills if skill not in styles]
    wording = await phraser.phrased(
        apply_skills(Wording(intent.text), intent, known), intent, styles, background
    )
    if wording.kept_plain:
        wording = apply_skills(wording, intent, styles)
    return apply_personality(wording, intent, skills)


def _prompt(
    text: str, intent: Intent, skills: Sequence[Skill], background: Background | None
) -> str:
    known = background or Background(traits=intent.traits)
    styles = "; ".join(skill.summary for skill in skills if skill.type == "style_modifier")
    ours = (f"Styles: {styles}.",) if styles else ()
    moment = known.model_copy(update={"kind": intent.kind, "traits": intent.traits})
    return lay_out(intent.seed, moment, [Block("text", text)], ours)


instructions = partial(prompt_beside, __file__)
