"""Pages from the network: politely, within limits, and never out of a private network."""
