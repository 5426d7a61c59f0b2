import { ActionIcon, Anchor, Badge, Button, Tabs, Tooltip } from '@mantine/core';
import {
  IconExternalLink,
  IconPin,
  IconPlayerPlay,
  IconPlayerStop,
  IconX,
} from '@tabler/icons-react';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { useStore } from 'zustand';
import type { RunDetail, RunStatus } from '../../../api/types/types.ts';
import { type Subject, useSubject } from '../../../inspector/subject.ts';
import { SpendMeter } from '../../../liverun/SpendMeter.tsx';
import { isTerminal } from '../../../run/fold/model.ts';
import { useEditor } from '../../../store/editor.ts';
import { Kbd } from '../../../ui/keys/Kbd.tsx';
import { beforeIt } from '../../../run/waits/queue.ts';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { STOP_KEYS } from '../../runs/control/stopRun.ts';
import { InputTab } from './input/InputTab.tsx';
import { LiveTab } from './LiveTab.tsx';
import { NodeTab } from './passed/NodeTab.tsx';
import { useStale } from './stale/stalePlan.ts';
import { againCost } from './stale/words.ts';
import { StaleButton, StaleRefusal } from './stale/StaleButton.tsx';
import {
  closePanel,
  dropUntil,
  type PanelTab,
  resizePanel,
  showTab,
  startTest,
  useTesting,
} from './testing.ts';
import classes from './testrun.module.css';
import { TestsToday } from './trials/TestsToday.tsx';
import { usePinned } from './trials/useMarks.ts';
import type { TestRun } from './useTestRun.ts';

const isTyping = (target: EventTarget) =>
  target instanceof Element && target.closest('input, textarea, [contenteditable="true"]') !== null;

interface TestPanelProps {
  test: TestRun;
  /** Its head alone is shown: on a phone where something else is in front. */
  folded: boolean;
  /** Something in it was pressed. */
  onUsed: () => void;
  onNode: (id: string) => void;
  onStop: () => void;
  onClosed: () => void;
  /** Open the list of what is wrong with the workflow. */
  onProblems: () => void;
}

/** The docked panel of test runs: what goes in, what happens, what passed. */
export function TestPanel(props: TestPanelProps) {
  const { test, folded, onUsed, onNode, onStop, onClosed, onProblems } = props;
  const tab = useTesting((state) => state.tab);
  const height = useTesting((state) => state.height);
  const subject = useSubject();
  useFollow(test, subject);
  const close = () => {
    closePanel();
    onClosed();
  };
  const escape = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    if (isTyping(event.target)) {
      // one level only: out of the field, which may itself be put away
      event.currentTarget.focus();
      return;
    }
    event.stopPropagation();
    close();
  };
  return (
    <section
      className={classes.panel}
      aria-label="Test run"
      data-region="run"
      data-folded={folded}
      tabIndex={-1}
      style={{ '--height': `${height}px` } as React.CSSProperties}
      onKeyDown={escape}
      onClickCapture={onUsed}
      onKeyDownCapture={onUsed}
    >
      <Grip height={height} />
      <Tabs
        value={tab}
        onChange={(next) => next && showTab(next as PanelTab)}
        keepMounted={false}
        className={classes.tabs}
      >
        <header className={classes.head}>
          <Tabs.List className={classes.tabList}>
            <Tabs.Tab value="input">Input</Tabs.Tab>
            <Tabs.Tab value="live">Live</Tabs.Tab>
            <Tabs.Tab value="node">{subject?.kind === 'edge' ? 'Wire' : 'Node'}</Tabs.Tab>
          </Tabs.List>
          <Standing test={test} onProblems={onProblems} />
          <Buttons test={test} onStop={onStop} />
          <Tooltip label="Put the panel away">
            <ActionIcon className={classes.close} aria-label="Close the test run" onClick={close}>
              <IconX size={16} />
            </ActionIcon>
          </Tooltip>
        </header>
        <StaleRefusal status={useStatus(test)} />
        <Tabs.Panel value="input" className={classes.body}>
          <InputTab />
        </Tabs.Panel>
        <Tabs.Panel value="live" className={classes.body}>
          {test.run ? (
            <LiveTab test={test} onNode={onNode} />
          ) : (
            <p className={classes.quiet}>
              Nothing has run yet. Each step appears here as it happens.
            </p>
          )}
        </Tabs.Panel>
        <Tabs.Panel value="node" className={classes.body}>
          <NodeTab test={test} subject={subject} onNode={onNode} />
        </Tabs.Panel>
      </Tabs>
    </section>
  );
}

/** What is clicked on the canvas is shown, unless one is at the input or is asked something. */
function useFollow(test: TestRun, subject: Subject): void {
  const asked = useStatus(test) === 'waiting';
  const chosen = subject?.kind === 'node' || subject?.kind === 'edge' ? subject.id : null;
  const last = useRef(chosen);
  useEffect(() => {
    const isNew = chosen !== null && chosen !== last.current;
    last.current = chosen;
    if (isNew && !asked && useTesting.getState().tab === 'live') showTab('node');
  }, [chosen, asked]);
}

const STEP = 24;

/** The upper edge, by which the panel is made taller. */
function Grip({ height }: { height: number }) {
  const start = useRef<{ y: number; height: number } | null>(null);
  const pull = (event: PointerEvent) => {
    if (start.current) resizePanel(start.current.height + start.current.y - event.clientY);
  };
  const keys = (event: KeyboardEvent) => {
    const step = { ArrowUp: STEP, ArrowDown: -STEP }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    resizePanel(height + step);
  };
  return (
    <div
      role="separator"
      aria-orientation="horizontal"
      aria-label="Height of the panel"
      aria-valuenow={height}
      tabIndex={0}
      className={classes.grip}
      onKeyDown={keys}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { y: event.clientY, height };
      }}
      onPointerMove={pull}
      onPointerUp={() => (start.current = null)}
      onPointerCancel={() => (start.current = null)}
    />
  );
}

/** The status of the run as its log says it, or as the server did before the log came. */
function useStatus({ live, run }: TestRun): RunStatus | null {
  const status = useStore(live.store, (state) => (state.head.seq === 0 ? null : state.head.status));
  return status ?? run?.status ?? null;
}

/** How the run stands and what it has cost. */
function Standing({ test, onProblems }: Pick<TestPanelProps, 'test' | 'onProblems'>) {
  const status = useStatus(test);
  const starting = useTesting((state) => state.starting);
  const runId = useTesting((state) => state.runId);
  const refused = useTesting((state) => state.refusal !== '' || state.problems.length > 0);
  const whole = useTesting((state) => state.problems.find(({ path }) => path === '')?.message);
  const drawn = useTesting((state) => state.blocks.length > 0);
  const view = useStore(test.live.store, (state) => state.head);
  const { run } = test;
  if (starting) return <Aside>Starting</Aside>;
  if (refused && drawn)
    return (
      <Aside>
        Not started:{' '}
        <Anchor component="button" type="button" size="xs" onClick={onProblems}>
          see the problems
        </Anchor>
      </Aside>
    );
  if (refused) return <Aside>{`Not started: ${whole ?? 'see the input'}`}</Aside>;
  if (runId === null) return <Aside>Not run yet</Aside>;
  if (!run || status === null) return <Aside>Loading</Aside>;
  const behind = status === 'queued' ? run.queued_behind : null;
  const turn = typeof behind === 'number' ? { detail: beforeIt(behind) } : {};
  return (
    <div className={classes.standing} role="status" aria-label="This run">
      <StatusBadge status={status} {...turn} />
      {view.seq === 0 ? null : (
        <SpendMeter
          spend={view.spend}
          limitUsd={view.limits.budget_usd ?? null}
          limitTokens={view.limits.max_token_budget ?? null}
          compact
        />
      )}
      <Today />
      <Anchor component={Link} to={`/runs/${run.id}`} size="xs" className={classes.whole}>
        <span>Open the whole run</span> <IconExternalLink size={12} aria-hidden />
      </Anchor>
    </div>
  );
}

function Today() {
  const graphId = useTesting((state) => state.graphId);
  const runId = useTesting((state) => state.runId);
  return <TestsToday graphId={graphId} runId={runId} />;
}

function Aside({ children }: { children: ReactNode }) {
  return (
    <div className={classes.standing} role="status" aria-label="This run">
      <span className={classes.quiet}>{children}</span>
      <Today />
    </div>
  );
}

const canStop = (run: RunDetail | null, status: RunStatus | null): boolean =>
  run !== null && status !== null && run.can.cancel && !isTerminal(status) && status !== 'ending';

function Buttons({ test, onStop }: { test: TestRun; onStop: () => void }) {
  const status = useStatus(test);
  const starting = useTesting((state) => state.starting);
  const until = useTesting((state) => state.until);
  const last = useEditor((state) =>
    until === null ? null : state.records.nodes.get(until)?.label || until,
  );
  const canRun = useEditor((state) => state.can.run);
  const pinned = usePinned();
  const plan = useStale((state) => state.plan);
  const cost = plan && last === null ? againCost(plan, status) : null;
  const words = last !== null ? `Run to “${last}”` : status === null ? 'Run' : 'Run again';
  return (
    <div className={classes.buttons}>
      {pinned.length > 0 ? (
        <Tooltip label={`Not run, and not paid for: ${pinned.join(', ')}`} multiline maw={320}>
          <Badge
            className={classes.pinned}
            variant="light"
            color="yellow"
            leftSection={<IconPin size={12} aria-hidden />}
          >
            {pinned.length} pinned
          </Badge>
        </Tooltip>
      ) : null}
      {canStop(test.run, status) ? (
        <Tooltip label={<Kbd keys={STOP_KEYS} />}>
          <Button
            size="xs"
            variant="light"
            color="red"
            leftSection={<IconPlayerStop size={14} />}
            onClick={onStop}
          >
            Stop
          </Button>
        </Tooltip>
      ) : null}
      {last !== null ? (
        <Button size="xs" variant="subtle" onClick={dropUntil}>
          Run to the end instead
        </Button>
      ) : null}
      {last === null ? <StaleButton status={status} /> : null}
      <Tooltip label={<Kbd keys="Mod+Enter" />}>
        <Button
          size="xs"
          className={classes.run}
          leftSection={<IconPlayerPlay size={14} />}
          loading={starting}
          disabled={!canRun}
          onClick={() => void startTest()}
        >
          {words}
          {cost ? <span className={classes.forecast}>{cost}</span> : null}
        </Button>
      </Tooltip>
    </div>
  );
}
