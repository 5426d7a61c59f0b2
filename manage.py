#!/usr/bin/env python
"""The command line of the project: `python manage.py serve` starts everything."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run one management command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "builder.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
