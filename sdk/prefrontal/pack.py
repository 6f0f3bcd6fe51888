"""What the Python of a pack imports: contexts, results, refusals, previews and its own store.

It needs no server: handlers can be written, type-checked and tested where only this distribution
is installed.
"""

from prefrontal.dates import shifted
from prefrontal.pack_store import (
    Call,
    EffectLog,
    Effects,
    KeptResults,
    PackStore,
    Step,
    Work,
    preview_of,
    run_script,
)
from prefrontal.types.action import ActionResult, HandlerContext
from prefrontal.types.errors import (
    AgentError,
    BadInput,
    Busy,
    Conflict,
    Forbidden,
    NotFound,
    Unreachable,
)
from prefrontal.types.memory import Learnt, Listed, PackMemory, Searched, StageChange
from prefrontal.types.paper import (
    Paper,
    PaperLink,
    PaperProvider,
    PaperSearch,
    ProviderAnswer,
    SearchResult,
)
from prefrontal.types.policy import SearchPolicy, search_from
from prefrontal.types.preview import Change, Fact, Preview

__all__ = [
    "ActionResult",
    "AgentError",
    "BadInput",
    "Busy",
    "Call",
    "Change",
    "Conflict",
    "EffectLog",
    "Effects",
    "Fact",
    "Forbidden",
    "HandlerContext",
    "KeptResults",
    "Learnt",
    "Listed",
    "NotFound",
    "PackMemory",
    "PackStore",
    "Paper",
    "PaperLink",
    "PaperProvider",
    "PaperSearch",
    "Preview",
    "ProviderAnswer",
    "SearchPolicy",
    "SearchResult",
    "Searched",
    "StageChange",
    "Step",
    "Unreachable",
    "Work",
    "preview_of",
    "run_script",
    "search_from",
    "shifted",
]
