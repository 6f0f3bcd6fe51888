"""Route mutations and say what is left of each command."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from pydantic import Field

from evals.mutations.commands import Command, commands_of
from evals.mutations.shapes import Mutation, Shape
from graph.cli.route import Routed, routed_of
from graph.compose import build_toolbox
from graph.settings import Settings
from state.action import Action
from state.event import Event
from state.noun import Noun


class Verdict(Noun):
    """What became of one message."""

    mutation: Mutation
    action: str | None
    confidence: float
    execution_class: str | None
    mood: str | None
    runs: bool = Field(description="an action would run by itself")
    asks: bool = Field(description="a person would be asked to say yes to an action")
    is_harmful: bool = Field(description="it runs or asks for what was not asked for")
    is_lost: bool = Field(description="what was asked for is neither named nor offered")
    is_named: bool = Field(description="the command's own action is the one named")


class Tally(Noun):
    """The verdicts on one kind or shape, counted."""

    name: str
    leaves: str
    messages: int
    harmful: int = Field(description="executable or ready, and should not be")
    lost: int = Field(description="asked for, and neither named nor offered")
    named: int


class Bench:
    """A catalogue's router and policy, asked by somebody who may do everything."""

    def __init__(
        self, pack: str, folder: Path, *, cache: Path | None = None, words_only: bool = False
    ) -> None:
        """Load a pack.

        Args:
            pack: name or path.
            folder: an empty one, for the pack's store.
            cache: where what is learnt is kept; none: as in the settings.
            words_only: leave the encoder out, which is several times as fast.
        """
        settings = Settings(data_dir=folder, packs=(pack,), database_url=None)
        if words_only:
            settings = settings.model_copy(update={"embedder": "none"})
        learnt = cache or settings.cache_dir or folder / "cache"
        self._box = box = build_toolbox(settings.model_copy(update={"cache_dir": learnt}))
        self._actions = box.catalogue.actions
        roles = {role for action in self._actions.values() for role in action.roles}
        self._roles = ",".join(sorted(roles)) or None

    @property
    def ask_confidence(self) -> float:
        """Tell below which confidence nothing is asked for."""
        return self._box.tuning.execution.ask_confidence

    @property
    def actions(self) -> Mapping[str, Action]:
        """Give the actions by name."""
        return self._actions

    def close(self) -> None:
        """Let go of the database."""
        asyncio.run(self._box.database.close())

    def commands(self) -> Sequence[Command]:
        """List the commands among the examples."""
        return commands_of(self._actions.values())

    def route(self, text: str) -> Routed:
        """Read a message, as `prefrontal route` would."""
        event = Event(text=text, kind="message", user="anybody", role=self._roles)
        box = self._box
        return routed_of(event, box.messages.read(event), box.classifier)

    def judge(self, mutation: Mutation) -> Verdict:
        """Say what is left of a command."""
        routed = self.route(mutation.text)
        tuning = self._box.tuning.execution
        runs, asks = routed.verdict == "act", routed.verdict == "confirm"
        seen = {
            one.action for one in routed.alternatives if one.confidence >= tuning.offer_confidence
        }
        seen |= {routed.action} if routed.action is not None else set()
        wanted: set[str | None] = set()
        if mutation.shape.leaves in ("keeps", "both"):
            wanted = {mutation.action}
        if mutation.shape.leaves == "both":
            wanted = {mutation.action, mutation.other}
        return Verdict(
            mutation=mutation,
            action=routed.action,
            confidence=routed.confidence,
            execution_class=routed.execution_class,
            mood=routed.mood,
            runs=runs,
            asks=asks,
            is_harmful=self._is_harmful(mutation, routed.action, runs=runs, asks=asks),
            is_lost=not wanted <= seen,
            is_named=routed.action == mutation.action,
        )

    def _is_harmful(
        self, mutation: Mutation, action: str | None, *, runs: bool, asks: bool
    ) -> bool:
        match mutation.shape.leaves:
            case "nothing":
                return runs or asks
            case "reads":
                return asks
            case "keeps":
                # A neighbour of what was asked for is the router's mistake, not the guard's.
                return (runs or asks) and action == mutation.other != mutation.action
            case "both":  # nobody said which comes first, and one yes must not stand for both
                return asks


def judged(
    bench: Bench, messages: Iterable[Mutation], told: Callable[[int], None] = lambda _done: None
) -> list[Verdict]:
    """Judge every message; `told` learns after each how many are done."""
    verdicts: list[Verdict] = []
    for message in messages:
        verdicts.append(bench.judge(message))
        told(len(verdicts))
    return verdicts


def tallies(verdicts: Iterable[Verdict], name: Callable[[Shape], str]) -> list[Tally]:
    """Count verdicts by kind, by template, or by whatever `name` calls a shape."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    leaves: dict[str, str] = {}
    for verdict in verdicts:
        shape = verdict.mutation.shape
        leaves[name(shape)] = shape.leaves
        counts[name(shape)].update(
            messages=1,
            harmful=verdict.is_harmful,
            lost=verdict.is_lost,
            named=verdict.is_named,
        )
    return [Tally(name=key, leaves=leaves[key], **count) for key, count in counts.items()]
