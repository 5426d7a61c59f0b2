"""The tables of runs in an SQLite file of the engine's own, and the steps that made them.

They are those that the project's migrations make, so that one store writes both; the names begin with
`builder_` for that reason (docs/decisions/012-one-schema.md). Columns that lead to tables of the
project are there without the reference. Whoever changes a table writes a migration and a step;
`tests/builder/adapters/run_store/test_one_schema.py` compares what they come to.
"""

from __future__ import annotations

from typing import Final

APPLICATION: Final = 0x47575254
"""`GWRT` in the header of a file: it belongs to the engine."""

RUNS: Final = """
CREATE TABLE builder_run (
    id varchar(36) NOT NULL PRIMARY KEY,
    graph_slug varchar(128) NOT NULL,
    status varchar(16) NOT NULL,
    trigger_key varchar(200) NULL,
    body_hash varchar(64) NULL,
    started_by varchar(64) NULL,
    started_at bigint NOT NULL,
    ended_at bigint NULL,
    wake_at bigint NULL,
    waiting_for text NOT NULL,
    error text NULL,
    spent_tokens bigint NOT NULL,
    spent_pico bigint NOT NULL,
    held_tokens bigint NOT NULL,
    held_pico bigint NOT NULL,
    limit_tokens bigint NULL,
    limit_pico bigint NULL,
    parent_run varchar(36) NULL,
    parent_key varchar(500) NULL,
    graph_id varchar(36) NULL,
    version_id varchar(36) NULL,
    workspace_id varchar(36) NOT NULL,
    number bigint NULL UNIQUE,
    CONSTRAINT run_trigger_once UNIQUE (workspace_id, trigger_key)
);
CREATE INDEX builder_run_graph_id_347f5ca3 ON builder_run (graph_id);
CREATE INDEX builder_run_version_id_9fb7eb73 ON builder_run (version_id);
CREATE INDEX builder_run_wake_at_0057ad3f ON builder_run (wake_at);
CREATE INDEX builder_run_workspace_id_0d56fb3f ON builder_run (workspace_id);
CREATE INDEX run_by_status ON builder_run (workspace_id, status);
CREATE INDEX run_of_graph ON builder_run (graph_id, started_at DESC);
CREATE INDEX run_recent ON builder_run (workspace_id, started_at DESC);

CREATE TABLE builder_runevent (
    place integer NOT NULL PRIMARY KEY,
    type varchar(64) NOT NULL,
    at bigint NOT NULL,
    key varchar(500) NULL,
    cause varchar(520) NULL,
    data BLOB NOT NULL
);
CREATE UNIQUE INDEX event_cause_once ON builder_runevent (cause) WHERE cause IS NOT NULL;

CREATE TABLE builder_blob (
    hash varchar(64) NOT NULL PRIMARY KEY,
    size bigint NOT NULL,
    data BLOB NOT NULL
);

CREATE TABLE builder_runblob (
    id integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    run varchar(36) NOT NULL,
    hash varchar(64) NOT NULL,
    CONSTRAINT run_blob_once UNIQUE (run, hash)
);

CREATE TABLE builder_activation (
    place integer NOT NULL PRIMARY KEY,
    key varchar(500) NOT NULL,
    node varchar(128) NOT NULL,
    status varchar(16) NOT NULL,
    attempt integer NOT NULL,
    epoch bigint NOT NULL,
    worker varchar(64) NULL
);

CREATE TABLE builder_timer (
    id varchar(300) NOT NULL PRIMARY KEY,
    run varchar(36) NOT NULL,
    key varchar(500) NULL,
    kind varchar(32) NOT NULL,
    fire_at bigint NOT NULL
);
CREATE INDEX builder_timer_fire_at_895ba3c7 ON builder_timer (fire_at);
CREATE INDEX builder_timer_run_2ef3dab2 ON builder_timer (run);

CREATE TABLE builder_interrupt (
    request_id varchar(64) NOT NULL PRIMARY KEY,
    run varchar(36) NOT NULL,
    key varchar(500) NOT NULL,
    node varchar(128) NOT NULL,
    kind varchar(16) NOT NULL,
    status varchar(16) NOT NULL,
    opened_at bigint NOT NULL,
    expires_at bigint NULL,
    opened_seq bigint NOT NULL,
    resolved_seq bigint NULL,
    content_hash varchar(64) NULL,
    decided_by varchar(64) NULL,
    decided_at bigint NULL,
    outcome varchar(32) NULL,
    workspace_id varchar(36) NOT NULL,
    edited_seq bigint NULL,
    escalated_seq bigint NULL,
    reminded_at bigint NULL
);
CREATE INDEX builder_interrupt_run_298a054d ON builder_interrupt (run);
CREATE INDEX builder_interrupt_status_3cc8e705 ON builder_interrupt (status);
CREATE INDEX builder_interrupt_workspace_id_be63881f ON builder_interrupt (workspace_id);
CREATE INDEX interrupt_inbox ON builder_interrupt (workspace_id, status, opened_at DESC);

CREATE TABLE builder_asked (
    id integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    principal varchar(300) NOT NULL,
    interrupt_id varchar(64) NOT NULL
        REFERENCES builder_interrupt (request_id) DEFERRABLE INITIALLY DEFERRED,
    CONSTRAINT asked_once UNIQUE (interrupt_id, principal)
);
CREATE INDEX builder_asked_interrupt_id_43a4daf2 ON builder_asked (interrupt_id);

CREATE TABLE builder_decision (
    id integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    decided_by varchar(64) NOT NULL,
    decision varchar(16) NOT NULL,
    decided_at bigint NOT NULL,
    seq bigint NOT NULL,
    interrupt_id varchar(64) NOT NULL
        REFERENCES builder_interrupt (request_id) DEFERRABLE INITIALLY DEFERRED,
    CONSTRAINT one_decision_each UNIQUE (interrupt_id, decided_by)
);
CREATE INDEX builder_decision_interrupt_id_267f0d1f ON builder_decision (interrupt_id);

CREATE TABLE builder_lapse (
    id integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    decided_by varchar(64) NOT NULL,
    decision varchar(16) NOT NULL,
    decided_seq bigint NOT NULL,
    lapsed_seq bigint NOT NULL,
    lapsed_at bigint NOT NULL,
    reason varchar(32) NOT NULL,
    interrupt_id varchar(64) NOT NULL
        REFERENCES builder_interrupt (request_id) DEFERRABLE INITIALLY DEFERRED,
    CONSTRAINT one_lapse_each UNIQUE (interrupt_id, decided_by)
);
CREATE INDEX builder_lapse_interrupt_id_0d53a6a4 ON builder_lapse (interrupt_id);

CREATE TABLE builder_budget (
    id varchar(200) NOT NULL PRIMARY KEY,
    level varchar(16) NOT NULL,
    limit_tokens bigint NULL,
    limit_pico bigint NULL,
    spent_tokens bigint NOT NULL,
    spent_pico bigint NOT NULL,
    held_tokens bigint NOT NULL,
    held_pico bigint NOT NULL,
    workspace_id varchar(36) NULL,
    raised_pico bigint DEFAULT 0 NOT NULL,
    raised_tokens bigint DEFAULT 0 NOT NULL,
    reached integer DEFAULT 0 NOT NULL
);
CREATE INDEX builder_budget_workspace_id_c37b2e74 ON builder_budget (workspace_id);

CREATE TABLE builder_budgethold (
    id varchar(200) NOT NULL PRIMARY KEY,
    run varchar(36) NOT NULL,
    key varchar(500) NOT NULL,
    budgets text NOT NULL,
    tokens bigint NOT NULL,
    pico bigint NOT NULL,
    state varchar(16) NOT NULL
);
CREATE INDEX builder_budgethold_run_8cdbedd2 ON builder_budgethold (run);

CREATE TABLE builder_spending (
    id integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    day varchar(10) NOT NULL,
    graph varchar(128) NOT NULL,
    node varchar(128) NOT NULL,
    agent varchar(128) NOT NULL,
    model varchar(200) NOT NULL,
    person varchar(64) NOT NULL,
    calls bigint NOT NULL,
    unpriced bigint NOT NULL,
    tokens bigint NOT NULL,
    pico bigint NOT NULL,
    workspace_id varchar(36) NOT NULL,
    CONSTRAINT one_sum_a_day UNIQUE (workspace_id, day, graph, node, agent, model, person)
);
CREATE INDEX builder_spending_workspace_id_8ce69457 ON builder_spending (workspace_id);

CREATE TABLE builder_breaker (
    id varchar(300) NOT NULL PRIMARY KEY,
    node varchar(128) NOT NULL,
    target varchar(200) NOT NULL,
    state varchar(16) NOT NULL,
    failures integer NOT NULL,
    successes integer NOT NULL,
    opened_at bigint NULL,
    workspace_id varchar(36) NULL
);
CREATE INDEX builder_breaker_workspace_id_d60a544a ON builder_breaker (workspace_id);

CREATE TABLE builder_outbox (
    id integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    topic varchar(32) NOT NULL,
    ref varchar(200) NOT NULL,
    payload text NOT NULL,
    available_at bigint NOT NULL,
    tries integer NOT NULL,
    done_at bigint NULL
);
CREATE INDEX outbox_due ON builder_outbox (available_at) WHERE done_at IS NULL;
"""

DOCUMENTS: Final = """
CREATE TABLE local_document (
    hash varchar(64) NOT NULL PRIMARY KEY,
    document text NOT NULL
);
"""
"""The graphs that runs of the file were started with: each run goes on with its own."""

SPENT_BY_RUNS: Final = """
CREATE TABLE builder_runspending (
    id integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    run varchar(36) NOT NULL,
    day varchar(10) NOT NULL,
    node varchar(128) NOT NULL,
    agent varchar(128) NOT NULL,
    model varchar(200) NOT NULL,
    calls bigint NOT NULL,
    unpriced bigint NOT NULL,
    tokens bigint NOT NULL,
    pico bigint NOT NULL,
    CONSTRAINT one_sum_of_a_run UNIQUE (run, day, node, agent, model)
);
CREATE INDEX run_spending_of_day ON builder_runspending (day, node);
"""

OWNED_BY_WORKERS: Final = """
ALTER TABLE builder_run ADD COLUMN owner varchar(36) NULL;
ALTER TABLE builder_run ADD COLUMN owner_epoch bigint DEFAULT 0 NOT NULL;
CREATE TABLE builder_worker (
    boot_id varchar(64) NOT NULL PRIMARY KEY,
    host varchar(255) NOT NULL,
    pid bigint NOT NULL,
    started_at bigint NOT NULL,
    last_seen_at bigint NOT NULL
);
CREATE INDEX builder_worker_last_seen_at_2b0ea850 ON builder_worker (last_seen_at);
"""

ASKED_OF_RUNS: Final = """
CREATE TABLE builder_request (
    id integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    kind varchar(16) NOT NULL,
    payload text NOT NULL,
    "by" varchar(64) NOT NULL,
    created bigint NOT NULL,
    answer text NULL,
    answered bigint NULL,
    run varchar(36) NOT NULL REFERENCES builder_run (id) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX builder_request_run_4428cb21 ON builder_request (run);
CREATE INDEX request_open ON builder_request (run) WHERE answered IS NULL;
"""

UNOWNED_MAY_MOVE: Final = "UPDATE builder_run SET wake_at = 0 WHERE owner IS NULL"
"""What is nobody's says when it wants to be looked at: nothing of before did."""

DECIDED_LAST: Final = (
    "CREATE INDEX interrupt_done ON builder_interrupt "
    "(workspace_id, COALESCE(decided_at, 0) DESC, request_id DESC)"
)

DUE_FIRST: Final = (
    "CREATE INDEX interrupt_due ON builder_interrupt "
    "(workspace_id, status, COALESCE(expires_at, 4611686018427387904), request_id)"
)

PROCESSES: Final = """
ALTER TABLE builder_worker ADD COLUMN draining bool DEFAULT 0 NOT NULL;
ALTER TABLE builder_worker ADD COLUMN kind varchar(16) DEFAULT 'serve' NOT NULL;
ALTER TABLE builder_worker ADD COLUMN version varchar(32) DEFAULT '' NOT NULL;
CREATE INDEX run_unfinished ON builder_run (status, started_at)
    WHERE NOT (status IN ('completed', 'failed', 'cancelled', 'timeout'));
"""
"""What looks for runs that may move reads those alone that are not over, however many are."""

STARTED_BY_TRIGGERS: Final = """
ALTER TABLE builder_run ADD COLUMN source varchar(16) NULL;
ALTER TABLE builder_run ADD COLUMN trigger varchar(36) NULL;
CREATE INDEX run_of_trigger ON builder_run (trigger, started_at DESC) WHERE trigger IS NOT NULL;
"""

ENDED_RUNS: Final = (
    "CREATE INDEX run_ended ON builder_run (workspace_id, ended_at) WHERE ended_at IS NOT NULL"
)
"""What looks at the runs that ended in a stretch of time reads those alone, and so does retention."""

APPROVAL_TYPES: Final = """
ALTER TABLE builder_interrupt ADD COLUMN approval_type varchar(16) DEFAULT '' NOT NULL;
UPDATE builder_interrupt SET approval_type = COALESCE((
    SELECT COALESCE(
        json_extract(CAST(event.data AS text), '$.request.approval_type'),
        (SELECT json_extract(CAST(blob.data AS text), '$.approval_type') FROM builder_blob AS blob
            WHERE blob.hash = json_extract(CAST(event.data AS text), '$.request."$blob"')))
    FROM builder_runevent AS event JOIN builder_run AS run
    ON event.place = run.number * 16777216 + builder_interrupt.opened_seq
    WHERE run.id = builder_interrupt.run), '') WHERE kind = 'approval';
"""
"""What approvals are about stands in what was asked; of those there were it is read from the log."""

PLACES: Final = """
ALTER TABLE builder_run ADD COLUMN place_at bigint DEFAULT 0 NOT NULL;
CREATE INDEX run_queued ON builder_run (workspace_id, number) WHERE status = 'queued';
"""

SPENT_BY_TRIGGERS: Final = """
CREATE TABLE builder_triggerspending (
    id integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    day varchar(10) NOT NULL,
    graph varchar(128) NOT NULL,
    trigger varchar(36) NOT NULL,
    calls bigint NOT NULL,
    unpriced bigint NOT NULL,
    tokens bigint NOT NULL,
    pico bigint NOT NULL,
    workspace_id varchar(36) NOT NULL,
    CONSTRAINT one_sum_of_a_trigger UNIQUE (workspace_id, day, graph, trigger)
);
"""

DECIDED_BREAKERS: Final = """
ALTER TABLE builder_breaker ADD COLUMN changed_at bigint DEFAULT 0 NOT NULL;
ALTER TABLE builder_breaker ADD COLUMN epoch bigint DEFAULT 0 NOT NULL;
ALTER TABLE builder_breaker ADD COLUMN probe varchar(600) DEFAULT '' NOT NULL;
ALTER TABLE builder_breaker ADD COLUMN probed_at bigint DEFAULT 0 NOT NULL;
CREATE INDEX builder_breaker_changed_at_9c86186e ON builder_breaker (changed_at);
"""

STEPS: Final[tuple[str, ...]] = (
    RUNS + DOCUMENTS,
    SPENT_BY_RUNS,
    OWNED_BY_WORKERS,
    ASKED_OF_RUNS,
    UNOWNED_MAY_MOVE,
    DECIDED_LAST,
    PROCESSES,
    STARTED_BY_TRIGGERS,
    ENDED_RUNS,
    APPROVAL_TYPES,
    PLACES,
    SPENT_BY_TRIGGERS,
    DUE_FIRST,
    DECIDED_BREAKERS,
)
"""What makes each version of the tables out of the one before it."""
