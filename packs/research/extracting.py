"""Read an abstract by rules: what it is after, how it was done, what came out, what limits it."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from tools.routing.words.phrases import word_set

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"“(])")
_WORD = re.compile(r"[a-z][a-z0-9+-]{2,}")
CUES: Mapping[str, re.Pattern[str]] = {
    "aim": re.compile(
        r"\b(?:we (?:propose|present|introduce|study|investigate|ask|examine|develop|describe|aim)"
        r"|this (?:paper|article|work|study|survey|review) |our (?:aim|goal|objective)|aims? to"
        r"|in order to|is (?:proposed|presented|introduced))\b",
        re.IGNORECASE,
    ),
    "method": re.compile(
        r"\b(?:we (?:use|used|train|trained|collect|collected|measure|measured|apply|applied"
        r"|analy[sz]ed?|recorded|compared?)|using|based on|trained on|by means of|method|dataset"
        r"|data ?sets?|experiments?|participants|model is|architecture|approach|algorithm)\b",
        re.IGNORECASE,
    ),
    "result": re.compile(
        r"\b(?:results? (?:show|suggest|indicate|demonstrate)|we (?:find|found|show|showed|observe"
        r"|observed|demonstrate|report)|achieves?|achieved|outperforms?|improves?|improved"
        r"|increases?d?|reduces?d?|state[- ]of[- ]the[- ]art|significant(?:ly)?|reveals?)\b",
        re.IGNORECASE,
    ),
    "limits": re.compile(
        r"\b(?:however|limitations?|limited (?:by|to)|only (?:a|one|in)|future work|remains?"
        r"|caution|not (?:clear|yet|known)|unclear|further (?:work|research|studies))\b",
        re.IGNORECASE,
    ),
}
"""Words by which a sentence shows what it is about."""
_ORDER = ("limits", "result", "aim", "method")
_FIGURE = re.compile(
    r"(?:\b[A-Za-z][\w-]* (?:of|by|to) )?\b\d+(?:[.,]\d+)?(?: ?%| percent| points?| BLEU|-fold|x\b)"
)
_STOP = word_set(
    "the and for with that this from are was were has have had its their our which these those can"
    " may such been being than then also into over under between more most other some any all each"
    " both not only but how what when where while who will would could should using used use based"
    " show shows shown paper papers study studies results result method methods approach model"
    " models new two one first well very many however because through within across during after"
    " before against about without per via let see they them there here does did done due we"
)


def parts_of(abstract: str) -> Mapping[str, list[str]]:
    """Sort the sentences of an abstract; one without a sign of its own is left out."""
    parts: dict[str, list[str]] = {name: [] for name in CUES}
    for sentence in sentences(abstract):
        kind = next((name for name in _ORDER if CUES[name].search(sentence)), None)
        if kind is not None:
            parts[kind].append(sentence)
    return parts


def sentences(text: str) -> list[str]:
    """Cut a text into sentences."""
    return [part.strip() for part in _SENTENCE.split(text.strip()) if part.strip()]


def figures_in(text: str) -> list[str]:
    """Find the numbers with a unit that a result is told in."""
    return list(dict.fromkeys(match[0].strip() for match in _FIGURE.finditer(text)))[:6]


def keywords_of(texts: Iterable[str], most: int = 8) -> list[str]:
    """Name the words that stand out, the most frequent first, ties in the order of the text."""
    counted = Counter(word for text in texts for word in telling_words(text))
    return [word for word, _count in counted.most_common(most)]


def telling_words(text: str) -> list[str]:
    """List the words of a text that carry meaning."""
    return [word for word in _WORD.findall(text.lower()) if word not in _STOP]


def overlap(question: str, text: str) -> Sequence[str]:
    """Name the words of a question that a text has too."""
    have = {_stem(word) for word in telling_words(text)}
    return [word for word in dict.fromkeys(telling_words(question)) if _stem(word) in have]


def _stem(word: str) -> str:
    for ending in ("ations", "ation", "ings", "ing", "ies", "es", "ed", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word
