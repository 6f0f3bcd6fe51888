"""How well a pack made of somebody's labelled messages is routed, with what is learnt from few."""
