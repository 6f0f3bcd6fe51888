"""Ask a model once where relevance is close to the threshold; without an answer it stays as it is.

Source: executive.md §1.2 (LLM band).
"""

import asyncio
import math
from dataclasses import dataclass
from functools import partial

from pydantic import BaseModel, Field

from state.errors import ModelUnavailable
from state.judgement import Relevance
from state.stages import Weighed
from state.tuning import RelevanceTuning
from tools.adapters import ChatModel
from tools.attention.filters import rule_by_relevance
from tools.platform.serialization import prompt_beside

_WEIGHED = ("relevant", "below_threshold", "habituated", "just_said")


class Wanted(BaseModel):
    """The form a model answers in: two probabilities."""

    need: float = Field(ge=0, le=1)
    accept: float = Field(ge=0, le=1)


@dataclass(frozen=True)
class LlmTiebreak:
    """Asks a model once, for a bounded time; without an answer relevance stays as it is."""

    model: ChatModel
    tuning: RelevanceTuning

    def is_uncertain(self, state: Weighed, found: Relevance) -> bool:
        """Tell whether weight alone decided, and by little; never for a threat or a person."""
        return (
            state.event.kind == "ambient"
            and found.reason in _WEIGHED
            and found.threat < self.tuning.threat
            and abs(found.score - found.threshold) <= self.tuning.band
        )

    async def settled(self, state: Weighed, found: Relevance) -> Relevance:
        """Judge once more, with what a model makes of it where it is uncertain."""
        if not self.is_uncertain(state, found):
            return found
        try:
            async with asyncio.timeout(self.tuning.band_seconds):
                wanted = await self.model.answer(instructions(), _prompt(state), Wanted)
        except (ModelUnavailable, TimeoutError) as failure:
            return found.model_copy(update={"model": str(failure) or "no answer in time"})
        return self._tipped(found, wanted)

    def _tipped(self, found: Relevance, wanted: Wanted) -> Relevance:
        share = self.tuning.band_model_share
        told = min(self.tuning.band_highest, math.sqrt(wanted.need * wanted.accept))
        score = round((1 - share) * found.score + share * told, 6)
        ruling = rule_by_relevance(score, found.threshold)
        # What damped it is told only where it is still what keeps it silent.
        is_damped = ruling.verdict == "pass" and found.verdict == "pass"
        return found.model_copy(
            update={
                "score": score,
                "verdict": ruling.verdict,
                "reason": found.reason if is_damped else ruling.reason,
                "counterfactual": ruling.counterfactual,
                "model": f"need {wanted.need:.2f}, accept {wanted.accept:.2f}",
                "terms": {**found.terms, "R": found.score},
            }
        )


def _prompt(state: Weighed) -> str:
    session = state.session
    parts = [f"Event from {state.event.source}:", f"<<<\n{state.event.text}\n>>>"]
    if session.busy:
        parts.append(f"The person is busy: {session.busy}.")
    if session.aims:
        parts.append("Their goals:\n" + "\n".join(f"<<<{aim}>>>" for aim in session.aims))
    return "\n".join(parts)


instructions = partial(prompt_beside, __file__)
