"""A read that says an entry's own words and nothing else runs, whatever the examples are like."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import load_pack
from tools.nlu.intents.utterance import UtteranceParser
from tools.nlu.rejection.auto_run_veto import says_wholly

WritePack = Callable[[Path], Path]


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory: pytest.TempPathFactory, write_vessel: WritePack) -> Catalogue:
    return Catalogue.of([load_pack(write_vessel(tmp_path_factory.mktemp("packs") / "boat"))])


@pytest.mark.parametrize(
    ("text", "action", "expected"),
    [
        ("view the handover", "view_handover", True),
        ("please show me the port generator", "show_equipment_overview", True),
        ("view the vegan handover", "view_handover", False),
        ("view the handover", "check_stock", False),
        ("do not view the handover", "view_handover", False),
        ("somebody views the handover", "view_handover", False),
        ("handover", "view_handover", False),
    ],
)
def test_every_word_is_accounted_for(
    catalogue: Catalogue, text: str, action: str, *, expected: bool
) -> None:
    reading = UtteranceParser(catalogue).read(text)

    assert says_wholly(reading, catalogue.action(action)) is expected
