"""Insert the first papers into an empty store, always the same."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from prefrontal.pack import Paper

SHELVED_BY, SHELVED_AT = "elif", "2026-01-12T09:00:00+00:00"


@cache
def read_seed() -> Sequence[Mapping[str, Any]]:  # YAML's own values
    """Read the papers; their abstracts are summaries in our own words."""
    text = Path(__file__).with_name("papers.yaml").read_text(encoding="utf-8")
    papers: Sequence[Mapping[str, Any]] = yaml.safe_load(text)["papers"]
    return papers


def plant(connection: sqlite3.Connection) -> None:
    """Put the papers on the library; the caller holds the transaction."""
    for number, record in enumerate(read_seed(), 1):
        own = {name: value for name, value in record.items() if name not in ("tags", "status")}
        paper = Paper.model_validate({"ids": {}, **own})
        body = paper.model_dump(mode="json")
        connection.execute(
            "INSERT INTO paper VALUES (?, ?, ?, ?)",
            (number, paper.title, json.dumps(body), SHELVED_AT),
        )
        keys = {paper.paper_id, *(f"{kind}:{value}" for kind, value in paper.ids.items())}
        connection.executemany(
            "INSERT INTO paper_key VALUES (?, ?)", [(key, number) for key in sorted(keys)]
        )
        connection.execute(
            "INSERT INTO library VALUES (?, ?, ?, ?, NULL)",
            (number, SHELVED_BY, SHELVED_AT, record["status"]),
        )
        connection.executemany(
            "INSERT INTO tag VALUES (?, ?)", [(number, tag) for tag in record["tags"]]
        )
