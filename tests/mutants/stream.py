"""Mistakes between the log and the screen: gaps, duplicates, what another person may see."""

from __future__ import annotations

from functools import partial
from typing import Final

from tests.mutants.mutant import Mutant, Promise

SOCKETS: Final = (
    "tests/builder/live/test_consumers.py",
    "tests/builder/live/test_consumer_refusals.py",
)
CHAT: Final = ("tests/builder/api/chat/test_chat_stream.py",)
FEED: Final = ("tests/builder/adapters/test_feed.py",)
LIVE: Final = ("frontend/src/api/live/liveSocket.test.ts",)
STORE: Final = ("frontend/src/run/replay/store.test.ts", "frontend/src/run/replay/replay.test.ts")
VIEW: Final = ("frontend/src/run/fold/view.test.ts",)
of = partial(Mutant, promise=Promise.STREAM)

MUTANTS: Final = (
    of(
        name="page_begins_one_late",
        file="builder/reads/event_log.py",
        old="cursor.execute(SLICE, [run_id, after, run_id, limit + 1])",
        new="cursor.execute(SLICE, [run_id, after + 1, run_id, limit + 1])",
        breaks="The first event after a cursor is left out.",
        tests=SOCKETS,
    ),
    of(
        name="page_begins_one_early",
        file="builder/reads/event_log.py",
        old="cursor.execute(SLICE, [run_id, after, run_id, limit + 1])",
        new="cursor.execute(SLICE, [run_id, after - 1, run_id, limit + 1])",
        breaks="The last event that is known comes again.",
        tests=SOCKETS,
    ),
    of(
        name="chat_begins_one_late",
        file="builder/reads/event_log.py",
        old="place__gt=first + after, place__lte=first + until",
        new="place__gt=first + after + 1, place__lte=first + until",
        breaks="A chat leaves out the first event after a cursor.",
        tests=CHAT,
    ),
    of(
        name="chat_begins_one_early",
        file="builder/reads/event_log.py",
        old="place__gt=first + after, place__lte=first + until",
        new="place__gte=first + after, place__lte=first + until",
        breaks="A chat tells the last known event again.",
        tests=CHAT,
    ),
    of(
        name="follows_from_its_first_cursor",
        file="builder/live/pages.py",
        old="    return Page(frame.decode(), rows[-1][0], more)",
        new="    return Page(frame.decode(), rows[0][0], more)",
        breaks="Pages overlap.",
        tests=SOCKETS,
    ),
    of(
        name="values_of_options_are_sent",
        file="engine/core/state/wire.py",
        old='    elif type_ == "InterruptOpened" and b\'"options"\' in carried:',
        new='    elif type_ == "InterruptOpened" and b\'"option"\' in carried:',
        breaks="What a choice stands for leaves the server.",
        tests=FEED,
    ),
    of(
        name="bell_rings_for_the_run_alone",
        file="builder/adapters/feed.py",
        old="            hub.ring(inbox_topic(workspace))",
        new="            pass",
        breaks="The inbox hears of nothing.",
        tests=FEED,
    ),
    of(
        name="deltas_are_never_reset",
        file="builder/adapters/feed.py",
        old='"reset": (run_id, key) in reset,',
        new='"reset": False,',
        breaks="The text of a retried call stands behind that of the first.",
        tests=FEED,
    ),
    of(
        name="log_encoded_without_its_key",
        file="engine/core/state/wire.py",
        old='        head["node"], head["key"] = node_of(key), key',
        new='        head["node"] = node_of(key)',
        breaks="The page cannot tell two visits of a node apart.",
        tests=FEED,
    ),
    of(
        name="page_takes_an_event_twice",
        file="frontend/src/run/replay/replay.ts",
        old="      if (event.seq <= last) continue;\n",
        new="",
        breaks="A duplicate is taken for a gap: the page asks again for ever.",
        tests=STORE,
    ),
    of(
        name="page_takes_a_gap",
        file="frontend/src/run/replay/replay.ts",
        old="      if (event.seq !== last + 1) return null;\n",
        new="",
        breaks="A lost event stays lost, and nobody is told.",
        tests=STORE,
    ),
    of(
        name="checkpoint_of_the_future",
        file="frontend/src/run/replay/replay.ts",
        old="findLast((mark) => mark.seq <= seq)",
        new="find((mark) => mark.seq >= seq)",
        breaks="The scrubber shows a later moment than it says.",
        tests=STORE,
    ),
    of(
        name="late_delta_over_the_result",
        file="frontend/src/run/replay/store.ts",
        old="        if (activation !== undefined && isSettled(activation.status)) return;\n",
        new="",
        breaks="Text that streams in late covers the durable result.",
        tests=STORE,
    ),
    of(
        name="scrubber_follows_the_head",
        file="frontend/src/run/replay/store.ts",
        old="view: scrub === null ? head : view,",
        new="view: head,",
        breaks="The moment that is looked at slips away with every event.",
        tests=STORE,
    ),
    of(
        name="socket_asks_from_the_start",
        file="frontend/src/api/live/liveSocket.ts",
        old="this.#send({ op: 'sub', run: topic.run, after: cursorOf(subscription) });",
        new="this.#send({ op: 'sub', run: topic.run, after: topic.after });",
        breaks="Every reconnect reads the whole log again.",
        tests=LIVE,
    ),
    of(
        name="socket_delivers_over_a_gap",
        file="frontend/src/api/live/liveSocket.ts",
        old="  return events.slice(0, end === -1 ? events.length : end);",
        new="  return events.slice(0, Math.max(end, events.length));",
        breaks="Events behind a gap are handed on.",
        tests=LIVE,
    ),
    of(
        name="gap_is_not_asked_about",
        file="frontend/src/api/live/liveSocket.ts",
        old="    if (gap) this.#announce(subscription);\n",
        new="",
        breaks="A gap stays until the next event.",
        tests=LIVE,
    ),
    of(
        name="no_bell_after_a_reconnect",
        file="frontend/src/api/live/liveSocket.ts",
        old="      if (this.#wasOpen) catchUp(subscription);",
        new="      if (!this.#wasOpen) catchUp(subscription);",
        breaks="What happened while the line was down is not fetched.",
        tests=LIVE,
    ),
    of(
        name="spend_counted_at_the_leaf_alone",
        file="frontend/src/run/fold/draft.ts",
        old="    const keys = [...ancestorsOf(key), key];\n    for (const each of keys) {",
        new="    const keys = [key];\n    for (const each of keys) {",
        breaks="A composite shows nothing of what its children spend.",
        tests=VIEW,
    ),
    of(
        name="hold_shown_for_ever",
        file="frontend/src/run/fold/foldStep.ts",
        old="  if (open !== undefined) release(draft, event.key, at, open.hold);\n",
        new="",
        breaks="Money that was held is shown as held after the call.",
        tests=VIEW,
    ),
    of(
        name="failed_calls_are_free_on_screen",
        file="frontend/src/run/fold/foldStep.ts",
        old="  charge(draft, event, at);\n}\n\nfunction intended",
        new="  if (event.type === 'StepCompleted') charge(draft, event, at);\n}\n\nfunction intended",
        breaks="What a failed call cost is missing on the page.",
        tests=VIEW,
    ),
    of(
        name="closed_item_still_open_in_the_run",
        file="frontend/src/run/fold/foldPeople.ts",
        old="  draft.view.openInterrupts = draft.view.openInterrupts.filter((id) => id !== event.request_id);\n",
        new="",
        breaks="A decided question is still asked on the run page.",
        tests=VIEW,
    ),
    of(
        name="isolated_writes_land_on_screen",
        file="frontend/src/run/fold/foldActivation.ts",
        old="  const lands = !isIsolated(draft, event.key);",
        new="  const lands = true;",
        breaks="The memory shown holds what a map's child kept to itself.",
        tests=VIEW,
    ),
    of(
        name="retry_keeps_its_wait",
        file="frontend/src/run/fold/foldActivation.ts",
        old="  activation.retryAt = null;\n  activation.waitsFor = null;\n  draft.segment(activation, at, 'attempt');",
        new="  activation.waitsFor = null;\n  draft.segment(activation, at, 'attempt');",
        breaks="A node that runs is shown as waiting for its retry.",
        tests=VIEW,
    ),
    of(
        name="event_stream_cut_by_a_piece",
        file="frontend/src/api/http/eventStream.ts",
        old="    this.rest = blocks.pop() ?? '';",
        new="    blocks.pop();",
        breaks="An event that comes in two pieces is lost.",
        tests=("frontend/src/api/http/eventStream.test.ts",),
    ),
)
