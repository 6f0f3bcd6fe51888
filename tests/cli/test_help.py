"""Every command explains itself with an example, and families come from elsewhere by name."""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import typer
from rich.text import Text
from typer.testing import CliRunner

from api.cli import cli
from api.cli.commands import COMMANDS, load_command
from tests.cli.conftest import Prefrontal


def _commands(found: Any, before: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    yield before
    for name, command in getattr(found, "commands", {}).items():
        yield from _commands(command, (*before, name))


EVERY = [
    command
    for name, known in COMMANDS.items()
    if known.module.startswith("api.cli.")
    for command in _commands(load_command(name), (name,))
]


@pytest.mark.parametrize("command", [(), *EVERY], ids=" ".join)
def test_help_shows_an_example(command: tuple[str, ...]) -> None:
    result = CliRunner().invoke(cli, [*command, "--help"])
    assert result.exit_code == 0
    assert "Example: " in result.stdout
    assert "prefrontal " in result.stdout


@pytest.mark.parametrize("command", [(), *EVERY], ids=" ".join)
def test_help_loses_no_word_to_markup(command: tuple[str, ...]) -> None:
    """Typer reads `[word]` as rich markup and prints nothing for it."""
    found: Any = load_command(command[0]) if command else typer.main.get_command(cli)
    for name in command[1:]:
        found = found.commands[name]
    told = [found.help, found.epilog, *(getattr(each, "help", None) for each in found.params)]
    for text in filter(None, told):
        assert Text.from_markup(text).plain == text


def test_the_commands_of_this_release_are_there() -> None:
    assert {" ".join(command) for command in EVERY} >= {
        "serve",
        "run",
        "route",
        "ask",
        "approvals list",
        "approvals show",
        "approvals approve",
        "approvals reject",
        "approvals edit",
        "offers list",
        "offers choose",
        "why",
        "pack check",
        "doctor",
        "keys create",
        "demo",
    }


def test_the_list_of_commands_says_what_each_command_says_first() -> None:
    for name, known in COMMANDS.items():
        found = load_command(name)
        assert (found.help or "").split("\n\n")[0].replace("\n", " ") == known.help, name


def test_a_command_that_reads_loads_neither_graph_nor_console() -> None:
    script = (
        "import sys, api.cli.in_process;"
        "late = {'langgraph', 'langchain_core', 'langsmith', 'langgraph_sdk', 'graph.flow'};"
        "print((late | {'api.console.routes', 'graph.service'}) & set(sys.modules))"
    )
    told = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    )
    assert told.stdout.strip() == "set()"


def test_the_list_of_commands_loads_nothing_heavy() -> None:
    script = (
        "import sys; from typer.testing import CliRunner; from api.cli import cli;"
        "told = CliRunner().invoke(cli, ['--help']).stdout;"
        "assert 'Judge the system' in told, told;"
        "late = {'evals.cli', 'graph.settings', 'sqlalchemy', 'httpx', 'structlog', 'langgraph'};"
        "print(late & set(sys.modules))"
    )
    answer = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    )
    assert answer.stdout.strip() == "set()"


def test_an_interrupt_while_it_loads_ends_it_without_a_traceback() -> None:
    script = (
        "import sys\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'api.cli.commands': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupting())\n"
        "import api.cli\n"
    )
    answer = subprocess.run(
        [sys.executable, "-c", script], check=False, capture_output=True, text=True
    )
    assert (answer.returncode, answer.stderr) == (130, "")


def test_a_family_from_another_package_is_mounted_by_name(prefrontal: Prefrontal) -> None:
    result = prefrontal("evals", "--help")
    assert result.exit_code == 0
    assert "run" in result.stdout
    assert "evals" in prefrontal("--help").stdout


@pytest.mark.parametrize("words", [(), ("bogus",), ("approvals",), ("run", "--colour")])
def test_wrong_use_is_exit_2(prefrontal: Prefrontal, words: tuple[str, ...]) -> None:
    assert prefrontal(*words).exit_code == 2


def test_the_version_is_told(prefrontal: Prefrontal) -> None:
    assert prefrontal("--version").stdout.startswith("prefrontal ")


def test_a_bad_setting_is_a_sentence(here: Path) -> None:
    result = CliRunner(env={"EXECUTIVE_PORT": "many"}).invoke(cli, ["doctor"])
    assert result.exit_code == 2
    assert "EXECUTIVE_PORT" in result.stderr


def test_a_terminal_that_is_not_utf_8_is_no_error(here: Path, environment: Mapping[str, str]):
    answer = subprocess.run(
        [sys.executable, "-m", "api.cli", "run", "-"],
        cwd=here,
        env={
            **environment,
            "PYTHONIOENCODING": "ascii",
            "PYTHONPATH": str(Path(__file__).parents[2]),
        },
        input='{"text": "Bilge level high °"}'.encode(),
        capture_output=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
