"""Tell statements and musings from requests for a change that would use the same words.

`The kettle costs 39` sets no price, and `TSK-101 is done` may well tick it off: which of them asks
is for the pack to say, by the examples of the action.
"""

import re
from functools import lru_cache

from state.action import Action

_LEAD = r"\W*(?:(?:ok|okay|well|so|and|but|oh|hey|hi|hello|by the way|fyi|look)[ ,.!:-]+)*"
_ASKS = re.compile(
    r"\b(?:needs?|wants?|wish|should|must|ought|please|could|would|can|let|shall|had better"
    r"|(?:has|have|had|is|are) to)\b|\?",
    re.IGNORECASE,
)
"""Whoever says one of these tells what shall be, and not what is."""
_STATES = re.compile(
    rf"{_LEAD}(?!(?:is|are|was|were|has|have|had|did|does|do|how|what|which|who|whose|where|when"
    r"|why)\b)"
    r"(?:(?!(?:that|while|when|if|because|until|unless|as|since|once)\b)[\w'’@./-]+ ){1,8}?"
    r"(?:is|are|was|were|isn't|aren't|wasn't|weren't|has|have|had|hasn't|haven't|costs|weighs"
    r"|holds|contains|measures|lasts|belongs|stands|sits"
    r"|(?:[a-z]+ed|left|shut|put) (?:the|a|an|my|our|his|her|their))\b",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"[,;:.!]\s+\w|\b(?:and|so|but)\b", re.IGNORECASE)
"""Behind it something may be asked for: `the fan is annoying, make it stop`."""
_THEIRS = re.compile(
    rf"{_LEAD}(?!(?:i|we|you)\b)(?:[\w'’.-]+ ){{1,4}}?"
    r"(?:says?|said|told|tells|writes|wrote|asks|asked|thinks|thought|hopes|hoped|claims|claimed)\b",
    re.IGNORECASE,
)
"""What somebody else says: who wants something then is not who speaks."""
_WONDERS = re.compile(
    rf"{_LEAD}(?:(?:should|must|may|ought) (?:i|we)\b|do (?:i|we) (?:have|need|want) to\b"
    r"|is it (?:ok|okay|fine|right|wise|time|safe|better) to\b).*\?\s*$",
    re.IGNORECASE | re.DOTALL,
)
_ASKS_FACT = re.compile(
    rf"{_LEAD}(?:how (?:many|much|long|often|far|old)|which|what|who|whose|where|when)\b"
    r"(?!.*\b(?:can|could|should|would|shall|will|may|might|must)\b)",
    re.IGNORECASE | re.DOTALL,
)
"""`How many lights are on` is answered, or not; it switches nothing on."""


def only_tells(text: str, change: Action) -> bool:
    """Tell whether a text asks for no change: it states what is so, or asks about it.

    Args:
        change: one of its examples that states something too shows that its pack takes that for a
            request.
    """
    if _WONDERS.match(text) or _ASKS_FACT.match(text):
        return True
    if _THEIRS.match(text):
        return not any(map(_THEIRS.match, change.examples))
    return states(text) and not _is_asked_by_stating(change.examples)


@lru_cache(maxsize=2_000)
def _is_asked_by_stating(examples: tuple[str, ...]) -> bool:
    return any(map(states, examples))


def states(text: str) -> bool:
    """Tell whether a text says in one clause how things are, and asks for nothing in it."""
    found = _STATES.match(text)
    return found is not None and not _ASKS.search(text) and not _GOES_ON.search(text, found.end())
