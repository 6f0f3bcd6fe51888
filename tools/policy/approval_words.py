"""Does a text say yes or no to what waits for an approval or an answer, and name nothing else?"""

import re

from tools.policy.calling_off import CALLS_OFF, KEEPS, OWN_REQUEST, PARTED, STARTLED, WHAT_WAITS
from tools.policy.plain_answers import NO, YES, plain_answer
from tools.policy.polite_orders import plain_orders
from tools.routing.speech_acts.denials import CANCEL
from tools.routing.words.normalise import Normal, normalise

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
    rf"(?:(?:{_WORD}|{STARTLED}|let's|i (?:want|wish|would like) to|i'd like to) )*"
    r"(?:wrong (?:one|chat|window|order|thing)|stop (?:it|that)|oops"
    r"|(?:that|it) was (?:a joke|a mistake|a test|not meant|wrong)"
    r"|(?:just|only) (?:testing|kidding|joking)"
    r"|i took (?:it|that) back|i didn't mean (?:it|that|to)|(?:my|a) mistake|my bad"
    rf"|(?P<verb>{CALLS_OFF}) {WHAT_WAITS}|(?P<apart>call|take) {PARTED} (?:off|back)"
    rf"|(?P<bare>abort|cancel {OWN_REQUEST})"
    r"|not that one|on second thoughts?(?: (?:no|keep it|better not))?|keep it)"
    r"(?: (?:please|thanks|thank you|sorry|though|instead))*"
)
"""What takes back the order that was just given, beside what takes back any: denials.CANCEL.

`verb`, `apart` and `bare` call off whatever waits; the others say more of what was just said."""
_SAID = re.compile(
    rf"(?:(?:{_WORD}){_GAP}+)*"
    rf"(?:(?:please |i |we |i'd |i would |i do |i hereby )*(?:{_VERDICT})"
    rf"(?: {_THING})?(?: {_ID})?"
    # `yes, close it`: what waits is meant, whatever the verb says of it
    rf"|(?<={_GAP})(?:please )?(?:don't |do not )?[a-z]+ (?:{_IT}))"
    rf"(?:{_GAP}+(?:please|thanks|thank you|then|now))*{_GAP}*"
)
_NEVER_MIND = re.compile(
    r"\W*(?:no|nope|nothing|none|never ?mind|cancel(?: (?:it|that))?|(?:forget|scrap|drop)"
    r" (?:it|that)|leave it|stop)(?:[ ,]+(?:thanks|thank you|please))?\W*",
    re.IGNORECASE,
)
"""Who is asked for a value and says this gives none."""
_PAUSES = re.compile(
    r"(?:no |oh )*(?:wait(?: for .+)?|hold (?:on|it|that)|hang on|one moment|stand by"
    r"|not (?:yet|now))(?: a (?:second|moment|minute))?|(?:.+ )?keep (?:it|that|them|this)(?: .+)?"
    r"|leave (?:it|that|them|this) .+"
)
"""Who says no more than that may go on either way: `keep it open`, said of a closing."""
_AGREES = re.compile(r"(?<!don't )(?<!not )(?<!dont )\bdo (?:it|that|so)$")
_QUOTES_OR_ASKS = frozenset("\"'>?¿؟")
"""As they stand in a normal text: every quotation mark is one of two there."""
_REFUSES = re.compile(
    rf"(?:(?:{NO}|i|we|please){_GAP}+)*(?:reject|den(?:y|ied)|decline|refuse|veto)(?:ed|d)?"
    rf"(?: {_THING})?(?: please| thanks| thank you)?{_GAP}*"
)
_FILLER = (
    r"y(?:es|e+a+h*|e+p|up)|ok|okay|sure|alright|all right|right|well|oh|ah|u[hm]+|hm+|er+|but"
    r"|actually|sorry|wait|please|thanks?|thank you|thx|ta|cheers|lol|haha|hi|hey|hello|god|oh god"
)
_LASTLY_NO = re.compile(
    rf"(?:(?:{_FILLER}) )*(?P<no>(?!not |none|neither|n\b)(?:{NO}))"
    rf"(?: (?:please|thanks?|thank you|thx|cheers|sorry|then|now|lol|haha|(?!not )(?:{NO})))*"
)
"""`Yeah no`, `thx no`, `sure, forget it`: the last word counts, and it is a no."""
_DENIES = re.compile(
    rf"(?:(?:{NO}|please|better|rather){_GAP}+)*(?:don't|do not|dont|not) (?P<verb>[a-z]+)"
    rf" (?:{_IT})(?: please| thanks| thank you)?{_GAP}*"
)
"""`No, don't close it` takes a closing back; `don't cancel it` only a cancelling."""


def takes_back(text: str, summary: str) -> bool:
    """Tell whether a text says no, and nothing else, to what waits: `no, forget it`.

    What somebody quotes or asks (`"no, forget it"`, `no?`) takes nothing back; what only has the
    form of a question (`can you call it off?`) does.

    Args:
        summary: of what waits; it begins with its verb.
    """
    return any(_says_no(order, summary) for order in plain_orders(text))


def leaves_open(text: str) -> bool:
    """Tell whether a text may as well want what waits to go on: `wait`, `don't cancel it`."""
    words = _words(normalise(text))
    return _PAUSES.fullmatch(words) is not None or KEEPS.search(words) is not None


def drops_question(text: str) -> bool:
    """Tell whether a text drops what it is asked for: `never mind`, `call it off`."""
    return any(_calls_off(order) for order in plain_orders(text))


def approval_meant(text: str) -> str | None:
    """Read which approval a text answers: its id, or "" for whatever waits; None: it answers none.

    `approve PO-1996` names a thing, and is a request of its own.
    """
    if len(text) > MOST_CHARACTERS:
        return None
    for order in plain_orders(text):
        normal = normalise(order)
        said = _SAID.fullmatch(normal.text.strip())
        if said is not None:
            return said["id"] or ""
        words = _words(normal)
        if KEEPS.search(words):
            continue
        if CANCEL.fullmatch(words) or _MISTAKEN.fullmatch(words):
            return ""
    return None


def _says_no(order: str, summary: str) -> bool:
    plain = plain_answer(order)
    normal = normalise(order)
    words = _words(normal)
    said = normal.text.strip()
    if normal.is_disguised or _is_quoted_or_asked(normal):
        return False
    if _PAUSES.fullmatch(words) or _AGREES.search(words):
        return False
    verb = summary.casefold().split(" ")[0]
    if (denied := _DENIES.fullmatch(said)) and denied["verb"] != "do":
        return verb == denied["verb"]
    if KEEPS.search(words):
        return False
    if mistaken := _MISTAKEN.fullmatch(words):
        # `revoke it`, of a revoking, may as well hurry it on
        return (mistaken["verb"] or mistaken["apart"] or "").split(" ")[0] != verb
    if plain is not None:
        return plain.kind == "no"
    if _REFUSES.fullmatch(said) or CANCEL.fullmatch(words):
        return True
    lastly = _LASTLY_NO.fullmatch(words)
    return lastly is not None and lastly["no"].split(" ")[0] != verb


def _calls_off(order: str) -> bool:
    if _NEVER_MIND.fullmatch(order):
        return True
    normal = normalise(order)
    words = _words(normal)
    mistaken = None if KEEPS.search(words) else _MISTAKEN.fullmatch(words)
    is_off = mistaken and (mistaken["verb"] or mistaken["apart"] or mistaken["bare"])
    return bool(is_off) and not normal.is_disguised and not _is_quoted_or_asked(normal)


def _words(normal: Normal) -> str:
    return " ".join(normal.words)


def _is_quoted_or_asked(normal: Normal) -> bool:
    between, end = "", 0
    for token in normal.tokens:  # an apostrophe inside a word quotes nothing
        between += normal.text[end : token.start]
        end = token.end
    return bool(set(between + normal.text[end:]) & _QUOTES_OR_ASKS)
