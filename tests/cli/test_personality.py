"""`prefrontal personality` and `prefrontal skills`."""

import json

import pytest

from tests.cli.conftest import Prefrontal

KEPT = ("--data-dir", "kept", "--pack", "companion")
SAM = ("--as", "sam:player", *KEPT)


@pytest.fixture(autouse=True)
def by_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXECUTIVE_EMBEDDER", "none")


def test_a_personality_is_set_adjusted_shown_and_reset(prefrontal: Prefrontal) -> None:
    chosen = prefrontal("personality", "set", "dry_wit", *SAM)
    assert chosen.exit_code == 0, chosen.stderr
    assert chosen.stdout.startswith("dry wit for sam")
    nobody = prefrontal("personality", "adjust", "sarcasm", "-0.2", *KEPT)
    assert (nobody.exit_code, "--as" in nobody.stderr) == (2, True)
    assert prefrontal("personality", "adjust", "sarcasm", "-0.2", *SAM).exit_code == 0
    shown = json.loads(prefrontal("personality", "show", "--json", *KEPT).stdout)
    assert (shown["template"], shown["user_overrides"]["sarcasm"]) == ("dry_wit", -0.2)
    exactly = prefrontal("personality", "adjust", "humor", "=0.5", *SAM)
    assert "humor        0.50 = 0.70, your setting -0.20" in exactly.stdout
    assert "your setting" not in prefrontal("personality", "reset", *SAM).stdout


def test_skills_are_listed_loaded_and_unloaded(prefrontal: Prefrontal) -> None:
    loaded = prefrontal("skills", "load", "narration", *SAM)
    assert "+ stream_narration (capability extension): asked for" in loaded.stdout
    assert "+ stream_narration" in prefrontal("skills", "list", *KEPT).stdout
    left = prefrontal("skills", "unload", "stream_narration", *SAM)
    assert "  stream_narration (capability extension): asked to leave it" in left.stdout


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("personality", "adjust", "charm", "0.1"), "no trait 'charm'"),
        (("personality", "adjust", "humor", "=7"), "is no step"),
        (("personality", "adjust", "humor", "much"), "is no step"),
        (("personality", "set", "pirate"), "no personality 'pirate'"),
        (("skills", "load", "cooking"), "no skill 'cooking'"),
    ],
)
def test_what_cannot_be_is_told(prefrontal: Prefrontal, words, problem) -> None:
    result = prefrontal(*words, *SAM)
    assert result.exit_code != 0
    assert problem in result.stderr
