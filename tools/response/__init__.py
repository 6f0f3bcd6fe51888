"""How a decision becomes words: strategies, skills, personality, fixed replies and delivery."""
