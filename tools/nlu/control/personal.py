"""Read what people tell of themselves: how to address them, and what is worth remembering."""

import re
from functools import cache

from state.talk import TalkRequest
from tools.nlu.lexicon.closed_classes import read_lexicon
from tools.nlu.lexicon.normalization import word_set

TOLD = "tells_of_oneself"
"""Reason of a decision on a statement that asks for nothing, and may be asked for later."""
_LEAD = r"^(?:please |ok |okay |hey |hi |hello |well |and |but |just |you (?:can|may|could) )*"
_NAME = r"(?P<name>[^\W_][\w.'’-]*(?: [^\W_][\w.'’-]*){0,2}?)"
_END = r"(?:,? (?:please|from now on|now|instead|thanks|thank you|if you like))*$"
_CALLED = re.compile(
    rf"{_LEAD}(?:(?:call|name) me|(?:address|refer to) me (?:as|by)"
    rf"|(?:my friends|people|everybody) calls? me|i go by|i prefer to be called"
    rf"|i(?:'m| am) called) {_NAME}{_END}",
    re.IGNORECASE,
)
_NAMED = re.compile(
    rf"{_LEAD}(?:my name(?:'s| is)|the name(?:'s| is)) (?P<full>[^\W_][\w.'’ -]{{0,60}}?)"
    rf"(?:(?:,? but|,? though|,) (?:(?:you can |just )?call me )?{_NAME}"
    rf"(?: (?:is|will do|would be|works)(?: fine| ok| okay| enough| better)?)?)?{_END}",
    re.IGNORECASE,
)
_IS = re.compile(rf"{_LEAD}(?:i'm|i am|this is) {_NAME}$", re.IGNORECASE)
_NOT_CALLED = re.compile(
    rf"{_LEAD}(?:(?:don't|do not|never|stop|quit|no need to) (?:ever )?"
    rf"(?:call(?:ing)?|address(?:ing)?|nam(?:e|ing)) me (?:as |by )?){_NAME}"
    r"(?: (?:any ?more|again|ever))*(?:,? please)?$",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"\b(?:who am i|(?:is|'s) my (?:own )?name|know my name|remember my name"
    r"|(?:do|would|will|did|should) you (?:call|address) me)\b",
    re.IGNORECASE,
)
_NO_NAME = word_set(
    "a an the at on in when if back later once before after as for by to about tomorrow today"
    " tonight now again soon first names anything something what whatever that this it any every"
    " next"
)
"""A word that begins no name: `call me at five`, `call me a taxi`."""
_REMEMBER = re.compile(
    r"^(?:please |ok |okay |hey |and |also |just |can you |could you )*(?:remember"
    r"|keep in mind|bear in mind|don't forget|do not forget|know|fyi|for the record)"
    r"(?:,? that|[,:])? (?P<what>.{3,400})$",
    re.IGNORECASE,
)
_FORGET = re.compile(
    r"^(?:please |ok |okay |can you |could you )*(?:forget|delete|erase|don't remember"
    r"|stop remembering|unremember) (?:that (?P<fact>.{3,200})|(?:about |what i (?:said|told you)"
    r" about |the fact that )(?P<about>.{3,200}))$",
    re.IGNORECASE,
)
_CORRECTED = re.compile(
    r"^(?:(?:no|nope|wait|sorry|actually|correction|i mean)\b[, ]*)+"
    r"(?:(?:it|that|he|she|they)(?:'s| is|'re| are| was| were) )?(?:now )?"
    r"(?P<value>[^\W_].{0,120}?)(?: now| instead| these days)?$",
    re.IGNORECASE,
)
_COPULA = re.compile(
    r"^(?P<head>.{2,80}?\b(?:is|are|was|were|am|called|named|lives? in|live in|on|at|to)\b)"
    r" (?P<value>.+)$",
    re.IGNORECASE,
)
_PLACED = ("on", "at", "to", "in")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


def naming(text: str, *, is_told: bool) -> TalkRequest | None:
    """Read how somebody wants to be called, or not to be called; None: neither.

    Args:
        is_told: the text is known to tell something of the speaker: `I'm Ana` may be a name.
    """
    said = _plain(text)
    if (match := _NOT_CALLED.match(said)) and _is_name(match["name"]):
        return TalkRequest(kind="not_called", topic=match["name"])
    if (match := _CALLED.match(said)) and _is_name(match["name"]):
        return TalkRequest(kind="called", topic=match["name"])
    if match := _NAMED.match(said):
        name = match["name"] or match["full"]
        return TalkRequest(kind="called", topic=name) if _is_name(name) else None
    if is_told and (match := _IS.match(said)) and match["name"][0].isupper():
        return TalkRequest(kind="called", topic=match["name"])
    return None


def asks_own_name(text: str) -> bool:
    """Tell whether somebody asks what they are called here."""
    return _ASKED.search(_plain(text)) is not None


def fact_of(text: str) -> str:
    """Give what is to be remembered, without the words that ask for it."""
    said = _plain(text)
    match = _REMEMBER.match(said)
    return match["what"] if match else said


def is_asked_to_remember(text: str) -> bool:
    """Tell whether a text asks for something to be remembered."""
    return _REMEMBER.match(_plain(text)) is not None


def forgetting(text: str) -> str | None:
    """Give what is to be forgotten; None: the text asks for nothing of the kind."""
    match = _FORGET.match(_plain(text))
    return None if match is None else match["fact"] or match["about"]


def corrected_value(text: str) -> str | None:
    """Give the value of a correction such as `no, it's diamonds now`; None: it is none."""
    match = _CORRECTED.match(_plain(text))
    return None if match is None else match["value"]


def with_value(fact: str, value: str) -> str:
    """Put another value into a fact: what stands behind its verb, else the whole of it."""
    match = _COPULA.match(fact)
    if match is None:
        return value
    head = match["head"]
    if value.lower().split()[0] in _PLACED:  # `we eat at seven`: `it's at eight`
        head = re.sub(rf" (?:{'|'.join(_PLACED)})$", "", head, flags=re.IGNORECASE)
    return f"{head} {value}"


def in_second_person(fact: str) -> str:
    """Turn a fact round, as it is told back: `my car is here` is `your car is here`."""
    turned = _turned()
    words = _WORD.sub(lambda found: turned.get(found[0].lower(), found[0]), fact)
    words = re.sub(r"\byou am\b", "you are", re.sub(r"\byou was\b", "you were", words))
    return words[:1].upper() + words[1:]


@cache
def _turned() -> dict[str, str]:
    read: dict[str, str] = read_lexicon("en", "control")["turned_round"]
    return read | {word.replace("'", "’"): instead for word, instead in read.items()}


def _is_name(name: str) -> bool:
    first = name.lower().split()[0]
    return first not in _NO_NAME and not any(letter.isdigit() for letter in first)


def _plain(text: str) -> str:
    return " ".join(text.replace("’", "'").split()).rstrip(".!?, ")[:500]
