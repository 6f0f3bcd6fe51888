"""Commands of a catalogue that can be put into other shapes, with the forms of their verbs."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from state.action import Action
from tools.nlu.lexicon.normalization import word_set

_IRREGULAR = {
    "be": ("was", "been"), "begin": ("began", "begun"), "break": ("broke", "broken"),
    "bring": ("brought",), "build": ("built",), "buy": ("bought",), "come": ("came", "come"),
    "cut": ("cut",), "do": ("did", "done"), "draw": ("drew", "drawn"), "drive": ("drove", "driven"),
    "find": ("found",), "forget": ("forgot", "forgotten"), "freeze": ("froze", "frozen"),
    "get": ("got",), "give": ("gave", "given"), "go": ("went", "gone"), "have": ("had",),
    "hide": ("hid", "hidden"), "hold": ("held",), "keep": ("kept",), "leave": ("left",),
    "let": ("let",), "make": ("made",),
    "pay": ("paid",), "put": ("put",), "read": ("read",), "ring": ("rang", "rung"),
    "run": ("ran", "run"), "say": ("said",), "see": ("saw", "seen"), "sell": ("sold",),
    "send": ("sent",), "set": ("set",), "show": ("showed", "shown"), "shut": ("shut",),
    "sign": ("signed",), "speak": ("spoke", "spoken"), "strike": ("struck",),
    "swap": ("swapped",), "take": ("took", "taken"), "teach": ("taught",), "tell": ("told",),
    "throw": ("threw", "thrown"), "undo": ("undid", "undone"), "wake": ("woke", "woken"),
    "withdraw": ("withdrew", "withdrawn"), "write": ("wrote", "written"),
}  # fmt: skip
_PREFIXES = ("re", "un")
_DOUBLED = word_set(
    "cancel commit drop grab log mop pin plan plot run set shut skip stop strip submit swap tag "
    "untag transfer transmit trim wrap get let put cut chat flip bet sit scan"
)
"""Verbs whose last letter is doubled before an ending."""
_VOWELS = "aeiou"


def gerund(verb: str) -> str:
    """Give the form in -ing."""
    if verb in _DOUBLED:
        return f"{verb}{verb[-1]}ing"
    if verb.endswith("e") and not verb.endswith("ee") and verb != "be":
        return f"{verb[:-1]}ing"
    return f"{verb}ing"


def past(verb: str) -> str:
    """Give the simple past."""
    return _irregular(verb)[0] if _irregular(verb) else _regular(verb)


def participle(verb: str) -> str:
    """Give the past participle."""
    return _irregular(verb)[-1] if _irregular(verb) else _regular(verb)


def _irregular(verb: str) -> tuple[str, ...]:
    for prefix in _PREFIXES:
        stem = verb.removeprefix(prefix)
        if verb not in _IRREGULAR and stem != verb and stem in _IRREGULAR:
            return tuple(prefix + form for form in _IRREGULAR[stem])
    return _IRREGULAR.get(verb, ())


def _regular(verb: str) -> str:
    if verb in _DOUBLED:
        return f"{verb}{verb[-1]}ed"
    if verb.endswith("e"):
        return f"{verb}d"
    if verb.endswith("y") and verb[-2:-1] not in _VOWELS:
        return f"{verb[:-1]}ied"
    return f"{verb}ed"


_IMPERATIVES = word_set(
    """
    abort accept acknowledge activate add adjust alert alter amend append approve archive arrange
    assign attach authorise authorize block book bring buy calculate call cancel change charge check
    clear close compare compile complete compose confirm connect convert correct count create
    deactivate decline decrease define delegate delete describe detach dial diagnose disable discard
    disconnect display dispute download draft drop edit email enable end enter erase estimate export
    extract fetch file fill find finish flag flip forward freeze generate get give hand hide import
    increase inform insert investigate issue launch link list locate lock log lower mark merge
    message modify move mute name notify open order organise pair pause pay pin place plan play
    postpone prepare print produce provide publish pull purchase put raise reactivate reassign
    recall record redeem refund register reject release remind remove rename renew reopen reorder
    repeat replace report request reschedule reserve reset restart restock restore resume retire
    return reverse review revert revoke roll run save scan schedule search send set share shelve
    show sign skip snooze spell start stop strike submit suggest summarise suspend swap switch sync
    tag take tell throw tick toss trace track transfer translate transmit troubleshoot turn
    unarchive unassign unblock unclear uncheck undo unlink unlock unmark unsign unshare untag
    untick update
    upload verify view void wipe withdraw write
    """
)
PARTICLES = word_set("up off out on in down away back over")
"""Words that belong to the verb before them, or before what it is done to."""
_AWAY_FROM_IT = re.compile(
    r"[?:\"\n]|, \w+ (?:it|them)\b"
    r"|\b(?:not|never|no|don't|dont|if|when|once|unless|until|without|instead|please|and|then|can"
    r"|could|would|that|i|we|you|he|she|they|was|were|is|are|has|have|been)\b",
    re.IGNORECASE,
)
"""Who holds one of these says more than a command, or says it already in another mood."""
_ENDS_THING = re.compile(r",|;| - | because | so | at | by ")
_PREPOSITIONS = word_set(
    "about after as at before by for from how in into of on onto over to under what when where "
    "which who why with"
)


@dataclass(frozen=True)
class Command:
    """An example that tells somebody to do something, taken apart."""

    action: str
    text: str
    verb: str
    """Its verb with the particle: `sign off`."""
    rest: str

    @property
    def thing(self) -> str | None:
        """What it is done to, when that directly follows the verb."""
        words = _ENDS_THING.split(self.rest)[0].strip().rstrip(".!").split()
        if words and words[0].lower() in ("me", "us"):
            words = words[1:]
        return " ".join(words) if words and words[0].lower() not in _PREPOSITIONS else None

    def forms(self) -> Mapping[str, str]:
        """Give the command and its inflected forms, by the names the shapes use."""
        first, _, particle = self.verb.partition(" ")
        tail = " ".join(filter(None, (particle, self.rest)))

        def told(form: str) -> str:
            return " ".join(filter(None, (form, tail)))

        forms = {
            "do": self.text,
            "DO": self.text.upper(),
            "doing": told(gerund(first)),
            "did": told(past(first)),
            "done": told(participle(first)),
        }
        if self.thing is not None:
            forms["thing"] = self.thing
            forms["participle"] = " ".join(filter(None, (participle(first), particle)))
        return forms


def commands_of(actions: Iterable[Action]) -> Sequence[Command]:
    """Collect the commands among the examples of some actions, in their order."""
    found = (
        _command(action, text.strip().rstrip(".!"))
        for action in actions
        for text in action.examples
    )
    return [command for command in found if command is not None]


def _command(action: Action, text: str) -> Command | None:
    words = text.split()
    if len(words) < 2 or words[0].lower() not in _IMPERATIVES or _AWAY_FROM_IT.search(text):
        return None
    size = 2 if words[1].lower() in PARTICLES and len(words) > 2 else 1
    verb = " ".join(words[:size]).lower()
    text = " ".join((verb, *words[size:]))
    return Command(action.name, text, verb, " ".join(words[size:]))


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
    """Return the forms that frames.yaml fills, by name."""
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
