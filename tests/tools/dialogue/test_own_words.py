"""A pack's own examples win over what usually is said to us."""

from pathlib import Path

import pytest

from evals.robustness.external_labels import pack_from_labels
from tests.nodes.conftest import Knows, message, messages_of, routing_of
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import load_pack

ROWS = [
    {"text": "remind me in two hours to water the plants", "intent": "reminder", "split": "train"},
    {"text": "what is on my list", "intent": "reminder", "split": "train"},
    {"text": "good morning", "intent": "greeting", "split": "train"},
]


@pytest.mark.parametrize(
    ("text", "action", "confidence", "is_own"),
    [
        ("remind me in 20 minutes to call mother", "reminder", 0.9, True),
        ("remind me in 20 minutes to call mother", "reminder", 0.4, False),
        ("remind me in 20 minutes to call mother", "greeting", 0.9, False),
        ("hello", "greeting", 0.9, True),
        ("hello", "reminder", 0.9, False),
        ("what is on my list", "reminder", 0.9, False),
    ],
)
def test_it_is_the_packs_where_its_examples_sound_so(
    tmp_path: Path, text: str, action: str, confidence: float, is_own: bool
) -> None:
    pack_from_labels(ROWS, tmp_path / "p")
    catalogue = Catalogue.of([load_pack(tmp_path / "p")])
    routing = routing_of(text, action=action, confidence=confidence)
    said = messages_of(catalogue, Knows({text: routing})).message(message(text))

    assert said.is_packs_own is is_own
    assert bool(said.reader.overrides.sounding_like(said.forms)) is not text.startswith("what is")
