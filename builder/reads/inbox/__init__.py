"""Items of the inbox beside themselves: what is like them, and what was asked back."""
