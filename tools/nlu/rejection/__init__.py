"""What keeps an intent from being sure, from running by itself or from being taken whole."""
