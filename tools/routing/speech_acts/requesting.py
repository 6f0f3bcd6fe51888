"""Requests by their frame: `can you …`, `I need to …`, `let's …`, and the verb behind it."""

import re

from tools.routing.speech_acts.clause_words import Judged, Own
from tools.routing.words import signs
from tools.routing.words.request_frames import ANNOUNCES, HIGH_TIME, REQUEST
from tools.routing.words.verbs import Verb

_WHETHER_IT_CAN = re.compile(
    r"(?:even|theoretically|hypothetically|ever|possibly|technically|still|in (?:theory|principle)"
    r"|be|have|do (?:that|this|it|so)\b)\b"
)
"""Behind `can you` these make it a question about the system: `can you even close it`."""
_POSSIBLE = re.compile(
    r"is it (?:(?:even|ever|actually|technically|theoretically|physically|legally) )*possible"
    r"(?P<marked> (?:at all|ever|in (?:theory|principle)))?(?: for (?:me|us|anyone|anybody))? to "
)
"""`Is it possible at all to close it` asks whether it can be; without a mark it asks politely."""
_UNDERSTAND = re.compile(
    r"(?:understand|know|learn|figure out|see) (?:how(?! (?:many|much|long|often|far|old|big))"
    r"|why)\b"
)
_PAST_HOPE = re.compile(r".*\b(?:at the time|back then|that (?:day|time)|too late|yesterday)\b")
_TALKS = re.compile(r"(?:talk|speak|chat|think|hear) about\b")
"""`Can you talk about closing it` closes nothing."""


def as_request(own: Own) -> Judged | None:
    """Judge `can you …`, `I need to …`, `let's …`, and find the verb behind it."""
    request = REQUEST.match(own.rest)
    is_back = request is not None and own.rest.startswith("you ") and own.clause.is_asked
    if is_back or _is_whether_possible(own):
        return own.judged("question", "about_itself")
    if not request:
        return None
    place = own.words_of(request[0])
    behind = " ".join(own.text.words[place : own.clause.end])
    if (about := _as_about(own, request[0], behind)) is not None:
        return about
    while place < own.clause.end and _is_hedge(own.text.words[place]):
        place += 1
    verb = own.verb_at(place)
    if own.clause.is_asked and verb is not None and ANNOUNCES.match(request[0]):
        return own.judged("question", "asked_back", verb)
    if request[0].endswith("chance you ") and (verb is None or verb.form != "base"):
        return own.judged("question", "question")  # `any chance you closed it?`
    if _lacks_verb(own, verb):
        return None
    if verb is None and own.is_unknown_verb(place):
        return own.judged("request", "unknown_verb")
    return own.judged("request", "request", verb)


def _as_about(own: Own, request: str, behind: str) -> Judged | None:
    """Judge what is framed as a request and asks, wonders or speaks about the doing."""
    if " you" in f" {request}" and _WHETHER_IT_CAN.match(behind):
        return own.judged("question", "about_itself")
    if signs.WHETHER.match(behind):
        return own.judged("question", "question")
    if _UNDERSTAND.match(behind):
        return own.judged("question", "how_to")
    is_past = "hoping" in request and _PAST_HOPE.match(behind)
    return own.judged("statement", "declared") if is_past or _TALKS.match(behind) else None


def _is_whether_possible(own: Own) -> bool:
    possible = _POSSIBLE.match(own.rest)
    if possible is None:
        return False
    return bool(possible["marked"]) or not own.rest.startswith("is it possible")


def _lacks_verb(own: Own, verb: Verb | None) -> bool:
    """Tell `time I went home` from `time we closed it`, and `better photos` from `better close`."""
    form = verb.form if verb is not None else ""
    if HIGH_TIME.match(own.rest):
        return form != "past"
    return own.rest.startswith("better ") and form != "base"


def _is_hedge(word: str) -> bool:
    return word in signs.HEDGES or (word.endswith("ly") and len(word) > 4)
