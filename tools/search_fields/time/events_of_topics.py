"""Times and ages of what papers are about: laws passed since 1990, patients older than 65 years.

A time hangs on the word before it. Behind a verb that tells what befell a thing, as in `people born
before 1950`, it is of that thing; papers are only published, and studies only done.
"""

import re

from tools.search_fields.time.operators import SHOWN
from tools.search_fields.words.papers import PAPERS
from tools.search_fields.words.pieces import any_of

_REACH = 60
"""Characters before a time that may hold what it hangs on."""
_OF_PAPERS = any_of(
    SHOWN, "(?:re-?)?published", "posted", "submitted", "accepted", "presented", "indexed",
    "archived", "(?:co-?)?authored",
    "uploaded", "listed", "updated", "added", "retracted", "reviewed",
    "peer[- ]reviewed", "cited", "conducted", "completed", "performed", "done", "reported",
    "produced", "undertaken", "studied", "investigated", "examined", "researched", "explored",
    "discussed", "described", "proposed", "evaluated", "analy[sz]ed", "mentioned", "surveyed",
    "tested", "covered", "documented", "collected",
)  # fmt: skip
"""What is done to papers, or in them: behind these a time is that of the papers."""
_NO_EVENTS = any_of(
    r"\w*eed", r"\w*shed", r"\w*bed", r"\w+[- ](?:based|related)", "based", "related", "limited",
    "restricted", "interested", "needed", "wanted", "required", "preferred", "hundred", "sacred",
    "infrared", "hatred", "advanced", "gifted", "applied", r"\w*supervised", "distributed",
    "embedded", "automated", "augmented", "mixed", "aged", "sorted", "ordered", "ranked",
    "filtered", "narrowed", r"randomi[sz]ed", "controlled", "combined", "simplified", "unified",
    "pubmed", "biomed", "ahmed", r"mu?o?h?amm?ed", "khaled", "javed", "jared",
    r"(?:al|man|wil)fred",
)  # fmt: skip
"""Words that end like such a verb and tell of nothing that came to pass."""
_IRREGULAR = any_of(
    "born", "built", "rebuilt", "held", "won", "lost", "found", "fought", "sold", "bought", "begun",
    "sent", "taken", "given", "set up", "laid", "struck", "sunk", "grown", "drawn up",
    "caught", "brought in", "torn down", "stolen", "worn", "sworn in", "overthrown",
    "withdrawn", "chosen", "frozen", "thrown out", "woven", "driven out", "forbidden", "overrun",
)  # fmt: skip
_WAS = "(?:was|were|is|are|had been|have been|has been|being)"
_HAPPENED = re.compile(
    rf"(?P<thing>[^\W\d_][\w'-]*) (?:(?:who|that|which) {_WAS} )?"
    rf"(?!{any_of(_OF_PAPERS, _NO_EVENTS)} )"
    rf"(?:{_IRREGULAR}|[a-z-]{{3,}}ed)(?: (?:up|off|out|down|in))? $"
)
_NO_THING = any_of(
    PAPERS, "research", "work", "works", "literature", "ones", "results", "anything", "something",
    "everything", "nothing", "stuff", "things?", "findings?", "progress", "be", "been", "being",
    "is", "are", "was", "were", "am", "has", "have", "had", "not", "and", "or", "but", "to", "that",
    "which", "who", "it", "they", "we", "i", "you", "the", "a", "an", "get", "got", "also", "ever",
    "recently", "only", "just", "newly", "first", "of", "on", "about", "in", "for", "by", "with",
    "what", "how", "why", "when", "where",
)  # fmt: skip
"""What no such verb tells anything of, or behind which it stands for the whole sentence."""
_ASKS = re.compile(
    r"\b(?:has|have|had|is|are|was|were|did|does|do)\b(?! (?:papers|you|any|there)\b)"
)
"""`How have reefs changed since 2000` tells nothing of a thing, but asks for the years since."""

_BY = re.compile(r"\b(?:by|authors?:?|from) (?:[\w.'-]+ ){0,2}$")
"""Before names of people, of which some end like such a verb."""

_PERSONS = any_of(
    "patients?", "participants?", "subjects", "people", "persons?", "adults?", "children", "kids",
    "child", "infants?", "babies", "toddlers", "teenagers?", "adolescents?", "boys?", "girls?",
    "women", "woman", "men", "man", "mothers", "fathers", "parents", "workers", "employees",
    "drivers", "athletes", "players", "students?", "pupils", "residents?", "citizens", "voters",
    "individuals?", "seniors", "survivors?", "smokers", "users", "males?", "females?", "volunteers",
    "recipients", "inmates", "veterans", "donors", "couples", "pensioners", "refugees", "migrants",
    "pedestrians", "cyclists", "passengers", "customers", "nurses", "doctors", "teachers",
)  # fmt: skip
_WHOSE_AGE = re.compile(
    rf"\b(?:{_PERSONS}(?: (?:(?:who|that|which) )?(?:are|is|were|was))?"
    r"|who (?:are|is|were|was)|aged?|ages) $"
)
_LASTING = re.compile(
    r"\b(?:for|lasting|lasts?|lasted|spanning|after|every|than|took|takes|duration|within"
    r"|(?<!papers )(?<!articles )(?<!studies )of) $"
)
"""Behind these a number of years is how long something takes."""
_HAS_AGE = re.compile(
    rf"(?!(?:{PAPERS}|ones|those|results|that|are|which|is|published)\b)[^\W\d_][\w'-]* $"
)
_OLD = 50
"""Years; who asks for papers that are older still says before when."""


def is_of_event(text: str, start: int) -> bool:
    """Tell whether a time that begins at `start` is when something befell what papers are on."""
    before = text[max(0, start - _REACH) : start]
    match = _HAPPENED.search(before)
    if match is None or re.fullmatch(_NO_THING, match["thing"]):
        return False
    before = before[: match.start()]
    return _ASKS.search(before) is None and _BY.search(before) is None


def is_age_of_topic(text: str, start: int, years: float) -> bool:
    """Tell whether an age that begins at `start` is that of people, or of what is far older."""
    before = text[max(0, start - _REACH) : start]
    if _WHOSE_AGE.search(before) or _LASTING.search(before):
        return True
    last = re.search(r"[\w'-]+ $", before)
    return years > _OLD and last is not None and _HAS_AGE.fullmatch(last[0]) is not None
