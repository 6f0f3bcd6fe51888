"""A handler that raises what ends processes or tasks has failed, and ends nothing of ours."""

from pathlib import Path

import pytest

from state.principal import Principal
from tests.graph.looking import done, write_boatyard
from tests.safety.benches import CAPTAIN, opened_ledger, proposal, yes
from tests.safety.valves import TARGETS, write_valves

HAND = Principal(user="ann", tenant_id="default", roles=("hand",))
MASTER = Principal(user="ingrid", tenant_id="default", roles=("master",))
WAYS = {
    "KeyboardInterrupt": "raise KeyboardInterrupt",
    "GeneratorExit": "raise GeneratorExit",
    "CancelledError": "raise __import__('asyncio').CancelledError",
    "BaseExceptionGroup": "raise BaseExceptionGroup('a', [KeyboardInterrupt()])",
    "StopIteration": "next(iter(()))",
    "SystemExit": "raise SystemExit(1)",
}


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=["def", "async def"])
def pack(request: pytest.FixtureRequest, tmp_path: Path, way: str) -> Path:
    folder = write_boatyard(tmp_path)
    file = folder / "handlers.py"
    text = file.read_text("utf-8")
    for name, noted, last in (("show", "looked", 'f"This'), ("sink", "tried", "_done(context, f")):
        start = text.index(f"def {name}_boat")
        end = text.index(f"    return {last}", start)
        head = text[start:end].replace("def", request.param)
        text = f'{text[:start]}{head}    _done(context, "{noted}")\n    {WAYS[way]}\n{text[end:]}'
    file.write_text(text, "utf-8")
    return folder


async def test_a_change_is_unknown_and_never_run_again(data_dir: Path, pack: Path, way: str):
    async with opened_ledger(data_dir, pack) as ledger:
        asked = await ledger.propose(proposal("sink_boat", requester=HAND, boat="B-11"))
        await ledger.decide(asked.action_id, yes(asked), MASTER)
        assert (await ledger.execute(asked.action_id)).state == "unknown"
        assert way in ((await ledger.action(asked.action_id)).reason or "")
    async with opened_ledger(data_dir, pack) as ledger:  # a restart
        await ledger.executing.reconcile()
        assert (await ledger.execute(asked.action_id)).state == "unknown"
    assert done(data_dir) == ["tried"]


async def test_a_read_has_failed(data_dir: Path, pack: Path):
    async with opened_ledger(data_dir, pack) as ledger:
        read = await ledger.propose(
            proposal("show_boat", requester=HAND, at_least="A", boat="B-11")
        )
        assert (await ledger.execute(read.action_id)).state == "failed"
    assert done(data_dir) == ["looked"]


async def test_nothing_of_a_transactional_one_remains(data_dir: Path, tmp_path: Path, way: str):
    folder = write_valves(tmp_path, *TARGETS["transactional"])
    file = folder / "handlers.py"
    text = file.read_text("utf-8")
    head = "def open_inside(context, connection, *, valve, turns=1, note=None):"
    text += f"\n\n{head}\n    {WAYS[way]}\n"
    file.write_text(text, "utf-8")
    async with opened_ledger(data_dir, folder) as ledger:
        asked = await ledger.propose(proposal("open_valve", valve="V-101"))
        await ledger.decide(asked.action_id, yes(asked), CAPTAIN)
        assert (await ledger.execute(asked.action_id)).state == "failed"
