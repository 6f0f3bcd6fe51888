"""How the skills of a pack and the traits word what is said, drawn as often as it may fall."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from evals.dataset import Dataset
from evals.inputs import WordingInputs
from evals.loopback.script import Rule
from evals.loopback.server import OpenAIServer
from state.session import Session
from tools.catalogue.pack import find_pack, load_pack
from tools.models.chat import OpenAIChat
from tools.skills.loading import Skills
from tools.skills.phrasing import MODEL, Phraser, worded_by
from tools.skills.pipeline import Intent

DRAWS = 8
"""Seeds a case: which line is said and whether a style shows is drawn from the decision's id."""
_SECONDS = 10.0


@contextmanager
def wordings(
    dataset: Dataset, pack: str | None, _learnt: Path | None
) -> Iterator[Any]:  # an Answer of target.py
    """Word by the pack's own skills; a model is one on loopback that says what the case has."""
    skills = Skills.of([load_pack(find_pack(pack or dataset.header.pack))])
    with OpenAIServer() as server, asyncio.Runner() as runner:
        model = OpenAIChat("scripted", base_url=server.base_url, api_key=None, seconds=_SECONDS)

        def answer(inputs: dict[str, Any]) -> dict[str, Any]:
            case = WordingInputs.model_validate(inputs)
            server.rules[:] = [Rule(says={"say": case.model_says or ""})]
            phraser = Phraser(model, _SECONDS) if case.model_says is not None else None
            return runner.run(_worded(case, skills, phraser))

        try:
            yield answer
        finally:
            runner.run(model.close())


async def _worded(case: WordingInputs, skills: Skills, phraser: Phraser | None) -> dict[str, Any]:
    blank = Session(
        tenant_id="default",
        session_id="evals",
        traits=case.traits,
        skills=dict.fromkeys(case.loaded, "loaded"),
    )
    context = skills.context_of(case.event, blank)
    speaking = skills.speaking(blank.model_copy(update={"active_context": context}))
    said = []
    for draw in range(1 if phraser else DRAWS):
        intent = Intent(case.event, case.kind, case.says, case.traits, f"{case.says} {draw}")
        said.append(await worded_by(phraser, intent, speaking))
    return {
        "said": sorted({one.text for one in said}),
        "spoke": sorted({name for one in said for name in one.spoke}),
        "kept_plain": sorted({told for one in said for told in one.kept_plain}),
        "by_model": any(MODEL in one.spoke for one in said),
    }
