"""All of an installation on this machine: a PostgreSQL of its own, web processes and workers."""
