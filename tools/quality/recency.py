"""Does a text limit a search in time? Coarser than the grammar, and apart from it on purpose.

What the grammar misses has to show in the figures; if it judged itself, it never would.
"""

import re

_YEAR = r"(?:19|20)\d\d"
_SPAN = r"(?:years?|months?|weeks?|quarters?|decades?)"
_ASKED = re.compile(
    rf"\b(?:recent|recently|latest)\b"
    rf"|\b(?:last|past) (?:few |couple (?:of )?|several |\w+ |\d+ )?{_SPAN}\b"
    rf"|\b(?:since|after|before|until|from) {_YEAR}\b"
    rf"|\b{_YEAR} ?(?:-|–|—|to|until|through|and) ?{_YEAR}\b"
    r"|\bthis year\b",
    re.IGNORECASE,
)
_WAIVED = re.compile(
    r"\b(?:not|n't|need ?n.t|doesn.t|don.t)\b[^.;,]{0,20}\b(?:recent|latest|new)"
    r"|\b(?:any|whatever|every|all|regardless of (?:the )?) ?years?\b"
    r"|\b(?:drop|forget|remove|without|ignore) (?:the |any )?(?:year|date|time)s?\b",
    re.IGNORECASE,
)


def asks_recency(text: str) -> bool:
    """Tell whether a text asks for papers of a certain time."""
    return _ASKED.search(text) is not None and _WAIVED.search(text) is None
