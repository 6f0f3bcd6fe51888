"""Previews of the companion's actions: each runs its handler where nothing is kept."""

from . import handlers
from .effects import preview_of

discard_note = preview_of(handlers.discard_note)
forget_place = preview_of(handlers.forget_place)
recover_note = preview_of(handlers.recover_note)
restore_place = preview_of(handlers.restore_place)
save_place = preview_of(handlers.save_place)
write_note = preview_of(handlers.write_note)
