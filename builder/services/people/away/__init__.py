"""Absences: who decides for whom meanwhile, and what such an absence has to be like."""
