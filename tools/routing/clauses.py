"""Cut a text into clauses, and set aside what is quoted or told rather than asked."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tools.routing.denials import negator_in
from tools.routing.framing import foreign_words
from tools.routing.normalise import Normal
from tools.routing.phrases import word_set
from tools.routing.signs import SUBJECTS
from tools.routing.verbs import VerbLexicon

_HARD = re.compile(r"[;!?:\n]|\.(?=\s|$)|\.\.")
_SOFT = re.compile(r",|\s-+\s|\(|\)")
TELLING = word_set(
    "say says saying said tell note noting mention mentioning log logging write writing record "
    "recording remark comment report reporting remember remind"
)
"""Words after which `that` begins what is told."""
_MAY_TELL = word_set("put add adding is over down know message handover order it watch")
"""Words right before such a `that`."""
_NO_TOPIC = word_set(
    "urgent important asap attention hey hi hello ok okay please action question request quick "
    "task todo help"
)
_AUXILIARIES = word_set(
    "is are was were am be been do does did has have had can could will would shall should "
    "may might must if whether why or it's that's i'm you're we're they're"
)
_AFTER_NOT = word_set(
    "the a an to in into on onto for from at with this that these those my our your it them"
)
_LEADS_ON = word_set("please also then just now go first finally")
_CONDITIONS = word_set("if unless once when whenever provided assuming")
_TIMES = word_set("after before until till while because since")
"""These bind a clause when its subject follows; `after 5 pm` is only a time."""
_AS_LONG = frozenset({("as", "soon", "as"), ("as", "long", "as"), ("in", "case"), ("so", "that")})
_ASKS_WHETHER = word_set(
    "check see know ask tell wonder out even as and confirm verify sure determine decide so ok "
    "what wondering"
)

_NICE = word_set("great nice good lovely helpful grateful glad happy wonderful")
"""Between `it would be` and `if you could` these begin no condition."""
_INSTEAD = word_set("but instead rather without except")
_TELLS_ME = word_set("tell show ask remind inform teach text call notify alert let")


@dataclass(frozen=True)
class Clause:
    """Words `first` to `end` of a text, end exclusive, and how they hang on what went before."""

    first: int
    end: int
    is_bound: bool
    """A comma, a conjunction or nothing parts it from the clause before; no full stop does."""
    joint: str
    """The word that binds it: `and`, `but`, `not`, `if`, or nothing."""
    is_asked: bool
    """A question mark follows."""


@dataclass(frozen=True)
class Cut:
    """A text in clauses; `content_first` is where told words begin, after a colon or `that`."""

    clauses: tuple[Clause, ...]
    quoted: frozenset[int]
    content_first: int | None


def cut_clauses(normal: Normal, lexicon: VerbLexicon) -> Cut:
    """Cut at stops, commas, conjunctions before a verb, and before a denied or conditional part."""
    words = [token.text for token in normal.tokens]
    quoted = foreign_words(normal)
    content = _content_first(normal, words)
    end = len(words) if content is None else content
    clauses: list[Clause] = []
    first, is_bound, joint = 0, False, ""
    for place in range(1, end):
        gap = normal.text[normal.tokens[place - 1].end : normal.tokens[place].start]
        hard = _HARD.search(gap)
        soft = _SOFT.search(gap) is not None
        word_joint = _joint(words, place, end, lexicon, is_soft=soft) if not hard else ""
        if not hard and not soft and not word_joint:
            continue
        clauses.append(Clause(first, place, is_bound, joint, "?" in gap))
        first, is_bound = place, hard is None
        joint = word_joint if hard is None else ""
    if first < end:
        tail = normal.text[normal.tokens[end - 1].end :]
        is_asked = content is None and "?" in tail[:10]
        clauses.append(Clause(first, end, is_bound, joint, is_asked))
    return Cut(tuple(clauses), quoted, content)


def _joint(
    words: Sequence[str], place: int, end: int, lexicon: VerbLexicon, *, is_soft: bool
) -> str:
    """Name the word that begins a new clause at `place`, nothing when none does."""
    word, before = words[place], words[place - 1]
    following = words[place + 1] if place + 1 < end else ""
    if word in _INSTEAD and before not in ("i'd", "we'd", "would"):  # `I'd rather you closed it`
        return "not" if word != "but" and following in ("of", "than", "") else word
    if word == "then" and before != "and":
        return "and"
    if word == "not" and before not in _AUXILIARIES:
        return "not" if _denies_part(words, place, end, lexicon) else ""
    condition = _condition(words, place, end)
    if condition is not None:
        return condition
    if word in ("so", "and", "but") and _is_frame(words, place + 1):
        return "and" if word != "but" else word
    if word in ("and", "or") or is_soft:
        start = place + (word in ("and", "or"))
        while start < end and words[start] in _LEADS_ON:
            start += 1
        if start < end and words[start] in ("don't", "dont", "never", "do", "not"):
            return word
        verb = lexicon.at(words, start) if start < end else None
        if verb is not None and verb.form == "base" and word in ("and", "or"):
            return word
    return ""


def _denies_part(words: Sequence[str], place: int, end: int, lexicon: VerbLexicon) -> bool:
    """Tell `not the handover` from `make sure not to close it`."""
    following = words[place + 1] if place + 1 < end else ""
    if following == "to" and place + 2 < end and lexicon.at(words, place + 2) is not None:
        return False
    return following in _AFTER_NOT or any(map(str.isdigit, following))


def _condition(words: Sequence[str], place: int, end: int) -> str | None:
    """Name what binds a condition, a time or a reason at a word; None: nothing of them begins."""
    word, before = words[place], words[place - 1]
    following = words[place + 1] if place + 1 < end else ""
    earlier = words[place - 2] if place > 1 else ""
    is_asked = (
        before in _ASKS_WHETHER
        or (before == "me" and earlier in _TELLS_ME)
        or (before in _NICE and earlier in ("be", "is", "it's"))
    )
    if word in _CONDITIONS and following and not is_asked:
        is_question = word == "when" and following in _AUXILIARIES
        is_adverb = word == "once" and (before == "at" or following in ("more", "again"))
        return "" if is_question or is_adverb else "if"
    if word in _TIMES and following in SUBJECTS and following != "this":
        return "because" if word in ("because", "since") else "if"
    if any(tuple(words[place : place + len(phrase)]) == phrase for phrase in _AS_LONG):
        return "if"
    return None


def _is_frame(words: Sequence[str], place: int) -> bool:
    """Tell whether `please` or `can you` begins at a word."""
    pair = tuple(words[place : place + 2])
    return pair[:1] == ("please",) or (
        len(pair) == 2 and pair[0] in ("can", "could", "would", "will") and pair[1] == "you"
    )


def _content_first(normal: Normal, words: Sequence[str]) -> int | None:
    """Find the first told word: after a colon, or after `that` behind a word of telling."""
    sentence = 0
    for place in range(1, len(words)):
        gap = normal.text[normal.tokens[place - 1].end : normal.tokens[place].start]
        if ":" not in gap and _HARD.search(gap):
            sentence = place
        if ":" in gap and not _NO_TOPIC.issuperset(words[:place]):
            if negator_in(words, 0, place) is None:
                return place
            continue  # `you need not close it: add a note` explains itself
        if words[place] == "that" and place + 1 < len(words) and (_tells(words, sentence, place)):
            return place + 1
        if words[place] == "saying" and place + 1 < len(words):
            return place + 1
    return None


def _tells(words: Sequence[str], sentence: int, place: int) -> bool:
    """Tell `note on WO-1038 that …` from `show the pump that …`."""
    return not TELLING.isdisjoint(words[sentence:place]) or words[place - 1] in _MAY_TELL
