"""Cover the values of secret slots in what is kept and told of a decision."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, select, update

from state.offer import Offer
from state.record import DecisionRecord
from tools.approvals.secrets import shown_arguments
from tools.ports import Catalogue
from tools.secrecy import HIDDEN, SHORTEST, covered
from tools.storage.tables.decisions import offer as offers

_HOLDERS = ("arguments", "slots", "variants")
"""Keys under which values stand by the names of slots."""
_LEAVES = frozenset({str, int, float, bool, type(None)})
"""What holds nothing: most of a record, and slow to ask whether it is a mapping."""

# Built once: to build a statement takes longer than to run it.
_CHOSEN = select(offers).where(offers.c.chosen_decision_id == bindparam("wanted"))


@dataclass(frozen=True)
class Covering:
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
            action = self.catalogue.actions.get(chip.action)
            arguments = shown_arguments(action, chip.arguments) if action else {}
            chips.append(chip.model_copy(update={"arguments": arguments}))
        return shown.model_copy(update={"chips": tuple(chips)})

    def forget_choice(self, connection: Connection, decision_id: str) -> None:
        """Cover what was chosen on a chip, once that choice is over."""
        row = connection.execute(_CHOSEN, {"wanted": decision_id}).first()
        if row is None:
            return
        shown = Offer.model_validate(row.body)
        chip = next(chip for chip in shown.chips if chip.chip_id == row.chosen)
        action = self.catalogue.actions.get(chip.action)
        if action is None or not any(slot.secret for slot in action.slots.values()):
            return
        connection.execute(
            update(offers)
            .where(offers.c.chosen_decision_id == decision_id)
            .values(
                chosen_arguments=shown_arguments(action, row.chosen_arguments or {}),
                body=self.offer(shown).model_dump(mode="json"),
            )
        )

    def _secret_names(self, record: DecisionRecord, stages: Mapping[str, Any]) -> frozenset[str]:
        named = {record.action, *_actions(stages)}
        found = (self.catalogue.actions.get(name) for name in named if name)
        return frozenset(
            slot for action in found if action for slot, each in action.slots.items() if each.secret
        )


def _actions(value: Any) -> Iterator[str]:  # JSON
    left = [value]  # every record is gone through, thrice, and by recursion took four times as long
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
        if len(text) >= SHORTEST and not text.startswith(HIDDEN):
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
            value = value.replace(secret, HIDDEN)
    return value


def _hidden(value: Any) -> Any:  # JSON
    if value is None or (isinstance(value, str) and value.startswith(HIDDEN)):
        return value
    return covered(value)
