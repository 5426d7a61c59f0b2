"""How the process is watched from outside: its health, and the traces of its runs."""
