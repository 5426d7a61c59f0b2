"""Calls of registered Python functions: on the loop, in a thread, or in a process of their own."""
