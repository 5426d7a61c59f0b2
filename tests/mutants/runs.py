"""Mistakes that lose runs: after a restart, a failed commit, or at a join."""

from __future__ import annotations

from functools import partial
from typing import Final

from tests.mutants.mutant import Mutant, Promise

KEPT: Final = ("tests/engine/runtime/test_runs_kept.py",)
BUFFER: Final = (
    "tests/engine/runtime/stores/test_lost_buffers.py",
    "tests/engine/runtime/stores/test_memory_store.py",
)
OWNER: Final = ("tests/builder/adapters/run_store/test_store_contract.py::TestOwner",)
of = partial(Mutant, promise=Promise.RUNS)

MUTANTS: Final = (
    of(
        name="restart_forgets_what_ran",
        file="engine/core/decide/scheduler.py",
        old="        if not is_executing(act) and not _in_flight(act):\n            continue",
        new="        if not _in_flight(act):\n            continue",
        breaks="What was executing when the process died is never claimed again.",
        tests=KEPT,
    ),
    of(
        name="poison_is_taken_over_for_ever",
        file="engine/core/decide/scheduler.py",
        old="if takeover and act.takeovers + 1 >= MAX_TAKEOVERS:",
        new="if takeover and act.takeovers >= MAX_TAKEOVERS + 100:",
        breaks="A node that kills its process kills every process.",
        tests=KEPT,
    ),
    of(
        name="failed_commit_tells_nobody",
        file="engine/runtime/stores/buffered.py",
        old="        if not known:\n            self._tell_lost(batch.run_id)",
        new="        if known:\n            self._tell_lost(batch.run_id)",
        breaks="A run whose commit failed is not taken over from its log.",
        tests=KEPT,
    ),
    of(
        name="memory_ahead_of_the_log",
        file="engine/runtime/stores/buffered.py",
        old="                self._lose(batch, warm, known=isinstance(error, RunExists))",
        new="                self._doubt(batch)",
        breaks="After a failed commit the run goes on from what was never written.",
        tests=BUFFER,
    ),
    of(
        name="cancel_spares_children",
        file="engine/runtime/run_signals.py",
        old='                await self._runner.cancel(ref, payload["by"], payload["reason"])',
        new="                return",
        breaks="Child runs go on after their parent was cancelled.",
        tests=KEPT,
    ),
    of(
        name="parent_not_told_of_the_end",
        file="engine/core/decide/endings.py",
        old='    tx.emit("RunCompleted", None, {"result": result})\n    announce_end(tx)',
        new='    tx.emit("RunCompleted", None, {"result": result})',
        breaks="A run waits for ever for a child that has ended.",
        tests=("tests/contract/test_c_subgraph.py",),
    ),
    of(
        name="iteration_limit_one_too_many",
        file="engine/core/decide/scheduler.py",
        old="    if state.iterations >= limit:",
        new="    if state.iterations > limit:",
        breaks="A loop runs once more than it may.",
        tests=(
            "tests/contract/test_c_edges.py",
            "tests/engine/core/values/test_limits.py",
            "tests/contract/test_c_failure.py",
        ),
    ),
    of(
        name="deadline_runs_while_people_think",
        file="engine/core/state/deadlines.py",
        old="    if since is None or state.ending is not None or state.terminal:\n        return None",
        new="    if state.ending is not None or state.terminal:\n        return None\n"
        '    since = since or state.started.get("at", 0)',
        breaks="A run times out while it waits for a person.",
        tests=("tests/engine/runtime/test_run_time.py",),
    ),
    of(
        name="undo_from_the_bottom",
        file="engine/core/decide/undo.py",
        old="    entry = state.compensations[-1]",
        new="    entry = state.compensations[0]",
        breaks="What completed first is undone first.",
        tests=("tests/engine/runtime/test_undo.py", "tests/contract/test_c_undo.py"),
    ),
    of(
        name="undo_after_a_cancel",
        file="engine/core/decide/endings.py",
        old='ending is not None and ending.status in ("failed", "timeout") and bool(state.compensations)',
        new="ending is not None and bool(state.compensations)",
        breaks="A run that a person cancelled, or that completed, is undone.",
        tests=("tests/contract/test_c_undo.py", "tests/engine/runtime/test_undo.py"),
    ),
    of(
        name="no_undo_after_a_timeout",
        file="engine/core/decide/endings.py",
        old='ending is not None and ending.status in ("failed", "timeout") and bool(state.compensations)',
        new='ending is not None and ending.status == "failed" and bool(state.compensations)',
        breaks="A run that times out is not undone.",
        tests=("tests/contract/test_c_undo.py", "tests/engine/runtime/test_undo.py"),
    ),
    of(
        name="join_opens_too_soon",
        file="engine/core/graph/joins.py",
        old="return loop | self._graph.reaching(join) if self._outside >> join & 1 else loop",
        new="return loop",
        breaks="A join runs before the branches that it waits for.",
        tests=("tests/engine/core/graph/test_joins.py",),
    ),
    of(
        name="run_of_a_full_disk_is_not_told",
        file="engine/runtime/recovery.py",
        old="                delay = min(2 * delay, MAX_REGAIN_SECONDS)\n                continue",
        new="                return",
        breaks="A run that cannot be read back at once stands until a restart.",
        tests=KEPT,
    ),
    of(
        name="retry_after_is_ignored",
        file="engine/core/decide/backoff.py",
        old="    if retry_after_ms is not None and retry_after_ms > wait:",
        new="    if retry_after_ms is not None and retry_after_ms < 0:",
        breaks="A provider that asks for a minute is asked again at once, until the run fails.",
        tests=("tests/engine/runtime/test_run_time.py", "tests/contract/test_c_failure.py"),
    ),
    of(
        name="regaining_doubles_with_every_try",
        file="engine/runtime/recovery.py",
        old="        if run_id in self._regaining:",
        new="        if run_id in self._regaining and self._runner.closed:",
        breaks="While the disk is full the tries to go on double, and hold the process.",
        tests=("tests/engine/runtime/test_runs_kept.py::test_one_try_at_a_time_takes_a_run_over",),
    ),
    of(
        name="two_processes_of_a_file",
        file="engine/runtime/stores/sql/sqlite_file.py",
        old="fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)",
        new="fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)",
        breaks="Two scripts write the runs of one file.",
        tests=("tests/engine/runtime/stores/test_sqlite_store.py::test_one_process_has_a_file",),
    ),
    of(
        name="newer_file_is_written",
        file="engine/runtime/stores/sql/sqlite_tables.py",
        old="    if version > len(STEPS):",
        new="    if version < 0:",
        breaks="A file of a newer version is written by an older one.",
        tests=(
            "tests/engine/runtime/stores/test_sqlite_store.py::test_a_newer_file_is_refused_with_the_cure",
        ),
    ),
    of(
        name="file_is_not_taken_over",
        file="engine/local/durable.py",
        old="            await local.runner.recover()\n",
        new="",
        breaks="A script that is run again leaves runs where the crash left them.",
        tests=(
            "tests/engine/local/test_durable.py::test_what_is_not_over_goes_on_when_the_file_is_opened",
        ),
    ),
    of(
        name="documents_are_not_kept",
        file="engine/local/kept.py",
        old="for row in rows]",
        new="for row in rows[:0]]",
        breaks="A run cannot go on once the script has another document.",
        tests=("tests/engine/local/test_durable.py::test_a_run_goes_on_with_its_own_document",),
    ),
    of(
        name="key_stands_for_another_input",
        file="engine/local/engine.py",
        old="        if known[1] != body_hash:",
        new="        if known[1] is None:",
        breaks="Who asks for a run with another input is given the result of the first.",
        tests=("tests/engine/local/test_durable.py::test_a_key_with_another_input_is_refused",),
    ),
    of(
        name="key_without_a_workspace",
        file="engine/runtime/stores/sql/store.py",
        old="(workspace_id or self.home, key)",
        new="(workspace_id, key)",
        breaks="A start that is said twice outside a workspace is told of a run that is not there.",
        tests=("tests/engine/runtime/stores/test_sqlite_store.py",),
    ),
    of(
        name="commits_carry_no_fence",
        file="engine/runtime/stores/sql/writer.py",
        old="if job.fence is None or held.get(job.fence[0]) == job.fence[1]:",
        new="if job.fence is None or job.fence[0]:",
        breaks="A worker that was thought dead writes into a run that another goes on with.",
        tests=OWNER,
    ),
    of(
        name="fence_without_epoch",
        file="engine/runtime/stores/sql/writer.py",
        old="held.get(job.fence[0]) == job.fence[1]:",
        new="job.fence[0] in held or job.fence[1] < 0:",
        breaks="After a commit of unknown outcome a delayed one of the same worker lands.",
        tests=OWNER,
    ),
    of(
        name="fence_without_lock",
        file="builder/adapters/run_store/database.py",
        old='lock=" FOR NO KEY UPDATE"',
        new='lock=""',
        breaks="A claim gets between the look at the fence and the commit.",
        tests=OWNER,
    ),
    of(
        name="claim_takes_from_the_living",
        file="engine/runtime/stores/sql/ownership.py",
        old='"WHERE w.boot_id = builder_run.owner AND w.last_seen_at > ?))"',
        new='"WHERE w.boot_id = builder_run.owner AND w.last_seen_at > ? AND 1 = 0))"',
        breaks="Two workers take one run from each other for ever.",
        tests=OWNER,
    ),
    of(
        name="unknown_outcome_keeps_its_epoch",
        file="engine/runtime/stores/sql/ownership.py",
        old="if place[1] != self.worker or run_id in self._doubted:",
        new="if place[1] != self.worker:",
        breaks="A commit whose answer was lost can land after the run was read again.",
        tests=OWNER,
    ),
    of(
        name="hold_settled_by_whoever_asks",
        file="engine/runtime/stores/sql/writer.py",
        old="if connection.execute(self._translated(sql), parameters).rowcount:",
        new="if connection.execute(self._translated(sql), parameters).rowcount >= 0:",
        breaks="A hold that two settle gives its money back twice.",
        tests=OWNER,
    ),
)
