"""Packs made of somebody else's labelled messages, one action an intent.

`prefrontal evals labelled`: accuracy, AUC and calibration of routing on such a pack.
"""

import json
import keyword
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2s
from pathlib import Path
from random import Random
from statistics import mean, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Annotated

import typer
from pydantic import Field, ValidationError
from rich.box import SIMPLE_HEAD
from rich.table import Table

from api.cli.options import AsJson
from api.cli.terminal import OUT, print_json, step_progress
from evals.dataset import json_lines
from evals.measures import roc_auc
from evals.options import WordsOnly, app
from evals.robustness.mutations import RoutingBench
from state.errors import BadInput
from state.event import Event
from state.noun import Noun, Score
from tools.nlu.intent_classifier.calibration import FOREIGN_SHARE
from tools.platform.serialization import faults_of

Row = Mapping[str, str]
OUT_OF_SCOPE = "oos"


def pack_from_labels(
    rows: Iterable[Mapping[str, str]],
    folder: Path,
    *,
    split: str | None = "train",
    changing: Collection[str] = (),
) -> int:
    """Write actions.yaml and handlers.py into `folder`; gives the number of actions.

    Args:
        rows: messages with text, intent and split.
        folder: the pack.
        split: which part to take; None: all.
        changing: intents that need a person's yes, as the rows have them; all others only read.

    Raises:
        BadInput: no row of that split has an intent; an intent of `changing` has no row; two
            intents would be one action.
    """
    taken = [
        row for row in rows if row["intent"] != OUT_OF_SCOPE and split in (None, row.get("split"))
    ]
    labels = _labels_by_name(row["intent"] for row in taken)
    if not labels:
        raise BadInput(f"no message of split {split!r} has an intent; name another split")
    unknown = sorted(set(changing) - set(labels.values()))
    if unknown:
        raise BadInput(
            f"no message of split {split!r} has the intent {unknown[0]!r}; check its name"
        )
    examples: dict[str, list[str]] = {name: [] for name in sorted(labels)}
    for row in taken:
        examples[action_name(row["intent"])].append(row["text"])
    entries = "".join(
        _entry(name, texts, changes=labels[name] in changing) for name, texts in examples.items()
    )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "actions.yaml").write_text(f"actions:\n{entries}", encoding="utf-8")
    (folder / "handlers.py").write_text(_handlers(examples), encoding="utf-8")
    return len(examples)


def action_name(intent: str) -> str:
    """Make an identifier of a label."""
    name = re.sub(r"\W+", "_", intent.strip().lower()).strip("_") or "intent"
    if not name.isascii():  # two of them may differ in nothing that an identifier keeps
        plain = re.sub(r"[^a-z0-9_]+", "", name).strip("_") or "intent"
        digest = blake2s(name.encode("utf-8", "replace"), digest_size=4).hexdigest()
        name = f"{plain}_{digest}"
    if keyword.iskeyword(name):
        return f"{name}_"
    return name if name.isidentifier() else f"intent_{name}"


def _labels_by_name(labels: Iterable[str]) -> Mapping[str, str]:
    """Give each action's label; two of one action would be asked for as one."""
    found: dict[str, str] = {}
    for label in labels:
        name = action_name(label)
        if found.setdefault(name, label) != label:
            raise BadInput(
                f"the intents {found[name]!r} and {label!r} would both be the action {name}; "
                "rename one"
            )
    return found


def _entry(name: str, examples: Sequence[str], *, changes: bool) -> str:
    lines = "".join(f"      - {_quoted(text)}\n" for text in examples)
    words = name.replace("_", " ").strip()
    return (
        f"  {name}:\n"
        f"    summary: {_quoted(f'Answer about {words}')}\n"
        f"    verb: {'update' if changes else 'show'}\n"
        f"    object: {name}\n"
        f"    effect: {'destructive' if changes else 'read'}\n"
        f'    handler: "handlers:{name}"\n'
        f"    examples:\n{lines}"
    )


def _quoted(text: str) -> str:
    """Write a YAML string; JSON's are, but for half surrogate pairs and a few raw characters."""
    plain = json.dumps(text, ensure_ascii=False)
    return re.sub(r"[\x7f-\x9f\u2028\u2029\ufeff]", lambda m: f"\\u{ord(m[0]):04x}", plain)


def _handlers(names: Iterable[str]) -> str:
    functions = "".join(
        f"\n\ndef {name}(context: HandlerContext) -> ActionResult:\n"
        f'    """Say which intent was meant."""\n'
        f'    return ActionResult(text="{name}")\n'
        for name in names
    )
    return (
        '"""One function an intent: it says which one was meant."""\n\n'
        f"from state.action import ActionResult, HandlerContext\n{functions}"
    )


@dataclass(frozen=True)
class Plan:
    """Which messages become examples, and which are asked."""

    split: str = "train"
    asked: str = "val"
    """The split that is asked; where it is the one of the examples, what is left of it."""
    actions: int | None = None
    """So many of the labels, by chance; the others are foreign. None: all."""
    per_action: int | None = None
    asked_per_action: int | None = None


@dataclass(frozen=True)
class LabelledSample:
    """One draw."""

    examples: Sequence[Row]
    asked: Sequence[tuple[str, str | None]]
    """Text and the action wanted; None where no action covers it."""


def draw_sample(rows: Sequence[Row], plan: Plan, seed: int) -> LabelledSample:
    """Draw by chance; the same seed draws the same.

    Foreign are all messages labelled `oos`, whatever their split, as nothing is learnt from any;
    and those of labels that are no action, no more of these than of messages that an action covers.

    Raises:
        BadInput: no label of that split is left, or nothing is asked.
    """
    chance = Random(seed)  # noqa: S311 - the same draw again, not a secret
    by_label: dict[str, list[Row]] = {}
    for row in rows:
        if row.get("split") == plan.split and row["intent"] != OUT_OF_SCOPE:
            by_label.setdefault(row["intent"], []).append(row)
    labels = sorted(by_label)
    if plan.actions is not None and plan.actions < len(labels):
        labels = sorted(chance.sample(labels, plan.actions))
    examples: list[Row] = []
    for label in labels:
        own = list(by_label[label])
        chance.shuffle(own)
        examples += own[: plan.per_action]
    if not examples:
        raise BadInput(f"no message of split {plan.split!r} has an intent; name another split")
    seen = {row["text"] for row in examples}
    rest = [row for row in rows if row["text"] not in seen]
    covered = list(_covered(rest, plan, labels))
    if not covered:
        raise BadInput(
            f"nothing of split {plan.asked!r} is left to ask; name another, or fewer examples"
        )
    return LabelledSample(examples, [*covered, *_foreign(rest, plan, labels, chance, len(covered))])


def _covered(
    rows: Sequence[Row], plan: Plan, labels: Sequence[str]
) -> Iterator[tuple[str, str | None]]:
    counts = dict.fromkeys(labels, 0)
    for row in rows:
        label = row["intent"]
        if row.get("split") != plan.asked or label not in counts:
            continue
        counts[label] += 1
        if plan.asked_per_action is None or counts[label] <= plan.asked_per_action:
            yield row["text"], action_name(label)


def _foreign(
    rows: Sequence[Row], plan: Plan, labels: Sequence[str], chance: Random, most: int
) -> Iterable[tuple[str, str | None]]:
    of_none = [row for row in rows if row["intent"] == OUT_OF_SCOPE]
    known = {*labels, OUT_OF_SCOPE}
    of_others = [r for r in rows if r.get("split") == plan.asked and r["intent"] not in known]
    chance.shuffle(of_others)
    return [(row["text"], None) for row in (*of_none, *of_others[:most])]


_BINS = 10


class Answer(Noun):
    """One message, as it was routed."""

    text: str
    wanted: str | None = Field(description="null: no action covers it")
    is_named: bool = Field(description="there is a primary; else alternates alone are shown")
    shown: tuple[str, ...] = Field(description="the primary and its alternates, best first")
    confidence: Score = Field(description="of the primary")
    runs: bool = Field(description="it would be done unasked")
    milliseconds: float

    @property
    def is_right(self) -> bool:
        """Tell whether what is shown first was wanted; never for what no action covers."""
        return self.wanted is not None and self.shown[:1] == (self.wanted,)


class Figures(Noun):
    """The figures of one draw; of foreign messages none where there are none."""

    asked: int = Field(description="messages that an action covers")
    foreign: int = Field(description="messages that none covers")
    right: float = Field(description="what is shown first is the one wanted, of those covered")
    named_right: float = Field(description="and it is named, as the primary")
    among_shown: float = Field(description="the primary or an alternate is, of those covered")
    auroc: float | None = Field(
        description="how often a covered message has more confidence than a foreign one"
    )
    foreign_refused: float | None = Field(description="foreign, and below ask_confidence")
    covered_kept: float = Field(description="covered, and at or above ask_confidence")
    runs: float = Field(description="done unasked, of those covered")
    runs_wrong: float = Field(description="done unasked and wrong, of those covered")
    runs_foreign: float | None = Field(description="done unasked, of those foreign")
    calibration_error: float = Field(
        description="mean distance of stated confidence from the share right, in ten bins of "
        "equal width weighted by their messages (ECE); of those covered"
    )
    calibration_error_of_all: float | None = Field(
        description="the same with what is foreign, which is wrong and counts as one in twenty"
    )


def label_figures(answers: Sequence[Answer], *, ask_confidence: float) -> Figures:
    """Sum up; at least one message must be covered by an action."""
    covered = [one for one in answers if one.wanted is not None]
    foreign = [one for one in answers if one.wanted is None]
    sure, unsure = ([one.confidence for one in side] for side in (covered, foreign))
    return Figures(
        asked=len(covered),
        foreign=len(foreign),
        right=mean(one.is_right for one in covered),
        named_right=mean(one.is_right and one.is_named for one in covered),
        among_shown=mean(one.wanted in one.shown for one in covered),
        auroc=roc_auc(sure, unsure) if sure and unsure else None,
        foreign_refused=mean(one < ask_confidence for one in unsure) if unsure else None,
        covered_kept=mean(one >= ask_confidence for one in sure),
        runs=mean(one.runs for one in covered),
        runs_wrong=mean(one.runs and not one.is_right for one in covered),
        runs_foreign=mean(one.runs for one in foreign) if foreign else None,
        calibration_error=_calibration_error(covered, []),
        calibration_error_of_all=_calibration_error(covered, foreign) if foreign else None,
    )


def _calibration_error(covered: Sequence[Answer], foreign: Sequence[Answer]) -> float:
    counts_as = FOREIGN_SHARE / (1 - FOREIGN_SHARE) * len(covered) if foreign else 0.0
    too_sure = [0.0] * _BINS
    for one in (*covered, *foreign):
        count = 1.0 if one.wanted is not None else counts_as / len(foreign)
        place = min(int(one.confidence * _BINS), _BINS - 1)
        too_sure[place] += count * (one.confidence - one.is_right)
    return sum(map(abs, too_sure)) / (len(covered) + counts_as)


class Measured(Noun):
    """One draw: what it was made of, its figures, and how long things took."""

    seed: int
    actions: int
    examples: int
    figures: Figures
    cold_seconds: float = Field(description="to load the pack the first time, encoder included")
    cached_seconds: float = Field(description="to load it again")
    p50_ms: float = Field(description="to route one message, policy included")
    p95_ms: float | None = Field(description="null: too few messages")


def measure(draw: LabelledSample, folder: Path, *, seed: int, words_only: bool) -> Measured:
    """Measure one draw in an empty folder."""
    pack = folder / "labelled"
    actions = pack_from_labels(draw.examples, pack, split=None)

    def loaded(name: str) -> tuple[RoutingBench, float]:
        (folder / name).mkdir()
        started = perf_counter()
        bench = RoutingBench(
            str(pack), folder / name, cache=folder / "cache", words_only=words_only
        )
        return bench, perf_counter() - started

    first, cold_seconds = loaded("cold")
    first.close()
    bench, cached_seconds = loaded("cached")
    bench.route(draw.examples[0]["text"])
    with step_progress("routing", len(draw.asked)) as told:
        answers = [_answer(bench, text, wanted, told) for text, wanted in draw.asked]
    bench.close()
    times = quantiles((one.milliseconds for one in answers), n=100, method="inclusive")
    return Measured(
        seed=seed,
        actions=actions,
        examples=len(draw.examples),
        figures=label_figures(answers, ask_confidence=bench.ask_confidence),
        cold_seconds=cold_seconds,
        cached_seconds=cached_seconds,
        p50_ms=round(times[49], 3),
        p95_ms=round(times[94], 3),
    )


def _answer(bench: RoutingBench, text: str, wanted: str | None, told: Callable[[], None]) -> Answer:
    started = perf_counter()
    routed = bench.route(text)
    milliseconds = (perf_counter() - started) * 1000
    told()
    named = (routed.action,) if routed.action is not None else ()
    return Answer(
        text=text,
        wanted=wanted,
        is_named=routed.action is not None,
        shown=(*named, *(one.action for one in routed.alternatives)),
        confidence=routed.confidence,
        runs=routed.verdict == "act",
        milliseconds=milliseconds,
    )


_READ = ("text", "intent")


@app.command(epilog="Example: prefrontal evals labelled requests.jsonl --per-action 10 --draws 3")
def labelled(  # noqa: PLR0913, PLR0917  # every option is a parameter
    file: Annotated[
        Path,
        typer.Argument(
            metavar="LABELLED.jsonl",
            help="A message a line: text, intent (oos: none of them), split.",
        ),
    ],
    split: Annotated[str, typer.Option(help="The split that examples are drawn from.")] = "train",
    asked: Annotated[
        str, typer.Option(help="The split that is asked; may be the same: then what is left of it.")
    ] = "val",
    actions: Annotated[
        int | None,
        typer.Option(min=1, help="Draw so many labels; the others are foreign. Default: all."),
    ] = None,
    per_action: Annotated[
        int | None, typer.Option(min=1, help="Draw so many examples a label. Default: all.")
    ] = None,
    asked_per_action: Annotated[
        int | None, typer.Option(min=1, help="Ask so many messages a label. Default: all.")
    ] = None,
    draws: Annotated[int, typer.Option(min=1, help="Draw so often, with the next seed.")] = 1,
    seed: Annotated[int, typer.Option(help="Of the first draw.")] = 1,
    words_only: WordsOnly = False,
    as_json: AsJson = False,
) -> None:
    """Make a pack of labelled messages, one read an intent, and route others of them.

    Tells how often the right action is found, how well what no action covers is told apart, what
    would run by itself, how honest the stated confidence is, and how long all of it takes.
    Nothing is learnt but the drawn examples.
    """
    plan = Plan(split, asked, actions, per_action, asked_per_action)
    rows = _rows(file)
    found = []
    for place in range(draws):
        draw = draw_sample(rows, plan, seed + place)
        with TemporaryDirectory(prefix="prefrontal-evals-") as folder:
            found.append(measure(draw, Path(folder), seed=seed + place, words_only=words_only))
        if as_json:
            print_json(found[-1].model_dump(mode="json"))
    if not as_json:
        OUT.print(_table(found))


def _rows(file: Path) -> Sequence[Row]:
    rows: list[Row] = []
    for place, row in json_lines(file):
        if not isinstance(row, dict) or not all(isinstance(row.get(name), str) for name in _READ):
            raise BadInput(f"{place}: {' and '.join(_READ)} have to be strings")
        try:
            Event(text=row["text"])
        except ValidationError as error:
            raise BadInput(f"{place}: {faults_of(error)}") from error
        rows.append(row)
    return rows


def _table(found: Sequence[Measured]) -> Table:
    """Draw a column a draw, and their mean where there are several."""
    table = Table(
        box=SIMPLE_HEAD, title=f"{found[0].actions} actions, {found[0].examples} examples"
    )
    table.add_column("figure")
    columns = [
        {**one.figures.model_dump(), **one.model_dump(exclude={"figures", "actions", "examples"})}
        for one in found
    ]
    for column in columns:
        table.add_column(f"seed {column.pop('seed')}", justify="right")
    if len(columns) > 1:
        table.add_column("mean", justify="right")
    for name in columns[0]:
        values: list[float | None] = [column[name] for column in columns]
        known = [value for value in values if value is not None]
        if len(columns) > 1:
            values.append(mean(known) if known else None)
        table.add_row(name, *(_shown(value) for value in values))
    return table


def _shown(value: float | None) -> str:
    if value is None:
        return "–"
    return str(value) if isinstance(value, int) else f"{value:.3f}"
