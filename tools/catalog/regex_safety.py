"""Check a pack's regular expressions.

Whether they compile, and whether they can backtrack catastrophically.
"""

import re
import re._constants as constants  # type: ignore[import-not-found]  # CPython's own tree
import re._parser as parser  # type: ignore[import-not-found]  # no public module shows it
from collections.abc import Iterable, Sequence
from typing import Any

MAX_PATTERN_LENGTH = 500
_MANY = 20
"""A repeat of at most this often is not counted as unbounded."""
_REPEATS = (constants.MAX_REPEAT, constants.MIN_REPEAT, constants.POSSESSIVE_REPEAT)
_ASSERTIONS = (constants.ASSERT, constants.ASSERT_NOT)

Kinds = frozenset[str]
"""What a piece can begin with: single characters, or `digit`, `letter`, `space`, `any`."""
_ANY: Kinds = frozenset({"any"})
_CATEGORIES: dict[Any, Kinds] = {
    constants.CATEGORY_DIGIT: frozenset({"digit"}),
    constants.CATEGORY_SPACE: frozenset({"space"}),
    constants.CATEGORY_WORD: frozenset({"letter", "digit", "_"}),
}

Item = tuple[Any, Any]
"""One operation and its argument, as CPython's untyped parser gives them."""


def pattern_problem(pattern: str) -> str | None:
    """Say what is wrong with a pattern, None when it may be used."""
    if len(pattern) > MAX_PATTERN_LENGTH:
        return f"is longer than {MAX_PATTERN_LENGTH} characters; split it"
    try:
        compiled = re.compile(pattern, re.IGNORECASE)
        tree = list(parser.parse(pattern, re.IGNORECASE))
    except (re.error, RecursionError, OverflowError) as error:
        return f"is not a regular expression: {error}"
    if compiled.match(""):
        return "matches the empty text; ask for at least one character"
    if _explodes(tree):
        return "can match one text in many ways, as (a+)+ does; bound its repeats, as in {1,20}"
    return None


def _explodes(items: Sequence[Item]) -> bool:
    """Find a repeat whose rounds run into each other, or neighbouring repeats that overlap."""
    running: Kinds = frozenset()
    for operation, argument in items:
        if operation in (constants.GROUPREF, constants.GROUPREF_EXISTS):
            return True
        if any(_explodes(body) for body in _bodies(operation, argument)):
            return True
        if _is_open(operation, argument):
            body = list(argument[2])
            if _overlap(_first(body), _last_open(body)) or _is_ambiguous(body):
                return True
            if _overlap(_first(body), running):
                return True
            running = running | _first(body) if argument[0] == 0 else _first(body)
        elif not _may_be_empty(operation, argument):
            running = frozenset()
    return False


def _bodies(operation: Any, argument: Any) -> list[list[Item]]:
    if operation in _REPEATS:
        return [list(argument[2])]
    if operation is constants.SUBPATTERN:
        return [list(argument[-1])]
    if operation is constants.BRANCH:
        return [list(branch) for branch in argument[1]]
    if operation in _ASSERTIONS:
        return [list(argument[1])]
    return [list(argument)] if operation is constants.ATOMIC_GROUP else []


def _is_open(operation: Any, argument: Any) -> bool:
    return operation in _REPEATS and argument[1] > _MANY


def _may_be_empty(operation: Any, argument: Any) -> bool:
    if operation in _REPEATS:
        return argument[0] == 0 or all(_may_be_empty(*item) for item in argument[2])
    if operation in (*_ASSERTIONS, constants.AT):
        return True
    bodies = _bodies(operation, argument)
    return bool(bodies) and any(all(_may_be_empty(*item) for item in body) for body in bodies)


def _first(items: Sequence[Item]) -> Kinds:
    """Name what a sequence can begin with, past whatever may be empty."""
    kinds: Kinds = frozenset()
    for operation, argument in items:
        kinds |= _kinds(operation, argument)
        if not _may_be_empty(operation, argument):
            break
    return kinds


def _last_open(items: Sequence[Item]) -> Kinds:
    """Name what an unbounded repeat at the end of a sequence takes, past whatever may be empty."""
    kinds: Kinds = frozenset()
    for operation, argument in reversed(items):
        if _is_open(operation, argument):
            kinds |= _first(list(argument[2]))
        else:
            for body in _bodies(operation, argument):
                kinds |= _last_open(body)
        if not _may_be_empty(operation, argument):
            break
    return kinds


def _is_ambiguous(body: Sequence[Item]) -> bool:
    """Tell whether a repeated choice can take the same text in two ways."""
    while len(body) == 1 and body[0][0] is constants.SUBPATTERN:
        body = list(body[0][1][-1])
    return any(
        _overlap(left, right)
        for operation, argument in body
        if operation is constants.BRANCH
        for firsts in [[_first(branch) or _first(body) for branch in _bodies(operation, argument)]]
        for place, left in enumerate(firsts)
        for right in firsts[:place]
    )


def _kinds(operation: Any, argument: Any) -> Kinds:
    if operation is constants.LITERAL:
        return frozenset({chr(argument).lower()})
    if operation is constants.IN:
        return frozenset().union(*(_kinds_of_class(*item) for item in argument))
    if operation is constants.AT or operation in _ASSERTIONS:
        return frozenset()
    bodies = _bodies(operation, argument)
    return frozenset().union(*map(_first, bodies)) if bodies else _ANY


def _kinds_of_class(operation: Any, argument: Any) -> Kinds:
    if operation is constants.LITERAL:
        return frozenset({chr(argument).lower()})
    if operation is constants.RANGE:
        return frozenset({_kind_of(chr(argument[0])), _kind_of(chr(argument[1]))})
    if operation is constants.CATEGORY:
        return _CATEGORIES.get(argument, _ANY)
    return _ANY


def _kind_of(character: str) -> str:
    if character.isdigit():
        return "digit"
    if character.isspace():
        return "space"
    return "letter" if character.isalpha() else character


def _overlap(left: Iterable[str], right: Iterable[str]) -> bool:
    def meet(one: str, other: str) -> bool:
        if "any" in (one, other) or one == other:
            return True
        kinds = [_kind_of(each) if len(each) == 1 else each for each in (one, other)]
        return kinds[0] == kinds[1] and not (len(one) == len(other) == 1)

    return any(meet(one, other) for one in left for other in right)
