"""Take a question about our own doing, or about what was said, apart: of what, and about what.

That it is one is the reader's to say; meta_questions.py knows fixed phrases.
"""

import re

from tools.nlu.control.meta_questions import RecallQuestion, SelfQuestion
from tools.nlu.lexicon.normalization import normalise

_ABOUT = re.compile(
    r"\b(?:about|of|on|regarding|with|mention(?:ed)?|tell (?:me|us)|told (?:me|us|you)"
    r"|warn (?:me|us)|say|said)\s+(?:that |to (?:you|me|us) )?(?:about |of )?"
    r"(?:the |a |an |my |our |any )?(?P<topic>[^?.!]{2,80})"
)
_POINTER = re.compile(r"(?:that|this|it|so|anything|something|nothing|again|just now|now|earlier)")
_NOT = re.compile(r"n't\b|\bnot\b|\bnever\b|\bno\b|\bnt\b")
_SILENT = re.compile(r"\b(?:quiet|silent|silence|mute|muted|talking|speaking|talk|speak)\b")
_YOU = re.compile(r"\byou (?:just )?(?:say|said|tell|told|mention)|\bthat again\b|\brepeat\b")
_OWN = re.compile(r"\b(?:i|we)\b")


def read_recall_question(text: str) -> RecallQuestion:
    """Say whose words a question about what was said asks for."""
    said = _folded(text)
    topic = _topic(said)
    if _OWN.search(said):
        return RecallQuestion("person", topic)
    if _YOU.search(said):
        return RecallQuestion("us", topic)
    return RecallQuestion("anybody", topic or said)


def read_self_question(text: str) -> SelfQuestion:
    """Say whether it asks why we did something, did not, or are silent."""
    said = _folded(text)
    topic = _topic(said)
    if not topic and _SILENT.search(said):
        return SelfQuestion("silence")
    return SelfQuestion("not_done" if _NOT.search(said) else "done", topic)


def _topic(said: str) -> str:
    found = [one["topic"].strip() for one in _ABOUT.finditer(said)]
    return next((one for one in found if not _POINTER.fullmatch(one)), "")


def _folded(text: str) -> str:
    return " ".join(normalise(text[:300]).text.split()).rstrip(" .!?")
