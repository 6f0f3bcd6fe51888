"""The command line: `prefrontal` and its commands."""

from tools.platform.process_resources import gc_paused

INTERRUPTED = 130
"""How a shell's command ends that Ctrl-C ended: 128 and the signal's number."""

try:
    with gc_paused():
        from api.cli.commands import cli, main
except KeyboardInterrupt:  # in the second that importing takes nobody else would catch it
    raise SystemExit(INTERRUPTED) from None

__all__ = ["cli", "main"]
