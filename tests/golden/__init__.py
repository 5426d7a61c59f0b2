"""Logs recorded from the engine, and what they fold to: read by pytest and by vitest.

`python -m tests.golden` records them anew into `tests/fixtures/recorded`. Each file holds a graph, the
log of one run of it in the flat form, and what its state shows at some places of the log. The engine's
fold (`test_golden.py`) and the front end's (`run/fold/golden.test.ts`) have to come to the same.
"""
