"""The personality's own filter: length, register and liveliness by the traits, never the facts.

Source: Executive decision loop §6.1 and §7.2.
"""

import re
from collections.abc import Callable, Mapping

from state.personality import Traits

TERSE, FORMAL, CASUAL, LIVELY, SOBER = 0.3, 0.7, 0.3, 0.75, 0.3
"""Levels of verbosity, formality and enthusiasm from which a wording changes; .5: none of it."""
_LONG: Mapping[str, str] = {
    "can't": "cannot", "won't": "will not", "shan't": "shall not", "n't": " not", "'re": " are",
    "'ve": " have", "'ll": " will", "'m": " am", "let's": "let us", "it's": "it is",
    "that's": "that is", "there's": "there is", "what's": "what is", "here's": "here is",
}  # fmt: skip
_SHORT: Mapping[str, str] = {
    "do not": "don't", "does not": "doesn't", "did not": "didn't", "is not": "isn't",
    "are not": "aren't", "cannot": "can't", "will not": "won't", "it is": "it's",
    "that is": "that's", "you are": "you're", "there is": "there's", "should not": "shouldn't",
}  # fmt: skip


def in_manner(text: str, traits: Traits, *, is_alert: bool) -> str:
    """Word a text as the traits have it; an alert is left alone: all of it may matter."""
    if is_alert:
        return text
    if traits.verbosity < TERSE:
        text = _first_sentence(text)
    if traits.formality >= FORMAL:
        text = _replaced(text, _LONG)
    elif traits.formality <= CASUAL:
        text = _replaced(text, _SHORT)
    if traits.enthusiasm >= LIVELY and traits.formality < FORMAL:
        text = re.sub(r"(?<=\w)\.$", "!", text)
    elif traits.enthusiasm <= SOBER or traits.formality >= FORMAL:
        text = re.sub(r"!+(?=\s|$)", ".", text)
    return text


def _first_sentence(text: str) -> str:
    return text[: text.index(". ") + 1] if ". " in text else text


def _replaced(text: str, wordings: Mapping[str, str]) -> str:
    text = text.replace("’", "'")
    for old, new in wordings.items():
        edge = "" if old.startswith(("'", "n't")) else r"(?<![\w'])"
        text = re.sub(rf"{edge}{re.escape(old)}(?![\w'])", _cased(new), text, flags=re.IGNORECASE)
    return text


def _cased(new: str) -> Callable[[re.Match[str]], str]:
    def written(match: re.Match[str]) -> str:
        return new[:1].upper() + new[1:] if match.group()[0].isupper() else new

    return written
