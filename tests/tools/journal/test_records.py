"""Decision records are read as their authors meant them, and written so that they can be."""

import pytest

from state.errors import BadInput
from state.journal import Alternative, Decision, DecisionStatus, TradeOffs
from tools.journal.records.reader import MOST_CHARACTERS, read_record
from tools.journal.records.writer import as_markdown, file_name

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


def test_nygard_s_form_is_read() -> None:
    found = read_record(NYGARD, "adr/0012-use-ferries.md")
    assert (found.title, found.decision) == ("Use ferries", "We will use ferries.")
    assert found.context == "The river is wide."
    assert found.status is DecisionStatus.SUPERSEDED
    assert found.superseded_by == "13. Use bridges (0013-use-bridges.md)"
    assert found.timestamp is not None
    assert found.timestamp.date().isoformat() == "2024-02-29"
    assert found.trade_offs == TradeOffs(pros=("they are cheap",), cons=("they stop in winter",))


def test_madr_is_read() -> None:
    found = read_record(MADR, "0013-use-bridges.md")
    assert found.status is DecisionStatus.ACTIVE
    assert found.stakeholders == ("Ann", "Bo")
    assert found.tags == ("transport",)
    assert found.alternatives == (
        Alternative(option="Tunnels", pros=("dry",), cons=("dear",)),
        Alternative(option="Ferries"),
    )
    assert found.trade_offs == TradeOffs(pros=("No timetable",))


def test_drivers_are_no_decision() -> None:
    page = MADR.replace(
        "## Considered", "## Decision Drivers\n\n* trucks of 40 t\n* frost\n\n## Considered"
    )
    found = read_record(page, "0013-use-bridges.md")
    assert (found.decision, found.rationale) == (
        'Chosen option: "Bridges".',
        "they stand all year",
    )
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
def test_a_section_is_found_by_its_whole_name_first(
    sections: str, decision: str, rationale: str
) -> None:
    found = read_record(f"# Planks\n\n{sections}\n", "a.md")
    assert (found.decision, found.rationale) == (decision, rationale)


def test_a_y_statement_is_read() -> None:
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


def test_a_record_is_the_same_by_its_path_within_a_tenant() -> None:
    one, again = (read_record(text, "a.md").id for text in (NYGARD, MADR))
    assert one == again != read_record(NYGARD, "a.md", tenant_id="other").id


def test_a_page_without_a_title_is_named_by_its_file() -> None:
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
def test_no_front_matter_breaks_a_record(front: str, day: str | None) -> None:
    found = read_record(f"---\n{front}\n---\n# Sail\n\n## Decision\n\nSail home.\n", "a.md")
    assert (found.title, found.decision) == ("Sail", "Sail home.")
    assert (found.stakeholders, found.tags) == ((), ())
    assert (found.timestamp.date().isoformat() if found.timestamp else None) == day


@pytest.mark.parametrize("opened", ["[", "![", "[a](", "<!--", "# "])
def test_what_is_opened_a_thousand_times_is_read_once(opened: str) -> None:
    text = opened * (150_000 // len(opened))  # quadratic, these took up to a minute
    assert read_record(f"# Sail\n\n## Decision\n\n{text}\n", "a.md").title == "Sail"


def test_what_is_no_record_is_refused() -> None:
    with pytest.raises(BadInput, match="no words"):
        read_record("---\n---\n", "a.md")
    with pytest.raises(BadInput, match="longer than"):
        read_record("x" * (MOST_CHARACTERS + 1), "a.md")


@pytest.mark.parametrize("text", [NYGARD, MADR])
def test_an_exported_record_says_the_same_when_it_is_read_again(text: str) -> None:
    found = read_record(text, "a.md")
    again = read_record(as_markdown(found), "a.md")
    same = ("title", "decision", "context", "status", "timestamp", "alternatives", "trade_offs")
    assert [getattr(again, name) for name in same] == [getattr(found, name) for name in same]


def test_a_file_is_named_by_day_and_title() -> None:
    found = read_record(MADR, "a.md")
    assert file_name(found) == f"2024-03-01-use-bridges-{found.id[-6:]}.md"
    bare = Decision(id="dec-123456", session_id="s", title="?!", decision="?!", confidence=1.0)
    assert file_name(bare) == "decision-123456.md"


def test_nygard_s_form_is_written_with_its_successor() -> None:
    written = as_markdown(read_record(NYGARD, "a.md"), "nygard")
    assert "## Status\n\nSuperseded by 13. Use bridges (0013-use-bridges.md)\n" in written
