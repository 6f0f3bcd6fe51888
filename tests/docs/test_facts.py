"""Commands, options, routes, settings, make targets and files that pages name exist."""

import re
import tomllib
from functools import cache
from itertools import product, takewhile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from api.app import app
from api.cli import cli
from graph.settings import ROOT

PAGES = [
    page
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob(".github/*.md")]
    if "history" not in page.parts and page.name != "style.md"
]
CODE = re.compile(r"`([^`\n]+)`|^ *```\w*\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
NO_SETTING = re.compile(r"EXECUTIVE_(SECRET_\w+|)$")


def code(page: Path) -> list[str]:
    """List the lines of code of a page, inline ones too; a continued line is one."""
    found = CODE.findall(page.read_text("utf-8"))
    return [line for one in found for line in "\n".join(one).replace("\\\n", " ").splitlines()]


def everywhere() -> list[tuple[str, str]]:
    return [(page.relative_to(ROOT).as_posix(), line) for page in PAGES for line in code(page)]


@cache
def help_of(words: tuple[str, ...]) -> str | None:
    """Return the help of a command with its options, None where there is no such command."""
    answer = CliRunner().invoke(cli, [*words, "--help"], env={"COLUMNS": "200"})
    return answer.output if answer.exit_code == 0 else None


def wrong_in(line: str) -> str | None:
    """Name the command or the option of a line that does not exist, if there is one."""
    called = re.search(r"(?:^|[\s/])prefrontal ((?:--url \S+ )?[a-z].*)", line.partition(" #")[0])
    if called is None or line.startswith(("docker", "from ", "name:")):
        return None
    text = re.sub(r'"[^"]*"|\'[^\']*\'', "TEXT", called[1]).replace("\\|", "|")
    [said, *_piped] = text.removeprefix("--url TEXT ").split(" | ")
    words = said.split()
    named = list(takewhile(re.compile(r"[a-z][a-z|-]*").fullmatch, words))[:2]
    for each in product(*(word.split("|") for word in named)):
        told = help_of(each)
        if told is None:
            return f"prefrontal {' '.join(words)}: no command {' '.join(each)}"
        given = re.findall(r"(?<!\S)\[?(--[a-z][a-z0-9-]+)", said)
        if missing := [one for one in given if not re.search(rf"(?<!\S){one}(?![\w-])", told)]:
            return f"prefrontal {' '.join(words)}: no option {missing[0]}"
    return None


def test_every_command_and_option_exists() -> None:
    assert [f"{page}: {wrong}" for page, line in everywhere() if (wrong := wrong_in(line))] == []


def test_a_wrong_command_would_be_found() -> None:
    assert (
        wrong_in("prefrontal ledger explode")
        == "prefrontal ledger explode: no command ledger explode"
    )
    assert wrong_in("prefrontal why --loud") == "prefrontal why --loud: no option --loud"
    assert wrong_in("prefrontal why --last") is None


def test_every_route_exists() -> None:
    routes = [(_shape(path), set(methods)) for path, methods in app.openapi()["paths"].items()]
    wrong = []
    for page, line in everywhere():
        for method, path in re.findall(r"\b(GET|POST|PUT|PATCH|DELETE) (/v1/[\w/{}.:-]+)", line):
            if not any(
                known == _shape(path) and method.lower() in methods for known, methods in routes
            ):
                wrong.append(f"{page}: {method} {path}")
    assert wrong == []


def _shape(path: str) -> tuple[str, ...]:
    """Split a path, with "{}" for what the caller fills in: a name in braces, capitals or an id."""
    parts = path.strip("/.").split("/")[1:]
    return tuple("{}" if re.search(r"[{}:A-Z-]", part) else part for part in parts)


def test_every_setting_exists() -> None:
    known = set(re.findall(r"EXECUTIVE_[A-Z_]+", (ROOT / ".env.example").read_text("utf-8")))
    named = {
        (page.name, name)
        for page in PAGES
        for name in re.findall(r"EXECUTIVE_[A-Z_]+", page.read_text("utf-8"))
        if not NO_SETTING.match(name)
    }
    assert {one for one in named if one[1] not in known} == set()


def test_every_make_target_exists() -> None:
    targets = set(re.findall(r"^([a-z.]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = {
        (page, target)
        for page, line in everywhere()
        for target in re.findall(r"^(?:EXECUTIVE_\S+ )?make ([a-z]+)(?=$| [#A-Z]|  )", line)
    }
    assert {one for one in named if one[1] not in targets} == set()


def test_every_table_and_key_of_policy_exists() -> None:
    text = (ROOT / "policy.toml").read_text("utf-8")
    tables = {"sessions", *tomllib.loads(text)}
    named = {
        (page, table.split(".")[0])
        for page, line in everywhere()
        for table in re.findall(r"^\[+([a-z_]+)[\].]", line)
    }
    others = {"webhook", "issuer", "dataset", "page", "contexts"}  # of other files
    others |= {"channel", "person", "escalation", "slack"}
    assert {one for one in named if one[1] not in tables | others} == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.name))
def test_every_file_that_is_named_exists(page: Path) -> None:
    named = re.findall(
        r"(?<![\w./-])((?:tests|evals|packs|docs|deploy|graph|state|scripts)/[\w./-]+\.(?:py|toml|yaml|md|jsonl|json|mmd))",
        "\n".join(code(page)),
    )
    missing = [each for each in named if not (ROOT / each.replace("PACK", "vessel")).exists()]
    assert missing == []
