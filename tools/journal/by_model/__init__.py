"""A model asked about messages that rules are not sure of; what it says has to be borne out."""
