import { Select } from '@mantine/core';
import type { Trigger } from '../../../api/http/runs/triggers.ts';
import type { Json } from '../../../api/types/types.ts';
import { useTrigger } from '../useTrigger.ts';
import { answersFor } from '../words.ts';

interface AnswerFieldProps {
  seconds: Json | undefined;
  readOnly?: boolean;
  onChange: (seconds: number) => void;
}

/** Whether the caller is answered at once, or with the result of the run. */
export function AnswerField({ seconds, readOnly = false, onChange }: AnswerFieldProps) {
  const now = Number(seconds ?? 0);
  return (
    <Select
      label="The caller is answered"
      description={
        now > 0
          ? 'Where the run takes longer, the caller is told that it has begun. Many senders give up after 10 seconds.'
          : null
      }
      data={answersFor(now)}
      value={String(now)}
      disabled={readOnly}
      onChange={(value) => onChange(Number(value ?? 0))}
      allowDeselect={false}
    />
  );
}

/** The same of a trigger that is there: what is chosen holds at once. */
export function AnswerOf({ trigger, canEdit }: { trigger: Trigger; canEdit: boolean }) {
  const { change } = useTrigger(trigger);
  return (
    <AnswerField
      seconds={trigger.config['answer_s']}
      readOnly={!canEdit}
      onChange={(answer_s) => change({ config: { ...trigger.config, answer_s } })}
    />
  );
}
