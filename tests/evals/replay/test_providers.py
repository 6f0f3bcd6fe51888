from pathlib import Path

import httpx
import pytest

from evals.conversation_script import Script, read_script
from evals.loopback.paper_providers import serve_papers
from evals.runner.replay import SHIPPED
from state.errors import BadInput

RESEARCH = SHIPPED / "research" / "requests.replay.yaml"


def script(papers: str | None) -> Script:
    return read_script(RESEARCH).model_copy(update={"papers": papers})


def test_both_providers_find_by_words_and_give_what_is_barred_too() -> None:
    with serve_papers(RESEARCH, script("papers.yaml")) as settings:
        scholar = httpx.get(
            f"{settings['semantic_scholar_url']}/graph/v1/paper/search",
            params={"query": "coral bleaching", "year": "2099-"},
        ).json()
        works = httpx.get(
            f"{settings['openalex_url']}/works", params={"search": "coral bleaching"}
        ).json()

    titles = [paper["title"] for paper in scholar["data"]]
    assert "A decade of coral bleaching" in titles
    assert titles == [work["display_name"] for work in works["results"]]


def test_without_papers_nothing_is_searched() -> None:
    with serve_papers(RESEARCH, script(None)) as settings:
        assert settings == {"paper_providers": ()}


def test_a_shelf_that_is_none_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "papers.yaml").write_text("- title: only that\n", encoding="utf-8")

    with (
        pytest.raises(BadInput, match="holds no papers"),
        serve_papers(tmp_path / "some.replay.yaml", script("papers.yaml")),
    ):
        pass
