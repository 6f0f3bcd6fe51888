"""Recognise answers that are yes, no or a position in a list and nothing else.

They answer chips, a question for a slot or a pending approval. Quoted or questioned text answers
nothing, except a polite question such as `can you call it off?`.
"""

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

from tools.nlu.dialogue_acts.negation import CANCEL
from tools.nlu.lexicon.closed_classes import CARDINALS, ORDINAL_WORDS, THANKS
from tools.nlu.lexicon.normalization import Normal, normalise
from tools.nlu.lexicon.verbs import bases

CALLS_OFF = r"undo|withdraw|retract|revoke|rescind|abort|call off|take back"
"""Verbs that are said of what waits, and not only of things: `withdraw my request`."""
CALLING_OFF = r"undoing|withdrawing|retracting|revoking|rescinding|aborting|calling off|taking back"
OWN_REQUEST = r"(?:my|the|this|that) (?:request|question)"
WHAT_WAITS = rf"(?:it|that|this|{OWN_REQUEST})"
PARTED = r"(?:it|that|this|the whole thing)"
"""What may stand inside `call … off`."""
STARTLED = r"oh|oops|sorry|wait|hold on|actually|ah|hm+|damn|please|just"
"""What is said before that by who thinks better of it."""
KEEPS = re.compile(
    r"(?<!why )\b(?:don't|dont|do not|never|not)(?: please| just| ever| you| dare"
    r"| actually| really| even| now| then| yet| oh)*"
    rf" (?:(?:{CALLS_OFF}|cancel|drop|scrap|forget|skip|ignore|reject|decline|refuse|deny)\b"
    r"|(?:call|take) (?:[a-z]+ ){1,3}(?:off|back)\b)"
)
"""Whoever says so wants what waits to go on: `don't withdraw my request`."""


_FRAME = re.compile(
    rf"(?:(?:no(?=[,.!])|{STARTLED}|hey|and|but|so|ok|okay|right)[\s,.!;:-]+)*"
    r"(?:(?:(?:do|would) you )?mind(?= [a-z]+ing\b)|(?:is there )?any (?:way|chance) (?:that )?"
    r"(?:you|we) (?:could|can)|(?:can|could|would) (?:you|we))"
    r"(?: (?:please|just|kindly|maybe))* "
)
"""Other requests ask nothing, and behind `I want to …?` the mark asks something else; `can I` and
`will you` ask what may be or will be done."""
_OFF = re.compile(
    rf"(?:call(?:ing)?|tak(?:e|ing)) {PARTED} (?:off|back)\b"
    rf"|(?:{CALLS_OFF}|{CALLING_OFF}|scrap(?:ping)?|drop(?:ping)?|forget(?:ting)?) {WHAT_WAITS}\b"
    r"|abort(?:ing)?\b"
    r"|not [a-z]+ (?:it|that|this)\b"
)
"""What is only ever said of what waits. `Can you cancel it` and `approve it` may be of what was
just shown."""
_GERUND = re.compile(r"[a-z]+ing\b")


def unwrapped_orders(text: str) -> tuple[str, ...]:
    """Give what a question asks to take back, in a word form each; any other text as it is.

    `Can you still call it off?` is asked about, and no request.
    """
    normal = normalise(text)
    said = normal.text.strip()
    frame = _FRAME.match(said)
    if frame is None or normal.is_disguised:
        return (text,)
    order = said[frame.end() :].removesuffix("?").strip()
    if _OFF.match(order) is None:
        return (text,)
    gerund = _GERUND.match(order)
    if gerund is None:
        return (order,)
    return tuple(f"{base}{order[gerund.end() :]}" for base in bases(gerund[0]))


MOST_CHARACTERS = 60
LAST = -1
"""The place of `the last one`."""
SOME = 0
"""The place of `pick one` and `both`, which name none."""

YES = (
    r"y(?:e{1,4}s{1,4}|e+a+h*|e+p+|u+p+)?|ok{1,3}|okay|sure|alright|all right|of course"
    r"|absolutely|definitely|exactly|correct|please do|do (?:it|that|so)"
    r"|go ahead(?: (?:with|and do) (?:it|that))?|go for it"
    r"|proceed|make it so|that one|that's (?:it|the one|right)|sounds good|confirm(?:ed)?"
)
NO = (
    r"no|n|nope|nah|naw|never|nein|niet|nee|non|nvm|pass"
    r"|never ?mind|not (?:that|this|now|that one|this one)"
    r"|none(?: of (?:these|those|them))?|neither(?: of them)?|cancel(?: (?:it|that))?"
    r"|forget (?:it|that|about it)|leave it|drop it"
    r"|skip(?: (?:it|that|this))?"
    rf"|call {PARTED} off|(?:call off|abort)(?: (?:it|that|this))?"
    r"|(?:scrap|scratch|strike|belay) (?:it|that)"
    r"|(?:cancel|abort|call off) (?:my|this|that|the) (?:request|question)"
    r"|don't(?: (?:do )?(?:it|that))?|do not(?: do (?:it|that))?|no way|rather not|better not"
)
_SOME = r"both|all|all (?:of )?(?:these|those|them)|both of (?:these|those|them)"
_SOME += r"|either|any|(?:either|any)(?: one)?(?: of (?:these|those|them))?|whichever"
_NO_OBJECTION = r"no (?:issues?|problems?|worries|objections?)"
"""What people say before a yes, and what is neither by itself."""
_MANNERS = r"please|thanks|thank you|then|now"
_BETWEEN = r"[\s,.!;:-]"  # a question mark makes a question of it
_PLACE = re.compile(
    rf"(?:(?:{YES}){_BETWEEN}+)?(?:i mean |(?P<some>i want |take |use |pick |choose ))?"
    r"(?:(?:the )?(?P<ordinal>first|second|third|fourth|last|1st|2nd|3rd|4th)"
    r"(?: (?:one|option|choice|chip|suggestion))?"
    # Bare `no` before a number is no place: `no one` and `no 1` are heard as a no to it.
    r"|(?P<named>number |option |choice |chip[ -]?|#|no\. ?(?=[1-9])|\((?=[1-9]\)))?"
    rf"(?P<number>[1-9]|one|two|three|four)\)?|(?P<any>{_SOME}))"
    rf"(?:{_BETWEEN}+(?:{_MANNERS}))*{_BETWEEN}*"
)
_ALL_YES = re.compile(
    rf"(?:{_NO_OBJECTION}{_BETWEEN}+)?(?:(?:{YES})(?:{_BETWEEN}+|$)(?:(?:{_MANNERS})(?:{_BETWEEN}+|$))*)+"
)
_ALL_NO = re.compile(rf"(?:(?:{NO})(?:{_BETWEEN}+|$)(?:(?:{_MANNERS})(?:{_BETWEEN}+|$))*)+")

_THUMB = re.compile(r"\s*(?:(?P<yes>[👍👌✅])|[👎❌🚫⛔✖])[🏻-🏿]?\ufe0f?[\s!]*")
"""A sign by itself, in any colour of skin; among words it is no answer."""
_NOD = re.compile(
    rf"(?:{_NO_OBJECTION}{_BETWEEN}+)?(?:ok|okay|alright|all right|sure){_BETWEEN}+"
    rf"(?:thanks|thank you){_BETWEEN}*"
)
"""What people say to an answer and not to a question."""


@dataclass(frozen=True)
class PlainAnswer:
    """What a text answers; `place` counts from 1, or is LAST or SOME."""

    kind: Literal["yes", "no", "place"]
    place: int = 0


def plain_answer(text: str) -> PlainAnswer | None:
    """Read a text that is such an answer as a whole; one with anything else in it is none.

    A yes beside a no is neither, and what stands in quotation marks or asks back answers nothing:
    `can you call it off?` has only the form of a question.
    Only plain letters count: what cannot be seen, or only looks like letters, says nothing.
    """
    if thumb := _THUMB.fullmatch(text):
        return PlainAnswer("yes" if thumb["yes"] else "no")
    if len(text) > MOST_CHARACTERS or not all(map(_is_plain, text)):
        return None
    normal = normalise(text)
    said = normal.text.strip()
    if not said or normal.is_disguised:
        return None
    if any(map(_ALL_NO.fullmatch, unwrapped_orders(said))):
        return PlainAnswer("no")
    if "?" in said:
        return None
    if _ALL_YES.fullmatch(said):
        return None if _NOD.fullmatch(said) else PlainAnswer("yes")
    place = _PLACE.fullmatch(said)
    return PlainAnswer("place", _number(place)) if place else None


def _is_plain(character: str) -> bool:
    return character.isascii() or unicodedata.category(character)[0] in "PZ"


def _number(place: re.Match[str]) -> int:
    ordinal, number = place["ordinal"], place["number"]
    if ordinal:
        if ordinal == "last":
            return LAST
        return ORDINAL_WORDS.index(ordinal) + 1 if ordinal in ORDINAL_WORDS[:4] else int(ordinal[0])
    if place["any"] or (place["some"] and not place["named"]):
        return SOME  # `i want 2` may as well say how many
    return CARDINALS.index(number) + 1 if number in CARDINALS[:4] else int(number)


APPROVAL_MOST_CHARACTERS = 120

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
    rf"|actually|sorry|wait|please|{THANKS}|ta|lol|haha|hi|hey|hello|god|oh god"
)
_LASTLY_NO = re.compile(
    rf"(?:(?:{_FILLER}) )*(?P<no>(?!not |none|neither|n\b)(?:{NO}))"
    rf"(?: (?:please|{THANKS}|sorry|then|now|lol|haha|(?!not )(?:{NO})))*"
)
"""`Yeah no`, `thx no`, `sure, forget it`: the last word counts, and it is a no."""
_DENIES = re.compile(
    rf"(?:(?:{NO}|please|better|rather){_GAP}+)*(?:don't|do not|dont|not) (?P<verb>[a-z]+)"
    rf" (?:{_IT})(?: please| thanks| thank you)?{_GAP}*"
)
"""`No, don't close it` takes a closing back; `don't cancel it` only a cancelling."""


def is_retraction(text: str, summary: str) -> bool:
    """Tell whether a text says no, and nothing else, to what waits: `no, forget it`.

    What somebody quotes or asks (`"no, forget it"`, `no?`) takes nothing back; what only has the
    form of a question (`can you call it off?`) does.

    Args:
        summary: of what waits; it begins with its verb.
    """
    return any(_says_no(order, summary) for order in unwrapped_orders(text))


def leaves_pending(text: str) -> bool:
    """Tell whether a text may as well want what waits to go on: `wait`, `don't cancel it`."""
    words = _words(normalise(text))
    return _PAUSES.fullmatch(words) is not None or KEEPS.search(words) is not None


def drops_question(text: str) -> bool:
    """Tell whether a text drops what it is asked for: `never mind`, `call it off`."""
    return any(_calls_off(order) for order in unwrapped_orders(text))


def approval_meant(text: str) -> str | None:
    """Read which approval a text answers: its id, or "" for whatever waits; None: it answers none.

    `approve PO-1996` names a thing, and is a request of its own.
    """
    if len(text) > APPROVAL_MOST_CHARACTERS:
        return None
    for order in unwrapped_orders(text):
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
