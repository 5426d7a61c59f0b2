"""`manage.py verify`: whether rows say what the logs of runs say, and the audit chain is whole.

It reads one moment of the database, changes nothing, and keeps one run in memory at a time.
"""
