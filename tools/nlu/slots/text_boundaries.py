"""Where a text value begins and ends: `set the topic to X`, quotes, and words around a value."""

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property

from state.action import Action
from tools.nlu.lexicon.cue_phrases import FUNCTION_WORDS
from tools.nlu.lexicon.normalization import Normal, word_set

SETS = "update"
"""The verb of actions that change something; `add a note to the pump` puts it there."""
_MOST_BEFORE = 12
_MOST_OF_IT = 7
_LEADS = FUNCTION_WORDS | word_set(
    "please current own main want wants wish like need let make put set have give ok"
)
"""Words that stand before the name of a slot and are no value."""
_CHANGES = word_set("set change switch update replace rename move adjust put make turn narrow")
_OF_IT = (
    r"(?:(?:of|for|in|on|about) (?:(?:the|this|our|my|that|your) )?[\w'.-]+ (?:[\w'.-]+ ){0,3}?"
    r"|(?:that |which )?(?:we|i|we'd|i'd|we're|i'm) (?:[\w'-]+ ){1,4}?)?"
)
"""What the name is of: `of this channel`, `we pursue`."""
_BEFORE_LINK = (
    r"(?:(?:over|down|back|now|here|currently|from now on|shall|should|must|will|would|may|ought"
    r"|has|have) )*"
)
_LINK = re.compile(
    rf"{_OF_IT}{_BEFORE_LINK}(?:so (?:that )?it )?"
    r"(?:to|as|into|by|with|is|are|be|becomes?|reads?|says?|equals) "
    r"(?:(?:now|from now on|going to be|to be|be|to read|read|to say|say|called|named|titled"
    r"|(?:known|listed) as) )*(?=\S)"
)
BEHIND_FROM = re.compile(rf"{_OF_IT}from (?!now on\b)(?:[^ ]+ ){{1,40}}?(?:to|into) (?=\S)")
_ABOUT = re.compile(
    r"(?:(?:[\w'-]+ ){0,6}?)(?:is|are|we're|it's|focus(?:es|ing|ed)?|working|work)"
    r" (?:(?:now|all|mainly|here) )*(?:on|about) (?=\S)"
)
"""What tells the topic by what the talk is about: `this channel is about urban trees`."""
_TOPICS = word_set("topic subject")
_BARE = re.compile(r"$|(?:of|for|from|in|on|about|that|which|we|i|we'd|i'd|we're|i'm)\b")
"""Behind a name of which nothing is said but what it is of."""
_APART = re.compile(r"[=:,;→]|\s-+>?\s")
"""What parts a name from a value that follows without a verb: `topic = X`, `new topic - X`."""
_IT_IS = re.compile(r"(?:(?:it's|it is|namely|that is|that's) )?")
_BACKWARDS = word_set(
    "down as to into for be is are becomes become shall should must will ought now the our my this "
    "a an new current"
)
"""What stands between a value and the name behind it: `X should be our topic`."""
_ASKING = word_set("how why what which who whose where when whether")
_COURTESY = re.compile(
    r"(?: (?:please|pls|thanks|thank you|cheers|now|then|instead|too|as well|ok|okay|from now on"
    r"|for (?:me|us)|here|if (?:it's|it is|that's|that is) (?:ok|okay|alright|fine|possible)"
    r"|if possible|if you (?:can|like|don't mind)))*$"
)


@dataclass(frozen=True)
class SlotAssignment:
    """The words of a text in which a slot may be named."""

    normal: Normal
    asked: range
    """Words of the clause that asks."""
    verb_words: AbstractSet[int]
    used: AbstractSet[int]
    """Words of the values that are known."""

    def set_to(self, action: Action, slot: str) -> range | None:
        """Find the words that the slot is set to; none, where it is named and nothing is said.

        None: its name does not stand where a value hangs on it.
        """
        if action.verb != SETS:
            return None
        own, whole = tuple(slot.split("_")), tuple(action.object.split("_"))
        part = range(self.asked.start, len(self._words))
        found = self._named_in(part, own, whole)
        for name in dict.fromkeys((whole, own)) if own != whole else ():
            found = found if found is not None else self._before(name, part, whole)
        if found is None and self.asked.start:  # `the question should be whether it helps, set it`
            found = self._named_in(range(self.asked.start), own, whole)
        if found is not None:
            return found
        return self._about() if slot in _TOPICS else None

    def _named_in(self, part: range, own: tuple[str, ...], whole: tuple[str, ...]) -> range | None:
        leads = _LEADS | _CHANGES | {*whole, *(f"{word}'s" for word in whole)}
        for name in dict.fromkeys((own, whole)):
            # A note is not said with `note`; it is what is changed.
            found = self._behind(name, part, leads, is_own=name == own != whole)
            if found is not None:
                return found
        return None

    def _about(self) -> range | None:
        words = self._words[self.asked.start :]
        found = _ABOUT.match(" ".join(words))
        first = self.asked.start + found[0].count(" ") if found else 0
        return self._polished(first, len(self._words)) if found else None

    @cached_property
    def _words(self) -> list[str]:
        return self.normal.words

    def _behind(
        self, name: tuple[str, ...], part: range, leads: AbstractSet[str], *, is_own: bool
    ) -> range | None:
        for place in part[:_MOST_BEFORE]:
            end = place + len(name)
            is_verb = place in self.verb_words
            if self._is_named(name, place) and (not is_verb or end in self.verb_words):
                return self._linked(end, part, is_own=is_own)
            is_lead = place == part.start or self._words[place] in leads
            if not is_lead and not is_verb and place not in self.used:
                return None
        return None

    def _is_named(self, name: tuple[str, ...], place: int) -> bool:
        *front, head = self._words[place : place + len(name)] or [""]
        return tuple(front) == name[:-1] and head in (name[-1], f"{name[-1]}s")

    def _linked(self, first: int, part: range, *, is_own: bool) -> range | None:
        """Take what hangs on a name that ends at `first`."""
        while first < part.stop and first in self.used:  # `change note N-1 to …`
            first += 1
        gap = self._gap(first) if first < len(self._words) else ""
        if "=" in gap or (is_own and _APART.search(gap)):
            return self._told(first)
        rest = " ".join(self._words[first : part.stop])
        link = BEHIND_FROM.match(rest) or _LINK.match(rest)
        if link is not None:
            return self._polished(first + rest[: link.end()].count(" "), part.stop)
        if not is_own:
            return None
        if _BARE.match(rest) is None:
            return self._polished(first, part.stop)
        near = range(first, min(first + _MOST_OF_IT, part.stop))
        return next((self._told(at) for at in near if _APART.search(self._gap(at))), range(0))

    def _gap(self, place: int) -> str:
        tokens = self.normal.tokens
        return self.normal.text[tokens[place - 1].end : tokens[place].start]

    def _told(self, first: int) -> range:
        """Take what follows a stop: `new topic, it's coral reefs`."""
        lead = _IT_IS.match(" ".join([*self._words[first:], ""]))
        return self._polished(first + lead[0].count(" ") if lead else first, len(self._words))

    def _before(self, name: tuple[str, ...], part: range, whole: tuple[str, ...]) -> range | None:
        """Take what stands before a name at the end: `make X our topic`."""
        stop = self._polished(part.start, part.stop).stop
        first = stop - len(name)
        if first <= part.start or not self._is_named(name, first):
            return None
        back = _BACKWARDS | {*whole, *(f"{word}'s" for word in whole)}
        while first > part.start and self._words[first - 1] in back:
            first -= 1
        start = part.start
        leads = _LEADS - _ASKING
        while start < first and (start in self.verb_words or self._words[start] in leads):
            start += 1
        return range(start, first)

    def _polished(self, first: int, end: int) -> range:
        """Leave out the courtesy behind a value."""
        text = " ".join(["", *self._words[first:end]])
        found = _COURTESY.search(text)
        return range(first, first + text[: found.start()].count(" ") if found else end)


QUOTED = re.compile(r"\"([^\"]{1,4000})\"|(?<![\w'])'([^'\n]{1,4000})'(?!\w)")
_TURNS_INTO = word_set("to into by with -> =>")
"""Between two quotations: the second one is what the first one becomes."""


def quotation(action: Action, normal: Normal) -> str | None:
    """Give what is quoted first; of `"good" to "bad"` in a change, the second."""
    found = QUOTED.search(normal.text)
    if found is None:
        return None
    following = QUOTED.search(normal.text, found.end())
    between = normal.text[found.end() : following.start()].strip() if following else ""
    if following is not None and action.verb == SETS and between in _TURNS_INTO:
        found = following
    return normal.written(*found.span(1 if found[1] is not None else 2)).strip()


def quotations(normal: Normal) -> list[str]:
    """Give every quotation of a text by itself."""
    groups = (found[1] or found[2] for found in QUOTED.finditer(normal.text))
    return [text.strip() for text in groups if text.strip()]


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
