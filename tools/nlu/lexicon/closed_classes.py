"""Number words, days of the week, openers of conditions, and the lexicon of a language."""

from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from tools.nlu.lexicon.normalization import word_set

CARDINALS = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
"""1 to 19, in their order."""
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
ORDINAL_WORDS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth",
    "eighteenth", "nineteenth", "twentieth",
)  # fmt: skip
NUMBER_VALUES = {word: number for number, word in enumerate(CARDINALS, start=1)} | {
    word: 10 * number for number, word in enumerate(TENS, start=2)
}
WEEKDAY_STEMS = ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun")
WEEKDAYS = tuple(f"{stem}day" for stem in WEEKDAY_STEMS)
WEEKDAY = rf"(?:{'|'.join(WEEKDAY_STEMS)})day"
"""Any day of the week, as a pattern."""
CONDITION_WORDS = word_set("if unless once when whenever provided assuming")
"""Words that open a condition, whatever follows them."""
CONDITION = (
    r"if|unless|when(?:ever)?|once|while|after|before|until|till|as (?:soon|long) as|provided"
)
"""Words that open a condition or a time, as the ways of a pattern."""
THANKS = r"thanks?|thank you|thx|cheers"
"""Thanks, as the ways of a pattern."""


_FOLDER = Path(__file__).parent


@lru_cache
def read_lexicon(language: str, name: str = "values") -> Any:  # what the file holds
    """Read one file of a language by the name of its folder.

    Raises:
        FileNotFoundError: there is no such language, or it lacks the file.
    """
    return yaml.load((_FOLDER / language / f"{name}.yaml").read_bytes(), yaml.CSafeLoader)
