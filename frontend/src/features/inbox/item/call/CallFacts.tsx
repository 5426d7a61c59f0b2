import { Text } from '@mantine/core';
import type { Interrupt } from '../../../../api/types/types.ts';
import classes from '../../inbox.module.css';
import { doesWhat, goesTo, toolName } from './words.ts';

/** What an agent wants to call, where that goes, and what a decision about it means. */
export function CallFacts({ item: { request } }: { item: Interrupt }) {
  const does = doesWhat(request.effect);
  return (
    <>
      <Text size="sm" c="dimmed">
        You are asked because {request.why}. If you approve, exactly this is sent, once. If you
        refuse, nothing is sent: the agent reads your reason and goes on.
      </Text>
      <dl className={classes.facts} aria-label="Where this call goes">
        <div>
          <dt>Tool</dt>
          <dd>{toolName(request)}</dd>
        </div>
        <div>
          <dt>Goes to</dt>
          <dd>{goesTo(request)}</dd>
        </div>
        {does ? (
          <div>
            <dt>What it does</dt>
            <dd>{does}</dd>
          </div>
        ) : null}
      </dl>
    </>
  );
}
