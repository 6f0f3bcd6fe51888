"""Redact secret arguments in approvals, results, decision records, stages and offers.

Which slots are secret is read from the catalogue. What the ledger executes keeps its values.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic import ValidationError
from sqlalchemy import Connection, bindparam, select, update

from state.action import DECLARED, Action, ActionResult
from state.offer import Offer
from state.record import DecisionRecord
from tools.platform.redaction import MASK, SHORTEST_REDACTED, masked, masked_once, redact_secrets
from tools.ports import Catalogue
from tools.storage.tables.decisions import decision
from tools.storage.tables.decisions import offer as offers


def masked_arguments(
    action: Action, arguments: Mapping[str, Any]
) -> dict[str, Any]:  # by slot type
    """Copy arguments with every secret one covered."""
    return {
        name: masked(value) if action.is_secret(name) else value
        for name, value in arguments.items()
    }


def restore_masked(
    action: Action,
    given: Mapping[str, Any],
    standing: Mapping[str, Any],
) -> dict[str, Any]:  # by slot type
    """Put back what stands where somebody repeats the cover of a secret they were shown."""
    return {
        name: standing[name]
        if action.is_secret(name) and name in standing and value == masked(standing[name])
        else value
        for name, value in given.items()
    }


def redacted_text(text: str | None, action: Action, arguments: Mapping[str, Any]) -> str | None:
    """Take an action's secret arguments out of a sentence."""
    return None if text is None else str(redact_secrets(text, secret_forms((action, arguments))))


def secret_forms(*given: tuple[Action, Mapping[str, Any]]) -> tuple[str, ...]:
    """List what must not be shown, the longest first, in each form that words may give it."""
    found = {
        form
        for action, arguments in given
        for name, slot in action.slots.items()
        if slot.secret
        for leaf in _leaves(arguments.get(name))
        for form in secret_variants(leaf)
    }
    return tuple(
        sorted((form for form in found if len(form) >= SHORTEST_REDACTED), key=len, reverse=True)
    )


def _leaves(value: Any) -> Iterator[str | int | float]:  # of any JSON value
    if isinstance(value, Mapping):
        value = tuple(value.values())  # its keys name things, such as `token`
    if isinstance(value, list | tuple):
        for item in value:
            yield from _leaves(item)
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        yield value


def secret_variants(leaf: str | int | float) -> tuple[str, ...]:
    """Write a value in each form that words may give it."""
    if isinstance(leaf, str):
        # An error message quotes it as Python or as JSON does.
        return (
            leaf,
            repr(leaf)[1:-1],
            json.dumps(leaf)[1:-1],
            json.dumps(leaf, ensure_ascii=False)[1:-1],
        )
    whole = (str(int(leaf)),) if isinstance(leaf, float) and leaf.is_integer() else ()
    return str(leaf), *whole


_SHOWN = {"text", "data", "changed"}


def redacted_result(
    result: ActionResult | None,
    action: Action,
    arguments: Mapping[str, Any],
    undo: Action | None = None,
) -> ActionResult | None:
    """Take secrets out of the words, data and changes that a handler gave back.

    What undoes it stays whole: it is to be run, and nobody is shown it. Its own secrets, such as
    what stood there before, are taken out of everything else.

    Args:
        undo: the action that takes it back, whose slots tell which of these are secret.
    """
    if result is None:
        return None
    before = () if undo is None else ((undo, result.undo or {}),)
    secrets = secret_forms((action, arguments), *before)
    if not secrets:
        return result
    shown = _redacted(result.model_dump(mode="json", include=_SHOWN), secrets)
    try:
        return ActionResult.model_validate({**shown, "undo": result.undo})
    except ValidationError:
        return ActionResult(text="done; what it said cannot be shown", undo=result.undo)


def _redacted(value: Any, secrets: tuple[str, ...]) -> Any:  # any JSON value
    if isinstance(value, list):
        return [_redacted(item, secrets) for item in value]
    if isinstance(value, dict):
        return {_redacted(key, secrets): _redacted(item, secrets) for key, item in value.items()}
    if isinstance(value, str):
        return redact_secrets(value, secrets)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return MASK if is_number and any(form in secrets for form in secret_variants(value)) else value


_HOLDERS = ("arguments", "slots", "variants")
"""Keys under which values stand by the names of slots."""
_LEAVES = frozenset({str, int, float, bool, type(None)})
"""What holds nothing: most of a record, and slow to ask whether it is a mapping."""

# Built once: to build a statement takes longer than to run it.
_CHOSEN = select(offers).where(offers.c.chosen_decision_id == bindparam("wanted"))


@dataclass(frozen=True)
class Redactor:
    """Knows by the catalogue which slots are secret."""

    catalogue: Catalogue

    def decision(
        self, record: DecisionRecord, stages: Mapping[str, Any]
    ) -> tuple[DecisionRecord, Mapping[str, Any]]:
        """Cover a record and the stages behind it; what the ledger runs stands in the ledger."""
        names = self._secret_names(record, stages)
        if not names:
            return record, stages
        told = {"arguments": record.arguments, "text": record.text}
        values = {*_values(stages, names), *_values(told, names)}
        update = _cover(told, names, values)
        answers = _cover([use.answer for use in record.models], names, values)
        update["models"] = tuple(
            use.model_copy(update={"answer": answer})
            for use, answer in zip(record.models, answers, strict=True)
        )
        return record.model_copy(update=update), _cover(stages, names, values)

    def offer(self, shown: Offer) -> Offer:
        """Cover what the chips of an offer hold."""
        chips = []
        for chip in shown.chips:
            action = self._action(shown, chip.action)
            arguments = masked_arguments(action, chip.arguments) if action else {}
            chips.append(chip.model_copy(update={"arguments": arguments}))
        return shown.model_copy(update={"chips": tuple(chips)})

    def forget_choice(self, connection: Connection, decision_id: str) -> None:
        """Cover what was chosen on a chip, once that choice is over."""
        row = connection.execute(_CHOSEN, {"wanted": decision_id}).first()
        if row is None:
            return
        shown = Offer.model_validate(row.body)
        chip = next(chip for chip in shown.chips if chip.chip_id == row.chosen)
        action = self._action(shown, chip.action)
        if action is None or not any(slot.secret for slot in action.slots.values()):
            return
        connection.execute(
            update(offers)
            .where(offers.c.chosen_decision_id == decision_id)
            .values(
                chosen_arguments=masked_arguments(action, row.chosen_arguments or {}),
                body=self.offer(shown).model_dump(mode="json"),
            )
        )

    def forget_call(self, connection: Connection, decision_id: str) -> None:
        """Cover the arguments that an agent called with, where its event is kept."""
        whose = decision.c.decision_id == decision_id
        event = connection.scalar(select(decision.c.event).where(whose)) or {}
        call = event.get("call") or {}
        tenant_id = event.get("tenant_id", "")
        action = self.catalogue.of_tenant(tenant_id).actions.get(call.get("action", ""))
        if action is None or not any(slot.secret for slot in action.slots.values()):
            return
        given = call["arguments"].items()  # covered already where its end is recorded
        kept = {name: masked_once(v) if action.is_secret(name) else v for name, v in given}
        covered = {**call, "arguments": kept}
        connection.execute(update(decision).where(whose).values(event={**event, "call": covered}))

    def _action(self, shown: Offer, name: str) -> Action | None:
        return self.catalogue.of_tenant(shown.tenant_id).actions.get(name)

    def _secret_names(self, record: DecisionRecord, stages: Mapping[str, Any]) -> frozenset[str]:
        whole = self.catalogue.of_tenant(record.tenant_id)
        own = {} if whole is self.catalogue else secret_slots(whole.pack(DECLARED).actions)
        if not self._secret_slots and not own:
            return frozenset()
        named = {record.action or "", *_actions(stages)}
        known = (own, self._secret_slots)
        return frozenset[str]().union(*(each.get(name, ()) for name in named for each in known))

    @cached_property
    def _secret_slots(self) -> Mapping[str, frozenset[str]]:
        return secret_slots(self.catalogue.actions)


def secret_slots(actions: Mapping[str, Action]) -> Mapping[str, frozenset[str]]:
    """Map each action that has secret slots to them."""
    found = {
        name: frozenset(slot for slot, each in action.slots.items() if each.secret)
        for name, action in actions.items()
    }
    return {name: slots for name, slots in found.items() if slots}


def _actions(value: Any) -> Iterator[str]:  # JSON
    left = [value]  # every record is gone through, and by recursion took four times as long
    while left:
        each = left.pop()
        if type(each) in _LEAVES:
            continue
        if isinstance(each, Mapping):
            name = each.get("action")
            if isinstance(name, str):
                yield name
            left += each.values()
        elif isinstance(each, (list, tuple)):
            left += each


def _values(value: Any, names: frozenset[str], *, is_held: bool = False) -> Iterator[str]:  # JSON
    if isinstance(value, Mapping):
        for key, each in value.items():
            if is_held and key in names:
                yield from _texts(each)
            else:
                yield from _values(each, names, is_held=is_held or key in _HOLDERS)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from _values(each, names, is_held=is_held)


def _texts(value: Any) -> Iterator[str]:  # JSON
    for each in value if isinstance(value, (list, tuple)) else [value]:
        text = str(each)
        if len(text) >= SHORTEST_REDACTED and not text.startswith(MASK):
            yield text


def _cover(
    value: Any, names: frozenset[str], values: set[str], *, is_held: bool = False
) -> Any:  # JSON
    if isinstance(value, Mapping):
        return {
            key: _hidden(each)
            if is_held and key in names
            else _cover(each, names, values, is_held=is_held or key in _HOLDERS)
            for key, each in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [_cover(each, names, values, is_held=is_held) for each in value]
    if isinstance(value, str):
        for secret in sorted(values, key=len, reverse=True):
            value = value.replace(secret, MASK)
    return value


def _hidden(value: Any) -> Any:  # JSON
    if value is None or (isinstance(value, str) and value.startswith(MASK)):
        return value
    return masked(value)
