"""The async shell: it runs programs, keeps their logs and survives restarts."""
