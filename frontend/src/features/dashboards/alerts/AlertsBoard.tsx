import { ActionIcon, Alert, Button, Group, Modal } from '@mantine/core';
import { IconBell, IconMailOff, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { type AlertRule, alertsQuery, saveAlert } from '../../../api/http/alerts.ts';
import { useSession } from '../../../api/http/queries.ts';
import { useBell } from '../../../api/live/useBell.ts';
import { confirm } from '../../../ui/confirm.tsx';
import { CsvButton } from '../../../ui/CsvButton.tsx';
import { EmptyState, ErrorState } from '../../../ui/page/EmptyState.tsx';
import { ListSkeleton } from '../../../ui/page/Skeletons.tsx';
import { AlertForm } from './AlertForm.tsx';
import classes from './alerts.module.css';
import { Mute } from './OpenAlerts.tsx';
import { useAddressees } from './useAddressees.ts';
import { useAlertActions } from './useAlertActions.ts';
import { mailWords, ruleSentence, usualRules } from './words.ts';

/** What people are told of while they do not look. */
export function AlertsBoard() {
  useBell('runs', 'overview');
  const { data, error, refetch } = useQuery(alertsQuery);
  const [open, setOpen] = useState<AlertRule | 'new' | null>(null);
  const { data: session } = useSession();
  const rules = data?.results ?? [];
  const add = data?.can_edit ? (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen('new')}>
      New alert
    </Button>
  ) : null;
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <ListSkeleton rows={3} />;
  return (
    <>
      {session?.mail === false ? (
        <Alert color="yellow" mb="sm" icon={<IconMailOff size={16} />}>
          This server sends no mail: alerts stand on the dashboard only, until its operator names a
          mail server.
        </Alert>
      ) : null}
      {rules.length === 0 ? (
        <EmptyState
          icon={IconBell}
          title="Nobody is told of anything yet"
          text={`An alert counts failures, waits or spend and shows up on the dashboard${session?.mail === false ? '' : ', and by mail where you say so'}.`}
          action={
            <Group gap="xs">
              {data.can_edit ? <Usual /> : null}
              {add}
            </Group>
          }
        />
      ) : (
        <>
          <div className={classes.head}>
            <p>Looked at every few seconds. Open ones stand on top of the dashboard.</p>
            <Group gap="xs" wrap="nowrap">
              <CsvButton path="alerts" query={{}} title="Each time that an alert was open" />
              {add}
            </Group>
          </div>
          <ul className={classes.rules} aria-label="Alerts">
            {rules.map((rule) => (
              <Rule key={rule.id} rule={rule} edit={data.can_edit ? () => setOpen(rule) : null} />
            ))}
          </ul>
        </>
      )}
      <Modal
        opened={open !== null}
        onClose={() => setOpen(null)}
        title={open === 'new' ? 'New alert' : 'Alert'}
      >
        {open === null ? null : (
          <AlertForm known={open === 'new' ? null : open} onDone={() => setOpen(null)} />
        )}
      </Modal>
    </>
  );
}

function Rule({ rule, edit }: { rule: AlertRule; edit: (() => void) | null }) {
  const { nameOf } = useAddressees();
  const { remove } = useAlertActions();
  const mail = useSession().data?.mail !== false;
  const said = ruleSentence(rule);
  const ask = async () => {
    const text = `Nobody is told any more when ${said.charAt(0).toLowerCase()}${said.slice(1)}.`;
    const yes = await confirm({
      title: 'Delete this alert?',
      text,
      confirm: 'Delete',
      cancel: 'Keep it',
      danger: true,
    });
    if (yes) remove(rule.id);
  };
  return (
    <li className={classes.rule}>
      <div className={classes.what}>
        <b>{said}</b>
        <small>{mailWords(rule.to.map(nameOf), mail, rule.muted_until)}</small>
      </div>
      {rule.open ? (
        <span className={classes.now}>
          <Link to={rule.open.rows}>{rule.open.said}</Link>
        </span>
      ) : null}
      {edit ? (
        <Group gap={4} wrap="nowrap">
          <Mute rule={rule} />
          <ActionIcon aria-label={`Edit: ${said}`} onClick={edit}>
            <IconPencil size={16} />
          </ActionIcon>
          <ActionIcon aria-label={`Delete: ${said}`} onClick={() => void ask()}>
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      ) : null}
    </li>
  );
}

/** Adds what most people want to be told of, in one press. */
function Usual() {
  const client = useQueryClient();
  const make = useMutation({
    mutationFn: async () => {
      for (const rule of usualRules(['role:operator', 'role:admin'])) await saveAlert(null, rule);
    },
    onSettled: () => client.invalidateQueries({ queryKey: alertsQuery.queryKey }),
  });
  return (
    <Button variant="default" loading={make.isPending} onClick={() => make.mutate()}>
      Add the usual five
    </Button>
  );
}
