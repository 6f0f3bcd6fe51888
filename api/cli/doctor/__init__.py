"""Checks behind `prefrontal doctor`."""
