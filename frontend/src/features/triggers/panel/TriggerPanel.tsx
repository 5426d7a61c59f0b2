import { Alert, Drawer, SegmentedControl, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { graphQuery } from '../../../api/http/queries.ts';
import { triggerQuery, type TriggerKind } from '../../../api/http/runs/triggers.ts';
import { ErrorState } from '../../../ui/page/EmptyState.tsx';
import { ListSkeleton } from '../../../ui/page/Skeletons.tsx';
import { showTrigger } from '../canvas/shown.ts';
import { NewTriggerForm } from '../NewTriggerForm.tsx';
import { Came, type Rights, Settings, TriggerHead } from '../TriggerParts.tsx';
import classes from '../triggers.module.css';

interface PanelProps {
  graphId: string;
  /** The trigger's id, or `new`. */
  shown: string;
  can: Rights;
}

const TEXTS: Record<TriggerKind, string> = {
  webhook: 'Another program starts it by calling an address.',
  schedule: 'It starts when it is time.',
  event: 'It starts when something happens to another workflow, its items or a budget.',
};

const close = () => showTrigger(null);

/** A trigger beside the canvas: its switch, how it fares, what came in, a test, its settings. */
export default function TriggerPanel({ graphId, shown, can }: PanelProps) {
  const [made, setMade] = useState<{ id: string; secret: string | null } | null>(null);
  const fresh = shown === 'new';
  const { data: graph } = useQuery(graphQuery(graphId));
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size={480}
      title={fresh ? 'New trigger' : 'Trigger'}
    >
      <Stack gap="md">
        {graph && !graph.published ? (
          <Alert color="yellow" title="Not published yet">
            A trigger starts the latest published version: publish the workflow, else nothing
            starts.
          </Alert>
        ) : null}
        {fresh ? (
          <NewTrigger
            graphId={graphId}
            onMade={(id, secret) => {
              setMade({ id, secret });
              showTrigger(id);
            }}
          />
        ) : (
          <Shown
            key={shown}
            graphId={graphId}
            id={shown}
            can={can}
            secret={made?.id === shown ? made.secret : null}
            fresh={made?.id === shown}
          />
        )}
      </Stack>
    </Drawer>
  );
}

interface NewTriggerProps {
  graphId: string;
  onMade: (id: string, secret: string | null) => void;
}

function NewTrigger({ graphId, onMade }: NewTriggerProps) {
  const [kind, setKind] = useState<TriggerKind>('webhook');
  return (
    <>
      <SegmentedControl
        aria-label="What starts it"
        fullWidth
        data={[
          { value: 'webhook', label: 'Webhook' },
          { value: 'schedule', label: 'Schedule' },
          { value: 'event', label: 'Event' },
        ]}
        value={kind}
        onChange={setKind}
      />
      <Text size="sm" c="dimmed">
        {TEXTS[kind]}
      </Text>
      <NewTriggerForm
        key={kind}
        graphId={graphId}
        kind={kind}
        onMade={(trigger) => onMade(trigger.id, trigger.secret)}
        onCancel={close}
      />
    </>
  );
}

interface ShownProps {
  graphId: string;
  id: string;
  can: Rights;
  secret: string | null;
  /** Whether it was just made: then its address and secret come first. */
  fresh: boolean;
}

function Shown({ graphId, id, can, secret, fresh }: ShownProps) {
  const { data: trigger, error, refetch } = useQuery(triggerQuery(graphId, id));
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!trigger) return <ListSkeleton rows={2} />;
  const settings = <Settings trigger={trigger} can={can} secret={secret} />;
  return (
    <article className={classes.panel} aria-label={trigger.name} data-on={trigger.on}>
      <TriggerHead trigger={trigger} can={can} onRemoved={close} />
      {fresh ? settings : null}
      <Came trigger={trigger} can={can} />
      {fresh ? null : settings}
    </article>
  );
}
