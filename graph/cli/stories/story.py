"""Play a pack's story: its scenario as events, its script as people, its store under watch."""

from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

from rich.rule import Rule
from rich.text import Text

from graph.cli.options import read_speaker, temporary
from graph.cli.people.answering import answer, choose
from graph.cli.people.said import Said
from graph.cli.run import event_of
from graph.cli.stories.playing import Player
from graph.cli.stories.script import Script, ScriptedAnswer, read_script
from graph.cli.stories.store_watch import StoreWatch
from graph.cli.terminal.console import OUT, shown, telling_of_learning
from graph.cli.terminal.lines import Source
from graph.cli.terminal.showing import INDENT, approval_of, decision_of, said_of
from graph.cli.why import told
from graph.compose import open_executive
from graph.runner import Executive
from graph.settings import Settings
from state.errors import AgentError
from state.event import Event
from state.record import DecisionRecord
from tools.clock import SystemClock, VirtualClock

SHOWN_CHANGES = 5


async def play_story(folder: Path, settings: Settings) -> bool:
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
            with telling_of_learning(own.cache_folder):
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

    async def play(self, events: list[Event]) -> None:
        OUT.print(Rule(f"{self.script.title} · {len(events)} events"), soft_wrap=False)
        player = Player(self.executive, self.clock, self._tell)
        for event in events:
            await player.play(event)
            self._look(event.event_id, "", may_change=False)
            for scripted in self.script.after(event.event_id):
                await self._answer(scripted)
        await player.finish()
        for event_id in self.script.why:
            await self._explain(event_id)

    def ended(self) -> bool:
        OUT.print(Rule("The end"), soft_wrap=False)
        counted = ", ".join(
            f"{count} {name.replace('_', ' ')}" for name, count in self.outcomes.most_common()
        )
        OUT.print(f"{self.outcomes.total()} decisions, each with one record: {counted}.")
        OUT.print(
            f"{self.changes} change(s) of the pack's store, all of them by the "
            f"{self.answered} answers that people gave."
            if not self.surprises
            else "It did not go as written:"
        )
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
            self.surprises.append(f"{scripted.event} had no record when it was to be answered")
            return
        try:
            record = await self._given(scripted, record)
        except AgentError as refusal:
            self._print(f"{scripted.by} may not: {refusal}", "red")
            if not scripted.is_refused:
                self.surprises.append(f"{scripted.event}, {scripted.says}: {refusal}")
            return
        if scripted.is_refused:
            self.surprises.append(f"{scripted.event}: {scripted.by} was not turned down")
        if record.outcome == "failed":
            self.surprises.append(f"{scripted.event}, {scripted.says}: {record.text}")
        self.answered += 1
        self.records[scripted.event] = record
        OUT.print(_indented(said_of(record)))
        self._look(scripted.event, scripted.by, may_change=scripted.says != "reject")

    async def _given(self, scripted: ScriptedAnswer, record: DecisionRecord) -> DecisionRecord:
        principal = read_speaker(scripted.by, record.tenant_id)
        if scripted.says == "choose":
            offers = await self.executive.offers(record.tenant_id)
            offer = next((offer for offer in offers if offer.offer_id == record.offer_id), None)
            wanted = [
                chip for chip in (offer.chips if offer else ()) if chip.action == scripted.chip
            ] or list(offer.chips if offer else ())
            chip_id = wanted[0].chip_id if wanted else ""
            typed = {name: str(value) for name, value in scripted.values.items()}
            self._print(f"{scripted.by} chooses {chip_id}", "cyan")
            return await choose(self.executive, record.offer_id or "", chip_id, principal, typed)
        action = await self.executive.approval(record.action_id or "", record.tenant_id)
        if action.action_id not in self.shown:
            self.shown.add(action.action_id)
            OUT.print(_indented(approval_of(self.executive.show(action))))
        because = f": {scripted.reason}" if scripted.reason else ""
        self._print(f"{scripted.by} says {scripted.says}{because}", "cyan")
        _settled, ended = await answer(
            self.executive,
            action.action_id,
            action.digest,
            Said(scripted.says, reason=scripted.reason),
            principal,
        )
        return ended

    def _look(self, event_id: str, by: str, *, may_change: bool) -> None:
        changes = self.store.changes(is_expected=may_change)
        self.changes += len(changes)
        for change in changes[:SHOWN_CHANGES]:
            self._print(f"store: {change}", "green" if may_change else "bold red")
        if len(changes) > SHOWN_CHANGES:
            self._print(f"store: and {len(changes) - SHOWN_CHANGES} more changes", "green")
        if changes and not may_change:
            self.surprises.append(f"{event_id} changed the store, and nobody had said yes")

    async def _explain(self, event_id: str) -> None:
        OUT.print(Rule(f"why {event_id}"), soft_wrap=False)
        record = self.records.get(event_id)
        if record is None:
            self.surprises.append(f"there is no {event_id} to explain")
            return
        trace = await self.executive.decision(record.decision_id, record.tenant_id)
        OUT.print(told(trace))

    @staticmethod
    def _print(line: str, style: str) -> None:
        OUT.print(f"{INDENT}{shown(line)}", style=style)


def _indented(text: Text) -> Text:
    return Text("\n").join(Text(INDENT) + line for line in text.split("\n"))
