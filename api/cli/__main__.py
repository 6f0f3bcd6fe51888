"""`python -m api.cli`, where no `prefrontal` is on the path."""

from api.cli import main

main()
