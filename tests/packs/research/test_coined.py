import pytest

from packs.research.lookups import coined_names
from state.paper import Paper


def paper(title: str, abstract: str = "") -> Paper:
    return Paper(paper_id=title, ids={}, title=title, authors=(), abstract=abstract)


@pytest.mark.parametrize(
    ("title", "abstract", "names"),
    [
        ("BERT: Pre-training of transformers", "", ["BERT"]),
        ("A network for images", "We introduce a new U-Net for cells.", ["U-Net"]),
        ("Graphs", "We present graph attention networks (GATs), which weigh.", ["GAT"]),
        ("Few examples", "We train a model called GPT-3 on text.", ["GPT-3"]),
        ("Layers", "We present Layers and propose Methods.", []),
        ("Residuals", "Networks of 152 layers are trained on ImageNet.", []),
        ("A study of COVID in Kenya", "", []),
    ],
)
def test_what_a_paper_coins_names_it(title: str, abstract: str, names: list[str]) -> None:
    assert coined_names({"P-1": paper(title, abstract)}) == {"P-1": names}


def test_a_name_that_two_papers_coin_names_neither() -> None:
    first = paper("BERT: one", "We present ViT.")
    second = paper("Another", "We propose BERT.")

    assert coined_names({"P-1": first, "P-2": second}) == {"P-1": ["ViT"], "P-2": []}
