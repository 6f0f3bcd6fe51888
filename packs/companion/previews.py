"""What each action would change: its handler, tried where nothing is kept."""

from . import handlers
from .effects import preview_of

delete_note = preview_of(handlers.delete_note)
forget_place = preview_of(handlers.forget_place)
restore_note = preview_of(handlers.restore_note)
restore_place = preview_of(handlers.restore_place)
save_place = preview_of(handlers.save_place)
write_note = preview_of(handlers.write_note)
