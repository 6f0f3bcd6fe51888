"""What makes a wish of an order, wherever it stands: please, pls, plz, kindly."""

from tools.search_fields.words.pieces import any_of

PLEASE = any_of("please", "pls", "plz", "kindly")
