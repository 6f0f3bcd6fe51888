"""Paper providers on loopback: they match words of a fixed shelf and ignore every filter."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

import yaml
from pydantic import TypeAdapter, ValidationError

from evals.conversation_script import Script
from state.errors import BadInput
from state.noun import Noun

_ANSWERED = 100
_ENDS = {"citations": "citingPaper", "references": "citedPaper"}


class ShelfPaper(Noun):
    """A paper as the providers of a replay hold it."""

    title: str
    published: str
    authors: tuple[str, ...]
    venue: str = ""
    doi: str | None = None
    is_open: bool = False
    citations: int = 0
    abstract: str = ""

    @property
    def words(self) -> frozenset[str]:
        """Return the words it is found by."""
        return frozenset(re.findall(r"\w{3,}", f"{self.title} {self.abstract}".lower()))


_SHELF = TypeAdapter(tuple[ShelfPaper, ...])


@contextmanager
def serve_papers(path: Path, script: Script) -> Iterator[Mapping[str, Any]]:  # by setting
    """Serve the papers of a replay while it is played; yields the settings that lead there.

    What a filter should have kept away comes all the same, so that the search has to see to it.
    """
    if script.papers is None:
        yield {"paper_providers": ()}
        return
    shelf = _read(path.parent / script.papers)
    with ExitStack() as servers:
        places = {
            name: servers.enter_context(_served(shelf, name))
            for name in ("semantic_scholar", "openalex")
        }
        yield {
            "allowed_private_hosts": tuple(places.values()),
            **{f"{name}_url": f"http://{place}" for name, place in places.items()},
        }


def _read(path: Path) -> tuple[ShelfPaper, ...]:
    try:
        return _SHELF.validate_python(yaml.safe_load(path.read_text("utf-8")))
    except (OSError, yaml.YAMLError, ValidationError) as error:
        raise BadInput(f"{path} holds no papers: {error}") from error


@contextmanager
def _served(shelf: Sequence[ShelfPaper], name: str) -> Iterator[str]:
    speak = {"semantic_scholar": _as_semantic_scholar, "openalex": _as_openalex}[name]

    class Handler(BaseHTTPRequestHandler):
        """Answers one request."""

        def do_GET(self) -> None:
            """Find papers."""
            parts = urlsplit(self.path)
            given = {key: values[0] for key, values in parse_qs(parts.query).items()}
            body = json.dumps(speak(shelf, parts.path, given)).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the base class's)
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _found(shelf: Sequence[ShelfPaper], query: str) -> list[tuple[int, ShelfPaper]]:
    """Give what shares a word with a query, most words first, each with its number."""
    words = set(re.findall(r"\w{3,}", query.lower()))
    hits = [(number, one) for number, one in enumerate(shelf, 1) if words & one.words or not words]
    return sorted(hits, key=lambda hit: -len(words & hit[1].words))[:_ANSWERED]


def _as_semantic_scholar(
    shelf: Sequence[ShelfPaper], path: str, given: Mapping[str, str]
) -> dict[str, Any]:
    hits = [
        {
            "paperId": f"{number:040x}",
            "externalIds": {"DOI": one.doi} if one.doi else {},
            "title": one.title,
            "abstract": one.abstract or None,
            "venue": one.venue,
            "year": int(one.published[:4]),
            "publicationDate": one.published,
            "citationCount": one.citations,
            "isOpenAccess": one.is_open,
            "openAccessPdf": {"url": f"https://papers.example/{number}.pdf", "status": "GREEN"}
            if one.is_open
            else {"url": "", "status": "CLOSED"},
            "authors": [{"authorId": None, "name": name} for name in one.authors],
        }
        for number, one in _found(shelf, given.get("query", ""))
    ]
    end = _ENDS.get(path.rsplit("/", 1)[1])
    if end is not None:
        return {"offset": 0, "data": [{end: hit} for hit in hits[:3]]}
    if "/recommendations/" in path:
        seed = path.rsplit("/", 1)[1]
        return {"recommendedPapers": [hit for hit in hits if hit["paperId"] != seed]}
    return {"total": len(hits), "offset": 0, "data": hits}


def _as_openalex(
    shelf: Sequence[ShelfPaper], path: str, given: Mapping[str, str]
) -> dict[str, Any]:
    hits = [] if path != "/works" else _found(shelf, given.get("search", ""))
    return {
        "meta": {"count": len(hits), "next_cursor": None},
        "results": [
            {
                "id": f"https://openalex.org/W{1_000 + number}",
                "doi": f"https://doi.org/{one.doi}" if one.doi else None,
                "display_name": one.title,
                "title": one.title,
                "publication_year": int(one.published[:4]),
                "publication_date": one.published,
                "cited_by_count": one.citations,
                "open_access": {"is_oa": one.is_open},
                "primary_location": {"source": {"display_name": one.venue}},
                "authorships": [{"author": {"display_name": name}} for name in one.authors],
            }
            for number, one in hits
        ],
    }
