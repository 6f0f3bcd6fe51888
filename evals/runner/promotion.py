"""`prefrontal evals promote`: turn decisions of the query log into cases of a dataset.

Names, addresses and secrets are redacted; the label is what a person did about the decision.
"""

import asyncio
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import ValidationError

from api.cli.options import DataDir, Packs, Tenant, read_settings
from api.cli.queries import reading_log
from api.cli.terminal import print_error, print_note
from evals.dataset import Case, Header, RequestInputs, json_lines, read_dataset
from evals.options import app
from graph.settings import Settings
from state.action import Action
from state.errors import BadInput, NotFound
from state.execution import ReleasePhase
from state.noun import Noun
from state.query import Query
from tools.catalog import Catalogue, packs_named
from tools.observability import SqlQueryLog
from tools.platform.redaction import MASK, redact_private

_NUMBER = re.compile(r"(?<![\w-])\+?\d[\d ()./-]{6,}\d(?![\w-])")
_DATE = re.compile(r"\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}")
_FEWEST_DIGITS = 8


def redacted(text: str, blotted: Iterable[str] = ()) -> str:
    """Replace mail addresses, links, hosts, telephone and account numbers, keys and given words.

    Short numbers, dates and ids such as WO-1042 stay: they are what is asked about.
    """
    text = _NUMBER.sub(_without_digits, redact_private(text))
    for word in filter(str.strip, blotted):
        text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", "somebody", text, flags=re.IGNORECASE)
    return text


def contains_secret(text: str) -> bool:
    """Tell whether a secret was masked when it was logged: nobody can answer such a text."""
    return MASK in text


def _without_digits(found: re.Match[str]) -> str:
    text = found[0]
    digits = sum(sign.isdigit() for sign in text)
    if digits < _FEWEST_DIGITS or _DATE.fullmatch(text.strip()):
        return text
    return re.sub(r"\d", "0", text)


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
        elif contains_secret(query.query.raw_text):
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


_EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
"""A clock that stood before it was never set."""


@app.command("promote", epilog="Example: prefrontal evals promote --phase shadow --into ours.jsonl")
def promote_decisions(  # noqa: PLR0913, PLR0917 - an option each
    decisions: Annotated[
        list[str] | None,
        typer.Argument(metavar="[DECISION]...", help="Ids; none: all whose meaning people showed."),
    ] = None,
    into: Annotated[
        Path, typer.Option(metavar="FILE.jsonl", help="Made, or added to; a case is never twice.")
    ] = Path("promoted.jsonl"),
    log: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="QUERIES.jsonl",
            help="Exported by production (`queries export`, GET /v1/queries), not our store.",
        ),
    ] = None,
    said: Annotated[
        str | None,
        typer.Option("--as", metavar="ACTION", help="What was meant; `nothing`: no action."),
    ] = None,
    phase: Annotated[
        ReleasePhase | None, typer.Option(help="Only what was decided in this release phase.")
    ] = None,
    blot: Annotated[
        list[str] | None, typer.Option(metavar="WORD", help="Hide it too; may be repeated.")
    ] = None,
    pack: Packs = None,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Write messages with what people meant by them: observed elsewhere, approved, or chosen.

    Mail addresses, links, telephone and account numbers, keys and the speaker's own name are taken
    out, ids are hashed, users numbered; what a secret stood in is left out. Read the file before
    you share it: patterns know no other names. `prefrontal evals run FILE` judges it.
    """
    if said is not None and not decisions:
        raise BadInput("--as says what one decision meant; name the decision")
    settings = read_settings(pack, data_dir)
    actions = Catalogue.of(packs_named(settings.packs)).actions
    queries = _exported(log) if log else asyncio.run(_stored(settings, tenant))
    wanted = _wanted(queries, decisions or [], phase)
    found = promote(wanted, actions, said=said, blotted=blot or [])
    added = _add(into, found, settings.packs, actions, [one.timestamp for one in wanted])
    for decision, reason in found.left_out.items() if decisions else ():
        print_error(f"{decision} is left out: {reason}")
    print_note(f"{added} cases added to {into}, {len(found.left_out)} decisions left out")
    if decisions and found.left_out:
        raise typer.Exit(1)


async def _stored(settings: Settings, tenant: str) -> list[Query]:
    async def work(queries: SqlQueryLog) -> list[Query]:
        return [one async for one in queries.all(tenant)]

    return await reading_log(settings, work)


def _exported(path: Path) -> list[Query]:
    found = []
    for place, row in json_lines(path):
        try:
            found.append(Query.model_validate(row))
        except ValidationError as error:
            raise BadInput(f"{place} is no exported query: {error.errors()[0]['msg']}") from error
    return found


def _wanted(
    queries: Sequence[Query], decisions: Sequence[str], phase: ReleasePhase | None
) -> list[Query]:
    known = {one.decision_id for one in queries}
    for decision in decisions:
        if decision not in known:
            raise NotFound("query of decision", decision)
    return [
        one
        for one in queries
        if (not decisions or one.decision_id in decisions)
        and (phase is None or one.routing.phase == phase)
    ]


def _add(
    into: Path, found: Promoted, packs: Sequence[str], actions: Actions, moments: Sequence[datetime]
) -> int:
    """Write what is new; the first line is of the first time, and stays."""
    known: set[str] = set()
    before = into.read_bytes() if into.is_file() else b""
    if before.strip():
        known = {case.id for case in read_dataset(into).cases}
    new = [case for case in found.cases if case.id not in known]
    if not new:
        return 0
    into.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(case.model_dump(mode="json"), ensure_ascii=False) for case in new]
    if not known:
        # An export of others may tell times without their zone; then it is UTC.
        zoned = [one if one.tzinfo else one.replace(tzinfo=UTC) for one in moments]
        begins = max(min(zoned), _EARLIEST)
        lines.insert(0, header_of(into.stem, packs, actions, begins).model_dump_json())
    with into.open("a", encoding="utf-8") as file:
        if before and not before.endswith(b"\n"):
            file.write("\n")
        file.writelines(f"{line}\n" for line in lines)
    return len(new)
