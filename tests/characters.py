"""Characters for tests: traits as a test says, without any pack."""

from typing import Any

from state.personality import Traits
from tests.stages import TUNING
from tools.catalog.pack_schema import PersonalityFile
from tools.response.character import Character


def character_of(traits: Traits | None = None, **file: Any) -> Character:
    """Return a character with these traits; `file` is the rest of a personality.yaml."""
    own = PersonalityFile.model_validate({"traits": traits or Traits(), **file})
    return Character(own, own.templates, TUNING.personality)
