"""What ends an order and only asks to hear of it: `close WO-1042 and let me know when it's done`.

It is no request of its own, no word of a note, and nothing that an order leaves open: whoever asks
is told what came of it in any case.
"""

import re
from dataclasses import replace

from tools.routing.words.normalise import Normal

_ME = "(?:me|us)"
TELLING = (
    f"let {_ME} know|(?:tell|ping|notify|inform|alert|update) {_ME}|keep {_ME} (?:posted|informed"
    f"|updated|in the loop)|(?:get|come) back to {_ME}|give {_ME} a (?:shout|ping|heads up|sign)"
    f"|(?:report|confirm) (?:back(?: to {_ME})?|to {_ME})"
)
"""Words by which somebody asks to be told. A bare `confirm` and `report` are none of them: they may
be what is to be done."""
_STATE = (
    "(?:(?:it|that|this|all|everything)(?:'s| is| has)|you(?:'re| are|'ve| have)"
    "|(?:it|that|this) (?:gets|got))"
)
_DONE = "(?:been )?(?:done|finished|ready|complete|through|sorted|over|[a-z]+ed)"
_WHEN = f"(?:when|once|after|as soon as|that)(?: {_STATE})? {_DONE}|how (?:it|that) (?:went|goes)"
"""No `if`: `and tell me if that's allowed` leaves it open whether."""
_REPORT = re.compile(
    r"(?:(?:(?<![,;.!])[,;.!]+ *| -+ )(?:and |then |also |please |pls )*"
    r"|(?: (?:and|then|also|please|pls))+ )"
    rf"(?:{TELLING})(?: (?:{_WHEN}))?(?:,? (?:please|pls|thanks|thank you|ok|okay))?[ .!]*$"
)
_KEPT = re.compile(
    r"[:\n]|^[^\"]*\"(?:[^\"]*\"[^\"]*\")*[^\"]*$| [-\u2192] ?\S"
    r"|\b(?:that|saying|says|write|reading|note|ask|tell|remind|message|comment|draft)\b"
    r"|\b(?:task|job|reminder|email|mail) to [a-z]"
    r"|^(?:and |then |so )?(?:if|once|when|whenever|after|until|before|unless|as soon as)\b"
)
"""Before it, these let its words be part of what is to be written down, or all that is asked."""


def without_report(normal: Normal) -> tuple[Normal, str | None]:
    """Take such an end off a text.

    Returns:
        The text without it, and the end as it was written; None: the text has none.
    """
    found = _REPORT.search(normal.text)
    if found is None or _KEPT.search(normal.text, 0, found.start()):
        return normal, None
    start = found.start()
    tokens = tuple(one for one in normal.tokens if one.end <= start)
    if not tokens:
        return normal, None
    end = normal.written(normal.tokens[len(tokens)].start, normal.tokens[-1].end)
    origin = normal.origin and normal.origin[: start + 1]
    return replace(normal, text=normal.text[:start], tokens=tokens, origin=origin), end
