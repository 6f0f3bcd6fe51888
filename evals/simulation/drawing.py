"""Draw how the calls of a model fall: on the terminal, and as PNG."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean

from rich.console import Group
from rich.text import Text

from evals.simulation.figures import FALL_AT_LEAST, WRONG_AT_MOST, Figures
from state.errors import BadInput

_INCHES = (8, 4.5)
_WIDEST = 4
"""Points of the first line."""


def curve(title: str, figures: Figures, *, bounded: bool) -> Group:
    """Draw a bar for every so many events, and what they come to."""
    lines = [Text(title, style="bold")]
    for one in figures.curve:
        bar = "█" * one.calls
        wrong = f"  {one.wrong} wrong of {one.alone} alone" if one.wrong else ""
        lines.append(Text(f"{one.first:>4} – {one.last:<4} {bar:<24} {one.calls:>3}{wrong}"))
    low, high = figures.wrong_interval.low, figures.wrong_interval.high
    half = figures.events // 2
    asked = f"{figures.calls_before} calls for the first {half}, {figures.calls_after} for the rest"
    said = f"{figures.wrong} of {figures.alone} lone answers wrong"
    lines += [
        Text(f"{asked}: {figures.fall:.0%} fewer{_bound(f'≥ {FALL_AT_LEAST:.0%}', bounded)}"),
        Text(
            f"{said}: {figures.wrong_share:.1%} (95 %: {low:.1%} – {high:.1%})"
            f"{_bound(f'≤ {WRONG_AT_MOST:.0%}', bounded)}"
        ),
    ]
    return Group(*lines, Text(""))


def over_seeds(figures: Sequence[Figures]) -> Text:
    """Sum several seeds up: the mean, and the worst of them."""
    falls, wrong = ([getattr(one, name) for one in figures] for name in ("fall", "wrong_share"))
    return Text(
        f"{len(figures)} seeds: {fmean(falls):.0%} fewer ({min(falls):.0%} at worst), "
        f"{fmean(wrong):.1%} of lone answers wrong ({max(wrong):.1%} at worst)\n"
    )


def draw_png(path: Path, drawn: Mapping[str, Figures]) -> None:
    """Draw the curves into one picture.

    Raises:
        BadInput: matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure  # without pyplot: it needs no display
        from matplotlib.ticker import MaxNLocator
    except ImportError as missing:
        raise BadInput("a picture needs matplotlib, which `make` sets up") from missing

    figure = Figure(figsize=_INCHES, layout="constrained")
    axes = figure.subplots()
    for title, one in drawn.items():
        events = [window.last for window in one.curve]
        calls = [window.calls for window in one.curve]
        width = _WIDEST - 2 * len(axes.lines)  # a later line leaves the one beneath to be seen
        (line,) = axes.step([0, *events], [calls[0], *calls], label=title, linewidth=width)
        wrong = [(window.last, window.wrong) for window in one.curve if window.wrong]
        if wrong:
            places, numbers = zip(*wrong, strict=True)
            color = line.get_color()
            axes.scatter(
                places, numbers, marker="x", color=color, label="wrong without a model", zorder=3
            )
    axes.set_xlabel("events")
    axes.set_ylabel(f"calls of the model in {_width(drawn)} events")
    axes.set_ylim(bottom=0)
    axes.set_xlim(0, max(one.events for one in drawn.values()))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.legend()
    figure.savefig(path, format="png", dpi=120)


def _width(drawn: Mapping[str, Figures]) -> int:
    first = next(iter(drawn.values())).curve[0]
    return first.last - first.first + 1


def _bound(told: str, bounded: bool) -> str:
    return f", must be {told}" if bounded else ""
