"""The words of a question, written so that nothing in them can be syntax of the full-text index."""

import re

MOST_TERMS = 24
_SHORT_FORM = re.compile(r"(?:n['’]t|['’](?:s|re|ve|ll|d|m))(?!\w)", re.IGNORECASE)
_TERM = re.compile(r"[^\W_]+")
_STOP_WORDS = """
a about adopt adopted after all an and any anyone are as at be because been before being but by
can could decide decided decision decisions did do does doing done for from get give had has have
he her his how i if in instead into is it its just made make makes me my no not of on or our out
over pick picked rather reason reasons record shall she should so some tell than that the their
them then there these they this those to up us was we were what when where which who whom why will
with would you your agree agreed chose choose chosen settle settled use used using go went going
ca wo"""
STOP_WORDS = frozenset(_STOP_WORDS.split())


def terms_of(question: str) -> tuple[str, ...]:
    """List the words worth looking for, in order; a question of common words only gives none."""
    whole = _SHORT_FORM.sub("", question)
    words = dict.fromkeys(word.lower() for word in _TERM.findall(whole))
    return tuple(word for word in words if word not in STOP_WORDS)[:MOST_TERMS]


def match_of(terms: tuple[str, ...]) -> str:
    """Write a query in which every term is a quoted string: any of them may be there."""
    return " OR ".join(f'"{term}"' for term in terms)
