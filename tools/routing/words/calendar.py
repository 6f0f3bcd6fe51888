"""Months and days of the week by their names, lower case."""

MONTHS = (
    ("january", "jan"), ("february", "feb"), ("march", "mar"), ("april", "apr"), ("may",),
    ("june", "jun"), ("july", "jul"), ("august", "aug"), ("september", "sep", "sept"),
    ("october", "oct"), ("november", "nov"), ("december", "dec"),
)  # fmt: skip
"""In their order, each with its short forms."""
MONTH_NAMES = tuple(names[0] for names in MONTHS)
DAYS_OF_WEEK = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
SURELY_TIMES = frozenset(MONTH_NAMES) - {"may"} | frozenset(DAYS_OF_WEEK)
"""Words that name a month or a day and nothing else: `may` is asked with."""
