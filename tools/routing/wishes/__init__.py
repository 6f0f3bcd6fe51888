"""Does somebody want something done now? Learnt, where the grammar alone cannot tell."""
