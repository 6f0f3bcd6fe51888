"""Tell texts that only mention papers from requests for papers."""

import re

from tools.nlu.lexicon.normalization import normalise
from tools.nlu.search_query.lexicon import PAPERS, PRAISED, any_of

_LEAD = (
    r"\W*(?:(?:oh|well|so|and|but|ok|okay|yes|yeah|no|honestly|frankly|actually|lol|hi|hey|hello|man"
    r"|sometimes|today|these days|nowadays)\b\W+){0,4}"
)
_PAPERS = any_of("papers", "articles", "studies", "publications", "preprints", "reviews", "surveys")
_NOUN = (
    rf"(?:(?:the|these|those|most|all|some|many|such|your|his|her|their) )?{PRAISED}"
    rf"(?:{_PAPERS}|(?:research|literature)(?= (?:on|about)\b))"
)
_CLAUSE = r"(?:(?!(?:how|why|what|whether|when|where|which|that|who|if|i|we|you)\b)[^\s,.;:?!]+ )"
"""A word of a topic; behind `on how bees`, or `I can`, a verb belongs to the topic."""
_ABOUT = rf"(?:(?:on|about|by|from|in|of|regarding) {_CLAUSE}{{1,8}}?)?"
_WANTED = any_of(
    "there", "any", "(?:all |what |exactly what )*(?:i|we)(?:'m| am|'re| are)?", "welcome",
    "needed", "wanted", "required", "what", "enough", "fine", "useful", "helpful", "great",
    "nice", "good", "appreciated", "perfect", "best", "ok", "okay", "preferred", "my", "our",
)  # fmt: skip
"""Behind `would be` or `are` these ask, as a question or a wish."""
_IS = (
    rf"(?:are|is|was|were|have been|has been|seem|seems|look|looks|sound|feel|get)(?! {_WANTED}\b)"
)
_OFTEN = any_of("never", "always", "rarely", "usually", "often", "seldom", "hardly", "just")
_NO = "(?:don't|doesn't|didn't|do not|does not|can't|cannot|won't|makes?|made)"
_ASKING = any_of(
    "for", "to", "with", "by", "from", "about", "on", "of", "against", "around", "like", "and",
    "or", "give", "send", "show", "find", "get", "fetch", "bring", "let", "tell", "email",
    "mail", "pass", "help", "in", "near", "than", "please", "between", "among", r"\w+ing",
)  # fmt: skip
_ME = r"(?:me|him|them|everyone|everybody|us(?=\W*$| (?:a|all|to|so|very|nothing|how|what)\b))"
_DULL = "(?:sucks?|rocks?|stinks?|rules?|matters?|bored?|annoys?|fail(?:s|ed)?)"
_PREDICATED = re.compile(
    rf"{_LEAD}{_NOUN} {_ABOUT}"
    + any_of(
        rf"{_IS} \w+",
        rf"{_OFTEN} \w+",
        rf"{_NO} \w+",
        rf"(?!{_ASKING} )(?=[a-z]{{3}}){_CLAUSE}{_ME}",
        _DULL,
    )
    + r"\b[^.?!;]*\W*$"
)
"""A sentence of which papers are the subject."""
_NAMED = re.compile(rf"\b(?:{PAPERS}|literature|research|reviews?|surveys?)\b")
_REFUSED = re.compile(
    r"[?!.,;:-]\s*"
    + any_of(
        "hard pass", "(?:i'll |i will |i'd rather |i )?pass(?: on that)?", "no,? thanks?",
        "no thank you", "no way", "nah+", "nope", "not for me", "never ?mind", "forget it",
        "forget about it", "no chance", "as if", "yeah,? right", "why bother", "who cares",
        "what for", "not today", "not now", "not a chance", "i don't think so", "i'd rather not",
        "i would rather not", "not interested", "not my thing", "just kidding", "kidding",
        "boring", "ugh", "no need", "don't bother", "please don't",
    )
    + r"\W*$"
)  # fmt: skip
"""An echo of what is asked, and a no behind it."""
_FIND = "(?:find|search|look|get|fetch|ask|request|run|do|want|need)"
_SUPPOSED = re.compile(
    _LEAD
    + any_of(
        r"what(?:'s| is| would| will|'d|'ll)?(?: \w+)? happens?(?: \w+){0,4} (?:if|when|once)\b",
        rf"what (?:if|when) (?:i|we|you|one|somebody|someone) {_FIND}\b",
        r"what (?:do|would|will|did) (?:i|we|you|one) (?:get|see|have|gain)(?: \w+){0,2}"
        r" (?:if|when)\b",
        rf"(?:should|must) (?:i|we) (?:really )?{_FIND}\b",
        rf"why (?:would|should|do|did) (?:i|we|you|one|anybody|anyone|people) (?:ever )?{_FIND}\b",
        r"is it (?:worth|wise|sensible)\b",
    )
)
_HOW = re.compile(
    rf"{_LEAD}how (?:do|does|can|could|would|should) (?:i|we|you|one|people|anyone)"
    rf"(?: \w+)? {_FIND}\b(?=.* {PAPERS} (?:on|about)\b)(?!.*\b(?:saved|library|our|my)\b)"
)
"""`How do I find papers on bees` asks for the way; that to saved papers is theirs to see."""
_DID = re.compile(
    rf"{_LEAD}(?:(?:did|had) (?:you|he|she|they)\b"
    r"|have (?:you|they) (?:\w+ )?(?:found|read|seen|searched|looked|finished|tried|heard)\b)"
)
"""`Did you find papers on bees` asks what has been; `did anyone study bees` asks for papers."""
_OF_OTHERS = re.compile(
    rf"{_LEAD}(?:he|she|they|everyone|everybody|nobody|no one|somebody|someone|people"
    r"|(?!(?:i|we|you|please|who|what|that|which|it|there|anyone|anybody)\b)[\w'-]+)"
    r" (?:really |also |only |always |still |never )?"
    r"(?:wants|wanted|needs|needed|likes|liked|loves|loved|hates|hated|prefers|enjoys|reads"
    r"|writes|asked for|is looking for|was looking for|(?:is|was) after|got|sent|found|wrote)\b"
    r"[^.?!;,:]*\W*$"
)
"""Somebody else wants them; what `my supervisor wants` is asked for."""

_THANKED = re.compile(
    r"(?:(?:many )?thanks|thank you|thx|cheers|(?:thanks, )?(?:i|we) (?:really |do )*appreciate)"
    r"(?: (?:so|very) much| a lot| again)?(?: for| you| your)+"
    r" (?:find|search|look|gett|fetch|show|send|pull)ing\b"
    r"(?!.*[,.;!] ?(?:and |now |but |so |please |can you |could you )*(?:find|show|search|look)\b)"
)
"""For what was done: `thank you for finding papers on bees`, but not `thanks in advance for …`."""


def only_talks_of_papers(text: str) -> bool:
    """Tell whether a text says something of papers, refuses them, or asks how or what if."""
    said = _said(text)
    if _NAMED.search(said) is None:
        return False
    is_talk = any(pattern.match(said) for pattern in (_PREDICATED, _SUPPOSED, _HOW))
    return is_talk or _REFUSED.search(said) is not None


def tells_or_asks_what_was(text: str) -> bool:
    """Tell who else wants papers, or thanks for them, or asks whether they have been found."""
    said = _said(text)
    is_of_papers = _NAMED.search(said) is not None
    return is_of_papers and any(pattern.match(said) for pattern in (_DID, _OF_OTHERS, _THANKED))


def _said(text: str) -> str:
    """Give a text in its normal form, the country apart from `us`."""
    return " ".join(normalise(re.sub(r"\bUS\b", "U.S.", text)).text.split())
