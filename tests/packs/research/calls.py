"""One natural call of every action of the pack, and what has to come before it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Call:
    """An action with arguments, and the calls before it."""

    action: str
    arguments: Mapping[str, Any]
    after: tuple["Call", ...] = ()


def call(action: str, *after: Call, **arguments: object) -> Call:
    return Call(action, arguments, after)


NOTED = call("add_research_note", note="small sample", paper="P-1")
TAGGED = call("tag_paper", paper="P-1", tags=["baseline"])
REMOVED = call("remove_from_library", papers=["P-2", "P-3"])
SHARED = call("share_library", recipients=["Priya Raman", "chen@uni.example"])
CALLS = (
    call("show_paper", paper="P-1"),
    call("list_results"),
    call("analyse_paper", paper="P-1"),
    call("compare_papers", papers=["P-4", "P-5"]),
    call("extract_keywords"),
    call("show_library", tag="graphs"),
    call("search_library", query="attention weights"),
    call("list_tags"),
    call("show_citation", paper="P-1", style="bibtex"),
    call("show_notes", NOTED, paper="P-1"),
    call("show_research_state"),
    call("list_channels", call("name_channel", name="reading group")),
    call("list_exports", call("export_bibliography", form="ris")),
    call("show_shares", SHARED),
    call("add_to_library", REMOVED, papers=["P-2"]),
    call("remove_from_library", papers=["P-2", "P-3"]),
    call("tag_paper", paper="P-1", tags=["Baseline", "core"]),
    call("untag_paper", TAGGED, paper="P-1", tags=["baseline"]),
    call("set_reading_status", paper="P-3", status="reading"),
    call("rate_paper", call("rate_paper", paper="P-1", rating=2), paper="P-1", rating=4),
    call("add_research_note", note="ask Elif", paper="P-2"),
    call("edit_note", NOTED, note="N-1", text="a very small sample"),
    call("delete_note", NOTED, note="N-1"),
    call("restore_note", NOTED, call("delete_note", note="N-1"), note="N-1"),
    call("set_research_question", question="do graphs help in chemistry"),
    call("set_research_topic", topic="graph networks"),
    call("rate_paper", paper="P-2", rating=3),
    call("name_channel", name="only"),
    call("name_channel", call("name_channel", name="first"), name="second"),
    call("export_bibliography", form="bibtex", tag="graphs"),
    call("share_library", recipients=["Priya Raman", "Ben Adler"]),
    call("stop_sharing_library", SHARED, recipients=["priya raman"]),
    call("clear_library"),
)
