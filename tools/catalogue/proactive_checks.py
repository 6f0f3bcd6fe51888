"""Has each rule of proactive.yaml a name of its own, words to meet, and something to say?"""

from collections import Counter

from tools.catalogue.proactive_file import Achievement, Remark
from tools.catalogue.reading import PackFiles
from tools.salience.conditions import words_of


def check_proactive(files: PackFiles) -> None:
    """Note what is wrong with a pack's proactive.yaml in `files.faults`."""
    file = files.proactive
    rules: list[tuple[str, int, Remark | Achievement]] = [
        *(("observations", place, one) for place, one in enumerate(file.observations)),
        *(("achievements", place, one) for place, one in enumerate(file.achievements)),
    ]
    named = Counter(rule.id for _, _, rule in rules)
    for kind, place, rule in rules:
        if named[rule.id] > 1:
            files.fault("proactive", (kind, place, "id"), f"{rule.id!r} is there twice")
        if not words_of(rule.when):
            files.fault("proactive", (kind, place, "when"), "holds no word, so it is never met")
    for place, remark in enumerate(file.observations):
        if not remark.say and remark.goal is None:
            files.fault("proactive", ("observations", place), "says nothing: give say or goal")
    for place, achievement in enumerate(file.achievements):
        rest = achievement.say.replace("{count}", "")
        if "{" in rest or "}" in rest:
            path = ("achievements", place, "say")
            files.fault("proactive", path, "has a placeholder beside {count}")
