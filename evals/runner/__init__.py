"""Read datasets, run experiments on them, report and compare the figures."""
