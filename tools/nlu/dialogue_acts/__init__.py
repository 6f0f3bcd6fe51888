"""Dialogue acts by grammar: clauses, their mood and the scope of one over the next."""
