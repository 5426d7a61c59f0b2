import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Trigger } from '../../../api/http/runs/triggers.ts';
import { ScheduleFields } from './ScheduleFields.tsx';
import { useTrigger } from '../useTrigger.ts';
import classes from '../triggers.module.css';

/** When a schedule is due, to be changed. */
export function ScheduleForm({ trigger, canEdit }: { trigger: Trigger; canEdit: boolean }) {
  const { change, isPending } = useTrigger(trigger);
  const [config, setConfig] = useState(trigger.config);
  const changed = JSON.stringify(config) !== JSON.stringify(trigger.config);
  return (
    <fieldset disabled={!canEdit} className={classes.fields}>
      <ScheduleFields config={config} onChange={setConfig} />
      {changed ? (
        <Button size="xs" loading={isPending} onClick={() => change({ config })}>
          Save the times
        </Button>
      ) : null}
    </fieldset>
  );
}
