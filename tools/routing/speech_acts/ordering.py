"""Does an order begin at a word, and what is asked for by the words before one?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tools.routing.words.phrases import word_set
from tools.routing.words.request_frames import REQUEST
from tools.routing.words.signs import LEAD
from tools.routing.words.verb_forms import Form
from tools.routing.words.verbs import VerbLexicon

LEADS_ON = word_set("please also then just now go first finally")
PLEASE = word_set("please pls plz kindly")
_LEADS_IN = LEADS_ON | PLEASE


@dataclass(frozen=True)
class Verbs:
    """What may be the verb of an order."""

    lexicon: VerbLexicon
    openings: Mapping[str, Form]


def begins_order(words: Sequence[str], start: int, end: int, verbs: Verbs) -> bool:
    """Tell whether an order begins at a word, perhaps after `please` or `then`."""
    while start < end and words[start] in _LEADS_IN:
        start += 1
    if start >= end:
        return False
    verb = verbs.lexicon.at(words, start)
    form = verb.form if verb is not None else verbs.openings.get(words[start])
    return form == "base"


def ordered(words: Sequence[str], place: int, end: int, verbs: Verbs) -> Sequence[str] | None:
    """Give what is asked for by the words before a place; None: they ask for nothing."""
    said = " ".join(words[:place]) + " "
    lead = LEAD.match(said)
    rest = said[lead.end() :] if lead else said
    request = REQUEST.match(rest)
    start = place - len(rest.split())
    if request is None and not begins_order(words, start, end, verbs):
        return None
    return rest[request.end() if request else 0 :].split()
