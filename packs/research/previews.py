"""Previews of the research actions: each runs its handler where nothing is kept."""

from . import handlers
from .store import preview_of

add_research_note = preview_of(handlers.add_research_note)
add_to_library = preview_of(handlers.add_to_library)
clear_library = preview_of(handlers.clear_library)
delete_note = preview_of(handlers.delete_note)
edit_note = preview_of(handlers.edit_note)
export_bibliography = preview_of(handlers.export_bibliography)
name_channel = preview_of(handlers.name_channel)
rate_paper = preview_of(handlers.rate_paper)
remove_from_library = preview_of(handlers.remove_from_library)
restore_note = preview_of(handlers.restore_note)
set_reading_status = preview_of(handlers.set_reading_status)
set_research_question = preview_of(handlers.set_research_question)
set_research_topic = preview_of(handlers.set_research_topic)
share_library = preview_of(handlers.share_library)
stop_sharing_library = preview_of(handlers.stop_sharing_library)
tag_paper = preview_of(handlers.tag_paper)
untag_paper = preview_of(handlers.untag_paper)
