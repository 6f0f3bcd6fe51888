"""Is it a greeting, a thank you or a nod, and nothing else?"""

import re

from tools.routing.words.normalise import normalise

_WHO = "there|all|again|everybody|everyone|team|folks|friend"
_TALK = re.compile(
    rf"(?:hi|hiya|hello|hey|yo|howdy|greetings)(?: (?:{_WHO}))?"
    rf"|good (?:morning|afternoon|evening|night|day)(?: (?:{_WHO}))?|morning(?: (?:{_WHO}))?"
    r"|how are you(?: (?:doing|today))?|how(?:'s| is) it going|what'?s up|nice to (?:meet|see) you"
    rf"|(?:thanks?|thank you|thx|cheers|ta)(?: (?:{_WHO}|a lot|so much|very much))?"
    r"|for (?:your|the) help|much appreciated|ok|okay|alright|all right|great|perfect|nice|cool"
    r"|super|awesome|wonderful|excellent|good|fine|sure|right|i see|got it|understood|makes sense"
    r"|yes(?: please)?|yeah|yep|no(?: thanks| thank you)?|please|no worries|no problem"
    r"|you(?:'re| are) welcome|well done|good job"
    r"|bye|goodbye|good bye|see you(?: (?:later|soon|tomorrow))?"
    r"|have a (?:nice|good) (?:day|evening|weekend)|haha|lol|wow|oh|ah|hm+"
    r"|(?:that (?:was|is)|that's|it was|very) (?:great|good|helpful|nice|fine|all|useful)"
)
_BETWEEN = re.compile(r"[\s,.!?;:…()-]*")
MOST_CHARACTERS = 120


def is_small_talk(text: str) -> bool:
    """Tell whether a text is made of such phrases alone: it asks for no action at all."""
    said = normalise(text[: MOST_CHARACTERS + 1]).text
    if not said.strip() or len(text) > MOST_CHARACTERS:
        return False
    place = _BETWEEN.match(said)
    at = place.end() if place else 0
    while at < len(said):
        phrase = _longest(said, at)
        if phrase == at:
            return False
        gap = _BETWEEN.match(said, phrase)
        at = gap.end() if gap else phrase
    return True


def _longest(said: str, at: int) -> int:
    """Find where the longest phrase that begins here ends; `at` itself when there is none."""
    ends = [
        end
        for end in range(len(said), at, -1)
        if (end == len(said) or not said[end].isalnum()) and _TALK.fullmatch(said, at, end)
    ]
    return ends[0] if ends else at
