"""The command line: `prefrontal` and everything behind it, a file per command."""

from tools.garbage import spared

with spared():
    from graph.cli.commands import cli, main

__all__ = ["cli", "main"]
