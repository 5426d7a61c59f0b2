import { Alert, Button, Menu } from '@mantine/core';
import { IconBellRinging, IconChevronDown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type AlertRule, alertsQuery } from '../../../api/http/alerts.ts';
import { RelativeTime } from '../../../ui/format/RelativeTime.tsx';
import classes from './alerts.module.css';
import { mutes, useAlertActions } from './useAlertActions.ts';

/**
 * What is so now of all that somebody wants to be told; each line leads to exactly what it counts.
 * With a workflow its own alerts, and those of the whole workspace, which then say so.
 */
export function OpenAlerts({ graph }: { graph?: string | undefined }) {
  const { data } = useQuery(alertsQuery);
  const open = (data?.results ?? []).filter(
    (rule) => rule.open !== null && (!graph || !rule.graph || rule.graph.id === graph),
  );
  if (open.length === 0) return null;
  const canEdit = data?.can_edit ?? false;
  const loud = open.filter((rule) => !rule.muted_until);
  const muted = open.filter((rule) => rule.muted_until);
  const title = loud.length === 1 ? 'An alert is open' : `${loud.length} alerts are open`;
  return (
    <section aria-label="Open alerts">
      {loud.length > 0 ? (
        <Alert color="orange" icon={<IconBellRinging size={16} />} title={title} mb="md">
          <Lines rules={loud} canEdit={canEdit} isNarrowed={graph !== undefined} />
        </Alert>
      ) : null}
      {muted.length > 0 ? (
        <details className={classes.muted}>
          <summary>
            {muted.length === 1 ? 'A muted alert is open' : `${muted.length} muted alerts are open`}
          </summary>
          <Lines rules={muted} canEdit={canEdit} isNarrowed={graph !== undefined} />
        </details>
      ) : null}
    </section>
  );
}

interface LinesProps {
  rules: readonly AlertRule[];
  canEdit: boolean;
  isNarrowed: boolean;
}

function Lines({ rules, canEdit, isNarrowed }: LinesProps) {
  return (
    <ul className={classes.open}>
      {rules.map((rule) => (
        <Line key={rule.id} rule={rule} canEdit={canEdit} isNarrowed={isNarrowed} />
      ))}
    </ul>
  );
}

function Line({
  rule,
  canEdit,
  isNarrowed,
}: {
  rule: AlertRule;
  canEdit: boolean;
  isNarrowed: boolean;
}) {
  const { open, muted_until: muted } = rule;
  if (open === null) return null;
  return (
    <li>
      <span>
        <Link to={open.rows}>{open.said}</Link>
        <small>
          {isNarrowed && !rule.graph ? 'whole workspace, ' : ''}since{' '}
          <RelativeTime at={open.since} />
          {muted ? (
            <>
              {' '}
              · muted until <RelativeTime at={muted} />
            </>
          ) : null}
        </small>
      </span>
      {canEdit ? <Mute rule={rule} /> : null}
    </li>
  );
}

/** Holds mail about a rule back for a while, or lets it go out again. */
export function Mute({ rule }: { rule: AlertRule }) {
  const { mute } = useAlertActions();
  if (rule.muted_until)
    return (
      <Button size="compact-sm" variant="default" onClick={() => mute(rule.id, null)}>
        Stop muting
      </Button>
    );
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          size="compact-sm"
          variant="default"
          rightSection={<IconChevronDown size={14} />}
          title="Send no mail about it for a while"
        >
          Mute
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {mutes.map(({ label, ms }) => (
          <Menu.Item key={ms} onClick={() => mute(rule.id, ms)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
