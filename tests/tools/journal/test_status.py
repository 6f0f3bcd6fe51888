"""A record's status, in whatever words, layout and history: never in force by mistake."""

import pytest

from state.journal import DecisionStatus
from tools.journal.records.reader import read_record
from tools.journal.records.status import read_status

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
    ],
)
def test_a_status_is_read_in_other_words(words: str, status: DecisionStatus) -> None:
    assert read_status(words) is status


@pytest.mark.parametrize(
    ("history", "status"),
    [
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
def test_of_several_statuses_the_last_counts(history: str, status: DecisionStatus) -> None:
    assert read_status(history) is status


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
def test_a_status_is_found_wherever_it_stands(page: str) -> None:
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
def test_a_page_stands_as_all_of_it_says(page: str, status: DecisionStatus) -> None:
    assert read_record(page, "adr/0004-pier.md").status is status
