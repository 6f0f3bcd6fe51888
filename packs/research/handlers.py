"""Every function that actions.yaml names, by the module of its subject."""

from .analysis import analyse_paper, compare_papers, extract_keywords
from .channels import (
    list_channels,
    name_channel,
    set_research_question,
    set_research_topic,
    show_research_state,
)
from .exports import (
    export_bibliography,
    list_exports,
    share_library,
    show_shares,
    stop_sharing_library,
)
from .library import (
    add_to_library,
    clear_library,
    list_tags,
    rate_paper,
    remove_from_library,
    search_library,
    set_reading_status,
    show_library,
    tag_paper,
    untag_paper,
)
from .notes import add_research_note, delete_note, edit_note, restore_note, show_notes
from .paging import next_results, previous_results
from .papers import list_results, show_citation, show_paper
from .search import (
    batch_search_papers,
    find_citing_papers,
    find_references,
    find_similar_papers,
    search_papers,
)
from .store import was_done

__all__ = [
    "add_research_note", "add_to_library", "analyse_paper", "batch_search_papers",
    "clear_library", "compare_papers", "delete_note", "edit_note", "export_bibliography",
    "extract_keywords", "find_citing_papers", "find_references", "find_similar_papers",
    "list_channels", "list_exports", "list_results", "list_tags", "name_channel", "next_results",
    "previous_results", "rate_paper", "remove_from_library", "restore_note", "search_library",
    "search_papers", "set_reading_status", "set_research_question", "set_research_topic",
    "share_library", "show_citation", "show_library", "show_notes", "show_paper",
    "show_research_state", "show_shares", "stop_sharing_library", "tag_paper", "untag_paper",
    "was_done",
]  # fmt: skip
