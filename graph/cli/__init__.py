"""The command line: `prefrontal` and everything behind it, a file per command."""

from graph.cli.commands import cli, main

__all__ = ["cli", "main"]
