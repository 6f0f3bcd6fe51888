"""What a tool does is judged by its name and arguments, whatever its server says of it."""

from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tools.adapters.mcp.tool_effects import effect_of
from tools.adapters.mcp.tool_pins import DescribedTool

PUBLIC = Path(__file__).with_name("public_tools.tsv")
LEAST_TOOLS = 300
BELIEVED = {
    "query_influxdb": "one of its query languages writes, and only the value tells which",
    "find_error_pattern_logs": "it starts an investigation, and its name says find",
    "find_slow_requests": "as above",
    "sreagent_threads_investigate": "it starts an agent, and its name says investigate",
    "sreagent_threads_investigate_yolo": "as above",
}
"""Changes that would run at once if they were declared as reading, and why nothing shows it."""
MOST_LOST = 0.09
"""Of the honest reads, those that a person is asked about all the same."""


class PublicTool(NamedTuple):
    """A line of the table."""

    server: str
    name: str
    does: str
    speaks_of: str = ""
    arguments: str = ""

    @property
    def described(self) -> DescribedTool:
        """The tool as its server would describe it, with a claim that it reads."""
        properties = dict(map(_property, self.arguments.split()))
        return declared_read(self.name, properties, self.speaks_of)


def _property(written: str) -> tuple[str, dict[str, Any]]:
    name, chosen, choices = written.partition("=")
    return name, {"type": "string", **({"enum": choices.split("|")} if chosen else {})}


def declared_read(name: str, properties: dict[str, Any], told: str = "") -> DescribedTool:
    """Describe a tool that is said to read only."""
    schema = {"type": "object", "properties": properties}
    return DescribedTool(name, "", told, schema, {"readOnlyHint": True})


def judged(tool: DescribedTool, server: str = "") -> str:
    """Judge a tool of a server that is not trusted."""
    return effect_of(tool, is_trusted=False, server=server)


def public_tools() -> list[PublicTool]:
    """Read the table."""
    lines = PUBLIC.read_text("utf-8").splitlines()
    return [PublicTool(*line.split("\t")) for line in lines if not line.startswith("#")]


def test_of_public_servers_reads_stay_reads_and_changes_are_not_believed_to_read():
    found = public_tools()
    assert len(found) >= LEAST_TOOLS
    counts = Counter(each.does for each in found)
    reads = [each for each in found if judged(each.described, each.server) == "read"]
    believed = {each.name for each in reads if each.does == "write"}
    stay = sum(each.does == "read" for each in reads)
    print(
        f"{stay} of {counts['read']} reads stay; of {counts['write']} writes {len(believed)} pass"
    )
    assert believed == set(BELIEVED)
    assert stay >= (1 - MOST_LOST) * counts["read"]


TEXT = {"type": "string"}


@pytest.mark.parametrize(
    ("name", "properties", "effect"),
    [
        ("fetch", {"url": TEXT}, "read"),
        ("fetch", {"url": TEXT, "method": TEXT, "body": TEXT}, "destructive"),
        ("fetch", {"url": TEXT, "method": {"enum": ["GET", "HEAD"]}}, "read"),
        ("fetch", {"url": TEXT, "method": {"enum": ["GET", "POST"]}}, "write"),
        ("get_alerts", {"operation": {"enum": ["list", "delete"]}}, "destructive"),
        ("search_notes", {"payload": TEXT}, "write"),
        ("get_page", {"output_path": TEXT}, "write"),
        ("list_countries", {"country_code": TEXT}, "read"),
        ("look_up", {"code": TEXT}, "destructive"),
        ("show_rows", {"sql": TEXT}, "destructive"),
        ("get_pods", {"command": {"type": "array"}}, "destructive"),
        ("nuke", {}, "destructive"),
        ("rm", {"path": TEXT}, "destructive"),
        ("del", {}, "destructive"),
        ("list_drop", {}, "destructive"),
        ("listdrop", {}, "destructive"),
        ("grant_admin", {"user": TEXT}, "destructive"),
        ("get_and_flush", {}, "destructive"),
        ("read_write", {}, "write"),
        ("find_replace", {}, "write"),
        ("open_valve", {}, "write"),
        ("frobnicate", {}, "write"),  # it may do anything, and its name does not say that it reads
        ("fork_repository", {}, "write"),
        ("get_delete2", {}, "destructive"),
        ("list_unlock", {}, "write"),
        ("show_transfer2", {}, "write"),
        ("get_d\u0435lete", {}, "write"),
        ("empty_history", {}, "write"),
        ("check_restart", {}, "write"),
        ("rotate_logs", {}, "write"),
        ("log_event", {}, "write"),
        ("mark_as_read", {}, "write"),
        ("issue_read", {}, "read"),
        ("list_pull_requests", {}, "read"),
        ("git_log", {}, "read"),
        ("directory_tree", {}, "read"),
        ("list_dropdowns", {}, "read"),
        ("get_droplet", {}, "read"),
    ],
)
def test_a_claim_to_read_is_believed_where_name_and_arguments_say_so_too(
    name: str, properties: dict[str, Any], effect: str
):
    assert judged(declared_read(name, properties)) == effect


def test_a_query_is_a_program_where_its_description_speaks_of_sql():
    query = {"query": TEXT}
    assert judged(declared_read("query_store", query)) == "read"
    assert judged(declared_read("query_store", query, "Runs SQL.")) == "destructive"
    told = {"query": {**TEXT, "description": "A Cypher query"}}
    assert judged(declared_read("query_store", told)) == "destructive"
