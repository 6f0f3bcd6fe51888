"""A query of the log as a case: its words redacted, its label what a person did about it."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from pydantic import ValidationError

from evals.dataset import Case, Header
from evals.inputs import RequestInputs
from evals.promoting.redacting import holds_secret, redacted
from state.action import Action
from state.errors import BadInput
from state.noun import Noun
from state.query import Query

NOTHING = "nothing"
"""Said instead of an action: nothing of the catalogue was meant."""
_CLASSES = {"read": "A", "write": "B"}

Actions = Mapping[str, Action]


class Label(Noun):
    """What was meant, and how we know."""

    action: str | None
    by: str


class Promoted(Noun):
    """The cases that came of a log, and why the others did not."""

    cases: tuple[Case, ...]
    left_out: Mapping[str, str]


def promote(
    queries: Iterable[Query],
    actions: Actions,
    *,
    said: str | None = None,
    blotted: Sequence[str] = (),
) -> Promoted:
    """Turn queries into cases; one that nobody labelled is left out, with the reason.

    Args:
        actions: of the packs that the dataset will be asked with.
        said: the action that was meant, by the word of whoever promotes; `nothing`: none.
        blotted: words that are hidden beside what is always.

    Raises:
        BadInput: `said` is no action.
    """
    if said is not None and said != NOTHING and said not in actions:
        raise BadInput(f"there is no action {said!r} in these packs, so no case can mean it")
    cases: dict[str, Case] = {}
    left_out: dict[str, str] = {}
    people: dict[str, str] = {}
    for query in queries:
        label = label_of(query) if said is None else Label(action=_named(said), by="said")
        if label is None:
            left_out[query.decision_id] = "nobody showed what was meant; --as ACTION says it"
        elif label.action is not None and label.action not in actions:
            left_out[query.decision_id] = f"the packs have no action {label.action}"
        elif holds_secret(query.query.raw_text):
            left_out[query.decision_id] = "its text held a secret, which was masked"
        else:
            user = people.setdefault(query.user or "", f"person-{len(people) + 1}")
            try:
                case = _case(query, label, user, actions, [*blotted, *filter(None, [query.user])])
                RequestInputs.model_validate(case.inputs)
            except ValidationError as error:
                left_out[query.decision_id] = f"no case can hold it: {error.errors()[0]['msg']}"
                continue
            cases[case.id] = case
    return Promoted(cases=tuple(cases.values()), left_out=left_out)


def label_of(query: Query) -> Label | None:
    """Tell what a person meant: what they did elsewhere, else approved, else chose.

    What ran by itself and was left alone labels nothing: silence is no yes.
    """
    outcome = query.outcome
    if outcome.action_observed is not None:
        return Label(action=outcome.action_observed, by="observed")
    if outcome.undo_triggered:
        return None
    if outcome.execution_method == "confirmation" and outcome.action_executed:
        return Label(action=outcome.action_executed, by="confirmed")
    if outcome.chip_chosen is not None:
        return Label(action=outcome.chip_chosen, by="chosen")
    return None


def header_of(name: str, packs: Sequence[str], actions: Actions, starts_at: datetime) -> Header:
    """Write the first line of a dataset of such cases."""
    return Header(
        dataset=name,
        pack=",".join(packs),
        target="requests",
        starts_at=starts_at.astimezone(UTC),
        read_only=tuple(sorted(one.name for one in actions.values() if one.effect == "read")),
        made="Promoted from logged decisions by `prefrontal evals promote`; labelled by what "
        "people did, or by the word of whoever promoted; redacted by pattern, not by a person.",
    )


def _named(said: str) -> str | None:
    return None if said == NOTHING else said


def _case(query: Query, label: Label, user: str, actions: Actions, blotted: Sequence[str]) -> Case:
    outputs: dict[str, Any] = {  # as datasets/README.md describes them
        "action": label.action,
        "execution_class": None
        if label.action is None
        else _CLASSES.get(actions[label.action].effect, "C"),
        "slots": None,
        "acceptable": [],
    }
    return Case(
        id=f"promoted-{sha256(query.decision_id.encode()).hexdigest()[:12]}",
        inputs={
            "text": redacted(query.query.raw_text, blotted),
            "user": user,
            "role": query.user_role or "guest",
        },
        outputs=outputs,
        metadata={
            "split": "dev",
            "kind": label.by,
            "why": f"{label.by}; predicted {query.routing.predicted_action or 'nothing'} "
            f"in {query.routing.phase}",
        },
    )
