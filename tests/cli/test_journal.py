"""`prefrontal journal`: a meeting and records go in, questions are answered, Markdown comes out."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from prefrontal.client import Client
from state.journal import Decision
from tests.cli.conftest import Prefrontal, records

MEETING = [
    {"message_id": "m1", "speaker": "ann", "content": "Shall we sail at noon or at dawn?"},
    {"message_id": "m2", "speaker": "ann", "content": "I suggest we sail at dawn"},
    {
        "message_id": "m3",
        "speaker": "bo",
        "content": "Agreed.",
        "timestamp": "2026-06-14T12:00:00Z",
    },
]
RECORD = (
    "# 1. Use ferries\n\nDate: 2024-02-29\n\n## Status\n\nRejected\n\n## Decision\n\nFerries.\n"
)


@pytest.fixture
def imported(prefrontal: Prefrontal, here: Path) -> Prefrontal:
    (here / "meeting.jsonl").write_text("\n".join(map(json.dumps, MEETING)), "utf-8")
    (here / "adr").mkdir()
    (here / "adr" / "0001-use-ferries.md").write_text(RECORD, "utf-8")
    (here / "adr" / "README.md").write_text("# Our records", "utf-8")
    result = prefrontal("journal", "import", "meeting.jsonl", "adr")
    assert result.exit_code == 0, result.output
    assert "2 decisions added" in result.stderr
    return prefrontal


def test_each_message_is_told_and_the_same_again_changes_nothing(imported: Prefrontal) -> None:
    result = imported("journal", "import", "meeting.jsonl", "--json")
    lines = records(result)
    assert [line["is_decision"] for line in lines] == [False, False, True]
    assert [line["message_id"] for line in lines] == ["m1", "m2", "m3"]
    assert "0 decisions added, 0 changed, 1 were there already" in result.stderr


def test_a_question_finds_it_with_the_fields_of_the_contract(imported: Prefrontal) -> None:
    (hit,) = records(imported("journal", "search", "why sail at dawn?", "--json"))
    assert (hit["decision"], hit["status"]) == ("sail at dawn", "active")
    assert hit["timestamp"] == "2026-06-14T12:00:00+00:00"
    assert {"id", "score", "source", "title", "snippet"} <= set(hit)
    (record,) = records(imported("journal", "search", "rejected decisions", "--json"))
    assert record["source"] == "adr/0001-use-ferries.md"
    assert "sail at dawn" in imported("journal", "search", "dawn").stdout


def test_nothing_found_says_so_and_ends_with_a_code(imported: Prefrontal) -> None:
    result = imported("journal", "search", "who baked the bread?")
    assert result.exit_code == 1
    assert "no decision on record" in result.stderr


@pytest.mark.parametrize(
    "asked",
    [
        ["use b before 2020", "--since", "2022-01-01"],
        ["use b", "--since", "2022-01-01", "--until", "2020-01-01"],
    ],
)
def test_times_that_contradict_each_other_are_told(imported: Prefrontal, asked: list[str]) -> None:
    result = imported("journal", "search", *asked)
    assert (result.exit_code, "must be before" in result.stderr) == (2, True)


@pytest.mark.parametrize("asked", ["search dawn", "show dec-1", "chain dec-1", "export"])
def test_a_folder_without_a_journal_is_named(prefrontal: Prefrontal, asked: str) -> None:
    result = prefrontal("journal", *asked.split(), "--data-dir", "nowhere")
    assert (result.exit_code, "nothing is kept in nowhere" in result.stderr) == (1, True)


def test_one_is_shown_with_the_places_it_was_said_in(imported: Prefrontal) -> None:
    (hit,) = records(imported("journal", "search", "dawn", "--json"))
    shown = imported("journal", "show", hit["id"])
    assert "decision said in" in shown.stdout
    assert "m2:" in shown.stdout
    assert imported("journal", "show", "dec-none").exit_code == 1


def test_what_is_exported_can_be_imported_elsewhere(imported: Prefrontal, here: Path) -> None:
    exported = imported("journal", "export")
    (here / "all.jsonl").write_text(exported.stdout, "utf-8")
    result = imported("journal", "import", "all.jsonl", "--data-dir", "other")
    assert "2 decisions added" in result.stderr, result.output
    assert imported("journal", "export", "--data-dir", "other").stdout == exported.stdout
    imported("journal", "export", "--out", "out")
    assert len(list((here / "out").glob("*.md"))) == 2


def test_a_reindex_tells_what_there_is(imported: Prefrontal) -> None:
    (drift,) = records(imported("journal", "reindex", "--json"))
    assert (drift["entries"], drift["text_is_whole"], drift["index"]["problem"]) == (2, True, "")


def put_records(here: Path, **texts: str) -> None:
    for name, status in texts.items():
        file = here / f"{name.replace('__', '/').replace('_', '-')}.md"
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"# {file.stem}\n\n## Status\n\n{status}\n", "utf-8")


def test_records_of_one_name_in_two_folders_are_two(prefrontal: Prefrontal, here: Path) -> None:
    put_records(here, a__0001_record="Accepted", b__0001_record="Rejected")
    assert "2 decisions added" in prefrontal("journal", "import", "a", "b").stderr
    again = prefrontal("journal", "import", "b/0001-record.md", "a", "a/0001-record.md")
    assert "0 decisions added, 0 changed, 2 were there already" in again.stderr
    stored = [json.loads(line) for line in prefrontal("journal", "export").stdout.splitlines()]
    assert {one["source"] for one in stored} == {"a/0001-record.md", "b/0001-record.md"}


def test_a_decision_given_twice_is_told_and_nothing_is_kept(imported: Prefrontal, here: Path):
    (here / "twice.jsonl").write_text(imported("journal", "export").stdout * 2, "utf-8")
    result = imported("journal", "import", "twice.jsonl", "--data-dir", "other")
    assert (result.exit_code, "given twice" in result.stderr) == (2, True)


def test_of_many_parts_the_journal_is_read_back_once(
    prefrontal: Prefrontal, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[None] = []
    exported = Client.exported

    def counted(self: Client) -> Iterator[Decision]:
        read.append(None)
        return exported(self)

    monkeypatch.setattr("api.cli.journal.MOST_MESSAGES", 1)
    monkeypatch.setattr(Client, "exported", counted)
    (here / "meeting.jsonl").write_text("\n".join(map(json.dumps, MEETING)), "utf-8")
    result = prefrontal("journal", "import", "meeting.jsonl")
    assert result.exit_code == 0, result.output
    assert "sail at dawn" in result.stdout
    assert "1 decisions added" in result.stderr
    assert len(read) == 1


def test_one_file_read_again_keeps_its_chain(prefrontal: Prefrontal, here: Path) -> None:
    put_records(here, adr__0001_a="Accepted", adr__0002_b="Supersedes 0001")
    prefrontal("journal", "import", "adr")
    before = prefrontal("journal", "export").stdout
    for name in ("0001-a.md", "0002-b.md"):
        result = prefrontal("journal", "import", f"adr/{name}")
        assert "0 decisions added, 0 changed, 1 were there already" in result.stderr
    assert prefrontal("journal", "export").stdout == before


@pytest.mark.parametrize("calls", [["0001-a.md 0002-b.md"], ["0002-b.md", "0001-a.md"]])
def test_files_are_linked_whether_read_in_one_call_or_in_two(
    prefrontal: Prefrontal, here: Path, calls: list[str]
) -> None:
    put_records(here, **{"0001_a": "Accepted", "0002_b": "Supersedes 0001"})
    for files in calls:
        assert prefrontal("journal", "import", *files.split(), "--json").exit_code == 0
    told = [json.loads(line) for line in prefrontal("journal", "export").stdout.splitlines()]
    old, new = sorted(told, key=lambda one: one["source"])
    assert (old["superseded_by"], new["supersedes"]) == (new["id"], old["id"])


def test_templates_are_no_records_and_every_markdown_file_is(prefrontal: Prefrontal, here: Path):
    put_records(here, adr__0000_template="Proposed", adr__adr_template="Proposed")
    put_records(here, adr__README="Accepted", adr__template="Accepted")
    (here / "adr" / "0001-long.markdown").write_text(RECORD, "utf-8")
    told = records(prefrontal("journal", "import", "adr", "--json"))
    assert [one["source"] for one in told] == ["adr/0001-long.markdown"]


@pytest.mark.parametrize("line", ["{", "[1]", '{"text": "hello"}', '{"content": 1}'])
def test_a_line_that_is_no_message_is_named(prefrontal: Prefrontal, here: Path, line: str) -> None:
    (here / "bad.jsonl").write_text(f"\n{line}\n", "utf-8")
    result = prefrontal("journal", "import", "bad.jsonl")
    assert result.exit_code == 2
    assert "bad.jsonl:2" in result.stderr


def test_a_person_links_lists_and_takes_back(prefrontal: Prefrontal, here: Path) -> None:
    lines = [{"content": f"We decided to {what}."} for what in ("sail at dawn", "walk home")]
    (here / "talk.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    older, newer = (one["decision_id"] for one in records(
        prefrontal("journal", "import", "talk.jsonl", "--json")))  # fmt: skip
    (made,) = records(prefrontal("journal", "link", newer, older, "--as", "ann", "--json"))
    assert (made["standing"], made["made_by"]) == ("accepted", "ann")
    assert records(prefrontal("journal", "links", "--json")) == [made]
    assert prefrontal("journal", "link", older, newer).exit_code == 1
    (after,) = records(prefrontal("journal", "settle", "1", "--refuse", "--json"))
    assert (after["standing"], after["settled_by"]) == ("refused", "owner")
    for asked in ("show", "chain"):
        assert "refused by owner" in " ".join(prefrontal("journal", asked, older).stdout.split())
    assert prefrontal("journal", "links", "--standing", "maybe").exit_code == 2


def test_a_record_of_a_repository_is_the_same_from_any_folder(
    prefrontal: Prefrontal, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "work" / ".git").mkdir(parents=True)
    put_records(here / "work", adr__0001_a="Accepted")
    data = ("--data-dir", str(here / "data"))
    prefrontal("journal", "import", "work/adr", *data)
    monkeypatch.chdir(here / "work" / "adr")
    again = prefrontal("journal", "import", ".", *data)
    assert "0 decisions added, 0 changed, 1 were there already" in again.stderr
    (stored,) = records(prefrontal("journal", "export", *data))
    assert stored["source"] == "adr/0001-a.md"


def test_watching_keeps_decisions_as_they_are_taken(prefrontal: Prefrontal, here: Path) -> None:
    said = [("ann", "Shall we sail at dawn?"), ("bo", "Agreed."), ("bo", "The soup is good.")]
    lines = [json.dumps({"speaker": who, "content": text}) for who, text in said]
    (here / "talk.jsonl").write_text("\n".join(lines), "utf-8")
    (made,) = records(prefrontal("journal", "watch", "talk.jsonl", "--once", "--json"))
    assert (made["decision"], made["decision_maker"]) == ("sail at dawn", "ann")
    assert records(prefrontal("journal", "export")) == [made]


def test_what_a_question_asks_in_vain_is_told_beside_what_was_found(imported: Prefrontal) -> None:
    result = imported("journal", "search", "decisions about sailing next month", "--json")
    assert records(result)[0]["decision"] == "sail at dawn"
    assert "not understood (time): “next month”" in result.stderr
