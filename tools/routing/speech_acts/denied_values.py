"""Is the value of a slot denied where it is said: not overdue, without the radar, to be done?

An action may have a slot of the same type for what is denied: beside `state`, `except_state`.
"""

import re

EXCEPT = "except_"
_REACH = 60
"""Characters before a value that may hold what denies it."""
_NOT = (
    r"(?:(?:is|are|was|were|has|have|had|do|does|did)n['’]?t|not|never|without|except(?: for)?"
    r"|excluding|other than|all but|(?:to|must|should|cannot) be)"
)
_BETWEEN = (
    r"(?:yet|already|currently|i|we|they|been|being|be|the|a|an|any|ones?|that|are|is|was|were"
    r"|marked|assigned|tagged|labell?ed|as|to|on|for|with|by|of|in)"
)
_DENIES = re.compile(rf"(?<![\w'’])(?:{_NOT}(?: {_BETWEEN}){{0,4}} |non-)$", re.IGNORECASE)
_ASKS_WHETHER = re.compile(r"(?:^|[,.;:!?]\s*)(?:well |but |and |so )?$", re.IGNORECASE)
"""Before `isn't`: a clause that begins with it expects a yes, and denies nothing."""
_WHY = re.compile(r"\b(?:why|how come)\b", re.IGNORECASE)


def denied_from(text: str, start: int) -> int | None:
    """Give where the denial of what starts here begins; None: it is not denied."""
    offset = max(0, start - _REACH)
    before = text[offset:start]
    match = _DENIES.search(before)
    if match is None or _WHY.search(text[:start]):
        return None
    is_question = re.match(r"\w+n['’]?t\b", match[0]) is not None
    if is_question and _ASKS_WHETHER.search(before[: match.start()]):
        return None
    return offset + match.start()


def takes_denied(name: str) -> bool:
    """Tell whether a slot is for what is denied of another one."""
    return name.startswith(EXCEPT)
