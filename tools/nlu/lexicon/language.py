"""Read the lexicon of a language: the words and patterns of its values.

One folder holds one language, such as `en`; another one beside it adds a language without code.
"""

from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

_FOLDER = Path(__file__).parent


@lru_cache
def read_lexicon(language: str) -> Any:  # what values.yaml holds: words, units, behind, rules
    """Read a language by the name of its folder.

    Raises:
        FileNotFoundError: there is no such language.
    """
    return yaml.load((_FOLDER / language / "values.yaml").read_bytes(), yaml.CSafeLoader)
