import { Button } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { Kbd } from '../../../ui/keys/Kbd.tsx';
import { useNow } from '../../../ui/format/useNow.ts';
import { useConductor, useRhythm } from './conductor.ts';
import { goOf } from './machine.ts';
import classes from './rhythm.module.css';
import { secondsLeft, short } from './words.ts';

/** What was decided last and how long it can be taken back, and what the page has to say. */
export function HoldBar({ titleOf, said }: { titleOf: (id: string) => string; said: string }) {
  const held = useRhythm((state) => state.held);
  const open = held.filter((one) => one.state !== 'sending');
  const last = open.at(-1);
  const many = last ? goOf(open, last).length : 0;
  const before = open.length - many;
  return (
    <div className={classes.bar} data-filled={last !== undefined || said !== '' || undefined}>
      <span role="status" className={classes.said}>
        {said}
      </span>
      {last ? (
        <>
          <span className={classes.last}>
            <b>{last.verb === 'approve' ? 'Approved' : 'Rejected'}</b>{' '}
            {many > 1 ? `${many} items` : short(titleOf(last.id))}
            {before > 0 ? `, ${before} decided before` : ''}
          </span>
          <Undo until={last.until} all={many > 1} />
        </>
      ) : null}
    </div>
  );
}

function Undo({ until, all }: { until: number | null; all: boolean }) {
  const conductor = useConductor();
  const now = useNow(true);
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconArrowBackUp size={14} />}
      rightSection={<Kbd keys="Mod+Z" />}
      onClick={() => conductor?.dispatch({ type: 'undo' })}
    >
      {all ? 'Undo all' : 'Undo'}
      {until === null ? '' : ` ${secondsLeft(until, now)} s`}
    </Button>
  );
}
