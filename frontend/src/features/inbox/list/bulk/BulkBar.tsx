import { Button } from '@mantine/core';
import standing from '../../item/item.module.css';
import { Kbd } from '../../../../ui/keys/Kbd.tsx';
import type { Interrupt } from '../../../../api/types/types.ts';
import type { BulkVerb } from '../../rhythm/machine.ts';
import { sumOfAmounts } from '../../sums/amount.ts';

const VERBS: { verb: BulkVerb; label: string; keys: string }[] = [
  { verb: 'approve', label: 'Approve', keys: 'A' },
  { verb: 'reject', label: 'Reject', keys: 'R' },
  { verb: 'snooze', label: 'Snooze', keys: 'Z' },
  { verb: 'claim', label: 'Claim', keys: 'C' },
  { verb: 'delegate', label: 'Delegate', keys: 'D' },
];

interface BulkBarProps {
  items: readonly Interrupt[];
  ask: (verb: BulkVerb) => void;
  clear: () => void;
}

/** What can be done with the picked items; nothing is sent before they were all shown once more. */
export function BulkBar({ items, ask, clear }: BulkBarProps) {
  if (items.length === 0) return null;
  const sum = sumOfAmounts(items);
  return (
    <div className={standing.bulk} role="group" aria-label="Picked items">
      <span>
        {items.length} picked{sum === null ? null : <b> {sum}</b>}
        <Button size="compact-sm" variant="subtle" color="gray" onClick={clear}>
          Clear
        </Button>
      </span>
      {VERBS.map(({ verb, label, keys }) => (
        <Button
          key={verb}
          size="compact-sm"
          variant={verb === 'approve' ? 'filled' : verb === 'reject' ? 'light' : 'default'}
          color={verb === 'reject' ? 'red' : undefined}
          rightSection={<Kbd keys={keys} />}
          onClick={() => ask(verb)}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}
