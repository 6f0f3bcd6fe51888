"""How much an event stands out: from its words, its familiarity and what was asked for."""
