"""Record a pack's own story: its scenario and what its people answer, on a virtual clock."""

from dataclasses import dataclass, field
from pathlib import Path

from evals.decision_log.entries import DecisionLog
from evals.decision_log.exporting import export
from evals.playground import opened
from graph.cli.options import read_speaker
from graph.cli.people.answering import answer, choose
from graph.cli.people.said import Said
from graph.cli.run import event_of
from graph.cli.stories.playing import Player
from graph.cli.stories.script import Script, ScriptedAnswer, read_script
from graph.cli.terminal.lines import Source
from graph.runner import Executive
from graph.settings import Settings
from state.errors import AgentError, BadInput
from state.event import Event
from state.record import DecisionRecord
from tools.clock import VirtualClock


async def record(folder: Path, settings: Settings) -> DecisionLog:
    """Play a pack's story with its handlers on an empty folder, and read the log of it.

    Raises:
        BadInput: it has no scenario, or one whose events carry no time.
    """
    events = [event_of(line) async for line in Source(str(folder / "scenario.jsonl")).lines()]
    starts_at = next((event.occurred_at for event in events if event.occurred_at), None)
    if starts_at is None:
        raise BadInput(f"{folder / 'scenario.jsonl'}: its events carry no time")
    clock = VirtualClock(starts_at)
    async with opened(settings, clock) as executive:
        story = _Story(executive, read_script(folder))
        player = Player(executive, clock, story.tell)
        for event in events:
            await player.play(event)
            for scripted in story.script.after(event.event_id):
                await story.answer(scripted)
        await player.finish()
    return await export(settings)


@dataclass
class _Story:
    executive: Executive
    script: Script
    records: dict[str, DecisionRecord] = field(default_factory=dict)

    def tell(self, event: Event, record: DecisionRecord) -> None:
        self.records[event.event_id] = record

    async def answer(self, scripted: ScriptedAnswer) -> None:
        record = self.records[scripted.event]
        who = read_speaker(scripted.by, record.tenant_id)
        try:
            if scripted.says == "choose":
                await self._choose(scripted, record)
            else:
                asked = await self.executive.approval(record.action_id or "", record.tenant_id)
                said = Said(scripted.says, reason=scripted.reason)
                await answer(self.executive, asked.action_id, asked.digest, said, who)
        except AgentError:
            if not scripted.is_refused:
                raise

    async def _choose(self, scripted: ScriptedAnswer, record: DecisionRecord) -> None:
        offer = await self.executive.offer(record.offer_id or "", record.tenant_id)
        chips = [chip for chip in offer.chips if chip.action == scripted.chip] or offer.chips
        typed = {name: str(value) for name, value in scripted.values.items()}
        who = read_speaker(scripted.by, record.tenant_id)
        await choose(self.executive, offer.offer_id, chips[0].chip_id, who, typed)
