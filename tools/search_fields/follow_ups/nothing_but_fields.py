"""Whether a follow-up is nothing but fields, so that it tells of nothing: `closed ones too`."""

import re
from collections.abc import Sequence

from state.policy import FieldSource


def names_only_fields(text: str, sources: Sequence[FieldSource]) -> bool:
    """Tell whether every word of a follow-up is one of its fields."""
    places = {place for one in sources for place in range(*one.span)}
    return bool(places) and all(
        places.issuperset(range(*word.span())) for word in re.finditer(r"\w+", text)
    )
