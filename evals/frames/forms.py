"""The forms of a command that frames are filled with."""

import re
from collections.abc import Mapping, Sequence

from evals.mutations.commands import PARTICLES, Command
from evals.mutations.inflection import gerund, participle
from tools.routing.words.phrases import word_set

FORMS = frozenset(("do", "doing", "thing", "gerund", "participle", "verb", "do_it", "seen"))
MOST_WORDS = 7
"""Behind the verb: who says more has said it in one way only."""
_MOST_OF_THING = 4
_SHOWING = word_set("show list display view")
_TO_WHOM = word_set("bring give hand inform offer pay send show tell")
"""Of `give Ben the list` nobody knows by the words where Ben ends; `give the list to Ben` tells."""
_OF_DOING = word_set("finish get keep start stop")
"""What may stand behind these is done and not a thing: `stop sharing the library`."""
_HOW = word_set("call mark set turn wipe")
"""The last word behind these may tell how a thing shall be: `mark P-2 read`."""
_NO_THING = word_set("all again any both each everything it some them these those w/")
_HALF_A_PREPOSITION = word_set("about according close due next")
"""Before `to`: `put P-1 next to P-3`."""
_PLURAL = re.compile(r"(?<![ious])s(?= (?:of|on|in|for|from|with|behind) |$)")
"""The frames say `needs`, `is` and `has`."""
_ALWAYS = "to into onto as off under"
_OF_TAKING = word_set("delete detach drop erase pull remove strike take undo unlink withdraw")
_OF_PUTTING = word_set("add file place put save")
_OF_JOINING = word_set("connect link merge replace share swap unshare")


def forms_of(command: Command) -> Mapping[str, str]:
    """Give the forms a command has; see frames.yaml."""
    plain = command.forms()
    forms = {"do": plain["do"], "doing": plain["doing"]}
    first, _, particle = command.verb.partition(" ")
    words = command.rest.split()
    if words[0].lower() in ("me", "us"):
        words = words[1:]
    whole = " ".join(words)
    if whole != command.thing or len(words) > MOST_WORDS:
        return forms
    if command.verb in _SHOWING:
        forms["seen"] = whole
    thing, *behind = _tail_of(first).split(whole, maxsplit=1)
    before, _, last = thing.rpartition(" ")
    if before and last.lower() in PARTICLES | {"together", "through"}:
        thing, behind = before, [last, *behind]
    if not _is_done_to(thing, first, behind):
        return forms
    tail = (particle, *behind)
    forms |= {
        "thing": thing,
        "gerund": _joined(gerund(first), *tail),
        "participle": _joined(participle(first), *tail),
        "do_it": _joined(first, "it", *tail),
    }
    return forms if behind else {**forms, "verb": command.verb}


def _tail_of(verb: str) -> re.Pattern[str]:
    """Find what follows the thing and belongs to the verb: `WO-1 needs to be given to Ben`."""
    words = _ALWAYS.split()
    if verb in _OF_TAKING:
        words.append("from")
    if verb in _OF_PUTTING:
        words += ["on", "in"]
    if verb in _OF_JOINING:
        words.append("with")
    return re.compile(rf" (?=(?:{'|'.join(words)}) )")


def _is_done_to(thing: str, verb: str, behind: Sequence[str]) -> bool:
    words = thing.lower().split()
    if len(words) > _MOST_OF_THING or words[0] in _NO_THING or words[0].isdecimal():
        return False
    if words[-1] in _HALF_A_PREPOSITION:
        return False
    if verb in _OF_DOING or (verb in _TO_WHOM | _HOW and not behind):
        return False
    return _PLURAL.search(thing) is None


def _joined(*words: str) -> str:
    return " ".join(filter(None, words))
