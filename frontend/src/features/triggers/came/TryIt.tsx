import { Button, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Trigger, tryTrigger } from '../../../api/http/runs/triggers.ts';
import { graphQuery } from '../../../api/http/queries.ts';
import type { Json } from '../../../api/types/types.ts';
import { sampleBody, startFields } from '../times/startValues.ts';
import { exampleOf } from '../events/eventWords.ts';
import { useTrigger } from '../useTrigger.ts';
import classes from '../triggers.module.css';

/** What a call would bring, or nothing where the text is no JSON. */
function read(text: string): { value: Json } | null {
  try {
    return { value: JSON.parse(text) as Json };
  } catch {
    return null;
  }
}

/** What would come in, as long as nothing has. */
function usualOf(trigger: Trigger, wanted: Record<string, unknown>): unknown {
  if (trigger.kind === 'webhook') return wanted;
  return trigger.kind === 'event' ? exampleOf(trigger) : { due: trigger.due[0] ?? '', missed: 0 };
}

/** A test with the last delivery, or with values of one's own. */
export function TryIt({ trigger }: { trigger: Trigger }) {
  const { act, isPending } = useTrigger(trigger);
  const fields = startFields(useQuery(graphQuery(trigger.graph.id)).data);
  const usual = usualOf(trigger, sampleBody(fields));
  const last = JSON.stringify(trigger.sample?.body ?? usual, null, 2);
  const [text, setText] = useState<string | null>(null);
  const found = read(text ?? last);
  const test = () => {
    if (found) act(() => tryTrigger(trigger.id, { ...trigger.sample, body: found.value }));
  };
  return (
    <div className={classes.try}>
      <Textarea
        label={trigger.sample ? 'The last that came in' : 'Try it with'}
        description="Expressions read it as body. Change it as you like before a test."
        classNames={{ input: 'gw-mono' }}
        autosize
        minRows={3}
        maxRows={10}
        value={text ?? last}
        error={found ? null : 'This is no JSON'}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button size="xs" variant="default" loading={isPending} disabled={!found} onClick={test}>
        Test: start a run with it
      </Button>
    </div>
  );
}
