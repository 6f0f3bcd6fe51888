"""What asks a pack for something is never taken for a request about the talking itself."""

import pytest

from tools.catalog.pack import find_pack, load_pack, shipped_packs
from tools.nlu.control.requests import control_request
from tools.nlu.feedback import reaction


@pytest.mark.parametrize("name", shipped_packs())
def test_no_example_of_a_pack_asks_for_quiet_or_praises(name: str) -> None:
    examples = [
        text for action in load_pack(find_pack(name)).actions.values() for text in action.examples
    ]
    assert len(examples) >= 40
    assert [text for text in examples if control_request(text) or reaction(text)] == []
