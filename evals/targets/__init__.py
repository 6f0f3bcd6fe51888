"""What each kind of dataset is answered by: the real graph, driven case by case."""
