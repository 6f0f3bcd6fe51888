"""Tools become actions: the class from what they claim, or a higher one; words from their names."""

import re
import string
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pydantic import ValidationError

from state.action import Action, McpTool, Slot
from tools.catalogue.mcp_file import McpServer, McpToolRule
from tools.mcp.described import DescribedTool
from tools.mcp.effects import effect_of, raised
from tools.mcp.slots import identifier, slots_of
from tools.routing.words.families import FAMILIES, GROUPS_OF_PHRASE, READ_FAMILIES, family_of_group
from tools.visible import visible

MAX_NAME = 60
_MAX_EXAMPLE = 120
_SHOWN_SLOTS = 4
_MOST_TROUBLES = 20
_SENTENCE = re.compile(r"[.!?:;\n]")
_NO_RULE = McpToolRule()


@dataclass(frozen=True)
class Converted:
    """The actions that the tools of one server became, and why others did not."""

    actions: Mapping[str, Action] = field(default_factory=dict)
    troubles: tuple[str, ...] = ()


def to_actions(
    pack: str, name: str, server: McpServer, tools: Iterable[DescribedTool]
) -> Converted:
    """Convert the tools of a server; two that would be called the same are both left out."""
    actions: dict[str, Action] = {}
    troubles: list[str] = []
    taken: dict[str, str] = {}
    listed = list(tools)
    for tool in listed:
        rule = server.tools.get(tool.name, _NO_RULE)
        if rule.leave_out:
            continue
        shown = visible(tool.name[:MAX_NAME])
        action_name = name_of_action(name, tool.name)
        if action_name in taken:
            actions.pop(action_name, None)
            troubles.append(f"{shown} and {taken[action_name]} would both be {action_name}")
            continue
        taken[action_name] = shown
        try:
            actions[action_name] = _action(pack, name, action_name, server, tool)
        except (ValidationError, ValueError) as error:
            reason = "it does not fit" if isinstance(error, ValidationError) else str(error)
            troubles.append(f"{shown} is left out: {reason}")
            continue
        troubles += _rule_troubles(shown, rule, actions[action_name])
    offered = {tool.name for tool in listed}
    troubles += [f"{told} is no tool of it" for told in server.tools if told not in offered]
    return Converted(actions, tuple(dict.fromkeys(troubles))[:_MOST_TROUBLES])


def name_of_action(server: str, tool: str) -> str:
    """Name the action that a tool becomes."""
    return f"{server}_{identifier(tool)}"


def _action(
    pack: str, server_name: str, name: str, server: McpServer, tool: DescribedTool
) -> Action:
    plain = identifier(tool.name)
    if tool.problem:
        raise ValueError(tool.problem)
    if not plain or len(plain) > MAX_NAME:
        raise ValueError("its name is empty or too long")
    rule = server.tools.get(tool.name, _NO_RULE)
    claimed = effect_of(tool, is_trusted=server.trusted, server=server_name)
    effect = raised(claimed, rule.effect)
    slots = slots_of(tool.schema)
    verb, words, thing = _spoken(plain.split("_"), server_name, is_read=effect == "read")
    summary = rule.summary if _is_template(rule.summary, slots) else None
    return Action(
        name=name,
        pack=pack,
        summary=summary or _summary(server_name, plain, slots),
        verb=verb,
        words=(*rule.words, *words),
        object=thing,
        slots=slots,
        effect=effect,
        roles=rule.roles or server.roles,
        approvers=server.approvers,
        mcp=McpTool(
            server=server_name,
            tool=tool.name,
            schema_sha256=tool.sha256(server),
            trusted=server.trusted,
        ),
        examples=(*rule.examples, *_examples(server_name, plain, tool)),
    )


def _spoken(
    words: list[str], server_name: str, *, is_read: bool
) -> tuple[str, tuple[str, ...], str]:
    """Split a tool's name into the verb it begins with and the thing it is about.

    A verb of reading on a tool that changes something, or the other way round, is only a word.
    """
    if words[0] == server_name and len(words) > 1:  # git_status of a server called git
        words = words[1:]
    groups = GROUPS_OF_PHRASE.get(words[0])
    family = family_of_group(groups[0]) if groups else None
    thing = "_".join(words[1:] if groups or len(words) > 1 else words) or server_name
    if family in FAMILIES and (family in READ_FAMILIES) == is_read:
        return words[0], (words[0],), thing
    return "show" if is_read else "update", (words[0],), thing


def _summary(server_name: str, plain: str, slots: Mapping[str, Slot]) -> str:
    needed = [name for name, slot in slots.items() if slot.required and slot.type != "json"]
    told = "".join(f" · {name} {{{name}}}" for name in needed[:_SHOWN_SLOTS])
    return f"{server_name}: {plain.replace('_', ' ')}{told}"


def _is_template(summary: str | None, slots: Mapping[str, Slot]) -> bool:
    if summary is None:
        return False
    try:
        parts = list(string.Formatter().parse(summary))
    except ValueError:
        return False
    return all(
        name is None or (name in slots and not layout and not conversion)
        for _, name, layout, conversion in parts
    )


def _examples(server_name: str, plain: str, tool: DescribedTool) -> tuple[str, ...]:
    """Take what it calls itself and the first sentence about it as things people might say."""
    spoken = plain.replace("_", " ")
    told = (tool.title, _SENTENCE.split(tool.description.strip(), maxsplit=1)[0])
    found = [spoken, f"{spoken} with {server_name.replace('_', ' ')}"]
    found += [visible(" ".join(text.split()))[:_MAX_EXAMPLE] for text in told]
    return tuple(dict.fromkeys(text for text in found if any(map(str.isalpha, text))))


def _rule_troubles(shown: str, rule: McpToolRule, action: Action) -> Iterable[str]:
    if rule.effect is not None and action.effect != rule.effect:
        yield f"{shown} is {action.effect} by itself; {rule.effect} would lower its class"
    if not _is_template(rule.summary, action.slots) and rule.summary is not None:
        yield f"the summary of {shown} is no template over its slots"
