"""Drafts from words: a model writes a workflow or a change, a person takes the parts they want."""
