"""The prose linter finds what the old pages did wrong, and passes plain English."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType

import pytest

from graph.settings import ROOT

OF_OLD_PAGES = {
    "docs/reference/access.md": "Who may change nothing in the loaded packs writes none of it.",
    "docs/how-to/use-the-console.md": "What somebody is writing is not drawn over.",
    "docs/how-to/measure-a-change.md": "what is delivered again taken for new",
    "docs/explanation/gate.md": "A yes is never said there.",
    "docs/tutorials/a-quiet-evening.md": "What a new user sees who is alone with it for an hour.",
    "docs/explanation/journal.md": "One may say yes, and the decision is taken back.",
    "docs/explanation/memory.md": "Whom an import names as speaker did not say so here.",
    "docs/how-to/operate.md": "Whoever runs it begins with the table.",
    "docs/reference/packs.md": "What may be mended and is no fault it tells as a hint.",
    "docs/explanation/personality.md": "an alert is told in full, with what the domain knows",
    "docs/routing.md": "Slips of the keyboard are put right before anything is scored.",
    "docs/explanation/attention.md": "The event is passed over, and what was kept is told once.",
    "docs/explanation/dialogue-acts.md": "What was learnt of wishes may still offer.",
    "docs/strategies.md": "`doctor` and `why` say so, and what is learned is let go of unasked.",
    "docs/reference/threats.md": "Nobody has to have meant harm beforehand: the dead deed is told.",
    "docs/how-to/receive-webhooks.md": "Other services can be told what happens here.",
    "README.md": "What is dangerous waits for a person's explicit yes.",
}
"""A sentence of each page as it was before 0.2.0."""

PLAIN = """# Heading

The service rejects the key and logs `permission_refused`. Who may approve? An approver, such as
`who may` in code. "A yes" in quotation marks is somebody's words.

| is `told` | a cell |
| --- | --- |

```sh
whoever --passes-over
```
"""


@pytest.fixture(scope="module")
def prose() -> ModuleType:
    spec = spec_from_file_location("prose", ROOT / "scripts" / "prose.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules["prose"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", OF_OLD_PAGES)
def test_it_finds_the_faults_of_the_old_pages(prose: ModuleType, page: str) -> None:
    assert list(prose.findings(OF_OLD_PAGES[page], prose.Rules.read()))


def test_it_passes_plain_english_code_and_quotations(prose: ModuleType) -> None:
    assert [found for found in prose.findings(PLAIN, prose.Rules.read()) if found.line > 4] == []


def test_it_counts_words_and_names_the_line(prose: ModuleType) -> None:
    text = "Short.\n\n" + " ".join(["word"] * 41) + ". Short again."
    [found] = prose.findings(text, prose.Rules.read())
    assert (found.line, found.message) == (3, "41 words in a sentence (at most 40)")


def test_it_finds_long_entries_of_a_changelog(prose: ModuleType) -> None:
    text = f"- short\n- {'word ' * 16}\n"
    [found] = prose.of_changelog(text, prose.Rules.read())
    assert found.line == 2


def test_every_page_passes(prose: ModuleType) -> None:
    rules = prose.Rules.read()
    pages = prose.pages(rules)
    assert len(pages) > 40
    assert {page.name: found for page in pages if (found := prose.of_page(page, rules))} == {}
