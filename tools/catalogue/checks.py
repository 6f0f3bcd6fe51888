"""What no single field can show: do the parts of a pack fit each other and its Python?"""

import difflib
import string
from collections.abc import Iterable

from state.action import PRIMITIVE_SLOT_TYPES, Action, Slot
from tools.catalogue.attention_checks import check_attention
from tools.catalogue.elsewhere_checks import check_http, check_mcp
from tools.catalogue.example_checks import check_examples
from tools.catalogue.function_checks import check_functions
from tools.catalogue.marked_yaml import FieldPath
from tools.catalogue.naming import nearest
from tools.catalogue.parameters import parameter_of
from tools.catalogue.patterns import pattern_problem
from tools.catalogue.policy_checks import check_policy
from tools.catalogue.proactive_checks import check_proactive
from tools.catalogue.python_shapes import PythonShapes, ShapeFault
from tools.catalogue.reading import PackFiles

_SAY_FIELDS = ("text", "source")


def check_parts(files: PackFiles) -> None:
    """Note every fault between the parts of a pack in `files.faults`."""
    shapes = PythonShapes(files.folder)
    for action in files.actions.values():
        _check_slots(files, action)
        _check_summary(files, action)
        check_functions(files, shapes, action)
        check_http(files, action)
        _check_people(files, action)
        _check_undo(files, action)
    check_examples(files)
    check_mcp(files)
    _check_entities(files, shapes)
    _check_heuristics(files)
    check_policy(files)
    _check_personality(files)
    check_attention(files)
    check_proactive(files)


def _check_slots(files: PackFiles, action: Action) -> None:
    known = (*PRIMITIVE_SLOT_TYPES, *files.entities.entities)
    for name, slot in action.slots.items():
        path = ("actions", action.name, "slots", name)
        taken = {"context", "connection"} if action.transactional else {"context"}
        alike = [other for other in action.slots if parameter_of(other) == parameter_of(name)]
        if not name.replace("-", "_").isidentifier() or name in taken:
            files.fault("actions", path, "cannot be a Python parameter; use a_word_like_this")
        elif len(alike) > 1:
            problem = f"{' and '.join(alike)} would both be the parameter {parameter_of(name)}"
            files.fault("actions", path, problem)
        if slot.type not in known and not files.is_broken("entities"):
            problem = f"no such type {slot.type!r}; {nearest(slot.type, known)}"
            files.fault("actions", (*path, "type"), problem)
        _check_bounds(files, path, slot)


def _check_bounds(files: PackFiles, path: FieldPath, slot: Slot) -> None:
    bounds = {"minimum": slot.minimum, "maximum": slot.maximum}
    given = [name for name, bound in bounds.items() if bound is not None]
    if given and slot.type not in ("number", "integer"):
        files.fault("actions", (*path, given[0]), f"is for numbers, and the slot is a {slot.type}")
    elif slot.minimum is not None and slot.maximum is not None and slot.minimum > slot.maximum:
        problem = f"is more than the maximum, {slot.maximum:g}: nothing fits"
        files.fault("actions", (*path, "minimum"), problem)


def _check_summary(files: PackFiles, action: Action) -> None:
    path = ("actions", action.name, "summary")
    for problem in _placeholder_problems(action.summary, tuple(action.slots)):
        files.fault("actions", path, problem)


def _check_people(files: PackFiles, action: Action) -> None:
    path: FieldPath = ("actions", action.name)
    asked = {role for other in files.actions.values() for role in other.roles}
    for field, roles in (("roles", action.roles), ("approvers", action.approvers.roles)):
        place = (*path, field) if field == "roles" else (*path, field, "roles")
        if len(set(roles)) < len(roles):
            files.fault("actions", place, "names a role twice")
        for role in roles:
            if role != role.strip() or not role:
                files.fault("actions", place, f"role {role!r} has spaces around it")
    for role in action.approvers.roles:
        near = difflib.get_close_matches(role, sorted(asked), 1, 0.8)
        if role not in asked and near:
            problem = f"nobody is called {role!r} elsewhere; did you mean {near[0]!r}?"
            files.fault("actions", (*path, "approvers", "roles"), problem)
    if action.floor != "C" and action.approvers.quorum > 1:
        problem = "asks several people for an action that needs no yes; mend effect or quorum"
        files.fault("actions", (*path, "approvers", "quorum"), problem)


def _check_undo(files: PackFiles, action: Action) -> None:
    if action.undo is None:
        return
    path = ("actions", action.name, "undo")
    # It may name itself: to set a limit is undone by setting the one that was there before.
    if action.undo not in files.named_actions:
        known = sorted(files.named_actions)
        problem = f"no such action {action.undo!r}; {nearest(action.undo, known)}"
        files.fault("actions", path, problem)


def _check_entities(files: PackFiles, shapes: PythonShapes) -> None:
    for name, entity in files.entities.entities.items():
        path: FieldPath = ("entities", name)
        if name in PRIMITIVE_SLOT_TYPES:
            files.fault("entities", path, "is a slot type of its own; take another name")
        for place, pattern in enumerate(entity.patterns):
            if problem := pattern_problem(pattern):
                files.fault("entities", (*path, "patterns", place), problem)
        if not (entity.patterns or entity.names or entity.lookup):
            files.fault("entities", path, "names nothing; give it a list, patterns or a lookup")
        if entity.lookup is None:
            continue
        shape = shapes.find(*entity.lookup.split(":"))
        if isinstance(shape, ShapeFault):
            files.fault("entities", (*path, "lookup"), shape.problem)
        elif len(shape.positional) != 1 or shape.keyword_required:
            files.fault("entities", (*path, "lookup"), "must take the data folder and nothing else")


def _check_heuristics(files: PackFiles) -> None:
    seen: set[str] = set()
    for place, heuristic in enumerate(files.heuristics.heuristics):
        path: FieldPath = ("heuristics", place)
        if heuristic.id in seen:
            files.fault("heuristics", (*path, "id"), f"{heuristic.id!r} is taken; ids are unique")
        seen.add(heuristic.id)
        for problem in _placeholder_problems(heuristic.say, _SAY_FIELDS):
            files.fault("heuristics", (*path, "say"), problem)
        if not heuristic.floor <= heuristic.confidence <= heuristic.ceiling:
            files.fault("heuristics", (*path, "confidence"), "lies outside floor and ceiling")


def _check_personality(files: PackFiles) -> None:
    personality = files.personality
    for circumstance in ("high_threat", "opportunity"):
        shift = personality.context_modifiers.get(circumstance)
        for trait in ("proactive", "helpfulness"):
            if shift is not None and getattr(shift, trait) < 0:
                problem = "may not fall: what stands out more is never said less for it"
                files.fault("personality", ("context_modifiers", circumstance, trait), problem)
    if personality.template is not None and personality.template not in personality.templates:
        known = sorted(personality.templates)
        problem = f"no such template; {nearest(personality.template, known)}"
        files.fault("personality", ("template",), problem)


def _placeholder_problems(template: str, known: Iterable[str]) -> Iterable[str]:
    names = tuple(known)
    try:
        parts = list(string.Formatter().parse(template))
    except ValueError as error:
        yield f"is not a template: {error}"
        return
    for _, name, layout, conversion in parts:
        if name is None:
            continue
        if layout or conversion:
            yield f"{{{name}}} takes no layout: code renders it"
        if name not in names:
            yield f"{{{name}}} is no slot; {nearest(name, names)}"
