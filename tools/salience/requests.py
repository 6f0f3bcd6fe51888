"""What people ask about the talking itself: be quiet, talk again, leave that, watch for this."""

import re
from collections.abc import Mapping

from state.talk import TalkKind, TalkRequest

_UNIT_SECONDS = {"second": 1, "minute": 60, "min": 60, "hour": 3_600, "h": 3_600}
# It is asked of us at the head of a clause, and ends what is said; "write in the log: ... be
# quiet for an hour" and "they were told to be quiet for an hour" are something else.
_MUTE = re.compile(
    r"^(?:[^:]*[.,;!] )?(?:(?:please|ok|okay|(?:can|could|would) you),? )*"
    r"(?:(?:be|stay|keep) quiet|silence|no talking|shut up|mute|hush|(?:don't|do not) talk)"
    r"(?: yourself)?(?: please)? for (?:the next )?(?:(?P<count>\d{1,3}|an?|half an) )"
    r"?(?P<unit>second|minute|min|hour|h)s?(?: please)?$"
)
_QUIET = re.compile(
    r"^(?:please |ok |okay )*(?:be quiet|stay quiet|keep quiet|shut up|hush|silence|mute|quiet)"
    r"(?: now| please| for now)*$"
)
_TALK = re.compile(
    r"^(?:please |ok |okay )*(?:you (?:can|may) (?:talk|speak)(?: again)?|unmute|speak freely"
    r"|stop being quiet|talk to me)(?: now| please)*$"
)
_LESS = re.compile(r"^(?:please )?(?:talk|speak|say) less$")
_MORE = re.compile(r"^(?:please )?(?:talk|speak|say) more$")
_SUPPRESS = re.compile(
    r"^(?:please )?(?:stop|quit) (?:telling me|talking|reminding me|bothering me|notifying me)"
    r" (?:about|of) (?P<topic>.{2,80})$"
)
_WATCH = re.compile(
    r"^(?:please )?(?:watch (?:out )?for|keep an eye (?:out for|on)|let me know about"
    r"|tell me (?:about any|(?:when|if) there (?:is|are))) (?P<topic>.{2,80})$"
)

_ASKED: Mapping[TalkKind, re.Pattern[str]] = {
    "quiet": _QUIET,
    "talk": _TALK,
    "less": _LESS,
    "more": _MORE,
    "suppress": _SUPPRESS,
    "watch": _WATCH,
}


def talk_request(text: str) -> TalkRequest | None:
    """Recognise a request about the talking itself; None for any other text."""
    said = re.sub(r"[\s]+", " ", text.replace("’", "'").strip().lower()).rstrip(".!?")[:200]
    if match := _MUTE.match(said):
        return TalkRequest(kind="mute", seconds=_seconds(match))
    for kind, pattern in _ASKED.items():
        if match := pattern.match(said):
            topic = match.groupdict().get("topic")
            return TalkRequest(
                kind=kind, topic=re.sub(r"^(?:the|any|a|an) ", "", topic).strip() if topic else None
            )
    return None


def matches_topic(topic: str, *texts: str) -> bool:
    """Tell whether every word of a topic stands in one of the texts, plural or not."""
    words = re.findall(r"\w+", topic.lower())
    for text in texts:
        present = {word.removesuffix("s") for word in re.findall(r"\w+", text.lower())}
        if words and all(word.removesuffix("s") in present for word in words):
            return True
    return False


def _seconds(match: re.Match[str]) -> float:
    count, unit = match["count"], _UNIT_SECONDS[match["unit"]]
    if count is None or count in ("a", "an"):
        return float(unit)
    return unit / 2 if count.startswith("half") else float(count) * unit
