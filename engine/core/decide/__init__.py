"""What happens next: pure decisions over the state, written down as events."""
