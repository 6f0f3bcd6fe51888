"""What the bank's things are called."""

import sqlite3
from contextlib import closing
from pathlib import Path

from . import store


def _rows(data_dir: Path, statement: str) -> list[sqlite3.Row]:
    with closing(store.connect(data_dir)) as connection:
        return connection.execute(statement).fetchall()


def customers(data_dir: Path) -> dict[str, list[str]]:
    return {row["id"]: [row["name"]] for row in _rows(data_dir, "select * from customer")}


def accounts(data_dir: Path) -> dict[str, list[str]]:
    return {row["id"]: [row["name"]] for row in _rows(data_dir, "select * from account")}


def cards(data_dir: Path) -> dict[str, list[str]]:
    return {row["id"]: [] for row in _rows(data_dir, "select * from card")}


def loans(data_dir: Path) -> dict[str, list[str]]:
    return {row["id"]: [row["name"]] for row in _rows(data_dir, "select * from loan")}


def payees(data_dir: Path) -> dict[str, list[str]]:
    return {row["name"]: [] for row in _rows(data_dir, "select * from payee")}
