"""Whom approvals ask, and whom they let edit."""
