"""The chaos kit: a real Graphwright is broken while it works, and judged by what others saw of it.

`python -m tests.chaos --mode embedded --kills 100 --seed 7`, or `make chaos ARGS="…"`. It starts
the product on scratch folders (`products`), lets people and programs use it over HTTP (`crowd`),
breaks it (`faults`) in phases with rests between them (`campaign`), and holds what a recorder
outside was asked (`recorder`) and what the kit's clients were answered against what the runs say
(`judge`). The seed decides what is started, said and broken in which order; what exactly is under
way at a kill it cannot decide.
"""
