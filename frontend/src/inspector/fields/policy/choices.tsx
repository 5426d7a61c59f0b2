import { Checkbox, Radio, Stack } from '@mantine/core';
import { ownWork, type Policy } from '../../../graph/policy/policy.ts';
import { ownWords } from '../../../graph/policy/words.ts';
import type { SlotProps } from './slot.ts';

interface OneOfProps<T extends string> {
  label: string;
  value: T;
  /** What each value means; the first one holds where none is written. */
  among: readonly (readonly [T, string])[];
  onChange: (next: T | undefined) => void;
  readOnly: boolean;
}

function OneOf<T extends string>({ label, value, among, onChange, readOnly }: OneOfProps<T>) {
  return (
    <Radio.Group
      value={value}
      aria-label={label}
      onChange={(next) => onChange(next === among[0]?.[0] ? undefined : (next as T))}
    >
      <Stack gap={8}>
        {among.map(([each, words]) => (
          <Radio key={each} size="xs" value={each} label={words} disabled={readOnly} />
        ))}
      </Stack>
    </Radio.Group>
  );
}

/** Who may not decide on their own work. */
export function OwnSlot({ policy, put, readOnly }: SlotProps) {
  return (
    <Checkbox.Group
      value={[...policy.four_eyes]}
      aria-label="Who may not decide"
      onChange={(next) => put('four_eyes', next.length > 0 ? next : undefined)}
    >
      <Stack gap={8}>
        {ownWork.map((rule) => (
          <Checkbox key={rule} size="xs" value={rule} label={ownWords(rule)} disabled={readOnly} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

/** What a rejection does where several people decide. */
export function VetoSlot({ policy, put, readOnly }: SlotProps) {
  return (
    <OneOf
      label="What a no does"
      value={policy.veto ? 'ends' : 'counts'}
      among={[
        ['counts', 'A no counts: rejected once too few are left to agree'],
        ['ends', 'A no ends it: one is enough to reject'],
      ]}
      readOnly={readOnly}
      onChange={(next) => put('veto', next === 'ends' ? true : undefined)}
    />
  );
}

/** When a decision needs a reason. */
export function ReasonSlot({ policy, put, readOnly }: SlotProps) {
  return (
    <OneOf<Policy['require_reason']>
      label="When a reason is needed"
      value={policy.require_reason}
      among={[
        ['never', 'No reason is needed'],
        ['reject', 'For a no'],
        ['always', 'Always'],
      ]}
      readOnly={readOnly}
      onChange={(next) => put('require_reason', next)}
    />
  );
}

/** What an approval takes in the inbox. */
export function ConfirmSlot({ policy, put, readOnly }: SlotProps) {
  return (
    <OneOf<Policy['confirm']>
      label="What approving takes"
      value={policy.confirm}
      among={[
        ['never', 'One key or click'],
        ['dangerous', 'A second key where what follows cannot be repeated or taken back'],
        ['type', 'The amount, typed'],
      ]}
      readOnly={readOnly}
      onChange={(next) => put('confirm', next)}
    />
  );
}
