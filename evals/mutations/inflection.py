"""Inflect the verb of a command, apart from the router's own lexicon, which is being judged."""

from tools.routing.words.phrases import word_set

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
