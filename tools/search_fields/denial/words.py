"""The words that leave something out of a search, each once for every rule that reads it."""

from tools.search_fields.words.orders import SHOW
from tools.search_fields.words.pieces import any_of

_LEAVE_OUT = (("exclude", "excluding"), ("omit", "omitting"), ("skip", "skipping"))
_DISCARD = (
    ("avoid", "avoiding"), ("ignore", "ignoring"), ("drop", "dropping"), ("remove", "removing"),
    ("discard", "discarding"), ("disregard", "disregarding"), ("hide", "hiding"),
    ("discount", "discounting"), ("get rid of", "getting rid of"),
    ("spare (?:me|us)", "sparing (?:me|us)"), ("forget(?: about)?", "forgetting(?: about)?"),
)  # fmt: skip
_SET_ASIDE = (
    ("leave", "leaving"), ("filter", "filtering"), ("rule", "ruling"), ("weed", "weeding"),
    ("cut", "cutting"), ("take", "taking"), ("keep", "keeping"), ("put", "putting"),
)  # fmt: skip
_ASIDE = "(?:out|off|aside)"


def _either(verbs: tuple[tuple[str, str], ...]) -> str:
    return any_of(*(form for verb in verbs for form in verb))


LEAVE_OUT = any_of(*(order for order, _doing in _LEAVE_OUT), "leave out")
"""Orders that can be of nothing but what is found; `drop P-5` is one to the library."""
OMIT = any_of(
    LEAVE_OUT,
    *(order for order, _doing in _DISCARD),
    f"{any_of(*(order for order, _doing in _SET_ASIDE))} {_ASIDE}",
)
"""What any order to leave something out begins with."""
SETS_ASIDE = _either(_SET_ASIDE)
"""The first half of `leave … out`."""
OMITS = any_of("excludes", _either(_LEAVE_OUT), _either(_DISCARD), f"{SETS_ASIDE} {_ASIDE}")
"""The same as in an order, or in what is told of papers."""
OMITTING = any_of("excluding", "omitting", f"leaving {_ASIDE}")
"""Those that are as good as prepositions: `papers on mice excluding rats`."""
DISREGARDING = any_of(OMITTING, *(doing for _order, doing in (*_LEAVE_OUT, *_DISCARD)))
"""Those, and all that are so before a bare year: `bees ignoring 2020`."""
OMITTED = any_of(
    "excluded", "excepted", "omitted", "left out", "left aside", "ruled out", "barred",
    "unwanted", "exempt(?:ed)?", "ignored", "disregarded", "skipped", "of no (?:interest|use)",
    "no (?:use|good)", "(?:useless|uninteresting|irrelevant)",
)  # fmt: skip
"""What may be said of it behind: `2020 excluded`."""
SAVE = any_of(
    "except(?:ing|ed)?(?: for)?", "with the exceptions? of", "other than", "(?:apart|aside) from",
    "save for",
)  # fmt: skip
"""Exceptions, whatever is excepted."""
WANTS = any_of("want", "need", "like", "see", "read", "include", "find", "return", "bring up", SHOW)
"""What is asked for, so that a `not` before it refuses."""
REFUSES = rf"(?:do not|don't) {WANTS}(?: (?:me|us|to see|to read))?"
RESOLVED = any_of(
    "agreed", "decided", "chose", "chosen", "resolved", "plan", "planned", "intend", "intended",
    "meant", "promised", "preferred", "opted",
)  # fmt: skip
"""What was settled is an order for the search: `as we agreed to exclude 2020`."""
UNDO = any_of(
    "drop", "remove", "lift", "forget", "ignore", "clear", "reset", "without", "no", "delete",
    "skip", "lose", "turn off", "switch off", "undo",
)  # fmt: skip
"""What takes back a filter that was set: `lift the year limit`."""
