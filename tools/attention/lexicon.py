"""Compute a salience vector from the words of a text when the sender gave none.

The general word lists are small and name what stands out in any domain; packs add their own
patterns. Negated words count nothing.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from state.salience import SalienceVector
from tools.attention.polarity import Polarities, Polarity
from tools.catalog.pack_schema import AttentionFile

_WORDS: Mapping[str, Mapping[float, str]] = {
    "threat": {
        0.9: "fire smoke flooding explosion gas_leak man_overboard mayday intruder collapse"
        " unconscious heart_attack not_breathing",
        0.75: "emergency danger critical alarm severe leak overheating breach attack attacked crash"
        " bleeding overflow shutdown ransomware",
        0.55: "warning failure failed fails fault broken exceeded too_high too_low offline unsafe"
        " blocked lost error errors exception stuck denied expired overdue",
    },
    "actionability": {
        0.8: "please help need needs fix check order schedule book remind deadline due asap urgent"
        " urgently todo how_do how_to can_you could_you should",
        0.5: "trying searching looking comparing waiting preparing plan planning meeting"
        " appointment missing low empty full error problem issue unread",
    },
    "goal_relevance": {
        0.7: "deadline goal meeting interview exam flight appointment delivery payment customer"
        " release deploy build project task order report",
        0.45: "work code document email invoice study learning travel shopping cooking health",
    },
    "opportunity": {
        0.6: "available ready discount sale free improve faster better upgrade option recommend"
        " alternative tutorial guide learn",
        0.4: "open opens opened searches browses considers compares tip",
    },
    "novelty": {
        0.6: "new first unusual unexpected suddenly changed unknown never strange surprise",
        0.4: "started arrived created detected joined update updated",
    },
    "social": {
        0.6: "says asks asked message messages call calls invited birthday friend family colleague"
        " guest everyone together",
        0.4: "we they someone people team crew",
    },
    "humor": {0.7: "joke funny hilarious lol haha ridiculous prank"},
}
_THING = re.compile(
    r" (?:plan|pump|door|hose|extinguisher|exit|main|panel|blanket|station|log)s?\b"
)
"""After an alarming word these name a thing: a fire plan is not a fire."""
ADDED_AT_MOST = 0.2
"""What further words may add to the strongest: .55 stays below a threat that is always told."""
READ_CHARACTERS = 4_000
"""How much of a text is read: what matters is said early, and a long text must not cost more."""


WEIGHED_WORDS = 60
"""Of so many words of a text it is asked whether they are denied; more count as they stand."""


Levels = Mapping[str, tuple[str, float]]
"""Word or phrase → its dimension and score."""


@dataclass(frozen=True)
class SalienceLexicon:
    """The words and patterns that stand out."""

    levels: Levels
    words: re.Pattern[str]
    patterns: tuple[tuple[re.Pattern[str], str, float], ...] = ()

    @classmethod
    def of_packs(cls, files: Sequence[AttentionFile]) -> Self:
        """Compile the words and patterns that packs say stand out."""
        levels = {
            word.lower(): (str(dimension), score)
            for file in files
            for dimension, scores in file.words.items()
            for score, words in scores.items()
            for word in words
        }
        patterns = [
            (pattern, str(dimension), score)
            for file in files
            for dimension, scores in file.patterns.items()
            for score, found in scores.items()
            for pattern in found
        ]
        return cls.of(levels, patterns)

    @classmethod
    def of(cls, levels: Levels, patterns: Iterable[tuple[str, str, float]] = ()) -> Self:
        """Compile words; where one is part of another the longer one counts."""
        longest_first = sorted(map(re.escape, levels), key=len, reverse=True)
        return cls(
            levels,
            re.compile(rf"\b(?:{'|'.join(longest_first)})\b" if levels else "(?!)"),
            tuple(
                (re.compile(pattern, re.IGNORECASE), dimension, score)
                for pattern, dimension, score in patterns
            ),
        )


GENERAL = SalienceLexicon.of(
    {
        word.replace("_", " "): (dimension, score)
        for dimension, levels in _WORDS.items()
        for score, words in levels.items()
        for word in words.split()
    }
)
"""What stands out in any domain."""


@dataclass(frozen=True)
class LexiconSalience:
    """A vector and the words it came from."""

    vector: SalienceVector
    words: tuple[str, ...]
    denied: frozenset[Polarity] = frozenset()
    """In what ways dangers and troubles are named that are none: absent, over, practised."""


def salience_from_words(text: str, lexicon: SalienceLexicon = GENERAL) -> LexiconSalience:
    """Score a text by the words in it; a negated word ("no smoke", "fire drill") counts nothing.

    The strongest word of a dimension sets its score; each further one closes a tenth of the gap
    to 1, up to ADDED_AT_MOST, so that many weak signs never add up to an alarm by themselves.
    """
    lowered = text[:READ_CHARACTERS].lower()
    scores: dict[str, float] = {}
    strongest: dict[str, float] = {}
    words: list[str] = []
    denied: set[Polarity] = set()
    polarities = Polarities(lowered)
    for number, (word, (dimension, score), span) in enumerate(_found(lowered, lexicon)):
        if word in words:
            continue
        polarity = polarities.at(*span) if number < WEIGHED_WORDS else "asserted"
        if polarity != "asserted":
            denied |= {polarity} if dimension == "threat" else set()
            continue
        strongest[dimension] = max(score, strongest.get(dimension, 0.0))
        so_far = max(score, scores.get(dimension, 0.0))
        if dimension in scores:
            so_far += 0.1 * (1 - so_far)
        scores[dimension] = min(so_far, strongest[dimension] + ADDED_AT_MOST)
        words.append(word)
    if "?" in lowered and lexicon is GENERAL:
        scores["actionability"] = max(scores.get("actionability", 0.0), 0.5)
    return LexiconSalience(
        SalienceVector(**{name: min(1.0, round(score, 4)) for name, score in scores.items()}),
        tuple(words),
        frozenset(denied | ({"absent"} if lexicon is GENERAL and polarities.reassures else set())),
    )


_ALL_CLEAR = re.compile(
    r"\W*(?:[\w-]+\s*:\s*|(?:\w+\s+){0,3})(?:(?:all[ -]?clear|back to normal|resolved|stood down)\b"
    r"|(?:over|cleared)\W*$)"
)
_NOT_YET = re.compile(r"\b(?:not?|never|un\w+|until|when|if|once|await\w*|wait\w*)\b|n't\b|\?")
"""What makes of an end one that is only hoped for."""
_DANGER = 0.75
"""Score of a word whose absence is the end of an alarm; `0 errors` ends none."""


def reports_all_clear(text: str) -> bool:
    """Tell whether a text names no danger that is there, and says that one is over or absent."""
    lowered = text[:READ_CHARACTERS].lower()
    read = salience_from_words(lowered)
    if read.vector.threat or "practised" in read.denied:
        return False
    if "over" in read.denied:
        return True
    if _ALL_CLEAR.match(lowered) and not _NOT_YET.search(lowered):
        return True
    dangers = (level for _word, level, _span in _found(lowered, GENERAL))
    return "absent" in read.denied and any(
        dimension == "threat" and score >= _DANGER for dimension, score in dangers
    )


def _found(
    lowered: str, lexicon: SalienceLexicon
) -> Iterator[tuple[str, tuple[str, float], tuple[int, int]]]:
    """Give each word and pattern that is found, with what it scores and where it stands."""
    for match in lexicon.words.finditer(lowered):
        if not _THING.match(lowered, match.end()):
            yield match.group(), lexicon.levels[match.group()], match.span()
    for pattern, dimension, score in lexicon.patterns:
        match_ = pattern.search(lowered)
        if match_:
            yield match_.group(), (dimension, score), match_.span()
