"""Runs and what they ask of people: start, answer, chat, retain."""
