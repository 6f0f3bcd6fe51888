"""Import paths of earlier versions for packs and clients: each works, and warns of its new path.

`MOVED` holds them all. Importing `tools` makes their modules importable.
"""

import sys
import warnings
from collections.abc import Mapping, Sequence
from functools import partial
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

_STORE = "prefrontal.pack_store"
_REQUESTS = "tools.nlu.search_query.requests"

MOVED: Mapping[str, str] = {
    # 0.1.0: the pages on packs and clients
    "tools.client.calling.Calling": "prefrontal.client.Transport",
    "tools.client.calling.Heard": "prefrontal.StreamNotice",
    "tools.client.client.Answered": "prefrontal.Answer",
    "tools.client.client.CALLS": "prefrontal.client.CALLS",
    "tools.client.client.Client": "prefrontal.Client",
    "tools.client.refused.Refused": "prefrontal.Refused",
    "tools.client.refused.refused": "prefrontal.client.refusal_of",
    "tools.pack_store.effects.Call": "prefrontal.pack.Call",
    "tools.pack_store.effects.EffectLog": "prefrontal.pack.EffectLog",
    "tools.pack_store.effects.Effects": "prefrontal.pack.Effects",
    "tools.pack_store.effects.KeptResults": "prefrontal.pack.KeptResults",
    "tools.pack_store.effects.preview_of": "prefrontal.pack.preview_of",
    "tools.pack_store.store.BUSY_SECONDS": f"{_STORE}.BUSY_SECONDS",
    "tools.pack_store.store.PackStore": "prefrontal.pack.PackStore",
    "tools.pack_store.store.Step": "prefrontal.pack.Step",
    "tools.pack_store.store.run_script": "prefrontal.pack.run_script",
    "tools.pack_store.work.MOST_CHANGES": f"{_STORE}.MOST_CHANGES",
    "tools.pack_store.work.MOST_FACTS": f"{_STORE}.MOST_FACTS",
    "tools.pack_store.work.Work": "prefrontal.pack.Work",
    "tools.policy.search_slots.WORDS": f"{_REQUESTS}.QUERY_SLOTS",
    "tools.policy.search_slots.arguments_with": f"{_REQUESTS}.arguments_with",
    "tools.policy.search_slots.enriched": f"{_REQUESTS}.with_model_terms",
    "tools.policy.search_slots.has_search_fields": f"{_REQUESTS}.has_search_fields",
    "tools.policy.search_slots.is_about_something": f"{_REQUESTS}.is_about_something",
    "tools.policy.search_slots.is_thing": f"{_REQUESTS}.is_thing",
    "tools.policy.search_slots.narrows_by_fields": f"{_REQUESTS}.narrows_by_fields",
    "tools.policy.search_slots.query_of": "prefrontal.types.policy.query_of",
    "tools.policy.search_slots.search_from": "prefrontal.pack.search_from",
    "tools.policy.search_slots.takes_search": f"{_REQUESTS}.takes_search",
    "tools.policy.search_slots.terms_of": "prefrontal.types.policy.terms_of",
    "tools.policy.search_slots.topics_of": f"{_REQUESTS}.topics_of",
    "tools.routing.words.phrases.word_set": "tools.nlu.word_set",
    "tools.search.paper_search.PaperSearch": "prefrontal.pack.PaperSearch",
    "tools.shift.clean_shift": "prefrontal.dates.clean_shift",
    "tools.shift.shift_of": "prefrontal.dates.shift_of",
    "tools.shift.shifted": "prefrontal.pack.shifted",
    # 0.2.0 before there was a distribution for packs and clients
    "tools.client.client.Answer": "prefrontal.Answer",
    "tools.client.client.Refused": "prefrontal.Refused",
    "tools.client.client.StreamNotice": "prefrontal.StreamNotice",
    "tools.client.client.Transport": "prefrontal.client.Transport",
    "tools.client.client.refusal_of": "prefrontal.client.refusal_of",
    "tools.catalog.pack_store.Call": "prefrontal.pack.Call",
    "tools.catalog.pack_store.Effects": "prefrontal.pack.Effects",
    "tools.catalog.pack_store.KeptResults": "prefrontal.pack.KeptResults",
    "tools.catalog.pack_store.PackStore": "prefrontal.pack.PackStore",
    "tools.catalog.pack_store.Step": "prefrontal.pack.Step",
    "tools.catalog.pack_store.Work": "prefrontal.pack.Work",
    "tools.catalog.pack_store.preview_of": "prefrontal.pack.preview_of",
    "tools.catalog.pack_store.run_script": "prefrontal.pack.run_script",
}
"""Old path of each name, and the path that replaces it."""

_MODULES = {old.rpartition(".")[0] for old in MOVED}
_PACKAGES = {module[:end] for module in _MODULES for end, sign in enumerate(module) if sign == "."}


def make_importable() -> None:
    """Let the modules of MOVED be imported where no file has their name; call it once."""
    sys.meta_path.append(_OldModules())


class _OldModules(MetaPathFinder, Loader):
    """Makes an empty module that finds its names in MOVED."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in _MODULES | _PACKAGES:
            return None
        return ModuleSpec(fullname, self, is_package=fullname in _PACKAGES)

    def exec_module(self, module: ModuleType) -> None:
        vars(module)["__getattr__"] = partial(_moved, module.__name__)


def _moved(module: str, name: str) -> Any:  # whatever the new module holds
    new = MOVED.get(f"{module}.{name}")
    if new is None:
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    warnings.warn(f"{module}.{name} has moved; import {new}", DeprecationWarning, stacklevel=2)
    home, _, new_name = new.rpartition(".")
    return getattr(import_module(home), new_name)
