"""What makes an order polite and no condition: `if possible`, `when you get a chance`."""

import re

_FEASIBLE = r"(?:at all |humanly )?(?:possible|feasible|convenient|practical)"
_AGREEABLE = r"(?:ok|okay|all right|alright|fine|no (?:trouble|bother|problem|hassle))"
_IT_IS = r"(?:it's|it is|that's|that is)"
_NOT_MUCH = rf"(?:(?:{_IT_IS} )?not|(?:it|that) isn't) (?:too|a|any|much|asking)\b"
_FREE = (
    r"(?:(?:have|get|find) (?:a|the|some|any)? ?(?:free |spare )?"
    r"(?:time|chance|moment|minute|second|sec|bit of time)"
    r"|(?:get|come) (?:round|around) to it|get to it|are free)"
)

POLITE_IF = re.compile(
    rf"(?:if|when|whenever) (?:(?:{_IT_IS} )?{_FEASIBLE}|{_IT_IS} {_AGREEABLE}|{_NOT_MUCH}"
    r"|you (?:can|could|would|may|have|get|don't mind|please|like|want))"
    rf"|as soon as (?:(?:{_IT_IS} )?{_FEASIBLE}|you (?:can|could|may)(?=$| please| thanks))"
    r"|once and for all"
)
"""Begins one. Whatever else stands behind it in its clause may still make it a condition: `if it's
ok with Ben`, `if you have the parts`."""

PROVISO = (
    r"[\w'-]+(?: and [\w'-]+)? (?:permitting|allowing)|all (?:being |going )?well"
    r"|(?:god|weather) willing"
    rf"|(?:if|when|whenever|where|as soon as|once) (?:(?:{_IT_IS} )?{_FEASIBLE}|you (?:{_FREE}"
    r"|can|could|may|like|want|please|don't mind|would be so (?:kind|good)))"
    rf"|if (?:{_IT_IS} {_AGREEABLE}(?: (?:with|for|by) you)?"
    rf"|{_NOT_MUCH}(?: [\w']+){{0,3}}? (?:trouble|bother|problem|hassle|work|ask))"
    r"|asap|at your (?:earliest )?(?:convenience|leisure)|if need be|once and for all"
)
"""All of one: it is no word of a note, and no value."""
