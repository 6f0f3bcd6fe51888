"""Rephrase a reply by a model, bounded in time; the plain words stand if facts would change."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from pydantic import BaseModel, Field

from state.errors import ModelUnavailable
from state.personality import TRAITS
from state.response import MODEL, Intent, Wording
from tools.adapters import ChatModel
from tools.catalog.pack_schema import Skill
from tools.nlu.lexicon.antonyms import has_antonyms
from tools.platform.serialization import prompt_beside
from tools.platform.text_comparison import changed_facts, opening_name, swapped_names
from tools.platform.unicode_safety import strip_controls
from tools.response.skills import apply_personality, apply_skills, realize


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
        said = " ".join(strip_controls(answer.say).split())
        if changes := _changes(plain.text, said, intent):
            told = f"{MODEL}: {', '.join(changes)}"
            return Wording(plain.text, plain.spoke, (*plain.kept_plain, told))
        return Wording(said, (*plain.spoke, MODEL), plain.kept_plain)


def _changes(plain: str, said: str, intent: Intent) -> Sequence[str]:
    """Say why a model's words are not taken; nothing: they say what the plain ones do."""
    if not said:
        return ("said nothing",)
    opening = opening_name(plain)
    names = intent.names if opening is None else (*intent.names, opening)
    contrary = ("said the opposite",) if has_antonyms(plain, said) else ()
    return (*changed_facts(plain, said, names), *swapped_names(plain, said), *contrary)


async def realize_with_model(
    phraser: Phraser | None, intent: Intent, skills: Sequence[Skill]
) -> Wording:
    """Shape an intent as `worded` does; a model, when it may phrase, stands for the styles."""
    if phraser is None:
        return realize(intent, skills)
    styles = [skill for skill in skills if skill.type == "style_modifier"]
    known = [skill for skill in skills if skill not in styles]
    wording = await phraser.phrased(
        apply_skills(Wording(intent.text), intent, known), intent, styles
    )
    if wording.kept_plain:
        wording = apply_skills(wording, intent, styles)
    return apply_personality(wording, intent, skills)


def _prompt(text: str, intent: Intent, skills: Sequence[Skill]) -> str:
    traits = ", ".join(f"{name} {getattr(intent.traits, name):.2f}" for name in TRAITS)
    styles = [skill.summary for skill in skills if skill.type == "style_modifier"]
    parts = [f"Kind: {intent.kind}.", f"Traits, 0 to 1: {traits}."]
    if styles:
        parts.append(f"Styles: {'; '.join(styles)}.")
    parts.append(f"<<<\n{text}\n>>>")
    return "\n".join(parts)


instructions = partial(prompt_beside, __file__)
