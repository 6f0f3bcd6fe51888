"""Decision records are read and written as their authors meant them."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from state.errors import BadInput
from state.journal import Alternative, Decision, DecisionStatus, TradeOffs
from state.note import NotedDecision
from state.reader import whole
from tests.noting import note_earlier, notes_of
from tests.stages import NOW, event_of
from tools.journal.decision_recall import LegacyNotes, decision_line
from tools.journal.records.reader import MOST_CHARACTERS, read_record
from tools.journal.records.status import read_status
from tools.journal.records.writer import as_markdown, file_name
from tools.storage.database import Database

# Decision records are read as their authors meant them, and written so that they can be.

NYGARD = """# 12. Use ferries

Date: 2024-02-29

## Status

Superseded by [13. Use bridges](0013-use-bridges.md)

## Context

The river is wide.

## Decision

We will use *ferries*.

## Consequences

* Good, because they are cheap
* Bad, because they stop in winter
"""
MADR = """---
status: accepted
date: 2024-03-01
decision-makers: [Ann, Bo]
tags: [transport]
---
# Use bridges

## Context and Problem Statement

Ferries stop in winter.

## Considered Options

* [Bridges](x.md)
* Tunnels
* Ferries

## Decision Outcome

Chosen option: "Bridges", because they stand all year.

### Positive Consequences

* No timetable

## Pros and Cons of the Options

### Tunnels

* Good, because dry
* Bad, because dear
"""


def test_nygard_s_form_is_read():
    found = read_record(NYGARD, "adr/0012-use-ferries.md")
    assert (found.title, found.decision) == ("Use ferries", "We will use ferries.")
    assert found.context == "The river is wide."
    assert found.status is DecisionStatus.SUPERSEDED
    assert found.superseded_by == "13. Use bridges (0013-use-bridges.md)"
    assert found.timestamp is not None
    assert found.timestamp.date().isoformat() == "2024-02-29"
    assert found.trade_offs == TradeOffs(pros=("they are cheap",), cons=("they stop in winter",))


def test_madr_is_read():
    found = read_record(MADR, "0013-use-bridges.md")
    assert found.status is DecisionStatus.ACTIVE
    assert found.stakeholders == ("Ann", "Bo")
    assert found.tags == ("transport",)
    assert found.alternatives == (
        Alternative(option="Tunnels", pros=("dry",), cons=("dear",)),
        Alternative(option="Ferries"),
    )
    assert found.trade_offs == TradeOffs(pros=("No timetable",))


def test_drivers_are_no_decision():
    page = MADR.replace(
        "## Considered", "## Decision Drivers\n\n* trucks of 40 t\n* frost\n\n## Considered"
    )
    found = read_record(page, "0013-use-bridges.md")
    assert (found.decision, found.rationale) == ('Chosen option: "Bridges".', "they stand all year")
    assert found.context == ("Ferries stop in winter.\n\nDecision drivers: trucks of 40 t; frost")
    without_reason = read_record(page.replace(", because they stand all year", ""), "a.md")
    assert without_reason.rationale == "trucks of 40 t; frost"


@pytest.mark.parametrize(
    ("sections", "decision", "rationale"),
    [
        (
            "## Decision Criteria\n\nprice\n\n## Decision\n\nBuy oak, because it lasts. Order it.",
            "Buy oak. Order it.",
            "it lasts",
        ),
        (
            "## Decision Makers\n\nAnn\n\n## 2. Decision and consequences\n\nBuy oak.",
            "Buy oak.",
            "",
        ),
        ("## Context\n\nIt rots.\n\n## Our decision\n\nBuy oak.", "Buy oak.", ""),
        (
            "## Decision\n\nBuy oak.\n\n## Positions\n\n* pine\n\n## Argument\n\nOak lasts.",
            "Buy oak.",
            "Oak lasts.",
        ),
        (
            "## Kontext\n\nEs fault.\n\n## Entscheidung\n\nWir nehmen Eiche, weil sie hält.",
            "Wir nehmen Eiche.",
            "sie hält",
        ),
        (
            "## Decision Outcome\n\nOak.\n\n### Consequences\n\nIt lasts.\n\n### More\n\n20 planks",
            "Oak.\n\nMore\n20 planks",
            "",
        ),
    ],
)
def test_a_section_is_found_by_its_whole_name_first(sections: str, decision: str, rationale: str):
    found = read_record(f"# Planks\n\n{sections}\n", "a.md")
    assert (found.decision, found.rationale) == (decision, rationale)


def test_a_y_statement_is_read():
    found = read_record(
        "# Berths\n\nIn the context of the summer season, facing more guests than berths, we "
        "decided for numbered berths and neglected a waiting list and free choice, to achieve "
        "quiet mornings, accepting that somebody must walk the pier.\n",
        "a.md",
    )
    assert (found.decision, found.rationale) == ("numbered berths", "to achieve quiet mornings")
    assert [one.option for one in found.alternatives] == ["a waiting list", "free choice"]
    assert found.context == "the summer season, facing more guests than berths"
    assert found.trade_offs == TradeOffs(cons=("somebody must walk the pier",))
    assert found.status is DecisionStatus.ACTIVE


def test_a_record_is_the_same_by_its_path_within_a_tenant():
    one, again = (read_record(text, "a.md").id for text in (NYGARD, MADR))
    assert one == again != read_record(NYGARD, "a.md", tenant_id="other").id


def test_a_page_without_a_title_is_named_by_its_file():
    assert read_record("We sail at noon.", "adr/0003-sail-at-noon.md").title == "sail at noon"


@pytest.mark.parametrize(
    ("front", "day"),
    [
        ("date: 2024-02-29", "2024-02-29"),
        ("date: 2024-02-29T23:30:00-02:00", "2024-02-29"),
        ("date: 2024-13-45", None),
        (f"date: {'9' * 6_000}", None),
        (f"date: {'[' * 2_000}", None),
        ("date: 2024-02-29\na: &a [x]\nb: *a", None),  # nine lines of aliases stand for a gigabyte
        ("date: !!python/object/apply:os.abort []", None),
        ('title: "\\U00110000"', None),
        ('title: "\\UFFFFFFFF"', None),
        (f"%YAML 1.{'9' * 5_000}", None),
        ("title: null\ndeciders: ~\ntags: NULL\nauthors: [Null]\ndate: ~", None),  # nothing
    ],
)
def test_no_front_matter_breaks_a_record(front: str, day: str | None):
    found = read_record(f"---\n{front}\n---\n# Sail\n\n## Decision\n\nSail home.\n", "a.md")
    assert (found.title, found.decision) == ("Sail", "Sail home.")
    assert (found.stakeholders, found.tags) == ((), ())
    assert (found.timestamp.date().isoformat() if found.timestamp else None) == day


@pytest.mark.parametrize("opened", ["[", "![", "[a](", "<!--", "# "])
def test_what_is_opened_a_thousand_times_is_read_once(opened: str):
    text = opened * (150_000 // len(opened))  # quadratic, these took up to a minute
    assert read_record(f"# Sail\n\n## Decision\n\n{text}\n", "a.md").title == "Sail"


def test_what_is_no_record_is_refused():
    with pytest.raises(BadInput, match="no words"):
        read_record("---\n---\n", "a.md")
    with pytest.raises(BadInput, match="longer than"):
        read_record("x" * (MOST_CHARACTERS + 1), "a.md")


@pytest.mark.parametrize("text", [NYGARD, MADR])
def test_an_exported_record_says_the_same_when_it_is_read_again(text: str):
    found = read_record(text, "a.md")
    again = read_record(as_markdown(found), "a.md")
    same = ("title", "decision", "context", "status", "timestamp", "alternatives", "trade_offs")
    assert [getattr(again, name) for name in same] == [getattr(found, name) for name in same]


def test_a_file_is_named_by_day_and_title():
    found = read_record(MADR, "a.md")
    assert file_name(found) == f"2024-03-01-use-bridges-{found.id[-6:]}.md"
    bare = Decision(id="dec-123456", session_id="s", title="?!", decision="?!", confidence=1.0)
    assert file_name(bare) == "decision-123456.md"


def test_nygard_s_form_is_written_with_its_successor():
    written = as_markdown(read_record(NYGARD, "a.md"), "nygard")
    assert "## Status\n\nSuperseded by 13. Use bridges (0013-use-bridges.md)\n" in written


# A record's status, in whatever words, layout and history: never in force by mistake.

ACTIVE, REVISITED = DecisionStatus.ACTIVE, DecisionStatus.REVISITED
SUPERSEDED, REJECTED = DecisionStatus.SUPERSEDED, DecisionStatus.REJECTED
PROPOSED, UNKNOWN = DecisionStatus.PROPOSED, DecisionStatus.UNKNOWN


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("Ratified by the harbour board on 3 May 2021", ACTIVE),
        ("✅ Approved (in writing)", ACTIVE),
        ("The council has agreed to this", ACTIVE),
        ("Accepted because the earlier offer was rejected", ACTIVE),
        ("Adopted. The steel bridge was rejected as too dear.", ACTIVE),
        ("Accepted, to be superseded by ADR-12 next year", ACTIVE),
        ("In force, supersedes 8", ACTIVE),
        ("Supersedes [8. Ferries](0008-ferries.md)", ACTIVE),
        ("{Active}", ACTIVE),
        ("Angenommen am 12.03.2024", ACTIVE),
        ("en vigueur", ACTIVE),
        ("Accepted. Amended by [ADR-9](0009-x.md)", REVISITED),
        ("Partially superseded by ADR-9", REVISITED),
        ("Superceded by 9", SUPERSEDED),
        ("No longer valid", SUPERSEDED),
        ("Not in use any more", SUPERSEDED),
        ("This policy has been repealed.", SUPERSEDED),
        ("Phased out in 2023", SUPERSEDED),
        ("ersetzt durch ADR 7", SUPERSEDED),
        ("Nicht mehr gültig", SUPERSEDED),
        ("Remplacé par [la navette](0007-navette.md)", SUPERSEDED),
        ("Sustituida por 0007", SUPERSEDED),
        ("❌ Turned down by the owners", REJECTED),
        ("never adopted", REJECTED),
        ("Voted down, 3 to 5", REJECTED),
        ("zurückgezogen", REJECTED),
        ("Rechazada", REJECTED),
        ("Not pursued", REJECTED),
        ("Was accepted, has since been rolled back", SUPERSEDED),
        ("To be surveyed", PROPOSED),
        ("Not yet approved", PROPOSED),
        ("Ready for approval", PROPOSED),
        ("Awaiting sign-off", PROPOSED),
        ("In review — until the surveyor answers", PROPOSED),
        ("Conditionally accepted", PROPOSED),
        ("Parked", PROPOSED),
        ("en attente", PROPOSED),
        ("Acceptée", ACTIVE),
        ("Proposed [Proposed, Accepted, Superseded, etc.]", PROPOSED),
        ("blubb", UNKNOWN),
        ("Godkjent?", UNKNOWN),
        ("not rejected", UNKNOWN),
        ("[proposed | accepted | retired]", UNKNOWN),
        ("adopted, dismissed or replaced", UNKNOWN),
        ("Agreed / Declined", UNKNOWN),
        # of several statuses the last counts
        ("Approved\n\nReplaced by [9. Trams](0009-trams.md)", SUPERSEDED),
        ("Approved 2020, withdrawn 2022", REJECTED),
        ("Adopted 2020-01-05 Retired 2022-03-01", SUPERSEDED),
        ("- 2019-01-01: draft\n- 2019-02-01: agreed\n- 2021-06-07: revoked", SUPERSEDED),
        ("- 2021-06-07: revoked\n- 2019-02-01: agreed\n- 2019-01-01: draft", SUPERSEDED),
        ("2022-01-03: in force again\n2021-06-07: revoked", ACTIVE),
        ("Accepted superseded by 12", SUPERSEDED),
        ("Accepted as draft", PROPOSED),
        ("Accepted by the review board", ACTIVE),
        ("Draft → Approved → Obsolete", SUPERSEDED),
        ("Proposed, then accepted on Friday", ACTIVE),
        ("~~Accepted~~ Declined", REJECTED),
        ("<del>Proposed</del> Accepted", ACTIVE),
        ("Superseded (originally accepted 2019)", SUPERSEDED),
        ("Accepted (obsolete since v3)", SUPERSEDED),
        ("- [ ] Proposed\n- [ ] Accepted\n- [x] Dropped", REJECTED),
        (
            "| When | What |\n|--|--|\n| 2020-01-01 | Accepted |\n| 2022-01-01 | Retired |",
            SUPERSEDED,
        ),
        ("Rejected\n\nAmended by ADR-9", REJECTED),
    ],
)
def test_a_status_is_read_in_other_words(words: str, status: DecisionStatus):
    assert read_status(words) is status


BADGE = "![x](https://b.example/badge/status-shelved-red)"
BODY = "\n\n## Context\n\nTwo piers leak.\n\n## Decision\n\nMend the north pier.\n"


@pytest.mark.parametrize(
    "page",
    [
        f"---\nstatus: shelved\ndate: 2025-01-19\n---\n# Mend a pier{BODY}",
        f'+++\nstatus = "shelved"\ndate = 2025-01-19\n+++\n# Mend a pier{BODY}',
        f"# Mend a pier\n\n**Status**: Shelved\n**Date**: 2025-01-19{BODY}",
        f"# Mend a pier\n\n* Status: shelved\n* Date: 2025-01-19{BODY}",
        f"# Mend a pier\n\n> Status: shelved\n> Date: 2025-01-19{BODY}",
        f"| Status | Date |\n|:--|:--|\n| Shelved | 2025-01-19 |\n\n# Mend a pier{BODY}",
        f"# Mend a pier\n\n| | |\n|--|--|\n| **Status** | Shelved |\n| Date | 2025-01-19 |{BODY}",
        f"# Mend a pier\n\nDate: 2025-01-19\n\n## Status: Shelved{BODY}",
        f"Mend a pier\n===========\n\nDate: 2025-01-19\n\nStatus\n------\n\nShelved{BODY}",
        f"# Mend a pier\n\nDate: 2025-01-19\n\n## 1. Status\n\n{BADGE}{BODY}",
        f"# Mend a pier\n\nDatum: 2025-01-19\n\nEstado: aplazado{BODY}",
    ],
)
def test_a_status_is_found_wherever_it_stands(page: str):
    found = read_record(page, "adr/0004-pier.md")
    assert found.status is PROPOSED
    assert found.decision == "Mend the north pier."
    assert found.timestamp is not None
    assert found.timestamp.date().isoformat() == "2025-01-19"


@pytest.mark.parametrize(
    ("page", "status"),
    [
        (f"# Mend a pier{BODY}", ACTIVE),  # its author left no status
        (f"# Mend a pier (abandoned){BODY}", REJECTED),
        (f"# Mend a pier (north){BODY}", ACTIVE),
        (f"---\nstatus: accepted\n---\n# Mend a pier\n\n## Status\n\nRepealed{BODY}", SUPERSEDED),
        (f"---\nsuperseded-by: 0009\n---\n# Mend\n\n## Status\n\nAccepted{BODY}", SUPERSEDED),
        (f"# Mend a pier\n\nStatus: Accepted\nSuperseded by: none{BODY}", ACTIVE),
        (f"# Mend a pier\n\n## Status quo\n\nRejected{BODY}", ACTIVE),
        ("# Who may moor\n\n* [1. Ferries](0001.md)\n", UNKNOWN),  # says neither
        ("# Terms\n\n**Status**: accepted, rejected or superseded.\n", UNKNOWN),
    ],
)
def test_a_page_stands_as_all_of_it_says(page: str, status: DecisionStatus):
    assert read_record(page, "adr/0004-pier.md").status is status


# Decisions noted before the journal: found by their rarer words, never across tenants.


@pytest.fixture
async def notes(data_dir: Path) -> AsyncIterator[LegacyNotes]:
    database = Database(f"sqlite:///{data_dir / 'prefrontal.sqlite'}")
    yield LegacyNotes(database)
    await database.close()


def note_of(name: str, decision: str, rationale: str = "", *, days_ago: int = 0) -> NotedDecision:
    return NotedDecision(
        note_id=name,
        decision_id=name,
        decision=decision,
        rationale=rationale,
        decision_maker="amir",
        confidence=0.8,
        decided_at=NOW - timedelta(days=days_ago),
    )


async def put(notes: LegacyNotes, *made: NotedDecision, tenant_id: str = "default") -> None:
    for note in made:
        await note_earlier(notes.database, note, tenant_id)


async def about(notes: LegacyNotes, question: str, tenant_id: str = "default") -> list[str]:
    return [note.note_id for note in await notes.about(question, whole(tenant_id))]


async def test_a_note_comes_back_as_it_was(notes: LegacyNotes):
    kept = note_of("n", "use Postgres", "everybody knows it")
    await put(notes, kept)
    assert await notes.about("why Postgres, which everybody knows?", whole("default")) == [kept]


async def test_the_note_with_the_rarer_words_comes_first(notes: LegacyNotes):
    await put(
        notes,
        note_of("paint", "paint the hull blue"),
        note_of("crane", "paint the crane yellow"),
        note_of("dredge", "paint and dredge the basin"),
    )
    assert (await about(notes, "why did we decide to paint the crane yellow?"))[0] == "crane"


async def test_a_question_about_something_else_finds_nothing(notes: LegacyNotes):
    await put(notes, note_of("paint", "paint the hull blue"))
    assert await about(notes, "why did we hire a diver?") == []
    assert await about(notes, "why?") == []


async def test_another_tenant_finds_nothing(notes: LegacyNotes):
    await put(notes, note_of("n", "use Postgres everywhere"))
    assert await about(notes, "why use Postgres everywhere?", "other") == []


async def test_no_more_than_three_are_told(notes: LegacyNotes):
    await put(notes, *(note_of(str(number), f"paint hull {number}") for number in range(5)))
    assert len(await about(notes, "why paint the hull?")) == 3


@pytest.mark.parametrize("question", ["'; DROP TABLE noted_decision; --", '"', "%", "NEAR(", "🙂"])
async def test_an_odd_question_is_only_a_question(notes: LegacyNotes, question: str):
    await put(notes, note_of("n", "use Postgres everywhere"))
    assert await about(notes, question) == []
    assert await about(notes, "use Postgres") == ["n"]


async def test_of_notes_that_fit_alike_the_newest_comes_first(notes: LegacyNotes):
    names = ["z", "a", "m"]
    await put(notes, *(note_of(one, "dredge the basin") for one in names))
    await put(notes, note_of("old", "dredge the basin", days_ago=9))
    assert await notes.about("why dredge the basin?", whole("default"), limit=9) == [
        note_of(one, "dredge the basin") for one in ("m", "a", "z")
    ] + [note_of("old", "dredge the basin", days_ago=9)]


# What the Executive hears people decide is kept in the journal, and told as it was heard.


async def test_it_names_the_decision_it_was_heard_in_and_no_file(data_dir: Path):
    database = Database(f"sqlite:///{data_dir / 'prefrontal.sqlite'}")
    notes = notes_of(database)
    note = NotedDecision(
        note_id="note-d1",
        decision_id="d1",
        decision="dredge the channel",
        rationale="it silts up",
        confidence=0.9,
        decided_at=NOW,
    )
    await notes.put(note, event_of("We decided to dredge the channel because it silts up"))
    kept = await notes.journal.store.get("note-d1", whole("default"))
    assert (kept.heard_in, kept.source) == ("d1", None)
    assert await notes.about(event_of("why dredge the channel?")) == [note]
    forged = kept.model_copy(update={"decision_maker": "ann", "origin": "action"})
    back = await notes.journal.take([], [], "default", decisions=[forged], by="eve")
    assert back.stored.same == 1
    assert await notes.journal.store.get("note-d1", whole("default")) == kept
    other = forged.model_copy(update={"id": "act-1", "decision": "sink it", "title": "sink it"})
    await notes.journal.take([], [], "default", decisions=[other], by="eve")
    (told_of,) = await notes.about(event_of("why sink it?"))
    assert "allowed by ann, imported by eve" in decision_line(told_of)
    assert told_of.decision_id == "act-1"  # nothing that was heard here stands behind it
    await database.close()


# A decision is told in one sentence, in the words it was taken in.


@pytest.mark.parametrize("rationale", ["it lasts", "Because it lasts", " because\nit lasts"])
def test_a_reason_is_given_once(rationale: str):
    note = NotedDecision(
        note_id="n",
        decision_id="d",
        decision="use oak",
        rationale=rationale,
        confidence=1.0,
        decided_at=None,
    )
    assert decision_line(note) == "use oak, because it lasts"


def test_a_decision_of_unknown_status_is_told_as_one():
    note = NotedDecision(
        note_id="n",
        decision_id="d",
        decision="use oak",
        confidence=1.0,
        decided_at=None,
        origin="record",
        status=DecisionStatus.UNKNOWN,
        source="a.md",
    )
    assert decision_line(note) == "use oak (read from a.md, status unknown)"
