"""What happens here, told to other services: kept first, signed, sent until it arrives."""
