"""Does policy.yaml name actions that are there, and patterns that can be used?"""

import re

from tools.catalogue.elsewhere_checks import may_be_tool
from tools.catalogue.marked_yaml import FieldPath
from tools.catalogue.naming import nearest
from tools.catalogue.patterns import pattern_problem
from tools.catalogue.reading import PackFiles


def check_policy(files: PackFiles) -> None:
    """Note every fault of policy.yaml: what it names has to be there, and be of its kind."""
    policy = files.policy
    if policy.broad_search is not None:
        _check_broad_search(files, policy.broad_search)
    _check_intents(files)
    _check_remembered(files)
    for place, step in enumerate(policy.stage_transitions):
        _check_action_named(files, ("stage_transitions", place, "on_action"), step.on_action)
    for place, name in enumerate(policy.stages_seen_by):
        _check_action_named(files, ("stages_seen_by", place), name)


def _check_forced(files: PackFiles, path: FieldPath, name: str) -> None:
    _check_action_named(files, path, name)
    action = files.actions.get(name)
    if action is not None and action.floor != "A":
        files.fault("policy", path, f"{name} is {action.effect}; only a read may be forced")


def _check_broad_search(files: PackFiles, name: str) -> None:
    _check_action_named(files, ("broad_search",), name)
    action = files.actions.get(name)
    if action is None:
        return
    if action.effect != "read":
        files.fault("policy", ("broad_search",), f"{name} is {action.effect}; only a read may run")
    texts = [slot for slot in action.slots.values() if slot.type == "text"]
    others = [slot for slot in action.slots.values() if slot.required and slot.type != "text"]
    if not texts or others or sum(slot.required for slot in texts) > 1:
        problem = f"{name} must do with one text slot, which the question fills"
        files.fault("policy", ("broad_search",), problem)


def _check_action_named(files: PackFiles, path: FieldPath, name: str) -> None:
    if name not in files.named_actions and not may_be_tool(files, name):
        problem = f"no such action {name!r}; {nearest(name, sorted(files.named_actions))}"
        files.fault("policy", path, problem)


def _check_intents(files: PackFiles) -> None:
    for name, rule in files.policy.intents.items():
        for place, pattern in enumerate(rule.patterns):
            if problem := pattern_problem(pattern):
                files.fault("policy", ("intents", name, "patterns", place), problem)
        for place, action in enumerate(rule.actions):
            _check_action_named(files, ("intents", name, "actions", place), action)
        if rule.force_tool is not None:
            _check_forced(files, ("intents", name, "force_tool"), rule.force_tool)


def _check_remembered(files: PackFiles) -> None:
    for name, remembered in files.policy.remembers.items():
        if remembered.set_by is not None:
            _check_action_named(files, ("remembers", name, "set_by"), remembered.set_by)
        for place, pattern in enumerate(remembered.patterns):
            path: FieldPath = ("remembers", name, "patterns", place)
            if problem := pattern_problem(pattern):
                files.fault("policy", path, problem)
            elif "value" not in re.compile(pattern).groupindex:
                files.fault("policy", path, "names no value; write (?P<value>…) around it")
