"""With which verbs is an action asked for: those of its entry, and those of its examples."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from state.action import Action
from tools.routing.words.families import READ_FAMILIES, family_of_group
from tools.routing.words.normalise import words_of
from tools.routing.words.parted import joined
from tools.routing.words.signs import FUNCTION_WORDS
from tools.routing.words.verbs import Verb, VerbLexicon, groups_of

_ARTICLES = frozenset({"a", "an", "the"})
_ASKS = frozenset({"please", "to", "and", "you", "just", "then", "now", "also", "kindly"})
"""Words behind which a verb is asked, as the first word of a text is."""
_REMEMBERED = 4_096
_OFTEN = 0.01
"""Share of an action's examples: `tag graphs, status read` is one of the library's 265."""


def asked_with(action: Action, lexicon: VerbLexicon) -> frozenset[str]:
    """Name the groups of synonyms, and the phrases, that ask for an action.

    A phrase of the entry also counts by the verb it begins with: `delete export` is a deleting.
    """
    found = set(groups_of((*action.words, action.verb)))
    reads = action.effect == "read"  # `get WO-1 closed` lets no other word for looking up close it
    for phrase in action.words:
        words = words_of(phrase)
        for end in range(len(words), 0, -1):
            found |= groups_of((" ".join(words[:end]),))
            found |= {" ".join(words[:end]), _without_articles(" ".join(words[:end]))}
    for verb in _verbs_of_examples(action, lexicon):
        found |= {key for key in keys_of(verb) if reads or not looks_up(key)}
    return frozenset(found)


def often_asked_with(action: Action, lexicon: VerbLexicon) -> frozenset[str]:
    """Name the phrases by which a share of its examples ask, and not a single odd one of many."""
    said = Counter(verb.base for verb in _verbs_of_examples(action, lexicon))
    least = _OFTEN * len(action.examples)
    return frozenset(phrase for phrase, count in said.items() if count >= least)


def _verbs_of_examples(action: Action, lexicon: VerbLexicon) -> Iterator[Verb]:
    for text in action.examples:
        words = words_of(text)
        for said in asking_verbs(words, lexicon):
            yield joined(words, said, len(words), lexicon)


def asking_verbs(words: Sequence[str], lexicon: VerbLexicon) -> Iterator[Verb]:
    """Find the verbs that ask: at the front, behind `please`, and before `it` at the end."""
    for place in range(len(words)):
        ends_so = words[place + 1 : place + 2] in (("it",), ("them",), ("that",))
        if place == 0 or words[place - 1] in _ASKS or ends_so:
            verb = lexicon.at(words, place)
            # `any chance of closing it` asks with `any` for nothing, though some entry lists it.
            if verb is not None and verb.form == "base" and verb.phrase not in FUNCTION_WORDS:
                yield verb


def looks_up(group: str) -> bool:
    """Tell whether a group of synonyms, not a verb itself, is one of looking something up."""
    return "/" in group and family_of_group(group) in READ_FAMILIES


def keys_of(verb: Verb) -> tuple[str, ...]:
    """Name what a verb that was said can be found by; a light one has no synonyms."""
    return (verb.base,) if verb.is_light else _keys(verb.base, verb.groups)


@lru_cache(_REMEMBERED)
def _keys(base: str, groups: frozenset[str]) -> tuple[str, ...]:
    return (*dict.fromkeys((base, _without_articles(base))), *sorted(groups))


def _without_articles(phrase: str) -> str:
    """Make one of `add a note` and `add note`, whichever of them a pack has for its own."""
    return " ".join(word for word in phrase.split() if word not in _ARTICLES) or phrase
