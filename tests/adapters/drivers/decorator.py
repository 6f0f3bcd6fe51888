"""Plain functions behind `@gate.tool`: the smallest framework there is, a loop over calls."""

import asyncio

from prefrontal import AsyncGate
from tests.adapters.drivers.harbour import Script, Tools


async def run(
    script: Script, gate: AsyncGate, tools: Tools, *, stream: bool = False, nested: bool = False
) -> dict[str, str]:
    """See Driver; such a loop neither streams nor nests in another way."""
    del stream, nested
    functions = {one.__name__: gate.tool(one) for one in tools.all()}
    functions["check_proposal"] = gate.check_proposal
    found: dict[str, str] = {}
    for batch in script:
        answers = await asyncio.gather(*(functions[c.name](**c.arguments) for c in batch))
        found |= {call.id: str(answer) for call, answer in zip(batch, answers, strict=True)}
    return found
