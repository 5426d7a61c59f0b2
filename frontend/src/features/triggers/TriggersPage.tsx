import { Button, Group, Modal } from '@mantine/core';
import {
  IconBellRinging,
  IconBolt,
  IconCalendarTime,
  IconPencil,
  IconWebhook,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { type TriggerKind, triggersQuery } from '../../api/http/runs/triggers.ts';
import { graphQuery } from '../../api/http/queries.ts';
import { EmptyState, ErrorState } from '../../ui/page/EmptyState.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { ListSkeleton } from '../../ui/page/Skeletons.tsx';
import pages from '../../ui/page/pages.module.css';
import { NewTriggerForm } from './NewTriggerForm.tsx';
import { TriggerCard } from './TriggerCard.tsx';
import classes from './triggers.module.css';

const TITLES: Record<TriggerKind, string> = {
  webhook: 'New webhook',
  schedule: 'New schedule',
  event: 'New event',
};

/** What starts a workflow by itself: calls of an address, times, and events. */
export default function TriggersPage() {
  const graphId = useParams()['graphId'] ?? '';
  const { data: graph } = useQuery(graphQuery(graphId));
  const { data, error, refetch } = useQuery(triggersQuery(graphId));
  const [kind, setKind] = useState<TriggerKind | null>(null);
  const [made, setMade] = useState<Record<string, string | null>>({});
  const can = { edit: graph?.can.edit ?? false, run: graph?.can.run ?? false };
  const add = can.edit ? (
    <Group gap="xs">
      <Button leftSection={<IconWebhook size={16} />} onClick={() => setKind('webhook')}>
        Add a webhook
      </Button>
      <Button
        variant="default"
        leftSection={<IconCalendarTime size={16} />}
        onClick={() => setKind('schedule')}
      >
        Add a schedule
      </Button>
      <Button
        variant="default"
        leftSection={<IconBellRinging size={16} />}
        onClick={() => setKind('event')}
      >
        Add an event
      </Button>
    </Group>
  ) : null;
  return (
    <div className={pages.page}>
      <PageHeader
        title="Triggers"
        tab={graph ? `Triggers of ${graph.name}` : 'Triggers'}
        text={
          graph
            ? `What starts “${graph.name}” by itself${graph.published ? '' : ', once it is published'}.`
            : null
        }
      >
        <Button
          component={Link}
          to={`/workflows/${graphId}`}
          variant="default"
          leftSection={<IconPencil size={16} />}
        >
          Open the workflow
        </Button>
        {data?.length ? add : null}
      </PageHeader>
      <div className={pages.body}>
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
        {!data && !error ? <ListSkeleton rows={2} /> : null}
        {data?.length === 0 ? (
          <EmptyState
            icon={IconBolt}
            title="Nothing starts it by itself yet"
            text="A webhook starts it when another program calls its address. A schedule starts it when it is time. An event starts it when another workflow ends, an item waits for long, or a budget passes a mark."
            action={add}
          />
        ) : null}
        <ul className={classes.list} aria-label="Triggers">
          {(data ?? []).map((trigger) => (
            <TriggerCard
              key={trigger.id}
              trigger={trigger}
              can={can}
              secret={made[trigger.id] ?? null}
            />
          ))}
        </ul>
      </div>
      <Modal opened={kind !== null} onClose={() => setKind(null)} title={kind ? TITLES[kind] : ''}>
        {kind ? (
          <NewTriggerForm
            graphId={graphId}
            kind={kind}
            onMade={(trigger) => {
              setMade({ ...made, [trigger.id]: trigger.secret });
              setKind(null);
            }}
            onCancel={() => setKind(null)}
          />
        ) : null}
      </Modal>
    </div>
  );
}
