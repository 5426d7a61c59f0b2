import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Alarm, Wait } from '../../api/http/boards.ts';
import { RelativeTime } from '../../ui/format/RelativeTime.tsx';
import type { AnyStatus } from '../../ui/status.ts';
import { StatusIcon } from '../../ui/StatusBadge.tsx';
import classes from './dashboard.module.css';
import { withGraph } from './range/range.ts';

const WHY: Record<Alarm['why'], string> = {
  timer_overdue: 'a timer should have fired',
  silent: 'nothing has happened in it',
};

const SHOWN = 5;

/** Runs that should have moved and did not, a line for each workflow; after five lines the rest folds. */
export function Alarms({ alarms }: { alarms: readonly Alarm[] }) {
  if (alarms.length === 0) return null;
  const count = alarms.reduce((sum, alarm) => sum + alarm.count, 0);
  const title = count === 1 ? 'A run seems to be stuck' : `${count} runs seem to be stuck`;
  const rest = alarms.slice(SHOWN);
  return (
    <Alert color="red" icon={<IconAlertTriangle size={16} />} title={title} mb="md" role="alert">
      <ul className={classes.alarms}>
        {alarms.slice(0, SHOWN).map((alarm) => (
          <Stuck key={`${alarm.graph} ${alarm.why}`} alarm={alarm} />
        ))}
      </ul>
      {rest.length > 0 ? (
        <details>
          <summary>
            {rest.length} more {rest.length === 1 ? 'workflow' : 'workflows'}
          </summary>
          <ul className={classes.alarms}>
            {rest.map((alarm) => (
              <Stuck key={`${alarm.graph} ${alarm.why}`} alarm={alarm} />
            ))}
          </ul>
        </details>
      ) : null}
    </Alert>
  );
}

function Stuck({ alarm: { graph, why, count, since, runs } }: { alarm: Alarm }) {
  const [first] = runs;
  if (count === 1)
    return (
      <li>
        <Link to={`/runs/${first?.id ?? ''}`}>{graph}</Link>: {WHY[why]}, since{' '}
        <RelativeTime at={since} />
      </li>
    );
  return (
    <li>
      <details>
        <summary>
          {count} × {graph}: {WHY[why]}, the first since <RelativeTime at={since} />
        </summary>
        <ul className={classes.alarms}>
          {runs.map((run) => (
            <li key={run.id}>
              <Link to={`/runs/${run.id}`}>{run.id.slice(0, 8)}</Link>, since{' '}
              <RelativeTime at={run.since} />
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}

const KINDS: Record<Wait['kind'], { what: string; to: string }> = {
  approval: { what: 'An approval', to: '/inbox?kind=approval' },
  text: { what: 'An answer', to: '/inbox?kind=text' },
  choice: { what: 'A choice', to: '/inbox?kind=choice' },
  'multi-choice': { what: 'A choice of several', to: '/inbox?kind=multi-choice' },
  form: { what: 'A form', to: '/inbox?kind=form' },
  budget: { what: 'Money: a budget question', to: '/inbox?kind=budget' },
  in_doubt: { what: 'A word on a call of unknown outcome', to: '/inbox?kind=in_doubt' },
  retry: { what: 'Another try after a failure', to: '/runs?waiting=retry' },
  sleep: { what: 'Sleeping until a time', to: '/runs?waiting=sleep' },
  child_run: { what: 'A child run', to: '/runs?waiting=child_run' },
  call: { what: 'Its turn, or money, to call a model', to: '/runs?waiting=call' },
};

const SIGNS: Partial<Record<Wait['kind'], AnyStatus>> = { retry: 'retrying', sleep: 'asleep' };

/** What runs wait for, all or those of one workflow; each line leads there. */
export function Waits({ waits, graph }: { waits: readonly Wait[]; graph?: string | undefined }) {
  return (
    <section className={classes.box} aria-label="Waiting for what">
      <header className={classes.boxHead}>
        <h2>Waiting for what</h2>
      </header>
      {waits.length === 0 ? <p className={classes.quiet}>No run waits for anything.</p> : null}
      <ul className={classes.lines}>
        {waits.map((wait) => (
          <li key={wait.kind}>
            <StatusIcon status={SIGNS[wait.kind] ?? 'waiting'} />
            <Link to={withGraph(KINDS[wait.kind].to, graph)}>{KINDS[wait.kind].what}</Link>
            <span className={classes.aside}>
              {wait.since ? (
                <>
                  the oldest <RelativeTime at={wait.since} />
                </>
              ) : wait.due ? (
                <>
                  due <RelativeTime at={wait.due} />
                </>
              ) : null}
            </span>
            <Link
              to={withGraph(`/runs?waiting=${wait.kind}`, graph)}
              aria-label={`${wait.runs} ${wait.runs === 1 ? 'run waits' : 'runs wait'} for it`}
            >
              <b>{wait.runs}</b>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
