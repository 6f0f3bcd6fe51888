"""The words that several rules share: names of papers, months, amounts, function words."""
