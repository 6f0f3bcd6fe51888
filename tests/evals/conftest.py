"""A dataset of two requests, and packs whose policy is broken."""

import json
from collections.abc import Callable
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest
import yaml

from tools.catalog.pack import find_pack

_FEW_EXAMPLES = 6

HEADER = {
    "dataset": "two_requests",
    "pack": "vessel",
    "target": "requests",
    "starts_at": "2026-06-14T18:00:00Z",
    "read_only": ["check_stock", "search_documents"],
    "made": "for a test",
}
LOOK = {
    "id": "look",
    "inputs": {"text": "check stock of oil filters", "user": "ben", "role": "engineer"},
    "outputs": {
        "action": "check_stock",
        "execution_class": "A",
        "slots": {"part": "oil filter"},
        "acceptable": [],
        "entities": [
            {"type": "part", "value": "oil filter", "span": [15, 26]},
            {"type": "part", "value": "check", "span": [0, 5]},  # there is none
        ],
    },
    "metadata": {"split": "dev", "why": "only reads"},
}
ORDER = {
    "id": "order",
    "inputs": {"text": "order 4 oil filters", "user": "ben", "role": "engineer"},
    "outputs": {
        "action": "order_part",
        "execution_class": "C",
        "slots": {"part": "oil filter", "quantity": 4},
        "acceptable": [],
    },
    "metadata": {"split": "test", "why": "spends money"},
}


@pytest.fixture
def two_requests(tmp_path: Path) -> Path:
    """Return a dataset of one harmless and one gated request."""
    path = tmp_path / "two_requests.jsonl"
    lines = (json.dumps(line) for line in (HEADER, LOOK, ORDER))
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.fixture
def broken_pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Return a maker of packs that call spending money something else.

    With a few examples an action and no encoder: another effect would have all learnt again.
    """
    monkeypatch.setenv("EXECUTIVE_EMBEDDER", "none")

    def make(effect: str) -> Path:
        folder = tmp_path / f"vessel_{effect}"
        ignored = ignore_patterns("__pycache__", "examples.yaml")
        copytree(find_pack("vessel"), folder, ignore=ignored)
        actions = folder / "actions.yaml"
        described = yaml.load(actions.read_text("utf-8"), yaml.CSafeLoader)
        spending = [one for one in described["actions"].values() if one["effect"] == "financial"]
        assert spending
        for one in spending:
            one["effect"] = effect
        for one in described["actions"].values():
            one["examples"] = one["examples"][:_FEW_EXAMPLES]
        actions.write_text(yaml.dump(described, Dumper=yaml.CSafeDumper, sort_keys=False), "utf-8")
        return folder

    return make
