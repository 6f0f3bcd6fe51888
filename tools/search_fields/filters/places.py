"""Names that papers come from and no person bears: countries, institutions, months."""

from tools.search_fields.time.dates.counted_from_today import WEEKDAYS
from tools.search_fields.words.months import MONTHS

_COUNTRIES = (
    "africa", "america", "antarctica", "asia", "australia", "austria", "argentina", "bangladesh",
    "belgium", "brazil", "britain", "bulgaria", "canada", "chile", "china", "colombia", "croatia",
    "cuba", "cyprus", "czechia", "denmark", "egypt", "england", "estonia", "ethiopia", "europe",
    "finland", "france", "germany", "ghana", "greece", "greenland", "hungary", "iceland", "india",
    "indonesia", "iran", "iraq", "ireland", "israel", "italy", "japan", "kenya", "korea", "latvia",
    "lithuania", "luxembourg", "malaysia", "mexico", "morocco", "nepal", "netherlands", "nigeria",
    "norway", "oceania", "pakistan", "peru", "philippines", "poland", "portugal", "romania",
    "russia", "scandinavia", "scotland", "serbia", "singapore", "slovakia", "slovenia", "spain",
    "sweden", "switzerland", "taiwan", "tanzania", "thailand", "tunisia", "turkey", "uganda",
    "ukraine", "vietnam", "wales", "california", "texas", "florida", "hawaii", "alaska",
)  # fmt: skip
_INSTITUTIONS = (
    "google", "deepmind", "openai", "anthropic", "microsoft", "meta", "facebook", "apple",
    "amazon", "nvidia", "intel", "huawei", "tencent", "baidu", "alibaba", "stanford", "harvard",
    "yale", "princeton", "oxford", "cambridge", "berkeley", "caltech", "cornell", "columbia",
    "university", "institute", "college", "academy", "congress", "parliament", "scopus", "pubmed",
    "wikipedia", "scholar", "crossref", "openalex", "london", "paris", "berlin", "tokyo",
    "beijing", "zurich", "vienna", "boston", "chicago", "toronto", "nature", "science", "cell",
    "elsevier", "springer", "wiley", "reddit", "twitter", "youtube", "mars", "earth", "space",
)  # fmt: skip
_TIMES = ("christmas", "easter", "spring", "summer", "autumn", "fall", "winter", "ramadan")
_NO_PERSONS = frozenset(
    (*_COUNTRIES, *_INSTITUTIONS, *_TIMES, *WEEKDAYS, *(name for month in MONTHS for name in month))
)


def may_be_person(name: str) -> bool:
    """Tell whether a name may be a person's: no place, no institution, no acronym."""
    is_acronym = len(name) > 1 and name.isupper()
    is_owner = name.endswith(("'s", "’s"))  # of a lab
    return not is_acronym and not is_owner and _NO_PERSONS.isdisjoint(name.lower().split())
