"""Packs made of domains, and what is said to them."""

import subprocess
import sys

from evals.training.actionability_data import synthetic_talk
from tests.architecture.source import ROOT


def test_nothing_that_is_asked_is_an_example_of_the_pack_that_is_asked() -> None:
    packs = list(synthetic_talk("gym"))
    assert len(packs) == 4
    for catalogue, told in packs:
        examples = {text for action in catalogue.actions.values() for text in action.examples}
        asked = {one.text for one in told}
        assert examples
        assert not asked & examples
        assert {one.is_wanted for one in told} == {True, False}


def test_each_wish_and_each_talk_is_asked_once_of_the_packs_with_entries() -> None:
    _labelled, *listed = synthetic_talk("farm")
    asked = [one.text for _catalogue, told in listed for one in told]
    assert len(asked) == len(set(asked)) > 300
    versions = {catalogue.version for catalogue, _told in listed}
    assert len(versions) == len(listed)  # what is learnt of one is not taken for another's


def test_packs_are_made_without_what_learns_from_them() -> None:
    script = (
        "import sys, evals.training.actionability_data\n"
        "print(*(name for name in sys.modules if 'encoder_adapter' in name))"
    )
    answer = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip() == ""
