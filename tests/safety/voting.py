"""What one of several processes on one ledger does: answer and execute all there is, in a race."""

import asyncio
import os
import random
from contextlib import suppress
from pathlib import Path

from state.approval import LedgerAction
from state.errors import AgentError
from tests.safety.benches import CAPTAIN, ENGINEER, no, opened_ledger, yes
from tools.gate.ledger.ledger import Ledger

CLIENTS = 4
"""In each process."""


async def vote(data_dir: str, pack: str, *, seed: int, meeting: str) -> None:
    """Let clients answer every pending action, each in an order of its own, and execute it.

    Args:
        meeting: a FIFO; seed 0 waits there for another, and another for seed 0.
    """
    async with opened_ledger(Path(data_dir), Path(pack)) as ledger:
        shown = await ledger.actions("aurora", state="pending", limit=1_000)
        os.close(os.open(meeting, os.O_WRONLY if seed else os.O_RDONLY))
        await asyncio.gather(*(_client(ledger, shown, seed + n) for n in range(CLIENTS)))


async def _client(ledger: Ledger, shown: list[LedgerAction], seed: int) -> None:
    chance = random.Random(seed)
    who = CAPTAIN if seed % 2 else ENGINEER
    # Two clients, one of each process, share an order: they meet at every action.
    for each in random.Random(seed % CLIENTS).sample(shown, len(shown)):
        answer = no(each) if chance.random() < 0.3 else yes(each)
        with suppress(AgentError):
            await ledger.decide(each.action_id, answer, who)
        with suppress(AgentError):
            await ledger.execute(each.action_id)
