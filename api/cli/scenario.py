"""Play a pack's scenario: its events, scripted answers and the changes of its store."""

import asyncio
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Literal

import httpx
import yaml
from pydantic import Field
from rich.rule import Rule
from rich.text import Text

from api.cli.actions import explanation_text
from api.cli.in_process import local_app
from api.cli.options import read_speaker, temporary
from api.cli.presentation import INDENT, answer_of, approval_of, decision_of
from api.cli.run import event_of
from api.cli.service import IN_PROCESS
from api.cli.terminal import OUT, Source, counted, printable, training_notice
from graph.executive import Executive
from graph.scheduler import run_scheduler
from graph.settings import Settings
from graph.wiring.composition import open_executive
from prefrontal.client import Refused, refusal_of
from state.dialog import ShownApproval
from state.errors import BadInput
from state.event import Event
from state.noun import Name, Noun
from state.record import DecisionRecord
from tools.platform.clock import SystemClock, VirtualClock
from tools.platform.serialization import validated
from tools.platform.texts import t

LOOK_SECONDS = 0.2
"""How often the machine's clock looks for holds that have ended."""

Tell = Callable[[Event, DecisionRecord], None]


@dataclass
class EventPlayer:
    """Plays a stream; with a virtual clock time is the events' own and nothing waits."""

    executive: Executive
    clock: VirtualClock | None
    tell: Tell
    _held: dict[str, list[Event]] = field(default_factory=dict)
    _telling: asyncio.Lock = field(default_factory=asyncio.Lock)

    def __post_init__(self) -> None:
        self.executive.initiative.listener = self._began

    @property
    def held(self) -> int:
        """Count the decisions that wait for their moment."""
        return len(self._held)

    async def play(self, event: Event) -> None:
        """Decide an event and tell it, or keep it in mind until its hold ends.

        Raises:
            AgentError: this event could not be decided; the next one may.
        """
        if self.clock is not None and event.occurred_at is not None:
            while await self._release_next(self.clock, event.occurred_at):
                pass
            self.clock.move_to(event.occurred_at)
        record = await self.executive.submit(event)
        if record.outcome == "held":
            self._held.setdefault(record.decision_id, []).append(event)
        else:
            self.tell(event, record)
        if self._held:  # a signal, or somebody who speaks, may have released one
            await self.executive.resume_unfinished()
        await self._tell_settled()

    async def finish(self) -> None:
        """Go on until nothing is held any more."""
        while self._held:
            if self.clock is None:
                await asyncio.sleep(LOOK_SECONDS)
                await self._tell_settled()
            elif not await self._release_next(self.clock, None):
                break

    @asynccontextmanager
    async def playing(self) -> AsyncIterator[None]:
        """Let the machine's clock release holds meanwhile; a virtual one is moved by events."""
        if self.clock is not None:
            yield
            return
        async with run_scheduler(self.executive):
            looking = asyncio.create_task(self._look())
            try:
                yield
            finally:
                looking.cancel()

    def _began(self, event: Event, record: DecisionRecord) -> None:
        """Tell what was begun by nobody's event: a reminder, a check-in, a remark."""
        if record.outcome == "held":
            self._held.setdefault(record.decision_id, []).append(event)
        else:
            self.tell(event, record)

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            await self._tell_settled()

    async def _release_next(self, clock: VirtualClock, until: datetime | None) -> bool:
        due = await self.executive.initiative.next_due(until)
        if due is None or (until is not None and due > until):
            return False
        clock.move_to(max(due, clock.now()))
        released = await self.executive.release_due()
        await self._tell_settled()
        return released > 0

    async def _tell_settled(self) -> None:
        async with self._telling:
            for decision_id in list(self._held):
                record = await self.executive.decide(decision_id)
                if record.outcome != "held":
                    for event in self._held.pop(decision_id):
                        self.tell(event, record)


FILE = "scenario.answers.yaml"


class ScriptedAnswer(Noun):
    """What somebody does once an event is decided."""

    event: Name
    says: Literal["choose", "approve", "reject"]
    by: Name = Field(description="USER:ROLE")
    chip: Name | None = Field(default=None, description="the action whose chip; default: the first")
    values: Mapping[str, Any] = Field(default_factory=dict)  # slots the chip lacks, by their type
    reason: str | None = None
    is_refused: bool = Field(default=False, description="the story wants it turned down")


class Script(Noun):
    """All answers of a story, and the events whose decisions are explained at its end."""

    title: str = "A story"
    answers: tuple[ScriptedAnswer, ...] = ()
    why: tuple[Name, ...] = ()

    def after(self, event_id: str) -> tuple[ScriptedAnswer, ...]:
        """List what is answered once an event is decided, in order."""
        return tuple(answer for answer in self.answers if answer.event == event_id)


def read_script(folder: Path) -> Script:
    """Read a pack's script; without one nobody answers anything.

    Raises:
        BadInput: the file is no script.
    """
    file = folder / FILE
    if not file.is_file():
        return Script()
    try:
        return validated(Script, yaml.safe_load(file.read_text("utf-8")))
    except (BadInput, yaml.YAMLError, UnicodeDecodeError) as error:
        raise BadInput(f"{file}: {error}") from error


class ScriptedPeople:
    """Gives a script's answers through the API of an Executive in this process."""

    def __init__(self, executive: Executive) -> None:
        app, self._access = local_app(executive)
        self._http = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=IN_PROCESS)

    async def give(
        self,
        scripted: ScriptedAnswer,
        record: DecisionRecord,
        shown: Callable[[ShownApproval | str], None] = lambda _shown: None,
    ) -> DecisionRecord:
        """Give an answer, and return the decision that comes of it.

        Args:
            shown: told what is answered first: an approval, or the id of a chip.

        Raises:
            Refused: the API refuses it.
        """
        token = self._access.token(read_speaker(scripted.by, record.tenant_id))
        call = partial(self._called, headers={"Authorization": f"Bearer {token}"})
        if scripted.says == "choose":
            offers = (await call("GET", "/v1/offers"))["offers"]
            chips = [chip for one in offers if one["offer_id"] == record.offer_id
                     for chip in one["chips"]]  # fmt: skip
            wanted = [one["chip_id"] for one in chips if one["action"] == scripted.chip]
            chip_id = next(iter([*wanted, *(one["chip_id"] for one in chips)]), "")
            shown(chip_id)
            choice = {"chip_id": chip_id, "arguments": dict(scripted.values)}
            return _record(await call("POST", f"/v1/offers/{record.offer_id}", json=choice))
        way = f"/v1/approvals/{record.action_id}"
        asked = ShownApproval.model_validate(await call("GET", way))
        shown(asked)
        said = {"decision": scripted.says, "digest": asked.digest}
        said |= {"reason": scripted.reason} if scripted.reason else {}
        await call("POST", way, json=said)
        return _record((await call("GET", f"/v1/decisions/{asked.decision_id}"))["record"])

    async def _called(self, method: str, path: str, **more: Any) -> Any:  # JSON
        answer = await self._http.request(method, path, **more)
        if answer.is_error:
            raise refusal_of(answer)
        return answer.json()


def _record(made: Mapping[str, Any]) -> DecisionRecord:  # JSON, with more than a record
    return DecisionRecord.model_validate(
        {name: value for name, value in made.items() if name in DecisionRecord.model_fields}
    )


Row = Mapping[str, Any]  # column to value, of any SQLite type
Table = Mapping[int, Row]


@dataclass
class StoreWatch:
    """Compares every SQLite file under a folder with what it was when last looked at."""

    folder: Path
    _known: dict[str, Table] = field(default_factory=dict)

    def changes(self, *, is_expected: bool = False) -> tuple[str, ...]:
        """Name the rows that changed since.

        A table seen for the first time is only learnt, unless a change `is_expected` now.
        """
        found: list[str] = []
        for name, rows in self._tables():
            before = self._known.get(name)
            if before is not None:
                found.extend(_differences(name, before, rows))
            elif is_expected and rows:
                found.append(f"{name}: new, with {len(rows)} row(s)")
            self._known[name] = rows
        return tuple(found)

    def _tables(self) -> Iterator[tuple[str, Table]]:
        for file in sorted(self.folder.rglob("*.sqlite")):
            with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection:
                connection.row_factory = sqlite3.Row
                named = connection.execute(
                    "select name from sqlite_master where type = 'table' "
                    "and name not like 'sqlite_%' and sql not like '%virtual%' "
                    "and sql not like '%without rowid%' order by name"
                ).fetchall()
                for (table,) in named:
                    quoted = '"' + table.replace('"', '""') + '"'
                    rows = connection.execute(f"select rowid as _row, * from {quoted}")  # noqa: S608
                    yield table, {row["_row"]: _columns(row) for row in rows}


def _columns(row: sqlite3.Row) -> Row:
    return {name: row[name] for name in row.keys() if name != "_row"}  # noqa: SIM118


def _differences(table: str, before: Table, after: Table) -> Iterator[str]:
    for number, row in after.items():
        old = before.get(number)
        if old is None:
            yield f"{table}: added {_short(row)}"
            continue
        changed = [
            f"{name} {_value(old.get(name))} → {_value(value)}"
            for name, value in row.items()
            if value != old.get(name)
        ]
        if changed:
            yield f"{table} {_name(row, number)}: {', '.join(changed)}"
    for number in before.keys() - after.keys():
        yield f"{table}: removed {_short(before[number])}"


def _name(row: Row, number: int) -> str:
    return str(next((value for value in row.values() if isinstance(value, str)), number))


def _short(row: Row) -> str:
    return ", ".join(_value(value) for value in row.values() if value not in (None, ""))[:160]


def _value(value: object) -> str:
    return "nothing" if value is None else str(value)


SHOWN_CHANGES = 5


async def play_scenario(folder: Path, settings: Settings) -> bool:
    """Play a pack's story on a folder that goes away; tell whether it went as written.

    Raises:
        BadInput: the scenario or the script cannot be read.
        PackFaults: the pack cannot be loaded.
    """
    script = read_script(folder)
    events = [event_of(line) async for line in Source(str(folder / "scenario.jsonl")).lines()]
    begins = next((event.occurred_at for event in events if event.occurred_at), None)
    clock = VirtualClock(begins or SystemClock().now())
    with temporary(settings.model_copy(update={"model": None})) as own:
        async with AsyncExitStack() as stack:
            with training_notice(own.cache_folder):
                opening = open_executive(own, clock=clock)
                executive = await stack.enter_async_context(opening)
            story = _Story(executive, clock, script, StoreWatch(own.data_dir / "packs"))
            await story.play(events)
            return story.ended()


@dataclass
class _Story:
    executive: Executive
    clock: VirtualClock
    script: Script
    store: StoreWatch
    outcomes: Counter[str] = field(default_factory=Counter)
    records: dict[str, DecisionRecord] = field(default_factory=dict)
    answered: int = 0
    changes: int = 0
    shown: set[str] = field(default_factory=set)
    surprises: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.people = ScriptedPeople(self.executive)

    async def play(self, events: list[Event]) -> None:
        OUT.print(Rule(f"{self.script.title} · {len(events)} events"), soft_wrap=False)
        player = EventPlayer(self.executive, self.clock, self._tell)
        for event in events:
            await player.play(event)
            self._look(event.event_id, "", may_change=False)
            for scripted in self.script.after(event.event_id):
                await self._answer(scripted)
        await player.finish()
        for event_id in self.script.why:
            await self._explain(event_id)

    def ended(self) -> bool:
        OUT.print(Rule(t("cli.demo.end")), soft_wrap=False)
        outcomes = ", ".join(
            f"{count} {name.replace('_', ' ')}" for name, count in self.outcomes.most_common()
        )
        total = counted(self.outcomes.total(), "decision")
        OUT.print(t("cli.demo.counted", decisions=total, outcomes=outcomes))
        if self.surprises:
            OUT.print(t("cli.demo.failed"))
        else:
            changes, answers = counted(self.changes, "change"), counted(self.answered, "answer")
            OUT.print(t("cli.demo.changed", changes=changes, answers=answers))
        for surprise in self.surprises:
            OUT.print(f"  {surprise}", style="bold red")
        return not self.surprises

    def _tell(self, event: Event, record: DecisionRecord) -> None:
        self.outcomes[record.outcome] += 1
        self.records[event.event_id] = record
        OUT.print(decision_of(event, record))

    async def _answer(self, scripted: ScriptedAnswer) -> None:
        record = self.records.get(scripted.event)
        if record is None:
            self.surprises.append(t("cli.demo.no_record", event=scripted.event, by=scripted.by))
            return
        try:
            show = partial(self._show_answered, scripted)
            record = await self.people.give(scripted, record, show)
        except Refused as refusal:
            self._print(t("cli.demo.refused", by=scripted.by, detail=refusal.detail), "red")
            if not scripted.is_refused:
                self.surprises.append(f"{scripted.event}, {scripted.says}: {refusal.detail}")
            return
        if scripted.is_refused:
            self.surprises.append(t("cli.demo.not_refused", event=scripted.event, by=scripted.by))
        if record.outcome == "failed":
            self.surprises.append(f"{scripted.event}, {scripted.says}: {record.text}")
        self.answered += 1
        self.records[scripted.event] = record
        OUT.print(_indented(answer_of(record)))
        self._look(scripted.event, scripted.by, may_change=scripted.says != "reject")

    def _show_answered(self, scripted: ScriptedAnswer, shown: ShownApproval | str) -> None:
        if isinstance(shown, str):
            self._print(t("cli.demo.chooses", by=scripted.by, chip=shown), "cyan")
            return
        if shown.action_id not in self.shown:
            self.shown.add(shown.action_id)
            OUT.print(_indented(approval_of(shown)))
        given = {"by": scripted.by, "answer": scripted.says, "reason": scripted.reason}
        self._print(t("cli.demo.says", **given), "cyan")

    def _look(self, event_id: str, by: str, *, may_change: bool) -> None:
        changes = self.store.changes(is_expected=may_change)
        self.changes += len(changes)
        for change in changes[:SHOWN_CHANGES]:
            self._print(t("cli.demo.store", change=change), "green" if may_change else "bold red")
        if len(changes) > SHOWN_CHANGES:
            self._print(t("cli.demo.store_more", count=len(changes) - SHOWN_CHANGES), "green")
        if changes and not may_change:
            self.surprises.append(t("cli.demo.unapproved", event=event_id))

    async def _explain(self, event_id: str) -> None:
        OUT.print(Rule(f"why {event_id}"), soft_wrap=False)
        record = self.records.get(event_id)
        if record is None:
            self.surprises.append(t("cli.demo.nothing_to_explain", event=event_id))
            return
        trace = await self.executive.records.trace(record.decision_id, record.tenant_id)
        OUT.print(explanation_text(trace))

    @staticmethod
    def _print(line: str, style: str) -> None:
        OUT.print(f"{INDENT}{printable(line)}", style=style)


def _indented(text: Text) -> Text:
    return Text("\n").join(Text(INDENT) + line for line in text.split("\n"))
