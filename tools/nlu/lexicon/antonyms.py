"""Find words in one text whose opposite stands in another; in doubt say yes."""

import re
from collections.abc import Iterator

_PAIRS = (
    ("open opens opened opening", "close closes closed closing shut shuts shutting"),
    ("on", "off"),
    ("in into inside enter enters entered entering", "out outside leave leaves left leaving"),
    ("up upper upwards", "down lower downwards"),
    ("high higher highest", "low lower lowest"),
    ("full fuller", "empty emptier"),
    ("hot hotter warm warmer", "cold colder cool cooler"),
    ("rise rises rose risen rising", "fall falls fell fallen falling drop drops dropped dropping"),
    (
        "start starts started starting begin begins began begun beginning",
        "stop stops stopped stopping end ends ended ending finish finishes finished finishing",
    ),
    ("running", "idle stopped"),
    ("above over", "below under"),
    ("before", "after"),
    ("more", "less fewer"),
    ("increase increases increased increasing", "decrease decreases decreased decreasing"),
    ("gain gains gained gaining", "lose loses lost losing"),
    ("found", "lost missing"),
    ("win wins won winning", "lose loses lost losing"),
    ("wet", "dry"),
    ("dirty", "clean"),
    ("fast faster", "slow slower"),
    ("early earlier", "late later"),
    ("first", "last"),
    ("arrive arrives arrived arriving", "depart departs departed departing leave leaves left"),
    ("come comes came coming", "go goes went gone going"),
    ("charge charges charged charging", "discharge discharges discharged discharging"),
    ("buy buys bought buying", "sell sells sold selling"),
    ("accept accepts accepted", "reject rejects rejected refuse refuses refused decline declined"),
    ("pass passes passed passing", "fail fails failed failing"),
    ("healthy well good fine", "ill sick bad poor"),
    ("safe", "dangerous unsafe"),
    ("day", "night"),
    ("morning", "evening"),
    ("port", "starboard"),
    ("left", "right"),
    ("fore forward bow", "aft astern stern"),
    ("present", "absent missing"),
    ("awake", "asleep"),
    ("better", "worse"),
    ("loud louder", "quiet quieter"),
    ("add adds added adding", "remove removes removed removing"),
    ("allow allows allowed", "forbid forbids forbidden deny denies denied"),
    ("online", "offline"),
    ("friend friends friendly", "enemy enemies hostile"),
)
_SIDES = tuple((frozenset(one.split()), frozenset(other.split())) for one, other in _PAIRS)
_PREFIXES = ("un", "dis", "in", "im", "ir", "de")
_FEWEST = 3
"""Letters a word has at least behind a prefix: `ion` and `union` are no opposites."""


def has_antonyms(text: str, other: str) -> bool:
    """Tell whether one text says a word where the other says its opposite.

    What is on both sides, or in both texts, opposes nothing. When in doubt it says yes: then a
    model is asked, and nothing is said that means the contrary.
    """
    words, others = frozenset(_words(text)), frozenset(_words(other))
    only, only_other = words - others, others - words
    if any(_stand_against(only, only_other, one, two) for one, two in _SIDES):
        return True
    return any(
        f"{prefix}{word}" in there
        for here, there in ((only, only_other), (only_other, only))
        for word in here
        if len(word) > _FEWEST
        for prefix in _PREFIXES
    )


def _stand_against(
    words: frozenset[str], others: frozenset[str], one: frozenset[str], two: frozenset[str]
) -> bool:
    return bool(words & one and others & two) or bool(words & two and others & one)


def _words(text: str) -> Iterator[str]:
    return (match.group() for match in re.finditer(r"[^\W\d_]+", text.casefold()))
