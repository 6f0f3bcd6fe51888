"""policy.yaml names what is there, forces reads alone, and remembers what it can find."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tools.catalog.pack import check_pack

PackWriter = Callable[..., Path]


@pytest.mark.parametrize(
    ("policy", "problem"),
    [
        ("intents: {find: {force_tool: no_such}}", "no such action 'no_such'"),
        ("intents: {find: {actions: [no_such]}}", "no such action 'no_such'"),
        ("intents: {find: {force_tool: close_work_order}}", "only a read may be forced"),
        ("intents: {find: {patterns: ['(a+)+']}}", "can match one text in many ways"),
        ("remembers: {topic: {patterns: ['on (.{3,9})']}}", "names no value"),
        ("remembers: {topic: {patterns: ['(']}}", "is not a regular expression"),
        ("stage_transitions: [{on_action: no_such, to_stage: x}]", "no such action 'no_such'"),
    ],
)
def test_a_fault_is_named(write_pack: PackWriter, policy: str, problem: str) -> None:
    folder = write_pack()
    (folder / "policy.yaml").write_text(policy, "utf-8")
    (fault,) = check_pack(folder)
    assert problem in fault.problem
    assert fault.file.name == "policy.yaml"


def test_what_fits_has_no_fault(write_pack: PackWriter) -> None:
    folder = write_pack()
    policy = """
read_only_roles: [guest]
first_stage: begun
intents: {find: {words: [look], force_tool: search_documents}, close: {actions: [close_work_order]}}
remembers: {topic: {patterns: ['on (?P<value>.{3,9})'], is_topic: true}}
stage_transitions: [{on_action: search_documents, to_stage: found}]
"""
    (folder / "policy.yaml").write_text(policy, "utf-8")
    assert check_pack(folder) == []
