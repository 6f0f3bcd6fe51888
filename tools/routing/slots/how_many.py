"""Numbers that an action needs, though they are a thing's number too: `order 1042 gaskets`."""

from dataclasses import replace

from state.action import Action
from tools.routing.slots.numerals import numbers_in
from tools.routing.slots.read import Read
from tools.routing.things.counting import is_said_as_number, stands_right_at
from tools.routing.things.entities import Mention
from tools.routing.things.names import Kind
from tools.routing.words.phrases import singular
from tools.routing.words.signs import FUNCTION_WORDS


def without_counts(action: Action, read: Read) -> Read:
    """Let a bare number be how many, and name nothing, where an action needs to know that.

    It does where it takes no thing of that kind, `set the stock to 1042`, or where what is counted
    stands behind the only number: `order 1042 gaskets`, but not `order 4 gaskets for 1042`.
    """
    if not any(slot.type in ("integer", "number") for slot in action.slots.values()):
        return read
    counts = [one for one in read.mentions if _is_bare(one, read) and _is_count(action, one, read)]
    if not counts:
        return read
    return replace(read, mentions=tuple(one for one in read.mentions if one not in counts))


def _is_bare(mention: Mention, read: Read) -> bool:
    normal = read.spoken.normal
    is_number = mention.end - mention.first == 1 and normal.tokens[mention.first].text.isdigit()
    return is_number and not is_said_as_number(normal, mention.first)


def _is_count(action: Action, mention: Mention, read: Read) -> bool:
    kinds = {Kind(action.pack, slot.type) for slot in action.slots.values()}
    if mention.kind not in kinds:
        return True
    normal = read.spoken.normal
    if any(one.first != mention.first for one in numbers_in(normal)):
        return False
    if mention.end >= len(normal.tokens) or not stands_right_at(normal, mention.end):
        return False
    word = normal.tokens[mention.end].text
    is_plural = singular(word) != word and word not in FUNCTION_WORDS
    own = Kind(action.pack, action.object)
    return is_plural or any(one.first == mention.end and one.kind == own for one in read.mentions)
