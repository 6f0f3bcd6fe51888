"""Why the best action is not named, or does not run by itself."""
