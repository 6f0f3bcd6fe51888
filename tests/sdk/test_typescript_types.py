"""The TypeScript package says what the service says, and is what the repository is."""

import importlib.util
import json
import tomllib

from tests.architecture.source import ROOT

PACKAGE = ROOT / "sdk" / "typescript"


def test_its_types_are_those_of_the_document():
    """`python scripts/typescript_types.py` writes them anew."""
    found = importlib.util.spec_from_file_location("s", ROOT / "scripts" / "typescript_types.py")
    assert found is not None
    assert found.loader is not None
    script = importlib.util.module_from_spec(found)
    found.loader.exec_module(script)
    assert script.TARGET.read_text("utf-8") == script.typescript()


def test_it_has_our_version_and_licence_and_needs_nothing():
    described = json.loads((PACKAGE / "package.json").read_text("utf-8"))
    python = tomllib.loads((ROOT / "sdk" / "pyproject.toml").read_text("utf-8"))
    assert described["version"] == python["project"]["version"]
    assert "dependencies" not in described
    assert set(described["peerDependencies"]) == set(described["peerDependenciesMeta"]) == {"ai"}
    assert (PACKAGE / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_what_is_locked_has_a_hash_and_names_no_index():
    locked = json.loads((PACKAGE / "package-lock.json").read_text("utf-8"))["packages"]
    assert len(locked) > 10
    for name, one in locked.items():
        assert "resolved" not in one, name
        assert name == "" or one["integrity"].startswith("sha512-"), name
