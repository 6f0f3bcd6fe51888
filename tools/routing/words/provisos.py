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
_IT_IS = r"(?:it's|it is|that's|that is)"
_AGREEABLE = (
    rf"{_IT_IS} (?:ok|okay|all right|alright|fine|no (?:trouble|bother|problem|hassle))"
    r"(?: (?:with|for|by) you)?"
)
_NO_TROUBLE = (
    rf"(?:(?:{_IT_IS} )?not|(?:it|that) isn't) (?:too|a|any|much|asking)(?: [\w']+){{0,3}}?"
    r" (?:trouble|bother|problem|hassle|work|ask)"
)
_YOU_ARE_FREE = "(?:you're|you are) free"
_HAVE_TIME = (
    r"(?:(?:have|get|find) (?:a|the|some|any)? ?(?:free |spare )?"
    r"(?:time|chance|moment|minute|second|sec|bit of time)"
    r"|(?:get|come) (?:round|around) to it|get to it)"
)
_END = r"(?: (?:please|pls|thanks|then|now|too))*$"

ASKED_ONCE_MORE = re.compile(
    r"(?:will|would|can|could|won't) you"
    r"(?: please| kindly| do (?:that|it|this)(?: for (?:me|us))?)*$"
)
"""All of a part behind an order that asks for it again: `close it, will you?`."""

POLITE_IF = re.compile(
    r"(?<!\S)(?:(?:if|when|whenever) (?:possible|(?:it's|that's) (?:ok|okay|possible)|not too"
    r"|you (?:can|could|would|may|have|get|don't mind|please|like|want))(?![\w'])"
    rf"|(?:if|when|whenever) (?:{_YOU_ARE_FREE}|{_AGREEABLE}|{_NO_TROUBLE}){_END}"
    rf"|(?:if|when|whenever|as soon as) (?:{_IT_IS} )?{_FEASIBLE}{_END}"
    rf"|as soon as you (?:can|could|may){_END}"
    r"|once and for all(?!\S))"
)
"""Begins one, in the words of its clause. Behind `if you have` and the like other words may still
make it a condition: `if you have the parts`."""

PROVISO = (
    r"(?:[\w'-]+(?: and [\w'-]+)? (?:permitting|allowing)|all (?:being |going )?well"
    r"|(?:god|weather) willing"
    rf"|(?:if|when|whenever|where|as soon as|once) (?:(?:{_IT_IS} )?{_FEASIBLE}|{_YOU_ARE_FREE}"
    rf"|you (?:{_HAVE_TIME}|can|could|may|like|want|please|don't mind|would be so (?:kind|good)))"
    rf"|if (?:{_AGREEABLE}|{_NO_TROUBLE})"
    r"|asap|at your (?:earliest )?(?:convenience|leisure)|if need be|once and for all)"
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
    polite: set[int] = set()
    conditions: set[int] = set()
    told = range(max((one.stop for one in clauses), default=0), len(words))
    for part in (*clauses, told):
        said = " ".join(words[part.start : part.stop])
        for found in POLITE_IF.finditer(said):
            first = part.start + said.count(" ", 0, found.start())
            rest = said[found.end() :].split()
            if _EASY.issuperset(rest):
                polite.update(range(first, part.stop))
            else:
                conditions.add(first)
        if ASKED_ONCE_MORE.match(said):
            polite.update(part)
    return Provisos(frozenset(polite), frozenset(conditions))
