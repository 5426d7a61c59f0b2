import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconCheck, IconChevronDown, IconRefresh, IconRotate2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import {
  type Cause,
  type CauseChange,
  isMended,
  triedAgain,
} from '../../../api/http/runs/causes.ts';
import { membersQuery } from '../../../api/http/lists.ts';
import { capital } from '../../../ui/format/format.ts';
import { RelativeTime } from '../../../ui/format/RelativeTime.tsx';
import classes from './causes.module.css';
import { Spark } from './Spark.tsx';
import { leftOf, Waiting } from './Waiting.tsx';

const HOUR_MS = 3_600_000;
const MUTES = [
  { label: 'Mute for an hour', ms: HOUR_MS },
  { label: 'Mute for a day', ms: 24 * HOUR_MS },
  { label: 'Mute for a week', ms: 168 * HOUR_MS },
];

/** How a version is called in the middle of a sentence. */
export function versionName(version: string): string {
  if (version === '') return '';
  return version === 'draft' ? 'the draft' : `version ${version}`;
}

interface CauseRowProps {
  cause: Cause;
  current?: boolean;
  change: (change: CauseChange) => void;
  retry: () => void;
}

/** One cause: what it says, how often and since when, and what can be done about it. */
export function CauseRow({ cause, current = false, change, retry }: CauseRowProps) {
  const left = leftOf(cause);
  return (
    <li className={classes.cause} data-current={current || undefined} data-row={cause.id}>
      <div className={classes.what}>
        <p className={classes.message}>
          <Link to={`/runs?cause=${cause.id}`} title={cause.sample}>
            {capital(cause.title) || 'No message'}
          </Link>
        </p>
        {cause.answered ? <p className={classes.answered}>“{cause.answered}”</p> : null}
        <p className={classes.about}>
          <span>
            {cause.graph.name}
            {cause.label ? ` · at “${cause.label}”` : ''}
          </span>
          {cause.came_back_at ? (
            <span className={classes.back}>
              Came back <RelativeTime at={cause.came_back_at} />
            </span>
          ) : null}
          <span>
            last <RelativeTime at={cause.last_at} />, first <RelativeTime at={cause.first_at} />
            {cause.since_version ? ` in ${versionName(cause.since_version)}` : ''}
          </span>
          {isMended(cause) ? <span className={classes.mended}>Mended</span> : null}
          {cause.retried > 0 ? <span>{triedAgain(cause)}</span> : null}
          {cause.queued.map(({ job }) => (
            <Waiting key={job} job={job} can={cause.can_change} />
          ))}
          {cause.retryable ? null : <span>no step failed, so none can be tried again</span>}
          {cause.assignee ? <span>{cause.assignee.name} is at it</span> : null}
          {cause.muted_until ? (
            <span>
              muted, ends <RelativeTime at={cause.muted_until} />
            </span>
          ) : null}
        </p>
      </div>
      <Spark counts={cause.spark} />
      <Link to={`/runs?cause=${cause.id}`} className={classes.count}>
        <b>{cause.count.toLocaleString('en')}</b>
        {cause.count === 1 ? 'run' : 'runs'}
      </Link>
      {cause.can_change ? (
        <div className={classes.acts}>
          {left > 0 && cause.retryable && cause.state !== 'resolved' ? (
            <Button
              size="compact-md"
              variant="light"
              leftSection={<IconRefresh size={15} />}
              onClick={retry}
            >
              Retry {left === 1 ? '1 run' : `all ${left.toLocaleString('en')}`}
            </Button>
          ) : null}
          {cause.state === 'muted' ? (
            <Button size="compact-md" variant="default" onClick={() => change({ state: 'open' })}>
              Stop muting
            </Button>
          ) : null}
          {cause.state === 'resolved' ? (
            <Button
              size="compact-md"
              variant="default"
              leftSection={<IconRotate2 size={15} />}
              onClick={() => change({ state: 'open' })}
            >
              Open again
            </Button>
          ) : (
            <Button
              size="compact-md"
              variant="default"
              leftSection={<IconCheck size={15} />}
              onClick={() => change({ state: 'resolved' })}
            >
              Resolve
            </Button>
          )}
          <More cause={cause} change={change} />
        </div>
      ) : null}
    </li>
  );
}

function More({ cause, change }: Pick<CauseRowProps, 'cause' | 'change'>) {
  const { data: members } = useQuery(membersQuery);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={30} aria-label="Assign or mute">
          <IconChevronDown size={15} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        {cause.state === 'muted'
          ? null
          : MUTES.map(({ label, ms }) => (
              <Menu.Item
                key={ms}
                onClick={() =>
                  change({ state: 'muted', until: new Date(Date.now() + ms).toISOString() })
                }
              >
                {label}
              </Menu.Item>
            ))}
        <Menu.Divider />
        <Menu.Label>Who looks after it</Menu.Label>
        {cause.assignee ? (
          <Menu.Item onClick={() => change({ assignee: '' })}>Nobody</Menu.Item>
        ) : null}
        {(members ?? []).map((member) => (
          <Menu.Item
            key={member.id}
            disabled={member.user.id === cause.assignee?.id}
            onClick={() => change({ assignee: member.user.id })}
          >
            {member.user.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
