"""Make a pack from labelled messages, one action an intent."""

import json
import keyword
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from hashlib import blake2s
from pathlib import Path

from state.errors import BadInput

OUT_OF_SCOPE = "oos"


def pack_from_labels(
    rows: Iterable[Mapping[str, str]],
    folder: Path,
    *,
    split: str | None = "train",
    per_action: int | None = None,
    changing: Collection[str] = (),
) -> int:
    """Write actions.yaml and handlers.py into `folder`; gives the number of actions.

    Args:
        rows: messages with text, intent and split.
        folder: the pack.
        split: which part to take; None: all.
        per_action: examples of an action at most.
        changing: intents that need a person's yes, as the rows have them; all others only read.

    Raises:
        BadInput: no row of that split has an intent; an intent of `changing` has no row; two
            intents would be one action.
    """
    taken = [
        row for row in rows if row["intent"] != OUT_OF_SCOPE and split in (None, row.get("split"))
    ]
    labels = _labels_by_name(row["intent"] for row in taken)
    if not labels:
        raise BadInput(f"no message of split {split!r} has an intent; name another split")
    unknown = sorted(set(changing) - set(labels.values()))
    if unknown:
        raise BadInput(
            f"no message of split {split!r} has the intent {unknown[0]!r}; check its name"
        )
    examples: dict[str, list[str]] = {name: [] for name in sorted(labels)}
    for row in taken:
        examples[action_name(row["intent"])].append(row["text"])
    entries = "".join(
        _entry(name, _spread(texts, per_action), changes=labels[name] in changing)
        for name, texts in examples.items()
    )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "actions.yaml").write_text(f"actions:\n{entries}", encoding="utf-8")
    (folder / "handlers.py").write_text(_handlers(examples), encoding="utf-8")
    return len(examples)


def action_name(intent: str) -> str:
    """Make an identifier of a label."""
    name = re.sub(r"\W+", "_", intent.strip().lower()).strip("_") or "intent"
    if not name.isascii():  # two of them may differ in nothing that an identifier keeps
        plain = re.sub(r"[^a-z0-9_]+", "", name).strip("_") or "intent"
        digest = blake2s(name.encode("utf-8", "replace"), digest_size=4).hexdigest()
        name = f"{plain}_{digest}"
    if keyword.iskeyword(name):
        return f"{name}_"
    return name if name.isidentifier() else f"intent_{name}"


def _labels_by_name(labels: Iterable[str]) -> Mapping[str, str]:
    """Give each action's label; two of one action would be asked for as one."""
    found: dict[str, str] = {}
    for label in labels:
        name = action_name(label)
        if found.setdefault(name, label) != label:
            raise BadInput(
                f"the intents {found[name]!r} and {label!r} would both be the action {name}; "
                "rename one"
            )
    return found


def _entry(name: str, examples: Sequence[str], *, changes: bool) -> str:
    lines = "".join(f"      - {_quoted(text)}\n" for text in examples)
    words = name.replace("_", " ").strip()
    return (
        f"  {name}:\n"
        f"    summary: {_quoted(f'Answer about {words}')}\n"
        f"    verb: {'update' if changes else 'show'}\n"
        f"    object: {name}\n"
        f"    effect: {'destructive' if changes else 'read'}\n"
        f'    handler: "handlers:{name}"\n'
        f"    examples:\n{lines}"
    )


def _spread(texts: Sequence[str], count: int | None) -> Sequence[str]:
    """Take so many texts at equal distances: files list the variations of one person together."""
    if count is None or count >= len(texts):
        return texts
    return [texts[place * len(texts) // count] for place in range(count)]


def _quoted(text: str) -> str:
    """Write a YAML string; JSON's are, but for half surrogate pairs and a few raw characters."""
    plain = json.dumps(text, ensure_ascii=False)
    return re.sub(r"[\x7f-\x9f\u2028\u2029\ufeff]", lambda m: f"\\u{ord(m[0]):04x}", plain)


def _handlers(names: Iterable[str]) -> str:
    functions = "".join(
        f"\n\ndef {name}(context: HandlerContext) -> ActionResult:\n"
        f'    """Say which intent was meant."""\n'
        f'    return ActionResult(text="{name}")\n'
        for name in names
    )
    return (
        '"""One function an intent: it says which one was meant."""\n\n'
        f"from state.action import ActionResult, HandlerContext\n{functions}"
    )
