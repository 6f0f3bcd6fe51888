"""Find the words that fill a text slot: quoted, told, thought of afterwards, or left over."""

import re
from collections.abc import Set
from dataclasses import dataclass

from state.action import Action
from tools.routing.slots.around import (
    OPENS_WITH_VERB,
    QUESTIONS,
    before_question,
    behind_from,
    behind_target,
    file_in,
    into_container,
    is_link,
)
from tools.routing.slots.endings import without_asides, without_signature
from tools.routing.slots.quoted import QUOTED, quotation, quotations
from tools.routing.slots.set_to import Naming
from tools.routing.things.roles import KNOWN_THING, Things
from tools.routing.words.normalise import Normal
from tools.routing.words.phrases import word_set

_BECAUSE = re.compile(r"\b(?:because|due to)\b\s*(.{3,})", re.DOTALL)
_CLOSING = re.compile(r"[)\]%°]+")
_OPENING = re.compile(r"(?<!\S)[/\\~.#@$]+$")
"""Marks that are part of a word: /srv/files, ~/notes, .env, #deck, @ana."""
FREE_NAMES = word_set(
    "query note text content message description comment remark body title subject details summary "
    "question reason search topic"
)
"""Slots and objects of these names are words themselves, not the name of something."""
EDGES = word_set(
    "a an the to for of on in into about as with and or at from that saying says by is are please "
    "me us my our any some all it its this these those i you we can could would do did does has "
    "have which what where who when how why say regarding there"
)
"""Words that say nothing at either end of a text."""
_ARTICLES = word_set("a an the")
_SUBJECTS = word_set("i we you it there these those this the a an our my his her their")
"""What the clause of what is told begins with, behind `that`."""
_SOUGHT = word_set("query search")
_WHOSE = word_set(
    "customer client guest patient pupil student supplier vendor recipient sender person author "
    "owner contact addressee"
)
_PARTS = re.compile(r"[,;.!?\n]|\s-+\s")
_BETWEEN = re.compile(r"(?:\s*[,;\n]\s*(?:and\b)?|\s+(?:and|&)(?=\s))\s*")
"""What stands between the parts of a list."""
_PURPOSE = re.compile(
    r"\s+so (?:that )?(?:i|we|he|she|they|it|you|nobody|everybody)\b.*", re.IGNORECASE | re.DOTALL
)
"""Behind a list, what it is for: `tag P-3 as must-cite so I don't forget it`."""


@dataclass(frozen=True)
class Spoken:
    """The words of a text by their part in it."""

    normal: Normal
    things: Things
    asked: range
    """Words of the clause that asks."""
    kept: frozenset[int]
    """Words of all clauses that count."""
    verb_words: frozenset[int]
    content_first: int | None
    meant: frozenset[int] = frozenset()
    """Words that `it` stands for."""


def fill_texts(
    action: Action, spoken: Spoken, used: set[int], also_text: Set[int] = frozenset()
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
    told = _told(action, spoken, used)
    slots.sort(key=lambda pair: (not pair[1].required, told is not None and _is_whose(pair[0])))
    values: dict[str, str | list[str]] = {}
    for name, slot in slots:
        if slot.many:
            rest = _said_for(action, name, spoken, used, also_text) if slot.required else None
            # Behind a colon the quotations are a part of what is told.
            quoted = quotations(spoken.normal) if spoken.content_first is None else []
            listed = quoted or parted(told or _PURPOSE.sub("", rest or ""))
            values |= {name: list(dict.fromkeys(listed))} if listed else {}
            break
        if told is not None and not (_is_whose(name) and told[:1].isdigit()):
            values[name], told = told, None
            continue
        if slot.required:
            text = _said_for(action, name, spoken, used, also_text)
        else:
            text = _afterthought(action, spoken, used) if name in FREE_NAMES else None
        if text:
            values[name] = text
            break
    return values


def _is_whose(slot: str) -> bool:
    """Tell a slot of somebody's name: an order of `2 loaves` is for nobody of that name."""
    return not _WHOSE.isdisjoint(slot.split("_"))


def parted(text: str) -> list[str]:
    """Part `graphs, vision and core` into three; what stands in quotation marks stays whole."""
    kept: list[str] = []

    def hidden(found: re.Match[str]) -> str:
        kept.append(found[1] or found[2])
        return f"\0{len(kept) - 1}\0"

    parts = _BETWEEN.split(QUOTED.sub(hidden, text))
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


def _told(action: Action, spoken: Spoken, used: Set[int]) -> str | None:
    """Take what is quoted, or told behind a colon, unless other slots have all of it."""
    normal = spoken.normal
    quoted = quotation(action, normal)
    if quoted is not None:
        return quoted or None
    if spoken.content_first is None:
        return None
    return _own(action, spoken, range(spoken.content_first, len(normal.tokens)), used) or None


def _own(action: Action, spoken: Spoken, run: range, used: Set[int]) -> str:
    """Write a run of words without the values of other slots before it and a signature behind."""
    tokens, text = spoken.normal.tokens, spoken.normal.text
    said = {tokens[place].text for place in used}
    kinds = {action.object, action.container or "", *(one.type for one in action.slots.values())}
    idle = said | EDGES | {word for kind in {*kinds, *action.slots} for word in kind.split("_")}
    if idle.issuperset(tokens[place].text for place in run) and used & {*run}:
        return ""  # `close it: work order WO-1042`
    first = next((place for place in run if place not in used), run.stop)
    if first > run.start and _PARTS.search(text[tokens[first - 1].end : tokens[first].start]):
        run = run[first - run.start :]  # `close it: WO-1042, the seal is new`
    for place in reversed(run[1:]):  # `wash the deck, due 20 June`
        if _PARTS.search(text[tokens[place - 1].end : tokens[place].start]):
            tail = {tokens[at].text for at in range(place, run.stop)}
            run = (
                run[: place - run.start]
                if used & {*range(place, run.stop)} and tail <= idle
                else run
            )
            break
    start = tokens[run.start - 1].end if run.start else 0
    end = without_signature(spoken.normal, start, tokens[run.stop - 1].end)
    kept = [place for place in run if tokens[place].end <= end]
    return written(spoken.normal, kept[0], kept[-1] + 1) if kept else ""


def _afterthought(action: Action, spoken: Spoken, used: Set[int]) -> str | None:
    """Take what follows the request behind a comma, or behind `because`."""
    normal = spoken.normal
    later = sorted(place for place in spoken.kept if place >= spoken.asked.stop)
    if later and spoken.content_first is None:
        start = normal.tokens[later[0]].start
        end = without_asides(normal, start, normal.tokens[later[-1]].end)
        said = [place for place in later if normal.tokens[place].end <= end]
        return _own(action, spoken, range(said[0], said[-1] + 1), used) or None if said else None
    if not spoken.asked or not normal.tokens:
        return None
    start = normal.tokens[spoken.asked.start].start
    end = normal.tokens[spoken.asked.stop - 1].end
    because = _BECAUSE.search(normal.text, start, end)
    return normal.written(because.start(1), because.end(1)).strip() if because else None


def _said_for(
    action: Action, slot: str, spoken: Spoken, used: set[int], also_text: Set[int]
) -> str | None:
    """Take the words that a slot is set to by its name, else what is left over for it."""
    if file := file_in(slot, spoken.normal):
        return file
    naming = Naming(spoken.normal, spoken.asked, spoken.verb_words, used)
    named = naming.set_to(action, slot)
    if named is None:
        return _left_over(action, slot, spoken, used, also_text)
    run = [place for place in named if place in spoken.kept and place not in used]
    words = [spoken.normal.tokens[place].text for place in run]
    articles = next((at for at, word in enumerate(words) if word not in _ARTICLES), 0)
    run = run[articles or before_question(slot, words) :]
    return _own(action, spoken, range(run[0], run[-1] + 1), used) or None if run else None


def _left_over(
    action: Action, slot: str, spoken: Spoken, used: set[int], also_text: Set[int]
) -> str | None:
    """Take the longest run of words that is neither verb, object, container nor a used thing."""
    barred = used | _barred_objects(action, slot, spoken) | spoken.verb_words
    runs: list[list[int]] = [[]]
    stop = spoken.content_first or len(spoken.normal.tokens)  # what is told has its slot
    for place in range(spoken.asked.start, stop):
        if place in spoken.kept and place not in barred:
            runs[-1].append(place)
        elif runs[-1]:
            runs.append([])

    def weight(run: list[int]) -> tuple[bool, int, int]:
        before = spoken.normal.tokens[run[0] - 1].text if run and run[0] else ""
        is_linked = is_link(action, slot, before)
        return is_linked, len(set(run) - also_text), len(run)

    best = max((_own_words(action, slot, run, spoken) for run in runs), key=weight)
    if not set(best) - also_text:
        return None
    if slot not in FREE_NAMES:
        words = [spoken.normal.tokens[place].text for place in best]
        best = _trimmed(slot, best[: len(best) - into_container(action, words)], spoken)
    return _own(action, spoken, range(best[0], best[-1] + 1), used) or None if best else None


def _barred_objects(action: Action, slot: str, spoken: Spoken) -> set[int]:
    """Name the words of the object, but for those of a value: `tag P-1 as review paper`."""
    named = _object_words(action, spoken.things)
    words = [spoken.normal.tokens[place].text for place in spoken.asked]
    if slot in FREE_NAMES or "as" not in words:
        return named
    first = spoken.asked.start + words.index("as") + 1
    while first in spoken.asked and words[first - spoken.asked.start] in EDGES:
        first += 1
    return named if first in named else {one for one in named if one < first}


def _own_words(action: Action, slot: str, run: list[int], spoken: Spoken) -> list[int]:
    """Leave out of a run what stands around a value and is none of it."""
    tokens = spoken.normal.tokens
    words = [tokens[place].text for place in run]
    verb = {tokens[place].text for place in spoken.verb_words}
    skipped = behind_from(action, words, verb) or behind_target(action, slot, words)
    run = run[skipped or before_question(slot, words) :]
    return _without_its_name(slot, _trimmed(slot, run, spoken), spoken)


def _without_its_name(slot: str, run: list[int], spoken: Spoken) -> list[int]:
    """Leave out what only names the slot: `repository /tmp/x` is /tmp/x for `repo_path`."""
    own = () if slot in FREE_NAMES else tuple(slot.split("_"))

    def names_it(place: int) -> bool:
        word = spoken.normal.tokens[place].text
        return any(word == part or (len(part) >= 4 and word.startswith(part)) for part in own)

    first = next((at for at, place in enumerate(run) if not names_it(place)), len(run))
    return _trimmed(slot, run[first:], spoken) or run if first else run


def _object_words(action: Action, things: Things) -> set[int]:
    """Name the words that only say which kind of thing is meant."""
    named: set[int] = set()
    for thing in things.all:
        is_head = 0.7 <= thing.strength < KNOWN_THING  # a known tag is the tag that is meant
        is_object = thing.name == action.object and (
            thing.strength == 1.0
            or (is_head and (action.container is not None or thing.name in FREE_NAMES))
        )
        if is_object or (thing.name == action.container and thing.strength == 1.0):
            named.update(range(thing.first, thing.end))
    return named


def _trimmed(slot: str, run: list[int], spoken: Spoken) -> list[int]:
    """Leave out words that say nothing at either end, but not how a question or sentence opens."""
    words = [spoken.normal.tokens[place].text for place in run]
    first, end = 0, len(run)
    edges = EDGES - OPENS_WITH_VERB if slot in QUESTIONS else EDGES
    while first < end and words[first] in edges:
        first += 1
        is_clause = words[first - 1] == "that" and end - first > 2 and words[first] in _SUBJECTS
        if is_clause and slot not in _SOUGHT:  # `text Ben that we are closed`
            return run[first : end - (words[-1] == "please")]
    while end > first and words[end - 1] in EDGES:
        end -= 1
    return run[first:end]
