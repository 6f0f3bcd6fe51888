"""Does a text say yes or no to something that waits for an approval, and name nothing else?"""

import re

from tools.policy.plain_answers import NO, YES
from tools.routing.speech_acts.denials import CANCEL
from tools.routing.words.normalise import normalise

MOST_CHARACTERS = 120

_WORD = rf"{YES}|{NO}|right"
_VERDICT = (
    r"approved?|reject(?:ed)?|den(?:y|ied)|declined?|refused?|veto(?:ed)?|authori[sz]ed?"
    r"|grant(?:ed)?|accept(?:ed)?|sign(?:ed)? off(?: on)?"
)
_IT = r"it|that|this|them|these|those|that one|this one"
_THING = rf"(?:{_IT}|(?:the |this |that |your )?(?:action|request|approval|question|change))"
_ID = r"(?P<id>[0-9a-f][0-9a-f-]{7,})(?: [0-9a-f]{6,})?"
_GAP = r"[\s,.!;:-]"
_MISTAKEN = re.compile(
    rf"(?:(?:{_WORD}|oh|oops|sorry|wait|hold on|actually|ah|hm+|damn) )*"
    r"(?:wrong (?:one|chat|window|order|thing)|stop (?:it|that)|oops"
    r"|(?:that|it) was (?:a joke|a mistake|a test|not meant|wrong)"
    r"|(?:just|only) (?:testing|kidding|joking)"
    r"|i took (?:it|that) back|i didn't mean (?:it|that|to)|(?:my|a) mistake|my bad"
    r"|(?:undo|withdraw|retract|revoke) (?:it|that|this)"
    r"|not that one|on second thoughts?(?: (?:no|keep it|better not))?|keep it)"
    r"(?: (?:please|thanks|thank you|sorry|though|instead))*"
)
"""What takes back the order that was just given, beside what takes back any: denials.CANCEL."""
_SAID = re.compile(
    rf"(?:(?:{_WORD}){_GAP}+)*"
    rf"(?:(?:please |i |we |i'd |i would |i do |i hereby )*(?:{_VERDICT})"
    rf"(?: {_THING})?(?: {_ID})?"
    # `yes, close it`: what waits is meant, whatever the verb says of it
    rf"|(?<={_GAP})(?:please )?(?:don't |do not )?[a-z]+ (?:{_IT}))"
    rf"(?:{_GAP}+(?:please|thanks|thank you|then|now))*{_GAP}*"
)


_AGREES = re.compile(r"(?<!don't )(?<!not )\b(?:approve|authori[sz]e|grant|accept|sign)")
_PAUSES = re.compile(
    r"(?:no |oh )*(?:wait(?: for .+)?|hold (?:on|it|that)|hang on|one moment|stand by|not yet)"
    r"(?: a (?:second|moment|minute))?"
)
"""Who says no more than that may go on either way."""
_REFUSES = re.compile(
    rf"(?:(?:please|i|we|oh|oops|ok|okay|sorry|wait){_GAP}+)*"
    rf"(?:{NO}|reject|den(?:y|ied)|decline|refuse|veto)(?:{_GAP}|$)"
)


def takes_back(text: str) -> bool:
    """Tell whether a text that answers an approval says no to it: `no, forget it`, `cancel that`.

    Only where `approval_meant` or `plain_answer` found that it is such an answer.
    """
    normal = normalise(text)
    words = " ".join(token.text for token in normal.tokens)
    if _AGREES.search(words) or _PAUSES.fullmatch(words):
        return False
    is_no = _REFUSES.match(normal.text.strip()) is not None or "👎" in text
    return is_no or bool(CANCEL.fullmatch(words) or _MISTAKEN.fullmatch(words))


def approval_meant(text: str) -> str | None:
    """Read which approval a text answers: its id, or "" for whatever waits; None: it answers none.

    `approve PO-1996` names a thing, and is a request of its own.
    """
    if len(text) > MOST_CHARACTERS:
        return None
    normal = normalise(text)
    said = _SAID.fullmatch(normal.text.strip())
    if said is not None:
        return said["id"] or ""
    words = " ".join(token.text for token in normal.tokens)
    return "" if CANCEL.fullmatch(words) or _MISTAKEN.fullmatch(words) else None
