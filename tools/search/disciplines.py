"""Fields of study, by the names of Semantic Scholar, and what OpenAlex calls them."""

from collections.abc import Iterable, Mapping, Sequence

from pydantic import JsonValue

from tools.search.provider import Native
from tools.search.reading import as_list, as_object, as_text, names

_FIELDS: Mapping[str, tuple[str, ...]] = {
    "Computer Science": ("17",),
    "Medicine": ("27", "29", "35", "36"),
    "Chemistry": ("16",),
    "Biology": ("11", "13", "24"),
    "Materials Science": ("25",),
    "Physics": ("31",),
    "Geology": ("19",),
    "Psychology": ("32",),
    "Business": ("14",),
    "Economics": ("20",),
    "Mathematics": ("26",),
    "Engineering": ("22", "15"),
    "Environmental Science": ("23",),
    "Agricultural and Food Sciences": ("11",),
}
_SUBFIELDS: Mapping[str, tuple[str, ...]] = {
    "Art": ("1213",),
    "History": ("1202",),
    "Philosophy": ("1211",),
    "Linguistics": ("1203", "3310"),
    "Education": ("3304",),
    "Geography": ("3305",),
    "Law": ("3308",),
    "Sociology": ("3312",),
    "Political Science": ("3320", "3312"),
}
"""What OpenAlex knows one level further down, under Arts and Humanities and Social Sciences."""
DISCIPLINES = frozenset(_FIELDS) | frozenset(_SUBFIELDS)


def clauses_of(wanted: Sequence[str]) -> Native | None:
    """Write fields of study as a filter of OpenAlex, any of them; None: no one filter says it."""
    for key, known in (("topics.field.id", _FIELDS), ("topics.subfield.id", _SUBFIELDS)):
        if all(name in known for name in wanted):
            ids = dict.fromkeys(one for name in wanted for one in known[name])
            return ((key, "|".join(ids)),)
    return None


def fields_in_topics(topics: JsonValue) -> tuple[str, ...]:
    """Read the fields of study from the topics of a work of OpenAlex."""
    found = {
        (level, (as_text(as_object(as_object(topic).get(level)).get("id")) or "").rsplit("/")[-1])
        for topic in as_list(topics)
        for level in ("field", "subfield")
    }
    levels = (("field", _FIELDS), ("subfield", _SUBFIELDS))
    return tuple(
        name
        for level, known in levels
        for name, ids in known.items()
        if any((level, one) in found for one in ids)
    )


def fields_told(*told: JsonValue) -> tuple[str, ...]:
    """Read the fields of study as Semantic Scholar tells them: names, and names by their source."""
    return tuple(name for name in names(_each(told)) if name in DISCIPLINES)


def _each(told: Iterable[JsonValue]) -> Iterable[JsonValue]:
    for value in told:
        for one in as_list(value):
            yield as_object(one).get("category") if isinstance(one, dict) else one
