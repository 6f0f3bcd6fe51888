"""The things a text names, by what the packs and their stores call them."""
