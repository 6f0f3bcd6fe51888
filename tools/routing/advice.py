"""What the author of a pack may mend: what cannot be told apart, who says yes to themselves.

None of it is a fault.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from state.action import PRIMITIVE_SLOT_TYPES, Action
from tools.routing.slots.days.spans import side_of_span
from tools.routing.slots.days.toward import BEGINS, ENDS, toward_of
from tools.routing.slots.directions import side_of

_WORD = re.compile(r"\w+")


def advice_on(actions: Mapping[str, Action]) -> Iterator[str]:
    """Give it a sentence each."""
    yield from _shared_examples(actions)
    if not actions:
        yield "there is no action yet: nothing that is said comes to anything"
    yield from _own_yes(actions)
    for action in actions.values():
        for names in _alike(action):
            first, last = names[:2]
            yield (
                f"{action.name}: nothing tells {first} from {last}; let the summary do it,"
                f" such as: from {{{first}}} to {{{last}}}"
            )


def _own_yes(actions: Mapping[str, Action]) -> Iterator[str]:
    """Tell what needs a yes that is its asker's own, unless one role does all there is."""
    roles = {role for one in actions.values() for role in (*one.roles, *one.approvers.roles)}
    for name, action in actions.items():
        is_own = not (action.approvers.roles or action.approvers.four_eyes)
        if action.floor == "C" and is_own and len(roles) != 1:
            yield (
                f"{name}: whoever may ask for it may also say yes to it; name other roles under"
                " approvers, or set four_eyes"
            )


def _shared_examples(actions: Mapping[str, Action]) -> Iterator[str]:
    """Tell which examples two actions have: labelled data have some."""
    owners: dict[tuple[str, ...], str] = {}
    for name, action in actions.items():
        for text in action.examples:
            owner = owners.setdefault(tuple(_WORD.findall(text.casefold())), name)
            if owner != name:
                yield f"{text!r} is an example of {owner} and of {name}: of neither can it be sure"


def _alike(action: Action) -> Iterator[Sequence[str]]:
    """Find the slots that take the same kind of thing, or day, and lie on no side of their own."""
    alike: dict[object, list[str]] = defaultdict(list)
    for name, slot in action.slots.items():
        is_thing = slot.type not in PRIMITIVE_SLOT_TYPES
        if is_thing and not slot.many and not name.startswith("except_"):
            alike[slot.type, side_of(action, name)].append(name)
        is_end = side_of_span(action, name) or not (BEGINS | ENDS).isdisjoint(name.split("_"))
        if slot.type == "date" and not is_end:
            alike[slot.type, toward_of(action, name)].append(name)
    for names in alike.values():
        if len(names) > 1:
            yield names
