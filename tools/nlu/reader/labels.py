"""Labels of the reader, in the order of its outputs. The label guide: evals/training/reader/."""

ACTS = (
    "command", "request", "question", "statement", "denied", "reported", "hypothetical",
    "conditional", "retracted", "quoted", "correction", "answer", "greeting", "thanks", "complaint",
)  # fmt: skip
"""What a message does, as it is meant."""
WANTS = ("none", "info", "change")
"""What is wanted now: nothing, an answer, or that something is done."""
CONTROLS = (
    "-", "quiet", "talk", "quiet_hours", "topic_off", "topic_on", "watch", "unwatch", "goal",
    "goal_done", "goal_progress", "goal_drop", "goal_ask", "reminder", "reminder_cancel",
    "reminder_move", "more", "less", "style", "style_reset", "praise", "annoyed", "missed", "why",
    "who", "help", "said", "remember", "forget", "pending", "undo", "decision", "cancel",
)  # fmt: skip
"""What of the assistant's own talking and memory a message is about; `-`: nothing."""
TAGS: dict[str, str] = {
    "-": "other",
    "v": "verb",
    "o": "object",
    "a": "value",
    "t": "time",
    "c": "condition",
    "x": "exception",
    "q": "amount",
    "m": "manner",
    "n": "not_meant",
    "s": "superseded",
    "p": "politeness",
    "r": "reason",
}
"""What a token is part of, by the letter that marks it in the training data."""
LABELS: dict[str, tuple[str, ...]] = {
    "act": ACTS, "want": WANTS, "control": CONTROLS, "tag": tuple(TAGS)
}  # fmt: skip
"""By head of the reader: its labels, in the order of its outputs."""
