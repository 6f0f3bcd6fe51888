"""What a handler gives back or says when it breaks is kept, whatever characters it is made of."""

from pathlib import Path

import pytest

from state.principal import Principal
from tests.graph.looking import done, write_boatyard
from tests.safety.benches import opened_ledger, proposal, yes

HAND = Principal(user="ann", tenant_id="default", roles=("hand",))
MASTER = Principal(user="ingrid", tenant_id="default", roles=("master",))
WAYS = {
    "odd_error": "raise ValueError('a file \\udcff')",
    "odd_refusal": "from state.errors import BadInput; raise BadInput('a file \\udcff')",
    "mute_error": "raise type('Mute', (Exception,), {'__str__': lambda self: 1 / 0})()",
    "unchecked": (
        "from state.action import ActionResult; "
        "return ActionResult.model_construct(text=object(), data={}, changed=(), undo=None)"
    ),
}


@pytest.fixture(params=WAYS)
def pack(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    folder = write_boatyard(tmp_path)
    file, way = folder / "handlers.py", WAYS[request.param]
    text = file.read_text("utf-8")
    text = text.replace(
        '    return f"This', f'    _done(context, "looked")\n    {way}\n    return f"This'
    )
    text = text.replace(
        '    return _done(context, f"sank',
        f'    _done(context, "tried")\n    {way}\n    return _done(context, f"sank',
    )
    file.write_text(text, "utf-8")
    return folder


async def test_a_read_that_breaks_has_failed_and_is_not_read_again(data_dir: Path, pack: Path):
    async with opened_ledger(data_dir, pack) as ledger:
        read = await ledger.propose(
            proposal("show_boat", requester=HAND, at_least="A", boat="B-11")
        )
        assert (await ledger.execute(read.action_id)).state == "failed"
        await ledger.executing.reconcile()
        assert (await ledger.execute(read.action_id)).state == "failed"
    assert done(data_dir) == ["looked"]


async def test_a_change_that_breaks_is_over_and_never_run_again(data_dir: Path, pack: Path):
    async with opened_ledger(data_dir, pack) as ledger:
        asked = await ledger.propose(proposal("sink_boat", requester=HAND, boat="B-11"))
        await ledger.decide(asked.action_id, yes(asked), MASTER)
        ended = (await ledger.execute(asked.action_id)).state
        assert ended in ("unknown", "failed")
        await ledger.executing.reconcile()
        assert (await ledger.execute(asked.action_id)).state == ended
    assert done(data_dir) == ["tried"]
