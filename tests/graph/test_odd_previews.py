"""A preview that says or gives what cannot be kept ends its decision, in words that can be."""

from pathlib import Path

import pytest

from state.principal import Principal
from tests.graph.conftest import OpenHarbour
from tests.graph.looking import done, write_boatyard

ANN = Principal(user="ann", tenant_id="default", roles=("hand",))
WAYS = {
    "not_found": "from state.errors import NotFound; raise NotFound('tool\\ud800', boat)",
    "bad_input": "from state.errors import BadInput; raise BadInput('no boat \\udcff')",
    "conflict": "from state.errors import Conflict; raise Conflict('no \\udcff', 'a\\ud800')",
    "own_refusal": (
        "from state.errors import Forbidden; "
        "raise type('Mine', (Forbidden,), {'__str__': lambda self: 1 / 0})(boat)"
    ),
    "odd_error": "raise ValueError('a file \\udcff')",
    "unchecked": (
        "from state.preview import Preview; "
        "return Preview.model_construct(facts=object(), versions={'a\\ud800': 1})"
    ),
    "unchecked_fact": (
        "from state.preview import Fact, Preview; "
        "return Preview(facts=(Fact.model_construct(label='a', value='\\ud800'),))"
    ),
}


@pytest.fixture(params=WAYS)
def yard(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    folder = write_boatyard(tmp_path)
    actions, handlers = folder / "actions.yaml", folder / "handlers.py"
    sinks = '    handler: "handlers:sink_boat"\n'
    text = actions.read_text("utf-8")
    actions.write_text(text.replace(sinks, f'{sinks}    preview: "handlers:look"\n'), "utf-8")
    with handlers.open("a", encoding="utf-8") as file:
        file.write(f"\n\ndef look(context, *, boat):\n    {WAYS[request.param]}\n")
    return folder


async def test_nobody_is_asked_and_the_decision_ends(
    open_harbour: OpenHarbour, yard: Path, data_dir: Path
) -> None:
    async with open_harbour(packs=(str(yard),)) as boats:
        told = await boats.says("sink B-11", ANN)
        assert told.outcome not in ("accepted", "awaiting_approval", "executed")
        told.text.encode("utf-8")
        assert (await boats.record(told.decision_id)).outcome == told.outcome
        assert await boats.executive.approvals.list("default") == []
    assert done(data_dir) == []
