"""What a sender makes long or deep on purpose, and what it may cost."""
