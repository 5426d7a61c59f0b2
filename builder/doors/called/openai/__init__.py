"""Workflows as models of OpenAI's chat completions: what comes in, and what goes out."""
