"""`prefrontal evals replay`: play conversation scripts and report every turn that differs."""

import asyncio
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from api.cli.options import AsJson
from api.cli.terminal import OUT, print_error, print_json, print_note, printable, progress
from evals.loopback.paper_providers import serve_papers
from evals.measures import CaseResult, Measure, Miss, rate, share
from evals.options import ReportFile, app
from evals.replays.player import PlayedConversation, play_conversations
from evals.replays.script import Difference, Script, TurnResult, read_script
from evals.runner.report import CheckedExperiment, finish, hold, read_thresholds
from graph.replay.harness import Harness, learned_cache
from state.errors import NotFound

SHIPPED = Path(__file__).parents[1] / "replays"


def find_scripts(named: list[str]) -> list[Path]:
    """Find files by path, or the shipped ones by the name of their folder; none: all that ship.

    Raises:
        NotFound: there is none of that name.
    """
    if not named:
        return sorted(SHIPPED.glob("*/*.replay.yaml"))
    found: list[Path] = []
    for name in named:
        path = Path(name)
        inside = sorted((SHIPPED / name).glob("*.replay.yaml")) if "/" not in name else []
        if not inside and not path.is_file():
            raise NotFound("replay", name)
        found += inside or [path]
    return found


AS_WRITTEN, OTHERWISE = "as_written", "turns_otherwise"
RECENCY_KEPT, STAGE_MADE = "recency_kept", "stage_made"
"""Two rates of the policy-first plan, phase G: a release is blocked when one of them drops."""
_NAMES = (AS_WRITTEN, OTHERWISE, RECENCY_KEPT, STAGE_MADE)


def replay_report(
    played: Sequence[tuple[str, PlayedConversation]],
) -> tuple[CheckedExperiment, ...]:
    """Report what was played, by the folder of its files: each conversation has to be as written.

    Args:
        played: folder and conversation, in order of the folders.
    """
    groups = groupby(played, key=lambda pair: pair[0])
    return tuple(
        _conversation_report(folder, [one for _folder, one in pairs]) for folder, pairs in groups
    )


def _conversation_report(folder: str, played: Sequence[PlayedConversation]) -> CheckedExperiment:
    ids, right = [one.id for one in played], [float(not one.differences) for one in played]
    turns = sum(len(one.came) for one in played)
    went = {difference.where for one in played for difference in one.differences}
    misses = [
        Miss(
            case=one.id,
            text=" / ".join(one.said),
            wrong={
                f"{each.where} {each.field}": f"{each.got}, wanted {each.expected}"
                for each in one.differences
            },
        )
        for one in played
        if one.differences
    ]
    cases = [
        CaseResult(
            case=one.id,
            unit=one.id,
            fingerprint=one.fingerprint,
            scores={AS_WRITTEN: score},
            answered=" · ".join(came.outcome for came in one.came),
        )
        for one, score in zip(played, right, strict=True)
    ]
    measures = (
        rate(AS_WRITTEN, right, ids),
        Measure(name=OTHERWISE, value=len(went), n=turns, kind="count"),
        *_kept_word([one for each in played for one in each.came]),
    )
    # Of all conversations, and of those of a folder beside it.
    gates = {**read_thresholds("replay", _NAMES), **read_thresholds(f"replay_{folder}", _NAMES)}
    name = f"replay_{folder}"
    return hold(name, folder, measures, gates, n=len(played), misses=misses, cases=cases)


def _kept_word(came: Sequence[TurnResult]) -> Iterator[Measure]:
    """Tell how often policy kept its word where it was due; a pack without searches has neither."""
    turns = [one.quality for one in came if one.quality is not None]
    recency = [one.recency_kept for one in turns if one.recency_asked]
    stages = [one.stage_made for one in turns if one.stage_due]
    for name, kept in ((RECENCY_KEPT, recency), (STAGE_MADE, stages)):
        if kept:
            yield share(name, sum(kept), len(kept))


@app.command(epilog="Example: prefrontal evals replay vessel --show")
def replay(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FILE|PACK]...", help="Files, or the replays of a pack; none: all that ship."
        ),
    ] = None,
    show: Annotated[
        bool, typer.Option("--show", help="Show what came of every turn, right ones too.")
    ] = False,
    as_json: AsJson = False,
    report: ReportFile = None,
) -> None:
    """Play conversations through the real system and compare every turn with what is expected.

    Each runs on a virtual clock and an empty folder; nothing leaves this machine. Exit code 1 when
    a turn differs, or when something changed the world without a yes or a click.
    """
    scripts = [(path, read_script(path)) for path in find_scripts(files or [])]
    total = sum(len(script.turns) + len(script.conversations) for _path, script in scripts)
    played: list[PlayedConversation] = []
    folders: list[str] = []
    with learned_cache() as learnt, progress("replaying", total) as told:
        for path, script in scripts:
            for one in asyncio.run(_played(path, script, learnt)):
                played.append(one)
                folders.append(path.parent.name)
                told(len(played))
                if as_json:
                    print_json({"file": path.name, **one.model_dump(mode="json")})
                elif show:
                    OUT.print(_laid_out(one))
    held = replay_report(list(zip(folders, played, strict=True)))
    unlike = [difference for one in played for difference in one.differences]
    if unlike and not as_json:
        OUT.print(_table(unlike))
    turns = sum(len(one.came) for one in played)
    print_note(f"{len(played)} conversations, {turns} turns, {len(unlike)} differences")
    if unlike:
        print_error(f"{len({one.where for one in unlike})} turns went otherwise")
    if files:  # of a file or two nobody expects as many as ship
        held = tuple(one.model_copy(update={"gates": {}}) for one in held)
    finish(held, report)
    if unlike:
        raise typer.Exit(1)


async def _played(path: Path, script: Script, learnt: Path) -> list[PlayedConversation]:
    with serve_papers(path, script) as addresses:
        settings = {**addresses, "cache_dir": learnt}
        playground = Harness(script.packs, script.starts_at, settings=settings)
        try:
            return [one async for one in play_conversations(script, playground)]
        finally:
            await playground.close()


def _table(unlike: list[Difference]) -> Table:
    table = Table(title="went otherwise", title_justify="left")
    for column in ("turn", "said", "field", "expected", "got"):
        table.add_column(column, overflow="fold")
    for one in unlike:
        table.add_row(*map(printable, (one.where, one.said, one.field, one.expected, one.got)))
    return table


def _laid_out(played: PlayedConversation) -> Text:
    told = Text(f"{played.id}\n", style="bold")
    for said, came in zip(played.said, played.came, strict=True):
        told.append(f"  {printable(said)}\n", style="cyan")
        told.append(f"    {_came(came)}\n")
        if came.text:
            told.append(f"    {printable(came.text.splitlines()[0])}\n", style="dim")
    return told


def _came(came: TurnResult) -> str:
    fields = came.model_dump(mode="json", exclude={"text", "reasons"}, exclude_defaults=True)
    fields["ran"] = [ran.action for ran in came.ran]
    search = fields.get("search") or {}
    fields["search"] = {name: value for name, value in search.items() if value not in (None, [])}
    return " · ".join(f"{name} {value}" for name, value in fields.items() if value)
