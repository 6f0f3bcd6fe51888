"""Whether anything is wanted now: the learnt classifier and the decisions on it."""
