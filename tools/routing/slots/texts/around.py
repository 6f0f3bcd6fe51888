"""Count the words around a value that are none of it: what it is said of, and where it goes."""

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from state.action import Action
from tools.routing.slots.texts.set_to import BEHIND_FROM, SETS
from tools.routing.words.normalise import Normal
from tools.routing.words.phrases import word_set

_POINTS = (
    r"(?:and|or|the|this|that|these|those|it|them|all|both|of|each|number|no|nr|papers?|ones?"
    r"|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|top|next|newest"
    r"|two|three|four|five|\d+(?:st|nd|rd|th)?|[a-z]+-\d+)"
)
"""Words that point at things, and are no value."""
_PLACES = r"(?:first|second|third|fourth|fifth|last|next|top|newest)"
_TARGET = rf"(?:{_PLACES} [\w'-]+ (?=(?:and|as|with|to) )|{_POINTS} )*"
_TARGET_LINKED = re.compile(rf"{_TARGET}(as|with|to) (?:(?:say|read|be|mention) )?(?=\S)")
_TARGET_BARE = re.compile(rf"(?:{_POINTS} )*?(?:{_PLACES} ones?|(?:number|no|nr) \d+) (?=\S)")
_CALLED = re.compile(r"(?:[^ ]+ ){0,6}?(?:called|named|titled|entitled) (?=\S)")
_NAMES = word_set("title name")
_EXCHANGES = word_set("replace replaced swap substitute exchange")
_EXCHANGED = re.compile(r"(?:[^ ]+ ){0,40}?(?:by|with|for) (?=\S)")
_SENTENCES = word_set("note text content message description comment remark body query question")
"""Slots of sentences, which may begin with a pointing word: `the first one leaks`."""
_INTO = r" (?:to|into|in|on|onto|under)"
_SUBJECTS = word_set("i we you it there these those this the a an our my his her their")
"""What the clause of what is told begins with, behind `that`."""
_SOUGHT = word_set("query search")
_FILES = word_set("photo picture image file attachment")
_FILE = re.compile(r"(?<!\S)[\w./~-]*\w\.(?:jpe?g|png|heic|gif|webp|tiff?|pdf|mp4|mov)(?!\w)")
QUESTIONS = word_set("question")
"""Slots whose words are a question."""
OPENS = word_set("how why what which who whose where when whether")
"""The words that a question opens with, which are a part of it."""
OPENS_WITH_VERB = OPENS | word_set("would could can do does did are is have has")


def behind_from(action: Action, words: Sequence[str], verb: AbstractSet[str]) -> int:
    """Count the words of a change that tell what it starts from: `from good to bad` is bad.

    Args:
        verb: the words of the verb: `replace good by bad` starts from good as well.
    """
    if action.verb != SETS:
        return 0
    text = " ".join(words)
    found = BEHIND_FROM.match(text) if words[:1] == ["from"] else None
    if not _EXCHANGES.isdisjoint(verb):
        found = found or _EXCHANGED.match(text)
    return text[: found.end()].count(" ") if found else 0


def behind_target(action: Action, slot: str, words: Sequence[str]) -> int:
    """Count the words that only point at what gets the value: `the first as reef` is reef."""
    text = " ".join([*words, ""])
    found = _TARGET_LINKED.match(text)
    if found and is_link(action, slot, found[1]):
        return text[: found.end()].count(" ")
    bare = _CALLED.match(text) if slot in _NAMES else None
    bare = bare or (_TARGET_BARE.match(text) if slot not in _SENTENCES else None)
    return text[: bare.end()].count(" ") if bare else 0


def is_link(action: Action, slot: str, word: str) -> bool:
    """Tell whether a value follows a word: `tag P-1 as reef`, `it gets the tag reef`."""
    if slot not in _SENTENCES and word.removesuffix("s") == slot.removesuffix("s"):
        return True
    if action.verb == SETS:
        return word in ("as", "with", "to")
    links = ("as", "with") if action.slots[slot].many else ("as",)
    return slot not in _SENTENCES and word in links


def file_in(slot: str, normal: Normal) -> str | None:
    """Find the only file that is named, for a slot of one: `put leak.jpg on it`."""
    found = list(_FILE.finditer(normal.text)) if slot in _FILES else []
    return normal.written(*found[0].span()) if len(found) == 1 else None


def before_question(slot: str, words: Sequence[str]) -> int:
    """Count the words before a question: `it is why bees die` asks why."""
    if slot not in QUESTIONS or OPENS_WITH_VERB & set(words[:1]):
        return 0
    return next((at for at, word in enumerate(words) if word in OPENS), 0)


def into_container(action: Action, words: Sequence[str]) -> int:
    """Count the words at the end that say what it goes into: `leak.jpg to the handover`."""
    if action.container is None:
        return 0
    name = re.escape(action.container.replace("_", " "))
    owned = r"(?: (?:the|our|my|this|[\w-]+'s))?"
    whole = rf"{owned} {name}(?: (?:no |nr |number )?[\w-]*\d[\w-]*)?"
    into = re.search(rf"{_INTO}(?:{whole}|(?: {_POINTS})+)$", " ".join(["", *words]))
    return into[0].count(" ") if into else 0


def own_name(slot: str, words: Sequence[str]) -> int:
    """Count the words that only name the slot: `repository /tmp/x` is /tmp/x for `repo_path`."""
    own = slot.split("_")

    def names_it(word: str) -> bool:
        return any(word == part or (len(part) >= 4 and word.startswith(part)) for part in own)

    return next((at for at, word in enumerate(words) if not names_it(word)), len(words))


def trimmed(slot: str, words: Sequence[str], edges: AbstractSet[str]) -> slice:
    """Leave out words that say nothing at either end, but not how a question or clause opens."""
    first, end = 0, len(words)
    leads = edges - OPENS_WITH_VERB if slot in QUESTIONS else edges
    while first < end and words[first] in leads:
        first += 1
        is_clause = words[first - 1] == "that" and end - first > 2 and words[first] in _SUBJECTS
        if is_clause and slot not in _SOUGHT:  # `text Ben that we are closed`
            return slice(first, end - (words[-1] == "please"))
    while end > first and words[end - 1] in edges:
        end -= 1
    return slice(first, end)
