"""Can the patterns of attention.yaml be used, and does each of its rules have a name of its own?"""

from collections import Counter

from tools.catalogue.patterns import pattern_problem
from tools.catalogue.reading import PackFiles


def check_attention(files: PackFiles) -> None:
    """Note what is wrong with a pack's attention.yaml in `files.faults`."""
    for dimension, levels in files.attention.patterns.items():
        for level, patterns in levels.items():
            for place, pattern in enumerate(patterns):
                if problem := pattern_problem(pattern):
                    path = ("patterns", dimension, level, place)
                    files.fault("attention", path, problem)  # type: ignore[arg-type]  # a key of YAML may be a number
    named = Counter(rule.id for rule in files.attention.inhibits)
    for place, rule in enumerate(files.attention.inhibits):
        if named[rule.id] > 1:
            files.fault("attention", ("inhibits", place, "id"), f"{rule.id!r} is there twice")
        if "|" in rule.id:
            files.fault("attention", ("inhibits", place, "id"), "may hold no `|`")
