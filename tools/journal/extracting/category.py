"""What kind of decision it is, when its words tell."""

from collections.abc import Mapping

from state.journal import Category
from tools.journal.detecting.window import words_of

_KINDS: Mapping[Category, str] = {
    "process": """meeting meetings minutes agenda vote charter schedule deadline review reviews
        release releases sprint standup retro weekly monthly onboarding policy
        workflow branch branches approval chair scribe calendar cadence hire hiring
        team publish published draft""",
    "design": """colour color font typeface layout logo icon icons button mockup wireframe palette
        theme typography spacing animation navigation accessibility menu serif dark""",
    "product": """customer customers user users price pricing feature features roadmap market
        launch
        plan tier subscription trial onboarding persona mvp scope analytics feedback""",
    "technical": """api apis database databases postgres postgresql mysql sqlite redis
        kafka queue cache
        server servers client library framework language python typescript
        javascript rust java kubernetes docker terraform aws azure gcp rest graphql
        grpc json yaml xml html css http https schema migration index encryption
        authentication auth oauth token tests testing ci deploy deployment hosting
        cloud backend frontend microservice monolith repository repo merge pr pull
        endpoint protocol logging monitoring cluster storage architecture manifest
        spec""",
}
_WORDS = {kind: frozenset(words.split()) for kind, words in _KINDS.items()}


def category_of(text: str, *, names_code: bool) -> Category | None:
    """Name the kind whose words are most; None when none is there, or two are equal."""
    words = words_of(text)
    counts: dict[Category, int] = {kind: len(words & known) for kind, known in _WORDS.items()}
    counts["technical"] += names_code
    best = max(counts.values())
    leading = [kind for kind, count in counts.items() if count == best]
    return leading[0] if best and len(leading) == 1 else None
