"""Spans of time as a person is told them: a whole number of one unit."""

_UNITS = ((86_400.0, "day"), (3_600.0, "hour"), (60.0, "minute"))


def before_in_words(seconds: float) -> str:
    """Round a span down to days, hours or minutes, such as `3 minutes`."""
    for length, unit in _UNITS:
        if seconds >= length:
            count = int(seconds // length)
            return f"{count} {unit}{'' if count == 1 else 's'}"
    return "less than a minute"
