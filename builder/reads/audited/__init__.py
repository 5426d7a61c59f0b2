"""What the audit log names: ids of people, runs, items and what else is recorded."""
