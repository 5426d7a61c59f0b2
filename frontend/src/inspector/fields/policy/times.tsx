import { ActionIcon, Button, Select } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { Json, JsonObject } from '../../../api/types/types.ts';
import { isRecord } from '../../../graph/document/equal.ts';
import { END } from '../../../graph/document/document.ts';
import { DurationInput } from '../../../ui/format/duration/DurationInput.tsx';
import { useForm } from '../../form/context.ts';
import { PeopleSlot } from './people/PeopleSlot.tsx';
import classes from './policy.module.css';
import type { SlotProps } from './slot.ts';
import type { LateState } from './useLate.ts';

const DAY_MS = 86_400_000;
const LONGEST_MS = 366 * DAY_MS;
const MOST = 9;

/** When to remind. */
export function RemindSlot({ policy: { reminders }, put, readOnly }: SlotProps) {
  const [adding, setAdding] = useState(reminders.length === 0);
  const rows: (number | null)[] = [...reminders, ...(adding ? [null] : [])];
  const set = (place: number, ms: number | null) => {
    const next = rows.map((each, at) => (at === place ? ms : each)).filter((each) => each !== null);
    setAdding(next.length === 0);
    put('reminders', next.length > 0 ? next : undefined);
  };
  return (
    <>
      {rows.map((ms, place) => (
        <div key={place} className={classes.line}>
          <DurationInput
            size="xs"
            aria-label={rows.length > 1 ? `Remind after ${place + 1}` : 'Remind after'}
            placeholder="1 d"
            max={LONGEST_MS}
            value={ms}
            disabled={readOnly}
            onChange={(next) => set(place, next)}
          />
          <ActionIcon
            aria-label={`Remove reminder ${place + 1}`}
            disabled={readOnly || ms === null}
            onClick={() => set(place, null)}
          >
            <IconX size={14} />
          </ActionIcon>
        </div>
      ))}
      {readOnly || adding || reminders.length >= MOST ? null : (
        <div>
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<IconPlus size={13} />}
            onClick={() => setAdding(true)}
          >
            Another reminder
          </Button>
        </div>
      )}
    </>
  );
}

/** Whom to ask too, and after how long. */
export function EscalateSlot({
  policy,
  put,
  readOnly,
  stored,
  named = false,
}: SlotProps & { stored: Json | undefined; named?: boolean }) {
  const { escalation } = policy;
  const [wait, setWait] = useState(DAY_MS);
  const set = (part: JsonObject) =>
    put('escalation', {
      ...(isRecord(stored) ? (stored as JsonObject) : { after_ms: wait }),
      ...part,
    });
  return (
    <>
      <PeopleSlot
        label="Who is asked too"
        placeholder="People, groups, roles"
        entries={escalation?.to ?? []}
        path="config.policy.escalation.to"
        onChange={(to) => (to.length > 0 ? set({ to }) : put('escalation', undefined))}
        readOnly={readOnly}
        named={named}
      />
      <DurationInput
        size="xs"
        label="If nobody decided for"
        max={LONGEST_MS}
        required
        withAsterisk={false}
        value={escalation?.after_ms ?? wait}
        disabled={readOnly}
        onChange={(ms) => {
          if (ms === null) return;
          setWait(ms);
          if (escalation) set({ after_ms: ms });
        }}
      />
    </>
  );
}

/** How long it may take, and what follows then. */
export function LateSlot({ late, readOnly }: { late: LateState; readOnly: boolean }) {
  const { nodes } = useForm();
  const goals = [
    { value: '', label: 'it counts as rejected' },
    ...nodes.map(({ value, label }) => ({ value, label: `it goes to ${label}` })),
    { value: END, label: 'this way ends' },
  ];
  return (
    <>
      <DurationInput
        size="xs"
        label="If nobody decides for"
        description="It never counts as approved."
        min={late.min}
        max={late.max}
        value={late.after_ms}
        placeholder={late.usual}
        disabled={readOnly}
        onChange={late.setAfter}
      />
      {late.locked ? (
        <p className={classes.note}>Where it goes then is said by wires with conditions.</p>
      ) : (
        <Select
          size="xs"
          label="Then"
          searchable
          allowDeselect={false}
          data={goals}
          value={late.target}
          disabled={readOnly || late.setTarget === null}
          onChange={(next) => late.setTarget?.(next ?? '')}
        />
      )}
    </>
  );
}
