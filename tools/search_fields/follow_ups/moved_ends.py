"""Which end of the time of a search a short follow-up moves: `make that 2019`, `older ones`."""

import re

from state.policy import SearchPolicy
from tools.search_fields.words.papers import PAPERS
from tools.search_fields.words.pieces import any_of

_MOVES = re.compile(r"\W*(?:no\W+)?(?:make|change) (?:it|that|this)(?: to)? ((?:19|20)\d\d)\W*")
_LEAD = any_of(
    r"no[,.;!]", "and", "but", "ok(?:ay)?", "now", "(?:show|give)(?: me)?", "find", "get", "any",
    "only", "just", "some", "what about", "how about", "the", "please", "even",
)  # fmt: skip
_OTHER = re.compile(
    rf"\W*(?:{_LEAD}\W*\s){{0,4}}(?:(?P<older>older|earlier)|newer|later|more recent)"
    rf" (?:ones|{PAPERS}|work|research)(?: please| instead)?\W*"
)
_CORRECTS = re.compile(r"\W*(?:no|nope|sorry|wrong|oops|i meant|i mean|rather)\b|\W*[<>]=")
_OPENS = re.compile(
    r"\W*(?:and|or) (?:(?P<older>earlier|older|before)|later|newer|after|since|more recent)"
    r"(?: (?:ones?|papers?))?(?:,? (?:too|please|as well))?\W*"
)
_BESIDE = re.compile(
    rf"\W*(?:{_LEAD}\W*\s){{0,4}}(?:from |in )?(?:the|a|one) "
    "(?:(?P<older>year (?:before|earlier)|(?:previous|preceding|prior) year)"
    r"|year (?:after|later)|(?:next|following|subsequent) year)(?: (?:that|it))?"
    r"(?:,? (?:please|instead))?\W*"
)


def moved_end(previous: SearchPolicy, text: str, this_year: int) -> str | None:
    """Say in full what is meant, the year at the same characters; None: it moves no end.

    Of both ends, or none, the year itself is meant. Older ones are from before the search began,
    newer ones from after it ended.
    """
    if (other := _OTHER.fullmatch(text)) is not None:
        return _beyond(previous, this_year, is_older=other["older"] is not None, size=len(text))
    if previous.year_from is not None and previous.year_from == previous.year_to:
        only = _of_one_year(previous.year_from, text)
        if only is not None:
            return only
    matched = _MOVES.fullmatch(text)
    if matched is None:
        return None
    ends = (previous.year_from is not None, previous.year_to is not None)
    word = {(True, False): "since", (False, True): "until"}.get(ends, "in")
    return f"{word} ".rjust(matched.start(1)) + matched[1]


def _of_one_year(year: int, text: str) -> str | None:
    """Say what `or later` and `the year before` mean behind a search of a single year."""
    if (opens := _OPENS.fullmatch(text)) is not None:
        return f"{'<=' if opens['older'] else '>='} {year}".rjust(len(text))
    if (beside := _BESIDE.fullmatch(text)) is not None:
        return f"in {year - 1 if beside['older'] else year + 1}".rjust(len(text))
    return None


def _beyond(previous: SearchPolicy, this_year: int, *, is_older: bool, size: int) -> str | None:
    if is_older:
        return f"< {previous.year_from}".rjust(size) if previous.year_from else None
    if previous.year_to is not None and previous.year_to < this_year:
        return f"> {previous.year_to}".rjust(size)
    if previous.year_from is not None:  # what reaches until today has nothing newer behind it
        return None
    return "recent".rjust(size)


def is_corrected(previous: SearchPolicy, text: str) -> bool:
    """Tell whether `no, since 2018` takes the place of a single year, of which no end can stay."""
    is_one = previous.year_from is not None and previous.year_from == previous.year_to
    return is_one and _CORRECTS.match(text) is not None
