"""Runs, forks and chats over HTTP."""
