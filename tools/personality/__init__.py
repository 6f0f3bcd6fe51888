"""How it is and how it shows: traits, mood, rapport, and which response fits."""
