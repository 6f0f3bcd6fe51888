"""`prefrontal queries quality`: what policy promised and did not keep, down to the turn."""

from pathlib import Path

from tests.cli.conftest import Prefrontal, records

SHELF = ("--pack", str(Path(__file__).parents[1] / "shelf"))
ANN = ("--as", "ann:reader", *SHELF)


def test_the_rates_of_a_pack_lead_to_the_turn_that_missed(prefrontal: Prefrontal) -> None:
    prefrontal("ask", "find me books", *ANN)
    prefrontal("ask", "find recent books on ice", *ANN)
    told = prefrontal("queries", "quality", *SHELF)
    assert told.exit_code == 0
    assert "shelf: 2 turns: 2 direct search" in told.stdout
    assert "clarified first" in told.stdout
    (body,) = records(prefrontal("queries", "quality", "--json", *SHELF))
    assert body["direct_search_tool_call_rate"]["n"] == 2
    assert prefrontal("queries", "quality", "--at-least", "0.5", *SHELF).exit_code == 0
    assert prefrontal("queries", "quality", "--at-least", "0.51", *SHELF).exit_code == 1
    (missed,) = body["missed"]
    why = prefrontal("why", missed["decision_id"], "--verbose").stdout
    assert "Intent: direct_search" in why
    assert "forced:find_books" in why
    done = prefrontal("why", "--last").stdout
    assert "year from=" in done
    assert "On success the stage becomes finding" in done
