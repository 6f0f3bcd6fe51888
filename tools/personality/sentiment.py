"""How somebody feels who writes to us, by the words that say so; facts have no sentiment."""

import re
from collections.abc import Mapping

LONGEST_WORDS = 12
"""A longer message is about something: its `great` or `stuck` is no outcry."""
_AM = r"i(?:'m| am)(?: so| just| really)?"
_IT_IS = r"(?:this|that|it) is(?: so| just| really)?"
_FEELS: Mapping[float, tuple[str, ...]] = {
    -0.8: (
        r"i (?:just )?(?:give up|quit)",
        r"i(?:'ve| have)? had enough",
        r"keep (?:on )?(?:dying|losing|failing)",
        r"nothing works",
        r"lost everything",
        rf"{_AM} (?:done|lost|desperate)",
    ),
    -0.6: (
        r"ugh+|argh+|grr+|damn(?: it)?|oh no",
        rf"{_IT_IS} (?:impossible|hopeless|unfair|frustrating|terrible|awful|stupid)",
        r"i hate (?:this|it|that)",
        rf"{_AM} (?:stuck|frustrated|upset|angry|sad)",
        r"so frustrat(?:ing|ed)",
        r"(?:died|dead|lost|failed) again",
    ),
    -0.3: (rf"{_AM} (?:tired|bored|confused)", r"sigh|meh|too hard"),
    0.4: (r"nice|good|great|thanks|thank you|cool|finally|lol|haha+",),
    0.6: (
        r"i (?:did|made|got|found|won|beat) (?:it|them|one)",
        r"love (?:it|this|that)|perfect|excellent|it works",
    ),
    0.8: (
        r"yay+|yes{3,}|woo+(?:hoo+)?|awesome|amazing|fantastic",
        r"best (?:day|game|run) ever",
    ),
}
_PATTERNS = tuple(
    (value, re.compile(rf"(?<![\w'])(?:{'|'.join(words)})(?![\w'])"))
    for value, words in _FEELS.items()
)
_DENIED = re.compile(r"(?:\bnot|n't|\bnever|\bno)(?: \w+){0,2} $")


def sentiment(text: str) -> float:
    """Tell how somebody feels who says this, -1 to 1; 0 when nothing of it says so.

    The strongest word of each side counts once; a denied one counts on the other side, by half.
    """
    said = " ".join(text.replace("’", "'").lower().split())
    if len(said.split()) > LONGEST_WORDS:
        return 0.0
    found = [0.0]
    for value, pattern in _PATTERNS:
        for match in pattern.finditer(said):
            denied = _DENIED.search(said[: match.start()])
            found.append(-0.5 * value if denied else value)
    return round(max(-1.0, min(1.0, max(found) + min(found))), 4)
