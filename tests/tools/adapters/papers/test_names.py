"""People and venues are known by every common way of writing them, and by no other."""

import pytest

from tools.adapters.papers.constraints import is_author, is_venue


@pytest.mark.parametrize(
    ("author", "wanted"),
    [
        ("Geoffrey E. Hinton", "Hinton"),
        ("G. E. Hinton", "Geoffrey Hinton"),
        ("Geoffrey Hinton", "G. Hinton"),
        ("Hinton, Geoffrey", "Geoffrey Hinton"),
        ("Yoshua Bengio", "BENGIO, Yoshua"),
        ("Jürgen Schmidhuber", "Jurgen Schmidhuber"),
        ("Yann LeCun", "yann lecun"),
        ("Hinton", "Geoffrey Hinton"),
    ],
)
def test_these_are_one_person(author: str, wanted: str) -> None:
    assert is_author(author, wanted)


@pytest.mark.parametrize(
    ("author", "wanted"),
    [
        ("Samy Bengio", "Yoshua Bengio"),
        ("Everest Hinton", "Geoffrey Hinton"),
        ("Ada Lovelace", "Hinton"),
        ("", "Hinton"),
        ("Ada Lovelace", ""),
    ],
)
def test_these_are_two_people(author: str, wanted: str) -> None:
    assert not is_author(author, wanted)


@pytest.mark.parametrize(
    ("venue", "wanted"),
    [
        ("Nature", "nature"),
        ("The Lancet", "Lancet"),
        ("Advances in Neural Information Processing Systems", "NeurIPS"),
        ("Neural Information Processing Systems", "NIPS"),
        ("Proceedings of the ICML 2019", "ICML"),
        ("International Conference on Machine Learning", "icml"),
        ("Journal of Machine Learning Research", "JMLR"),
        ("Physical Review Letters", "PRL"),
        ("Proceedings of the National Academy of Sciences of the United States", "PNAS"),
        ("IEEE Transactions on Robotics", "Transactions on Robotics"),
        ("Physical Review Letters", "Phys. Rev. Lett."),
        ("The New England Journal of Medicine", "N Engl J Med"),
    ],
)
def test_these_are_one_venue(venue: str, wanted: str) -> None:
    assert is_venue(venue, wanted)


@pytest.mark.parametrize(
    ("venue", "wanted"),
    [
        ("Nature Communications", "Nature"),
        ("Science of the Total Environment", "Science"),
        ("Cell Reports", "Cell"),
        ("Machine Learning", "ICML"),
        ("Journal of Tests", "Nature"),
        ("Nature", ""),
    ],
)
def test_these_are_two_venues(venue: str, wanted: str) -> None:
    assert not is_venue(venue, wanted)
