"""Fill free-text slots from quoted, reported or remaining words; `SlotContext` is the input."""

import re
from collections.abc import Sequence, Set
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import NamedTuple

from state.action import Action
from tools.nlu.entities.names import Names
from tools.nlu.entities.recognition import Mention
from tools.nlu.entities.roles import KNOWN_ENTITY, Roles
from tools.nlu.lexicon.closed_classes import CONDITION_WORDS
from tools.nlu.lexicon.cue_phrases import ASSENT, COURTESY
from tools.nlu.lexicon.normalization import Normal, word_set, words_of
from tools.nlu.lexicon.politeness import FRAME_WORDS, is_aside, without_asides, without_signature
from tools.nlu.slots.text_boundaries import (
    QUOTED,
    SlotAssignment,
    before_question,
    behind_from,
    behind_target,
    file_in,
    into_container,
    is_link,
    own_name,
    quotation,
    quotations,
    trimmed,
)

FREE_NAMES = word_set(
    "query note text content message description comment remark body title subject details summary "
    "question reason search topic"
)
"""Slots and objects of these names are words themselves, not the name of something."""
_DETERMINERS = word_set("a an the my our your this that")


def barred_objects(
    action: Action, slot: str, things: Roles, words: Sequence[str], asked: range
) -> set[int]:
    """Name the words of the object, but for those of a value: `tag P-1 as review paper`."""
    named = _object_words(action, things)
    linked = next((place for place in asked if words[place] == "as"), None)
    if slot in FREE_NAMES or linked is None:
        return named
    first = linked + 1
    while first in asked and words[first] in _DETERMINERS:
        first += 1
    return named if first in named else {one for one in named if one < first}


def _object_words(action: Action, things: Roles) -> set[int]:
    """Name the words that only say which kind of thing is meant."""
    named: set[int] = set()
    for thing in things.all:
        is_head = 0.7 <= thing.strength < KNOWN_ENTITY  # a known tag is the tag that is meant
        is_object = thing.name == action.object and (
            thing.strength == 1.0
            or (is_head and (action.container is not None or thing.name in FREE_NAMES))
        )
        if is_object or (thing.name == action.container and thing.strength == 1.0):
            named.update(range(thing.first, thing.end))
    return named


_PARTS = re.compile(r"[,;.!?\n]|\s-+\s")


def own_run(
    action: Action, normal: Normal, run: range, used: AbstractSet[int], *, idle: AbstractSet[str]
) -> range:
    """Cut a run of words to those of its slot, and off a signature; often nothing is left.

    Args:
        used: words of the values of other slots.
        idle: words that say nothing beside those.
    """
    tokens = normal.tokens
    kinds = {action.object, action.container or "", *(one.type for one in action.slots.values())}
    idle = idle | {tokens[place].text for place in used}
    idle = idle | {word for kind in {*kinds, *action.slots} for word in kind.split("_")}

    def is_anothers(part: range) -> bool:
        says_nothing = {tokens[place].text for place in part} <= idle
        return says_nothing and not used.isdisjoint(part)

    if is_anothers(run):
        return run[:0]  # `close it: work order WO-1042`
    first = next(place for place in run if place not in used)
    if first > run.start and _is_parted(normal, first):
        run = run[first - run.start :]  # `close it: WO-1042, the seal is new`
    last = next((place for place in reversed(run[1:]) if _is_parted(normal, place)), run.stop)
    if is_anothers(range(last, run.stop)):
        run = range(run.start, last)  # `wash the deck, due 20 June`
    start = tokens[run.start - 1].end if run.start else 0
    end = without_signature(normal, start, tokens[run.stop - 1].end)
    return range(run.start, next((at for at in run if tokens[at].end > end), run.stop))


def _is_parted(normal: Normal, place: int) -> bool:
    gap = normal.text[normal.tokens[place - 1].end : normal.tokens[place].start]
    return _PARTS.search(gap) is not None


_BECAUSE = re.compile(r"\b(?:because|due to)\b\s*(.{3,})", re.DOTALL)
_IS_FACE = re.compile(r":\w\W*$")
"""What stands for a face, `:P`, and tells nothing."""
_CLOSING = re.compile(r"[)\]%°]+")
_OPENING = re.compile(r"(?<!\S)[/\\~.#@$]+$")
"""Marks that are part of a word: /srv/files, ~/notes, .env, #deck, @ana."""
EDGES = word_set(
    "a an the to for of on in into about as with and or at from that saying says by is are please "
    "me us my our any some all it its this these those i you we can could would do did does has "
    "have which what where who when how why say regarding there"
)
"""Words that say nothing at either end of a text."""
_NO_VALUE = EDGES | FRAME_WORDS
_ARTICLES = word_set("a an the")
_JOINS = word_set("and or but nor then so yet not though although however only just also too else")
"""Words that join what is said to something else, and say nothing themselves."""
_WHOSE = word_set(
    "customer client guest patient pupil student supplier vendor recipient sender person author "
    "owner contact addressee"
)
_LIMITS = CONDITION_WORDS | word_set("only until till except without not keep leave before after")
"""These begin what limits a request, and no reason for it and no remark."""
_BETWEEN = re.compile(r"(?:\s*[,;\n]\s*(?:and\b)?|\s+(?:and|&)(?=\s))\s*")
"""What stands between the parts of a list."""
_PURPOSE = re.compile(
    r"\s+so (?:that )?(?:i|we|he|she|they|it|you|nobody|everybody)\b.*", re.IGNORECASE | re.DOTALL
)
"""Behind a list, what it is for: `tag P-3 as must-cite so I don't forget it`."""


class TextParts(NamedTuple):
    """The words of a text by their part in it."""

    normal: Normal
    things: Roles
    asked: range
    """Words of the clause that asks."""
    kept: frozenset[int]
    """Words of all clauses that count."""
    verb_words: frozenset[int]
    content_first: int | None
    meant: frozenset[int] = frozenset()
    """Words that `it` stands for."""
    clauses: Sequence[range] = ()


def fill_texts(
    action: Action, spoken: TextParts, used: set[int], also_text: Set[int] = frozenset()
) -> dict[str, str | list[str]]:
    """Fill text slots, the required ones first; an optional one only with words meant as such.

    Args:
        also_text: words of things, which may stand in a text and are none by themselves.
    """
    slots = [
        (name, slot)
        for name, slot in action.slots.items()
        if slot.type == "text" and not slot.choices
    ]
    told = _worded(_told(action, spoken, used), _JOINS)
    slots.sort(key=lambda pair: (not pair[1].required, told is not None and _is_whose(pair[0])))
    values: dict[str, str | list[str]] = {}
    for name, slot in slots:
        if slot.many:
            rest = _said_for(action, name, spoken, used, also_text) if slot.required else None
            # Behind a colon the quotations are a part of what is told.
            quoted = quotations(spoken.normal) if spoken.content_first is None else []
            listed = quoted or text_parts_of(told or _PURPOSE.sub("", rest or ""))
            values |= {name: list(dict.fromkeys(listed))} if listed else {}
            break
        if told is not None and not (_is_whose(name) and told[:1].isdigit()):
            values[name], told = told, None
            continue
        if slot.required:
            text = _said_for(action, name, spoken, used, also_text)
        else:
            text = _afterthought(action, spoken, used) if name in FREE_NAMES else None
        if text := _worded(text, _JOINS | EDGES):
            values[name] = text
            break
    return values


def _worded(text: str | None, little: Set[str]) -> str | None:
    """Leave out a value of little words alone: the `and` of `close WO-1 and not WO-2`."""
    return None if text is None or set(words_of(text)) <= little else text


def _is_whose(slot: str) -> bool:
    """Tell a slot of somebody's name: an order of `2 loaves` is for nobody of that name."""
    return not _WHOSE.isdisjoint(slot.split("_"))


def text_parts_of(text: str) -> list[str]:
    """Part `graphs, vision and core` into three; what stands in quotation marks stays whole."""
    kept: list[str] = []

    def hidden(found: re.Match[str]) -> str:
        kept.append(found[1] or found[2])
        return f"\0{len(kept) - 1}\0"

    parts = _BETWEEN.split(QUOTED.sub(hidden, text))
    while len(parts) > 1 and is_aside(parts[-1]):
        parts.pop()  # `core, must-cite, thanks`
    shown = (re.sub(r"\0(\d+)\0", lambda at: kept[int(at[1])], part) for part in parts)
    return [clean for part in shown if (clean := part.strip(" ."))]


def written(normal: Normal, first: int, end: int) -> str:
    """Give words `first` to `end` as the person wrote them."""
    tokens = normal.tokens
    opening = _OPENING.search(normal.text[: tokens[first].start])
    start = opening.start() if opening else tokens[first].start
    text = normal.written(start, tokens[end - 1].end)
    closing = _CLOSING.match(normal.text, tokens[end - 1].end) if end == len(tokens) else None
    return (text + (closing[0] if closing else "")).strip()


def _told(action: Action, spoken: TextParts, used: Set[int]) -> str | None:
    """Take what is quoted, or told behind a colon, unless other slots have all of it."""
    normal = spoken.normal
    quoted = quotation(action, normal)
    if quoted is not None:
        return quoted or None
    if spoken.content_first is None:
        return None
    if _IS_FACE.search(normal.text[normal.tokens[spoken.content_first].start - 1 :]):
        return None
    return _own(action, spoken, range(spoken.content_first, len(normal.tokens)), used) or None


def _own(action: Action, spoken: TextParts, run: range, used: Set[int]) -> str:
    """Write a run of words without what other slots have and a signature."""
    own = own_run(action, spoken.normal, run, used, idle=EDGES)
    return written(spoken.normal, own.start, own.stop) if own else ""


def limits(words: Sequence[str]) -> bool:
    """Tell the opening of a clause that limits the request, or goes on to another one.

    `But only if it came back`, `unless she calls` and `and tell him` are no remark; `but the filter
    is still wet` is.
    """
    opening = words[1:] if words[:1] == ["but"] else words
    return opening[:1] == ["and"] or not _LIMITS.isdisjoint(opening[:1])


def _afterthought(action: Action, spoken: TextParts, used: Set[int]) -> str | None:
    """Take what follows the request behind a comma, or behind `because`."""
    normal = spoken.normal
    later = sorted(place for place in spoken.kept if place >= spoken.asked.stop)
    if later and limits(normal.words[later[0] : later[0] + 2]):
        return None
    if later and spoken.content_first is None:
        start = normal.tokens[later[0]].start
        end = without_asides(normal, start, normal.tokens[later[-1]].end)
        said = [place for place in later if normal.tokens[place].end <= end]
        own = _own(action, spoken, range(said[0], said[-1] + 1), used) if said else ""
        return _worded(own or None, COURTESY | ASSENT)  # `close it, right away`
    if not spoken.asked or not normal.tokens:
        return None
    start = normal.tokens[spoken.asked.start].start
    end = normal.tokens[spoken.asked.stop - 1].end
    because = _BECAUSE.search(normal.text, start, end)
    return normal.written(because.start(1), because.end(1)).strip() if because else None


def _said_for(
    action: Action, slot: str, spoken: TextParts, used: set[int], also_text: Set[int]
) -> str | None:
    """Take the words that a slot is set to by its name, else what is left over for it."""
    if file := file_in(slot, spoken.normal):
        return file
    naming = SlotAssignment(spoken.normal, spoken.asked, spoken.verb_words, used)
    named = naming.set_to(action, slot)
    if named is None:
        return _left_over(action, slot, spoken, used, also_text)
    run = [place for place in named if place in spoken.kept and place not in used]
    words = [spoken.normal.tokens[place].text for place in run]
    articles = next((at for at, word in enumerate(words) if word not in _ARTICLES), 0)
    run = run[articles or before_question(slot, words) :]
    return _own(action, spoken, range(run[0], run[-1] + 1), used) or None if run else None


def _left_over(
    action: Action, slot: str, spoken: TextParts, used: set[int], also_text: Set[int]
) -> str | None:
    """Take the longest run of words that is neither verb, object, container nor a used thing."""
    words = spoken.normal.words
    objects = barred_objects(action, slot, spoken.things, words, spoken.asked)
    barred = used | objects | spoken.verb_words
    runs: list[list[int]] = [[]]
    stop = spoken.content_first or len(spoken.normal.tokens)  # what is told has its slot
    for place in range(spoken.asked.start, stop):
        if place in spoken.kept and place not in barred:
            runs[-1].append(place)
        elif runs[-1]:
            runs.append([])

    def weight(run: list[int]) -> tuple[bool, bool, int, int]:
        is_linked = is_link(action, slot, words[run[0] - 1] if run and run[0] else "")
        is_value = not _NO_VALUE.issuperset(words[place] for place in run)
        return is_linked, is_value, len(set(run) - also_text), len(run)

    best = max((_own_words(action, slot, run, spoken) for run in runs), key=weight)
    if not set(best) - also_text:
        return None
    if slot not in FREE_NAMES:
        end = len(best) - into_container(action, [words[place] for place in best])
        best = _trimmed(slot, best[:end], spoken)
    return _own(action, spoken, range(best[0], best[-1] + 1), used) or None if best else None


def _own_words(action: Action, slot: str, run: list[int], spoken: TextParts) -> list[int]:
    """Leave out of a run what stands around a value and is none of it."""
    tokens = spoken.normal.tokens
    words = [tokens[place].text for place in run]
    verb = {tokens[place].text for place in spoken.verb_words}
    skipped = behind_from(action, words, verb) or behind_target(action, slot, words)
    run = run[skipped or before_question(slot, words) :]
    run = _trimmed(slot, run, spoken)
    named = 0 if slot in FREE_NAMES else own_name(slot, [tokens[place].text for place in run])
    return (named and _trimmed(slot, run[named:], spoken)) or run


def _trimmed(slot: str, run: list[int], spoken: TextParts) -> list[int]:
    return run[trimmed(slot, [spoken.normal.tokens[place].text for place in run], EDGES)]


@dataclass(frozen=True)
class SlotContext:
    """What the earlier stages found, for filling slots."""

    spoken: TextParts
    mentions: Sequence[Mention]
    names: Names
    today: date | None
    asker: str | None = None
    """Who says it: `to me` names that person, where the pack knows one of that name."""

    @cached_property
    def beside_verb(self) -> Sequence[str]:
        """The words without those of the verb: `call off Ben's visit` takes nothing off Ben."""
        words = enumerate(self.spoken.normal.words)
        return ["" if place in self.spoken.verb_words else word for place, word in words]
