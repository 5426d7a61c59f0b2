"""What starts workflows without a person: calls of an address and times, each a delivery first."""
