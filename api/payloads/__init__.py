"""What goes over the wire and is not a noun of the house, a file per resource."""
