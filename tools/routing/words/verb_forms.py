"""The forms of a verb: its past, its gerund, and of which verbs a word may be one."""

from collections.abc import Iterator
from typing import Literal

IRREGULAR = {
    "written": "write", "wrote": "write", "made": "make", "bought": "buy", "sent": "send",
    "given": "give", "gave": "give", "found": "find", "saw": "see", "seen": "see", "got": "get",
    "built": "build", "took": "take", "taken": "take", "began": "begin", "begun": "begin",
    "brought": "bring", "stuck": "stick", "struck": "strike", "thrown": "throw", "threw": "throw",
    "withdrawn": "withdraw", "withdrew": "withdraw", "hung": "hang", "hidden": "hide",
    "paid": "pay", "undid": "undo", "undone": "undo", "told": "tell", "shown": "show",
}  # fmt: skip
_UNCHANGED_IN_PAST = frozenset({"put", "set", "reset", "read", "hand"})
_LEAST_STEM = 3
_CLASHES = frozenset({"need", "bring", "thing", "during", "spring", "string", "based"})

Form = Literal["base", "past", "gerund"]


def bases(word: str) -> Iterator[str]:
    """Guess of which verbs a word may be the past form or the gerund."""
    for ending in ("ing", "ed", "d"):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= _LEAST_STEM:
            yield stem
            yield f"{stem}e"
            if stem[-1] == stem[-2]:
                yield stem[:-1]


def inflected(word: str) -> dict[str, tuple[str, Form]]:
    """Give the past and the gerund of a verb of one word, and the irregular ones."""
    irregular: dict[str, tuple[str, Form]] = {
        past: (base, "past") for past, base in IRREGULAR.items() if base == word
    }
    if not word.isalpha() or len(word) < 3:
        return irregular
    stems = [word.removesuffix("e")]
    if word[-1] not in "aeiouwxy" and word[-2] in "aeiou" and word[-3] not in "aeiou":
        stems.append(word + word[-1])
    forms: dict[str, tuple[str, Form]] = {}
    for stem in stems:
        forms[f"{stem}ing"] = (word, "gerund")
        if word not in _UNCHANGED_IN_PAST:
            forms[f"{stem}ed"] = (word, "past")
    if word.endswith("y") and word[-2] not in "aeiou":
        forms[f"{word[:-1]}ied"] = (word, "past")
    return {form: kind for form, kind in forms.items() if form not in _CLASHES} | irregular
