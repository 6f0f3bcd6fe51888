"""`prefrontal doctor`: what is configured, what is reachable, what is degraded."""

import asyncio
from typing import Annotated

import typer
from rich.text import Text

from graph.cli.options import AsJson, DataDir, Packs, read_settings
from graph.cli.terminal.console import OUT, print_json, shown
from graph.settings import Settings

EXAMPLE = "Example: prefrontal doctor --json"

_MARKS = {"ok": ("✓", "green"), "degraded": ("~", "yellow"), "broken": ("×", "bold red")}


def add_to(cli: typer.Typer) -> None:
    """Add the command."""
    cli.command(epilog=EXAMPLE)(doctor)


def doctor(
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    wait: Annotated[float, typer.Option(help="Seconds the model's server may take.")] = 5.0,
) -> None:
    """Look at settings, folder, packs, database and model; exit 1 when one of them is broken."""
    from graph.cli.set_up.findings import examine, told_settings

    settings = read_settings(pack, data_dir, is_checked=False)
    findings = asyncio.run(examine(settings, wait))
    if as_json:
        print_json(
            {
                "settings": {name: list(told) for name, told in told_settings(settings).items()},
                "findings": [
                    {"what": found.what, "state": found.state, "says": found.says}
                    for found in findings
                ],
            }
        )
    else:
        OUT.print(_settings(settings))
        for found in findings:
            mark, style = _MARKS[found.state]
            line = Text(f"{mark} ", style=style)
            line.append(f"{found.what:<10} ", style="bold")
            line.append(shown(found.says).replace("\n", "\n" + " " * 13))
            OUT.print(line)
    if any(found.state == "broken" for found in findings):
        raise typer.Exit(1)


def _settings(settings: Settings) -> Text:
    from graph.cli.set_up.findings import told_settings

    text = Text()
    for name, (value, source) in told_settings(settings).items():
        text.append(f"  {name:<29} ", style="dim")
        text.append(shown(value) or "(empty)")
        text.append(f"  {source}\n" if source else "\n", style="dim")
    text.right_crop(1)
    return text
