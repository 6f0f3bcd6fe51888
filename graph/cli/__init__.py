"""The command line: `prefrontal` and everything behind it, a file per command."""

from tools.garbage import spared

INTERRUPTED = 130
"""How a shell's command ends that Ctrl-C ended: 128 and the signal's number."""

try:
    with spared():
        from graph.cli.commands import cli, main
except KeyboardInterrupt:  # in the second that importing takes nobody else would catch it
    raise SystemExit(INTERRUPTED) from None

__all__ = ["cli", "main"]
