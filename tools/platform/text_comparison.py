"""Compare short texts: keyword conditions, word similarity, nearest names, and preserved facts.

Facts are numbers, ids, names and negations: what no other wording may lose or invent.
"""

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rapidfuzz.fuzz import token_set_ratio

KEYWORD = re.compile(r"[^\W_]+")


def meets_condition(condition: str, said: frozenset[str]) -> bool:
    """Tell whether every word of a condition is among `said`; one without a word is never met."""
    words = keywords_of(condition)
    return bool(words) and words <= said


def keywords_of(text: str) -> frozenset[str]:
    """List the words of a text as conditions compare them."""
    return frozenset(word.removesuffix("s") for word in KEYWORD.findall(text.lower()))


def long_words(text: str) -> frozenset[str]:
    """List the keywords of a text that have more than three letters."""
    return frozenset(word for word in keywords_of(text) if len(word) > 3)


def words_in_common(one: str, other: str) -> float:
    """Give the share of the shorter text's words, figures left out, that the other holds too."""
    ours, theirs = (
        frozenset(word for word in keywords_of(text) if word and not word[0].isdigit())
        for text in (one, other)
    )
    fewest = min(len(ours), len(theirs))
    return len(ours & theirs) / fewest if fewest else 0.0


COMPARED_CHARACTERS = 400
UNRELATED = 0.5
"""What two sentences about different things still share in letters; it counts as nothing."""


def similarity(one: str, other: str) -> float:
    """Compare two texts, 0 to 1, in any order of words; only their beginnings are read."""
    shared = token_set_ratio(one[:COMPARED_CHARACTERS].lower(), other[:COMPARED_CHARACTERS].lower())
    return max(0.0, (shared / 100 - UNRELATED) / (1 - UNRELATED))


def shorten(text: str, longest: int) -> str:
    """Put a text on one line; behind the last word that fits stands an ellipsis."""
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[:longest].rsplit(' ', 1)[0]} …"


def suggest_name(name: str, known: Iterable[str]) -> str:
    """Name the one that is near, or else all that are known."""
    names = list(known)
    near = difflib.get_close_matches(name, names, 1, 0.6)
    return f"did you mean {near[0]}?" if near else f"known: {', '.join(names) or 'none'}"


_URL = r"https?://\S+|(?<!\S)\S{1,100}@\S{1,200}\.\w+"
_TOKEN = re.compile(rf"{_URL}|@?\w+(?:[-'’./:_,]\w+)*")
_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
_SENTENCE = re.compile(r"(?:^|[.!?:;…]|\n)[\s\"'(“‘*-]*$")
_WRITTEN = {
    word: str(number)
    for number, word in enumerate(
        [
            *("zero", "", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
            *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
            *("eighteen", "nineteen", "twenty"),
        ]
    )
    if word
} | {"thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "hundred": "100"}
_NEGATIONS = frozenset(
    {
        *("no", "not", "never", "none", "nobody", "nothing", "nowhere", "neither", "nor"),
        *("without", "cannot", "unable"),
    }
)
_MINUS = re.compile(r"(?:^|[\s(])[-−]$")
_OPENED_WITHIN = 80
"""Characters, so that a long text of capitals is read once and not once for each of them."""
_PRONOUNS = frozenset({"i", "ok"})


_OPENERS = frozenset(
    {
        *("a", "an", "the", "this", "that", "these", "those", "there", "here", "it", "its", "i"),
        *("you", "we", "he", "she", "they", "your", "my", "our", "his", "her", "their", "one"),
        *("some", "any", "all", "both", "each", "every", "many", "most", "more", "another"),
        *("what", "when", "where", "who", "why", "how", "which", "if", "while", "as", "since"),
        *("in", "on", "at", "by", "to", "for", "from", "with", "after", "before", "about", "of"),
        *("and", "but", "or", "so", "then", "now", "still", "just", "only", "also", "yet"),
        *("is", "are", "was", "were", "has", "have", "had", "do", "does", "did", "will", "would"),
        *("can", "could", "may", "might", "must", "should", "please", "well", "oh", "ok", "yes"),
    }
)
"""Words that open a sentence and name nothing."""


@dataclass(frozen=True)
class Facts:
    """What a sentence states that can be compared without understanding it."""

    numbers: frozenset[str] = frozenset()
    ids: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    negations: int = 0


def facts_of(text: str, names: Sequence[str] = ()) -> Facts:
    """Read the facts of a text; `names` are things that it may name without a capital letter."""
    numbers, ids, capitals, negations = set(), set(), set(), 0
    for match in _TOKEN.finditer(text):
        token, low = match.group(), match.group().replace("’", "'").casefold()
        if _is_id(token):
            ids.add(low)
        elif _NUMBER.fullmatch(token):
            numbers.add(_sign(text, match.start()) + _plain(token))
        elif low in _WRITTEN:
            numbers.add(_WRITTEN[low])
        elif low in _NEGATIONS or low.endswith("n't"):
            negations += 1
        elif _is_capital(token) and not _opens(text, match.start()):
            capitals.add(low.removesuffix("'s"))
    spoken = text.casefold()
    named = {name.casefold() for name in names if name and name.casefold() in spoken}
    return Facts(frozenset(numbers), frozenset(ids), frozenset(capitals | named), negations)


def changed_facts(before: str, after: str, names: Sequence[str] = ()) -> tuple[str, ...]:
    """Say what a new wording loses or invents; nothing: it says the same facts."""
    return tuple(_changes(before, after, names))


def lost_facts(before: str, after: str, names: Sequence[str] = ()) -> tuple[str, ...]:
    """Say what a wording that may add something loses."""
    return tuple(change for change in _changes(before, after, names) if change.startswith("lost"))


def swapped_names(before: str, after: str) -> tuple[str, ...]:
    """Say which names changed places around the same word: who does it to whom is turned about.

    "Dana owes Jonas" and "Jonas owes Dana" hold the same facts. Another word between them
    ("Jonas gets it from Dana") or a passive ("by") may say the same, and is left alone.
    """
    old, new = _first_places(before), _first_places(after)
    both = sorted((one for one in old if one in new), key=lambda one: old[one])
    return tuple(
        f"swapped {one} and {other}"
        for one, other in pairwise(both)
        if new[one] > new[other]
        and _between(before, old[one] + len(one), old[other])
        & (said := _between(after, new[other] + len(other), new[one]))
        and "by" not in said
    )


def _first_places(text: str) -> dict[str, int]:
    """Find where each word with a capital letter stands first."""
    found: dict[str, int] = {}
    for match in _TOKEN.finditer(text):
        if _is_capital(match.group()) and not _is_id(match.group()):
            found.setdefault(match.group().casefold().removesuffix("'s"), match.start())
    return found


def _between(text: str, start: int, end: int) -> set[str]:
    words = {match.group().casefold() for match in _TOKEN.finditer(text, start, end)}
    return {word for word in words if word == "by" or word not in _OPENERS}


def opening_name(text: str) -> str | None:
    """Return the word a text opens with, if it may be whom or what the text is about.

    There every word has a capital letter, so a name cannot be told from "Build" or "Water": whoever
    words the text anew has to keep it, whichever it is.
    """
    match = _TOKEN.search(text)
    if match is None or not _is_capital(match.group()) or _is_id(match.group()):
        return None
    low = match.group().replace("’", "'").casefold().removesuffix("'s")
    is_empty = low in _OPENERS or low in _NEGATIONS or low in _WRITTEN or low.endswith("n't")
    return None if is_empty else low


def _changes(before: str, after: str, names: Sequence[str]) -> Iterator[str]:
    old, new = facts_of(before, names), facts_of(after, names)
    said, says = before.casefold(), after.casefold()
    for kind in ("numbers", "ids"):
        was, now = getattr(old, kind), getattr(new, kind)
        yield from (f"lost {one}" for one in sorted(was - now))
        yield from (f"added {one}" for one in sorted(now - was))
    yield from (f"lost {one}" for one in sorted(old.names) if not _holds(says, one))
    yield from (f"added {one}" for one in sorted(new.names) if not _holds(said, one))
    if new.negations < old.negations:
        yield "lost a negation"
    if new.negations > old.negations:
        yield "added a negation"


def _is_id(token: str) -> bool:
    if re.fullmatch(_URL, token) or token.startswith("@"):
        return True
    has_letter = any(character.isalpha() for character in token)
    return has_letter and any(character.isdigit() for character in token)


def _is_capital(token: str) -> bool:
    low = token.replace("’", "'").casefold()
    return token[0].isupper() and low.partition("'")[0] not in _PRONOUNS


def _opens(text: str, start: int) -> bool:
    """Tell whether a sentence begins there, by what stands shortly before it."""
    return _SENTENCE.search(text, max(0, start - _OPENED_WITHIN), start) is not None


def _sign(text: str, start: int) -> str:
    return "-" if _MINUS.search(text, max(0, start - 2), start) else ""


def _plain(number: str) -> str:
    is_grouped = re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", number)
    return number.replace(",", "") if is_grouped else number


def _holds(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}", text) is not None
