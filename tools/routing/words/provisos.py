"""What makes an order polite and no condition: `if possible`, `when you get a chance`."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from tools.routing.words.of_orders import HARMLESS
from tools.routing.words.phrases import word_set

_EASY = HARMLESS | word_set(
    "trouble bother hassle chance time sec busy spare free ready late kind good"
)
"""Behind a polite `if` or `when`: `if it's not too much trouble`, `when you get a chance`."""

_FEASIBLE = r"(?:at all |humanly )?(?:possible|feasible|convenient|practical)"
_AGREEABLE = r"(?:ok|okay|all right|alright|fine|no (?:trouble|bother|problem|hassle))"
_IT_IS = r"(?:it's|it is|that's|that is)"
_NOT_MUCH = rf"(?:(?:{_IT_IS} )?not|(?:it|that) isn't) (?:too|a|any|much|asking)\b"
_YOU_ARE_FREE = "(?:you're|you are) free"
_HAVE_TIME = (
    r"(?:(?:have|get|find) (?:a|the|some|any)? ?(?:free |spare )?"
    r"(?:time|chance|moment|minute|second|sec|bit of time)"
    r"|(?:get|come) (?:round|around) to it|get to it)"
)

ASKED_ONCE_MORE = re.compile(
    r"(?:will|would|can|could|won't) you"
    r"(?: please| kindly| do (?:that|it|this)(?: for (?:me|us))?)*$"
)
"""All of a part behind an order that asks for it again: `close it, will you?`."""

POLITE_IF = re.compile(
    rf"(?:if|when|whenever) (?:(?:{_IT_IS} )?{_FEASIBLE}|{_IT_IS} {_AGREEABLE}|{_NOT_MUCH}"
    rf"|{_YOU_ARE_FREE}|you (?:can|could|would|may|have|get|don't mind|please|like|want))"
    rf"|as soon as (?:(?:{_IT_IS} )?{_FEASIBLE}|you (?:can|could|may)(?=$| please| thanks))"
    r"|once and for all"
)
"""Begins one. Whatever else stands behind it in its clause may still make it a condition: `if it's
ok with Ben`, `if you have the parts`."""

PROVISO = (
    r"[\w'-]+(?: and [\w'-]+)? (?:permitting|allowing)|all (?:being |going )?well"
    r"|(?:god|weather) willing"
    rf"|(?:if|when|whenever|where|as soon as|once) (?:(?:{_IT_IS} )?{_FEASIBLE}|{_YOU_ARE_FREE}"
    rf"|you (?:{_HAVE_TIME}|can|could|may|like|want|please|don't mind|would be so (?:kind|good)))"
    rf"|if (?:{_IT_IS} {_AGREEABLE}(?: (?:with|for|by) you)?"
    rf"|{_NOT_MUCH}(?: [\w']+){{0,3}}? (?:trouble|bother|problem|hassle|work|ask))"
    r"|asap|at your (?:earliest )?(?:convenience|leisure)|if need be|once and for all"
)
"""All of one: it is no word of a note, and no value."""


class Provisos(NamedTuple):
    """Where the words of a text are polite, and where what only begins so makes a condition."""

    polite: frozenset[int]
    """All words of `if it's not too much trouble` and `will you`."""
    conditions: frozenset[int]
    """The first word of `if you like the order`."""


def provisos_in(words: Sequence[str], clauses: Sequence[range]) -> Provisos:
    """Find the provisos of a text that is cut into `clauses`; each goes to the end of its own."""
    text = " ".join(words)
    ends = sorted({*(one.stop for one in clauses), len(words)})
    polite: set[int] = set()
    conditions: set[int] = set()
    for found in POLITE_IF.finditer(text):
        first = text.count(" ", 0, found.start())
        end = next(one for one in ends if one > first)
        rest = words[first + found[0].count(" ") + 1 : end]
        if _EASY.issuperset(rest):
            polite.update(range(first, end))
        else:
            conditions.add(first)
    for one in clauses:
        if ASKED_ONCE_MORE.match(" ".join(words[one.start : one.stop])):
            polite.update(one)
    return Provisos(frozenset(polite), frozenset(conditions))
