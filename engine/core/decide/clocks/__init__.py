"""Clocks that stop and go on: of composites that wait, and of approvals that are asked back."""
