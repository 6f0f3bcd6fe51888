"""Cut a text into clauses, and set aside what is quoted or told rather than asked."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tools.routing.speech_acts.denials import negator_in
from tools.routing.speech_acts.framing import foreign_words, is_for_shell
from tools.routing.speech_acts.joints import joint_at
from tools.routing.speech_acts.ordering import Verbs, begins_order
from tools.routing.words.normalise import Normal
from tools.routing.words.phrases import word_set
from tools.routing.words.signs import DO_THIS
from tools.routing.words.verb_forms import Form
from tools.routing.words.verbs import VerbLexicon

_HARD = re.compile(r"[;!?:\n]|\.(?=\s|$)|\.\.")
_STOP = re.compile(r"[,;!?:.\n]")
_LABELS = re.compile(r":|^\s+(?:=|:=|->|=>|→)(?=\s|$)")
"""What parts a label from what is told, `question: …` and `question = …`; before an order an arrow
says what is to be done with a thing: `the brochure -> archive`."""
_QUOTED_STOP = re.compile(r"^[?!.]+(?=[\"'”’»])")
"""The stop of a quoted sentence, which does not end the one it stands in."""
_ALSO = re.compile(r"\s[&+]\s")
_SOFT = re.compile(r",|\s-+\s|\(|\)")
TELLING = word_set(
    "say says saying said tell note noting mention mentioning log logging write writing record "
    "recording remark comment report reporting remember remind"
)
"""Words after which `that` begins what is told."""
_MAY_TELL = word_set("put add adding is over down know message handover order it watch")
"""Words right before such a `that`."""
_AMENDS = word_set("edit update correction ps nb addendum sorry")
"""Before a colon, behind a first sentence, these bring what changes it."""
_THE = word_set("the a old this that")
_NO_TOPIC = word_set(
    "urgent important asap attention hey hi hello ok okay please action question request quick "
    "task todo help"
)


class Clause(NamedTuple):
    """Words `first` to `end` of a text, end exclusive, and how they hang on what went before."""

    first: int
    end: int
    is_bound: bool
    """A comma, a conjunction or nothing parts it from the clause before; no full stop does."""
    joint: str
    """The word that binds it: `and`, `but`, `not`, `if`, or nothing."""
    is_asked: bool
    """A question mark follows."""


class Cut(NamedTuple):
    """A text in clauses; `content_first` is where told words begin, after a colon or `that`."""

    clauses: tuple[Clause, ...]
    quoted: frozenset[int]
    content_first: int | None


def cut_clauses(
    normal: Normal, lexicon: VerbLexicon, openings: Mapping[str, Form] | None = None
) -> Cut:
    """Cut at stops, commas, conjunctions before a verb, and before a denied or conditional part.

    Args:
        openings: verbs that only the catalogue's examples show.
    """
    verbs = Verbs(lexicon, openings or {})
    words = normal.words
    quoted = foreign_words(normal)
    if is_for_shell(normal) and lexicon.at(words, 0) is None and words[0] not in verbs.openings:
        quoted = frozenset(range(len(words)))
    content = _content_first(normal, words, verbs)
    end = len(words) if content is None else content
    clauses: list[Clause] = []
    first, is_bound, joint = 0, False, ""
    has_address = "@" in normal.text or "//" in normal.text
    for place in range(1, end):
        gap = normal.text[normal.tokens[place - 1].end : normal.tokens[place].start]
        if place - 1 in quoted:
            gap = _QUOTED_STOP.sub("", gap)
        if gap.startswith(".") and _is_number(normal, place):
            gap = " "
        if has_address and _is_in_address(normal.text, normal.tokens[place].start):
            continue
        is_plain = gap == " "
        hard = None if is_plain else _HARD.search(gap)
        soft = not is_plain and _SOFT.search(gap) is not None
        word_joint = joint_at(words, place, end, verbs, is_soft=soft) if not hard else ""
        is_joined = not is_plain and not word_joint and _ALSO.search(gap) is not None
        if is_joined and begins_order(words, place, end, verbs):
            word_joint = "and"
        if not hard and not soft and not word_joint:
            continue
        clauses.append(Clause(first, place, is_bound, joint, "?" in gap))
        first, is_bound = place, hard is None
        joint = word_joint if hard is None else ""
    if first < end:
        tail = normal.text[normal.tokens[end - 1].end :]
        if end - 1 in quoted and first not in quoted:
            tail = _QUOTED_STOP.sub("", tail)
        is_asked = content is None and "?" in tail[:10]
        clauses.append(Clause(first, end, is_bound, joint, is_asked))
    return Cut(tuple(clauses), quoted, content)


def _is_number(normal: Normal, place: int) -> bool:
    """Tell `item no. 2` and `close it, no. 2` from `close it, no. 2 stays as it is`."""
    before, own = normal.tokens[max(0, place - 2)], normal.tokens[place - 1]
    if own.text != "no" or not normal.tokens[place].text.isdigit():
        return False
    behind = normal.text[normal.tokens[place].end :].lstrip()
    is_apart = place > 1 and _STOP.search(normal.text[before.end : own.start]) is not None
    return not is_apart or not behind or _STOP.match(behind) is not None


def _is_in_address(text: str, place: int) -> bool:
    """Tell whether a word goes on with an address: the last of `kim@example.org`."""
    chunk = text[:place].rsplit(maxsplit=1)[-1] if place and not text[place - 1].isspace() else ""
    return chunk.endswith((".", ":", "/")) and ("@" in chunk[1:] or "//" in chunk)


def _content_first(normal: Normal, words: Sequence[str], verbs: Verbs) -> int | None:
    """Find the first told word: after a colon, or after `that` behind a word of telling."""
    sentence = 0
    for place in range(1, len(words)):
        gap = normal.text[normal.tokens[place - 1].end : normal.tokens[place].start]
        label = _LABELS.search(gap) if gap != " " else None
        is_label = label is not None and (
            label[0] == ":" or not begins_order(words, place, len(words), verbs)
        )
        if not is_label and gap != " " and _HARD.search(gap):
            sentence = place
        if is_label and sentence == place - 1 > 0 and words[sentence] in _AMENDS:
            continue  # `EDIT: no longer needed`
        if is_label and not _points_on(words[:place]):
            if negator_in(words, 0, place) is None:
                return place
            continue  # `you need not close it: add a note` explains itself
        if words[place] == "that" and place + 1 < len(words) and (_tells(words, sentence, place)):
            return place + 1
        if words[place] == "saying" and words[place - 1] not in _THE and place + 1 < len(words):
            return place + 1
    return None


def _points_on(before: Sequence[str]) -> bool:
    """Tell `urgent:` and `please do the following:`, behind which we are still spoken to."""
    does = "do" in before and (_NO_TOPIC | DO_THIS).issuperset(before)
    return does or _NO_TOPIC.issuperset(before)


def _tells(words: Sequence[str], sentence: int, place: int) -> bool:
    """Tell `note on WO-1038 that …` from `show the pump that …`."""
    if words[max(0, place - 3) : place] == ["see", "to", "it"] or words[place - 1] == "so":
        return False
    return not TELLING.isdisjoint(words[sentence:place]) or words[place - 1] in _MAY_TELL
