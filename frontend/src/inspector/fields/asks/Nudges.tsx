import { useId, useRef, useState } from 'react';
import type { Json, JsonObject } from '../../../api/types/types.ts';
import { readPolicy } from '../../../graph/policy/policy.ts';
import { nudges, type Slot, unsaidNudges } from '../../../graph/policy/words.ts';
import { usePeople } from '../policy/people/usePeople.ts';
import classes from '../policy/policy.module.css';
import { Sentence } from '../policy/Sentence.tsx';
import { SlotPanel } from '../policy/SlotPanel.tsx';
import { EscalateSlot, RemindSlot } from '../policy/times.tsx';
import { titles } from '../policy/titles.ts';

interface NudgesProps {
  rule: JsonObject;
  /** The tool that is asked about. */
  label: string;
  readOnly: boolean;
  set: (field: string, value: Json | undefined) => void;
}

/** When a rule reminds and whom it asks too, in the words of an approval. */
export function Nudges({ rule, label, readOnly, set }: NudgesProps) {
  const people = usePeople();
  const [open, setOpen] = useState<Slot | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const { reminders = [], escalation = null } = rule;
  const policy = readPolicy({ reminders, escalation });
  if (policy === null) return null;
  const pieces = nudges(policy, people.name);
  const close = () => {
    const back = open;
    setOpen(null);
    // the part may stand elsewhere once it is said
    requestAnimationFrame(() =>
      box.current?.querySelector<HTMLElement>(`[data-slot="${back}"]`)?.focus(),
    );
  };
  const part = { policy, readOnly, put: set };
  return (
    <div
      ref={box}
      role="group"
      aria-label={`While nobody decides on ${label}`}
      className={classes.policy}
    >
      <Sentence
        pieces={pieces}
        offers={readOnly ? [] : unsaidNudges(pieces)}
        open={open}
        controls={id}
        pathOf={(slot) => slot}
        onOpen={(slot) => (slot === open ? close() : setOpen(slot))}
      />
      {open ? (
        <SlotPanel key={open} id={id} title={titles[open]} onClose={close}>
          {open === 'remind' ? (
            <RemindSlot {...part} />
          ) : (
            <EscalateSlot {...part} stored={rule.escalation} named />
          )}
        </SlotPanel>
      ) : null}
    </div>
  );
}
