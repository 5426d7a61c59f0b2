import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Trigger } from '../../../api/http/runs/triggers.ts';
import { useTrigger } from '../useTrigger.ts';
import { EventFields } from './EventFields.tsx';
import classes from '../triggers.module.css';

/** What has to happen, to be changed. */
export function EventForm({ trigger, canEdit }: { trigger: Trigger; canEdit: boolean }) {
  const { change, isPending } = useTrigger(trigger);
  const [config, setConfig] = useState(trigger.config);
  const changed = JSON.stringify(config) !== JSON.stringify(trigger.config);
  return (
    <div className={classes.fields}>
      <EventFields
        graphId={trigger.graph.id}
        config={config}
        readOnly={!canEdit}
        onChange={setConfig}
      />
      {changed ? (
        <Button size="xs" loading={isPending} onClick={() => change({ config })}>
          Save what starts it
        </Button>
      ) : null}
    </div>
  );
}
