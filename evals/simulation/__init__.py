"""Does it learn? A household that comes back every day, a user who rates, a model that is asked."""
