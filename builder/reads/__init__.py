"""What pages and reports read: figures, logs, inbox items; nothing is written here."""
