"""What a socket is made of: inbound limits, database reads in threads, presence, streams."""
