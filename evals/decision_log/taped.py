"""A model that says again what it said: by the question, from the records."""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from evals.decision_log.entries import Decided
from state.errors import ModelUnavailable
from state.model_use import ModelUse, Slot
from tools.models.calling import asked_hash
from tools.models.metering import note_use
from tools.models.slots import Models
from tools.models.streaming import Answer, Told

Tape = dict[str, deque[ModelUse]]


@dataclass(frozen=True, eq=False)
class TapedModel:
    """Answers what it was asked before; what it was never asked it leaves to code."""

    model_name: str
    slot: Slot
    tape: Tape

    async def answer(
        self, instructions: str, prompt: str, form: type[Answer], *, told: Told | None = None
    ) -> Answer:
        """Answer as it did then. See ChatModel.answer."""
        kept = self.tape.get(asked_hash(self.slot, instructions, prompt, form))
        if not kept:
            raise ModelUnavailable(f"{self.model_name} was not asked this when it was recorded")
        # Asked the same again it goes on to the next answer, and then stays with the last.
        use = kept.popleft() if len(kept) > 1 else kept[0]
        note_use(use)
        try:
            given = form.model_validate(use.answer)
        except ValidationError as error:  # it failed then as well, and there is no answer
            raise ModelUnavailable(f"{self.model_name}: {use.end} then, and now") from error
        say = getattr(given, "say", None)
        if told is not None and isinstance(say, str) and getattr(given, "action", None) is None:
            told(say)
        return given


def taped_models(decided: Iterable[Decided], fast: str | None, strong: str | None) -> Models:
    """Build the models of a log from the calls in its records."""
    tape: Tape = defaultdict(deque)
    for use in _uses(decided):
        tape[use.asked_hash].append(use)
    return Models(
        TapedModel(fast, "fast", tape) if fast else None,
        TapedModel(strong, "strong", tape) if strong else None,
    )


def _uses(decided: Iterable[Decided]) -> Iterator[ModelUse]:
    for one in decided:
        uses: Any = one.record.get("models") or ()
        yield from (ModelUse.model_validate(use) for use in uses)
