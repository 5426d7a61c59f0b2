import { ActionIcon, Button, NumberInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import type { Condition } from '../../../graph/conditions/condition.ts';
import { type Case, MOST_CASES, type Points } from '../../../graph/conditions/points.ts';
import { useForm } from '../../form/context.ts';
import { ConditionRows } from '../../wires/ConditionRows.tsx';
import classes from './points.module.css';

const blank: Condition = { match: 'all', rows: [{ field: '', op: 'is', values: [] }] };
const USUAL = 60;

interface NumberProps {
  label: string;
  value: number;
  onChange: (next: number) => void;
}

function Number0To100({ label, value, onChange }: NumberProps) {
  const { readOnly } = useForm();
  return (
    <NumberInput
      size="xs"
      aria-label={label}
      min={0}
      max={100}
      clampBehavior="strict"
      allowDecimal={false}
      allowNegative={false}
      disabled={readOnly}
      value={value}
      onChange={(next) => (typeof next === 'number' ? onChange(next) : undefined)}
    />
  );
}

/** Cases with a number each, tried from the first on, and the number where none fits. */
export function Cases({ points, onChange }: { points: Points; onChange: (next: Points) => void }) {
  const { readOnly } = useForm();
  const { cases, otherwise } = points;
  const put = (place: number, next: Case | null) =>
    onChange({
      ...points,
      cases: cases.flatMap((old, at) => (at !== place ? [old] : next ? [next] : [])),
    });
  const nth = (place: number) => (cases.length > 1 ? ` ${place + 1}` : '');
  return (
    <>
      {cases.map((each, place) => (
        <div key={place} role="group" aria-label={`Case${nth(place)}`} className={classes.case}>
          <ConditionRows condition={each.when} onChange={(when) => put(place, { ...each, when })} />
          <div className={classes.then}>
            <span>then</span>
            <Number0To100
              label={`Risk of case${nth(place)}`}
              value={each.points}
              onChange={(next) => put(place, { ...each, points: next })}
            />
            {readOnly ? null : (
              <ActionIcon
                size="sm"
                aria-label={`Remove case${nth(place)}`}
                onClick={() => put(place, null)}
              >
                <IconX size={14} />
              </ActionIcon>
            )}
          </div>
        </div>
      ))}
      {cases.length > 0 ? (
        <div className={classes.then}>
          <span>otherwise</span>
          <Number0To100
            label="Risk otherwise"
            value={otherwise}
            onChange={(next) => onChange({ ...points, otherwise: next })}
          />
        </div>
      ) : null}
      {cases.length > 1 ? <p className={classes.note}>The first case that fits counts.</p> : null}
      {readOnly || cases.length >= MOST_CASES ? null : (
        <div>
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconPlus size={13} />}
            onClick={() =>
              onChange({ ...points, cases: [...cases, { when: blank, points: USUAL }] })
            }
          >
            {cases.length > 0 ? 'Another case' : 'Say when it is risky'}
          </Button>
        </div>
      )}
    </>
  );
}
