"""`python -m graph.cli`, where no `prefrontal` is on the path."""

from graph.cli import main

main()
