import { Button } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import type { Interrupt } from '../../../api/types/types.ts';
import { Kbd } from '../../../ui/keys/Kbd.tsx';
import { useNow } from '../../../ui/format/useNow.ts';
import { useConductor, useRhythm } from './conductor.ts';
import { calledOf } from '../names.ts';
import { useReceipt } from '../receipt/useReceipt.ts';
import { goOf, type Held } from './machine.ts';
import classes from './rhythm.module.css';
import { beforeText, secondsLeft, short } from './words.ts';

/** Characters of edits that are told. */
const EDITS = 80;

/** What was decided last and how long it can be taken back, and what the page has to say. */
export function HoldBar({ known, said }: { known: ReadonlyMap<string, Interrupt>; said: string }) {
  const held = useRhythm((state) => state.held);
  const open = held.filter((one) => one.state !== 'sending');
  const last = open.at(-1);
  const many = last ? goOf(open, last).length : 0;
  const before = last ? open.filter((one) => !goOf(open, last).includes(one)) : [];
  return (
    <div className={classes.bar} data-filled={last !== undefined || said !== '' || undefined}>
      <span role="status" className={classes.said}>
        {said}
      </span>
      {last ? (
        <>
          <span className={classes.last}>
            {many > 1 ? (
              <>
                <b>{last.verb === 'approve' ? 'Approved' : 'Rejected'}</b> {many} items
              </>
            ) : (
              <Decided last={last} item={known.get(last.id)} />
            )}
            {last ? beforeText(before, last.verb) : null}
          </span>
          <Undo until={last.until} all={many > 1} />
        </>
      ) : null}
    </div>
  );
}

/** What was decided; of an edited item the values that it was decided with. */
function Decided({ last, item }: { last: Held; item: Interrupt | undefined }) {
  const { verb, edits } = useReceipt(last.verb, item);
  const title = item ? calledOf(item) : '';
  return (
    <span title={title || undefined}>
      <b>{verb}</b> {short(edits || title, edits ? EDITS : undefined)}
    </span>
  );
}

function Undo({ until, all }: { until: number | null; all: boolean }) {
  const conductor = useConductor();
  const now = useNow(true);
  const left = until === null ? null : secondsLeft(until, now);
  if (left === 0) return null;
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconArrowBackUp size={14} />}
      rightSection={<Kbd keys="Mod+Z" />}
      onClick={() => conductor?.dispatch({ type: 'undo' })}
    >
      {all ? 'Undo all' : 'Undo'}
      {left === null ? '' : ` ${left} s`}
    </Button>
  );
}
