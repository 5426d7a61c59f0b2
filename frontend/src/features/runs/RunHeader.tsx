import { ActionIcon, Anchor, Button, Group, Menu, Text, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import {
  IconArrowLeft,
  IconArrowsDiff,
  IconBrain,
  IconDots,
  IconGitFork,
  IconList,
  IconPencil,
  IconPlayerStop,
  IconPlugConnectedX,
  IconTestPipe,
} from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { Link } from 'react-router';
import { useStore } from 'zustand';
import { type Action, useActions } from '../../actions/registry.ts';
import { api, messageOf } from '../../api/http/client.ts';
import type { RunDetail, RunStatus } from '../../api/types/types.ts';
import { starterOf } from '../inbox/item/origin/starter.ts';
import { type ActivationView, isTerminal } from '../../run/fold/model.ts';
import { runSleepsUntil } from '../../run/waits/asleep.ts';
import { beforeIt, callInLine } from '../../run/waits/queue.ts';
import { ForkedFrom } from './control/ForkedFrom.tsx';
import { firstTry, nextTry } from './views/nextTry.ts';
import { rejectedBy } from '../../run/ended/rejected.ts';
import { usePersonOf } from './usePersonOf.ts';
import { warningOf } from '../../run/ended/doubts.ts';
import type { RunStore } from '../../run/replay/store.ts';
import { copyText } from '../../ui/copyText.ts';
import { formatDuration, formatUntil } from '../../ui/format/format.ts';
import { Kbd } from '../../ui/keys/Kbd.tsx';
import { RelativeTime } from '../../ui/format/RelativeTime.tsx';
import { shownStatus, statusLook } from '../../ui/status.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { TightestBudget } from '../../ui/budgets/BudgetBar.tsx';
import { nodeLabel } from './views/canvasViews.ts';
import { ForkDialog } from './control/ForkDialog.tsx';
import { usePageTitle } from '../../ui/page/usePageTitle.ts';
import classes from './runs.module.css';
import { RunAgain } from './control/RunAgain.tsx';
import { OldRunItems } from './control/OldRunItems.tsx';
import { RetryButton } from './control/RetryButton.tsx';
import { SpendMeter } from '../../liverun/SpendMeter.tsx';
import { askToStop, stopAction, STOP_KEYS } from './control/stopRun.ts';
import type { Hearing } from '../../liverun/useLiveRun.ts';

interface RunHeaderProps {
  store: RunStore;
  run: RunDetail;
  now: number;
  hearing: Hearing;
}

/** What the run is, how it stands, what it cost, and what can be done with it. */
export function RunHeader({ store, run, now, hearing }: RunHeaderProps) {
  const view = useStore(store, (state) => state.view);
  const scrub = useStore(store, (state) => state.scrub);
  const headStatus = useStore(store, (state) =>
    state.head.seq === 0 ? run.status : state.head.status,
  );
  const scrubbing = scrub !== null;
  const status = view.seq === 0 ? run.status : view.status;
  const again = firstTry(view);
  const personOf = usePersonOf(store);
  const asked = status === 'waiting' && !scrubbing ? run.waiting_for[0] : undefined;
  const behind = status === 'queued' && !scrubbing ? run.queued_behind : undefined;
  const turn =
    typeof behind === 'number'
      ? beforeIt(behind)
      : status === 'running' && !scrubbing
        ? callInLine(run.waiting_for)
        : undefined;
  const waiting =
    asked ??
    turn ??
    rejectedBy(view, personOf) ??
    (again ? againWords(again, nodeLabel(run.document, again.node), now) : undefined);
  const sleeps = scrubbing
    ? null
    : view.seq === 0
      ? run.waits_until && Date.parse(run.waits_until)
      : runSleepsUntil(view);
  const limits =
    view.seq === 0
      ? { usd: run.spend.limit_usd, tokens: run.spend.limit_tokens }
      : { usd: view.limits.budget_usd ?? null, tokens: view.limits.max_token_budget ?? null };
  const spend =
    view.seq === 0
      ? {
          usd: run.spend.usd,
          tokens: run.spend.tokens,
          heldUsd: run.spend.held_usd,
          heldTokens: run.spend.held_tokens,
        }
      : view.spend;
  usePageTitle([run.title, run.graph.name].filter(Boolean).join(' · '));
  const from = view.startedAt ?? Date.parse(run.started_at);
  return (
    <header className={classes.head}>
      <ActionIcon component={Link} to="/runs" aria-label="All runs" size="lg">
        <IconArrowLeft size={18} />
      </ActionIcon>
      <div className={classes.headMain}>
        <Group
          gap={8}
          wrap="nowrap"
          className={classes.headTop}
          data-long={waiting || sleeps !== null || scrubbing ? true : undefined}
        >
          <h1 dir="auto" className="gw-truncate" title={run.graph.name}>
            {run.graph.name}
          </h1>
          {run.title && run.title !== run.graph.name ? (
            <span dir="auto" className={`${classes.headTitle} gw-truncate`} title={run.title}>
              {run.title}
            </span>
          ) : null}
          {sleeps === null ? (
            <StatusBadge
              status={shownStatus({ status, rejected: run.rejected })}
              {...(waiting ? { detail: waiting } : {})}
            />
          ) : (
            <StatusBadge
              status="asleep"
              detail={`until ${formatUntil(new Date(sleeps), new Date(now))}`}
            />
          )}
          {scrubbing ? <span className={classes.past}>at event {scrub}</span> : null}
          {hearing !== 'live' && !isTerminal(headStatus) ? <NotLive hearing={hearing} /> : null}
        </Group>
        <Text size="xs" c="dimmed" className={classes.headMeta}>
          {run.is_draft ? 'draft' : `version ${run.version ?? '?'}`} · started by{' '}
          {run.trigger && run.graph.id ? (
            <Anchor
              component={Link}
              to={`/workflows/${run.graph.id}/triggers`}
              inherit
              underline="always"
            >
              {starterOf(run)}
            </Anchor>
          ) : (
            starterOf(run)
          )}{' '}
          <RelativeTime at={run.started_at} /> ·{' '}
          {view.endedAt === null || scrubbing ? 'for ' : 'took '}
          <span className="gw-num">
            {formatDuration(
              Math.max(0, (view.endedAt ?? (scrubbing ? (view.at ?? now) : now)) - from),
            )}
          </span>
          {run.archived_at ? ' · archived' : ''}
          {run.kept ? ' · kept' : ''}
          {run.cause ? (
            <>
              {' '}
              ·{' '}
              <Anchor component={Link} to={`/runs/${run.cause}`} inherit underline="always">
                after another run
              </Anchor>
            </>
          ) : null}
          {run.forked_from ? (
            <>
              {' '}
              · <ForkedFrom id={String(run.forked_from.run_id)} seq={run.forked_from.seq} />
            </>
          ) : null}
          {run.retried ? (
            <>
              {' '}
              ·{' '}
              <Anchor component={Link} to={`/runs/${run.retried.id}`} inherit underline="always">
                tried again
              </Anchor>{' '}
              <RelativeTime at={run.retried.started_at} />,{' '}
              {statusLook(shownStatus(run.retried)).label.toLowerCase()}
            </>
          ) : null}
          {run.until ? (
            <>
              {' '}
              · {status === 'completed' ? 'stopped after' : 'runs to'} “
              {nodeLabel(run.document, run.until)}”
            </>
          ) : null}
          {run.parent_run ? (
            <>
              {' '}
              ·{' '}
              <Anchor
                component={Link}
                to={`/runs/${run.parent_run}${view.parent ? `?at=${encodeURIComponent(view.parent.key)}` : ''}`}
                inherit
                underline="always"
              >
                parent run
              </Anchor>
            </>
          ) : null}
        </Text>
      </div>
      {run.spend.tightest && !scrubbing && !isTerminal(headStatus) ? (
        <TightestBudget budget={run.spend.tightest} />
      ) : null}
      <SpendMeter spend={spend} limitUsd={limits.usd} limitTokens={limits.tokens} />
      <RunActions store={store} run={run} status={headStatus} />
    </header>
  );
}

/** What a step that failed waits for, and when it is tried again. */
function againWords(again: ActivationView, label: string, now: number): string {
  const next = nextTry(again, now, label) ?? '';
  if (!again.waitsFor) return next;
  const why =
    again.waitsFor === 'server' ? 'the model server is away' : 'paused as the other side asked';
  return `${why}. ${next}`;
}

const NOT_LIVE: Record<Exclude<Hearing, 'live'>, { word: string; why: string }> = {
  connecting: { word: 'Connecting', why: 'The live connection is being made. Nothing is lost.' },
  polling: {
    word: 'Live updates by polling',
    why: 'The live connection brings nothing. The page asks every three seconds until it does again; nothing is lost.',
  },
  away: {
    word: 'Reconnecting',
    why: 'The server does not answer. The page asks every few seconds until it does; nothing is lost.',
  },
};

function NotLive({ hearing }: { hearing: Exclude<Hearing, 'live'> }) {
  const { word, why } = NOT_LIVE[hearing];
  return (
    <Tooltip label={why} multiline maw={320}>
      <span className={classes.offline} role="status">
        <IconPlugConnectedX size={14} aria-hidden />
        {word}
      </span>
    </Tooltip>
  );
}

interface RunActionsProps {
  store: RunStore;
  run: RunDetail;
  status: RunStatus;
}

function RunActions({ store, run, status }: RunActionsProps) {
  const ended = isTerminal(status);
  const [forking, setForking] = useState(false);
  const client = useQueryClient();
  const onError = (error: unknown) =>
    notifications.show({ color: 'red', title: 'That did not work', message: messageOf(error) });
  const cancel = useMutation({
    mutationFn: () => api.post(`runs/${run.id}/cancel/`),
    onSuccess: () => client.invalidateQueries({ queryKey: ['run', run.id] }),
    onError,
  });
  const copyTest = async () => {
    try {
      await copyText(await api.get<string>(`runs/${run.id}/test-case/`));
      notifications.show({
        title: 'Copied as a test case',
        message:
          'A Python test that plays this run again, with what models, tools and people answered.',
      });
    } catch (error) {
      onError(error);
    }
  };
  const { mutate: sendCancel } = cancel;
  const askCancel = useCallback(async () => {
    const doubt = warningOf(store.getState().head, (id) => nodeLabel(run.document, id));
    if (await askToStop(undefined, doubt)) sendCancel();
  }, [sendCancel, store, run.document]);
  const canCancel = run.can.cancel && !ended && status !== 'ending';
  useActions(
    useMemo<Action[]>(
      () => [
        stopAction({
          id: 'run.stop',
          label: 'Stop this run',
          group: 'Run',
          enabled: () => canCancel,
          run: () => void askCancel(),
        }),
      ],
      [canCancel, askCancel],
    ),
  );
  return (
    <Group gap={8} wrap="nowrap" className={classes.headActions}>
      <Button
        component={Link}
        to={`/workflows/${run.graph.id}`}
        variant="default"
        leftSection={<IconPencil size={16} />}
        className={classes.wideOnly}
      >
        Edit workflow
      </Button>
      {run.can.fork && ended && !run.parent_run ? <RunAgain run={run} /> : null}
      {run.can.retry && ended && status !== 'completed' ? <RetryButton run={run} /> : null}
      {canCancel ? (
        <Tooltip label={<Kbd keys={STOP_KEYS} />}>
          <Button
            variant="light"
            color="red"
            leftSection={<IconPlayerStop size={16} />}
            loading={cancel.isPending}
            onClick={() => void askCancel()}
          >
            Cancel
          </Button>
        </Tooltip>
      ) : null}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={34} aria-label="More">
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            component={Link}
            to={`/workflows/${run.graph.id}`}
            leftSection={<IconPencil size={16} />}
            className={classes.narrowOnly}
          >
            Edit workflow
          </Menu.Item>
          <Menu.Item
            component={Link}
            to={`/runs?graph=${run.graph.id}`}
            leftSection={<IconList size={16} />}
          >
            All runs of this workflow
          </Menu.Item>
          {run.can.fork && ended ? (
            <Menu.Item leftSection={<IconGitFork size={16} />} onClick={() => setForking(true)}>
              Fork this run
            </Menu.Item>
          ) : null}
          <Menu.Item
            component={Link}
            to={`/runs/compare?a=${run.forked_from?.run_id ?? run.id}${run.forked_from ? `&b=${run.id}` : ''}`}
            leftSection={<IconArrowsDiff size={16} />}
          >
            {run.forked_from ? 'Compare with the run it came from' : 'Compare with another run'}
          </Menu.Item>
          {ended && status !== 'cancelled' && !run.forked_from && !run.until ? (
            <Menu.Item leftSection={<IconTestPipe size={16} />} onClick={() => void copyTest()}>
              Copy as a test case
            </Menu.Item>
          ) : null}
          <Menu.Item
            component={Link}
            to={`/memory?run=${run.id}`}
            leftSection={<IconBrain size={16} />}
          >
            Facts learned in this run
          </Menu.Item>
          {ended ? <OldRunItems run={run} /> : null}
          <Menu.Divider />
          <Menu.Item onClick={() => void copyText(run.id).catch(onError)}>
            Copy the run id
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {forking ? <ForkDialog run={run} from={1} onClose={() => setForking(false)} /> : null}
    </Group>
  );
}
