"""A pack whose boats are looked up in a file, which a test can break."""

from pathlib import Path

_ACTIONS = """
actions:
  show_boat:
    summary: "Show boat {boat}"
    verb: show
    object: boat
    slots: {boat: {type: boat, required: true}}
    effect: read
    handler: "handlers:show_boat"
    examples: ["show boat B-11", "display B-12", "where is the Heron"]
  paint_boat:
    summary: "Paint boat {boat}"
    verb: update
    words: [paint]
    object: paint
    slots: {boat: {type: boat, required: true}}
    effect: write
    handler: "handlers:paint_boat"
    examples: ["paint B-11", "paint the Heron"]
  sink_boat:
    summary: "Sink boat {boat}"
    verb: update
    words: [sink, scuttle]
    object: boat
    slots: {boat: {type: boat, required: true}}
    effect: destructive
    approvers: {roles: [master]}
    handler: "handlers:sink_boat"
    examples: ["sink B-11", "scuttle the Heron"]
  ring_bell:
    summary: "Ring the bell"
    verb: create
    words: [ring]
    object: bell
    slots: {}
    effect: destructive
    approvers: {roles: [master]}
    handler: "handlers:ring_bell"
    examples: ["ring the bell", "ring the harbour bell"]
"""
_ENTITIES = """
entities:
  boat: {patterns: ["B-\\\\d{2}"], lookup: "handlers:boats"}
"""
_HANDLERS = '''
"""Boats, and what was done to them."""

from pathlib import Path

FILE = "boatyard.txt"


def boats(data_dir):
    file = Path(data_dir) / FILE
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("B-11 Heron\\\\nB-12 Tern\\\\n")
    return {line.split()[0]: [line.split()[1]] for line in file.read_text().splitlines()}


def _done(context, what):
    folder = Path(context.data_dir)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "done.txt").open("a") as book:
        book.write(what + "\\\\n")
    return what


def show_boat(context, *, boat):
    return f"This is {boat}."


def paint_boat(context, *, boat):
    return _done(context, f"painted {boat}")


def sink_boat(context, *, boat):
    return _done(context, f"sank {boat}")


def ring_bell(context):
    return _done(context, "rang")
'''


def write_boatyard(folder: Path) -> Path:
    """Write the pack `boatyard` into a folder; it ships with B-11 Heron and B-12 Tern."""
    pack = folder / "boatyard"
    pack.mkdir()
    for name, text in (
        ("actions.yaml", _ACTIONS),
        ("entities.yaml", _ENTITIES),
        ("handlers.py", _HANDLERS.replace("\\\\n", "\\n")),
    ):
        (pack / name).write_text(text, "utf-8")
    return pack


def break_lookup(data_dir: Path) -> Path:
    """Leave a file that the lookup cannot read, in the default tenant's folder."""
    file = data_dir / "packs" / "default" / "boatyard.txt"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("B-11\n", "utf-8")  # no name: IndexError
    return file


def mend_lookup(file: Path) -> None:
    """Let it be read again."""
    file.write_text("B-11 Heron\nB-12 Tern\n", "utf-8")


def done(data_dir: Path) -> list[str]:
    """List what was done, in order."""
    book = data_dir / "packs" / "default" / "done.txt"
    return book.read_text("utf-8").splitlines() if book.exists() else []
