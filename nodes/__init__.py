"""The nodes of the graph, one stage of a decision each."""
