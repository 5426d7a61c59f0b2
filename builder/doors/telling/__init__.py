"""What the doors tell: people how a trigger fares, and senders what became of a call."""
