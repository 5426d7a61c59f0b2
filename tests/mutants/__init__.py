"""Small, realistic mistakes, one at a time: each must be noticed by the tests that it names.

A test that passes with and without what it is about proves nothing. `make mutants` makes every
mistake of the table in a copy of the tree and runs the tests beside it.
"""
