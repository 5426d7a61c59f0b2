import { NumberInput, Radio, Stack } from '@mantine/core';
import { type Rule, ruleJson } from '../../../graph/policy/policy.ts';
import type { SlotProps } from './slot.ts';

const MOST = 1_000;

/** How many must agree. */
export function RuleSlot({ policy: { rule }, put, readOnly }: SlotProps) {
  const set = (next: Rule) => put('rule', ruleJson(next));
  const many = typeof rule === 'number';
  return (
    <>
      <Radio.Group
        value={many ? 'many' : rule}
        aria-label="How many must agree"
        onChange={(value) => set(value === 'many' ? 2 : (value as Rule))}
      >
        <Stack gap={8}>
          <Radio size="xs" value="any" label="Any one of them" disabled={readOnly} />
          <Radio size="xs" value="many" label="So many of them" disabled={readOnly} />
          <Radio
            size="xs"
            value="per_group"
            label="One of each group, role and person"
            disabled={readOnly}
          />
          <Radio size="xs" value="all" label="Everyone" disabled={readOnly} />
        </Stack>
      </Radio.Group>
      {many ? (
        <NumberInput
          size="xs"
          label="How many people"
          min={1}
          max={MOST}
          clampBehavior="blur"
          allowDecimal={false}
          value={rule}
          disabled={readOnly}
          onChange={(next) =>
            typeof next === 'number' && next >= 1 && next <= MOST ? set(next) : undefined
          }
        />
      ) : null}
    </>
  );
}
