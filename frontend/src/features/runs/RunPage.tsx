import { Alert, Button, SegmentedControl, Tabs } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { Link, useParams } from 'react-router';
import { useStore } from 'zustand';
import { runQuery } from '../../api/http/lists.ts';
import { nodeTypesQuery } from '../../api/http/queries.ts';
import { ApiError, messageOf } from '../../api/http/client.ts';
import type { RunDetail } from '../../api/types/types.ts';
import { namedIn } from '../../run/values/people.ts';
import { memoryRules } from '../../run/fold/memory.ts';
import { isTerminal } from '../../run/fold/model.ts';
import { EventList } from './views/EventList.tsx';
import { MemoryView } from './views/MemoryView.tsx';
import { NodePanel } from './panel/NodePanel.tsx';
import { RunCanvas } from './views/RunCanvas.tsx';
import { RunContext } from '../../liverun/RunContext.ts';
import { RunHeader } from './RunHeader.tsx';
import { RunPanel } from './panel/RunPanel.tsx';
import classes from './runs.module.css';
import { Scrubber } from './views/Scrubber.tsx';
import { TimelineView } from './views/TimelineView.tsx';
import { type LiveRun, useLiveRun } from '../../liverun/useLiveRun.ts';
import { useNow } from '../../ui/format/useNow.ts';
import { type Picked, usePicked } from './usePicked.ts';
import { ErrorState } from '../../ui/page/EmptyState.tsx';
import { usePageTitle } from '../../ui/page/usePageTitle.ts';
import { PageSkeleton } from '../../ui/page/Skeletons.tsx';

/** One run: its graph as it was, live or at any moment of its past. */
export default function RunPage() {
  const { runId = '' } = useParams();
  const { data: run, error, refetch } = useQuery(runQuery(runId));
  const live = useLiveRun(runId);
  if (!run)
    return error ? <Missing error={error} onRetry={() => void refetch()} /> : <PageSkeleton />;
  return (
    <RunContext value={runId}>
      <Run key={runId} run={run} live={live} />
    </RunContext>
  );
}

/** Instead of a run that cannot be shown. */
function Missing({ error, onRetry }: { error: Error; onRetry: () => void }) {
  usePageTitle(error instanceof ApiError && error.status === 404 ? 'No such run' : 'Run');
  return (
    <ErrorState
      error={error}
      onRetry={onRetry}
      action={
        <Button component={Link} to="/runs" variant="default">
          All runs
        </Button>
      }
    />
  );
}

type Place = 'graph' | 'about' | 'log';

function Run({ run, live }: { run: RunDetail; live: LiveRun }) {
  const { store } = live;
  useEffect(() => store.getState().setRules(memoryRules(run.document)), [store, run.document]);
  useEffect(() => store.getState().setPeople(namedIn(run)), [store, run]);
  const ended = useStore(store, (state) => isTerminal(state.head.status));
  const now = useNow(!ended);
  const shownAt = useStore(store, (state) => (state.scrub === null ? null : state.view.at));
  const moment = shownAt ?? now;
  const [picked, setPicked] = usePicked();
  const { data: nodeTypes } = useQuery(nodeTypesQuery);
  const [place, setPlace] = useState<Place>('about');
  // A canvas that is laid out while hidden has no size to fit into.
  const narrow = useMediaQuery('(max-width: 900px)', undefined, { getInitialValueInEffect: false });
  const node = picked ? run.document.nodes.find((each) => each.id === picked.node) : undefined;
  const pick = (id: string | null) => {
    setPicked(id);
    if (id !== null) setPlace('about');
  };
  return (
    <div className={classes.run} data-place={place}>
      <RunHeader store={store} run={run} now={moment} hearing={live.hearing} />
      <SegmentedControl
        className={classes.places}
        value={place}
        aria-label="Part of the page"
        onChange={(value) => setPlace(value as Place)}
        data={[
          { value: 'about', label: node ? 'Node' : 'Run' },
          { value: 'graph', label: 'Graph' },
          { value: 'log', label: 'Log' },
        ]}
      />
      <section className={classes.stage} aria-label="Graph">
        {live.error ? (
          <Alert
            color="red"
            m="sm"
            title="The log could not be read"
            withCloseButton
            onClose={live.retry}
            closeButtonLabel="Try again"
          >
            {messageOf(live.error)}
          </Alert>
        ) : null}
        {narrow && place !== 'graph' ? null : (
          <RunCanvas
            run={run}
            store={store}
            document={run.document}
            selected={picked?.node ?? null}
            onSelect={pick}
            now={moment}
          />
        )}
      </section>
      <aside className={classes.panel} aria-label={node ? 'Node' : 'Run'}>
        {node && picked ? (
          <NodePanel
            key={node.id}
            store={store}
            node={node}
            document={run.document}
            views={nodeTypes?.find((type) => type.type === node.type)?.views ?? []}
            activationKey={picked.key}
            interrupts={run.interrupts}
            now={moment}
            onPick={pick}
            onClose={() => pick(null)}
          />
        ) : (
          <RunPanel store={store} run={run} onNode={pick} onKey={pick} />
        )}
      </aside>
      <Dock live={live} run={run} picked={picked} now={now} onKey={pick} />
    </div>
  );
}

function Dock({
  live,
  run,
  picked,
  now,
  onKey,
}: {
  live: LiveRun;
  run: RunDetail;
  picked: Picked | null;
  now: number;
  onKey: (key: string) => void;
}) {
  const { store } = live;
  const nameOf = useMemo(() => {
    const labels = new Map(run.document.nodes.map((node) => [node.id, node.label || node.id]));
    return (id: string) => labels.get(id) ?? id;
  }, [run.document]);
  return (
    <section className={classes.dock} aria-label="Log">
      <Scrubber store={store} nameOf={nameOf} hearing={live.hearing} />
      <Tabs defaultValue="timeline" keepMounted={false} className={classes.dockTabs}>
        <Tabs.List>
          <Tabs.Tab value="timeline">Timeline</Tabs.Tab>
          <Tabs.Tab value="events">Events</Tabs.Tab>
          <Tabs.Tab value="memory">Memory</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="timeline">
          <TimelineView
            store={store}
            now={now}
            nameOf={nameOf}
            selected={picked?.key ?? null}
            onSelect={onKey}
          />
        </Tabs.Panel>
        <Tabs.Panel value="events">
          <EventList store={store} node={picked?.node ?? null} nameOf={nameOf} />
        </Tabs.Panel>
        <Tabs.Panel value="memory">
          <MemoryView store={store} nameOf={nameOf} document={run.document} />
        </Tabs.Panel>
      </Tabs>
    </section>
  );
}
