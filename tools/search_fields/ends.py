"""`make that 2019`: which end of the time of a search a bare year moves."""

import re

from state.policy import SearchPolicy

_MOVES = re.compile(r"\W*(?:no\W+)?(?:make|change) (?:it|that|this)(?: to)? ((?:19|20)\d\d)\W*")


def moved_end(previous: SearchPolicy, text: str) -> str | None:
    """Say in full what is meant, the year at the same characters; None: it moves no end.

    Of both ends, or none, the year itself is meant.
    """
    matched = _MOVES.fullmatch(text)
    if matched is None:
        return None
    ends = (previous.year_from is not None, previous.year_to is not None)
    word = {(True, False): "since", (False, True): "until"}.get(ends, "in")
    return f"{word} ".rjust(matched.start(1)) + matched[1]
