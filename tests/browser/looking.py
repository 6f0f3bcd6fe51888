"""What is asked of every page in a browser."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

_AXE = Path(__file__).with_name("axe.min.js")


def faults_of(page: Page, *, every: bool = False) -> list[str]:
    """Ask axe-core what is wrong for whoever sees or moves otherwise, serious or worse.

    Args:
        every: by each rule it has, its advice too, and however small.
    """
    page.evaluate(_AXE.read_text(encoding="utf-8"))  # by the debugger: the page's CSP stands
    wanted = {} if every else {"runOnly": ["wcag2a", "wcag2aa", "wcag21aa"]}
    found: dict[str, Any] = page.evaluate("wanted => axe.run(wanted)", wanted)
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:120]}"
        for one in found["violations"]
        if every or one["impact"] in ("serious", "critical")
    ]


def is_too_wide(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth > innerWidth"))
