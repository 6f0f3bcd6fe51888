"""What the writer will do himself, and later: no condition of what he asks for meanwhile."""

import re
from collections.abc import Sequence

from tools.routing.speech_acts.clause_words import Judged

_PLANS = re.compile(
    r"(?:(?:so|and|but|ok|okay) )*(?:i'll|we'll|(?:i|we) will|(?:i'm|i am|we're|we are) going to)\b"
)


def is_look_meanwhile(one: Judged, before: Judged, words: Sequence[str]) -> bool:
    """Tell `I'll add mine later, for now show it` from `I'd be glad, close it`.

    Only a look: what changes something may be one more thing that he will do.
    """
    reads = one.is_asking and one.verb is not None and one.verb.nature == "read"
    is_plan = _PLANS.match(" ".join(before.own(words))) is not None
    return is_plan and reads and not one.clause.joint
