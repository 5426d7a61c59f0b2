import { Input } from '@mantine/core';
import { useId, useRef, useState } from 'react';
import type { Json, JsonObject } from '../../../api/types/types.ts';
import { isRecord } from '../../../graph/document/equal.ts';
import { type Policy, policyNames, readPolicy, withPart } from '../../../graph/policy/policy.ts';
import { sentence, type Slot, unsaid } from '../../../graph/policy/words.ts';
import { useForm } from '../../form/context.ts';
import type { FieldProps } from '../../form/field.ts';
import { SchemaForm } from '../../form/SchemaForm.tsx';
import { JsonField } from '../code/CodeField.tsx';
import { FieldLabel, useFieldError } from '../Frame.tsx';
import classes from './policy.module.css';
import { Sentence } from './Sentence.tsx';
import { SlotPanel } from './SlotPanel.tsx';
import { Slots } from './Slots.tsx';
import { properties, titles } from './titles.ts';
import { useLate } from './useLate.ts';
import { usePeople } from './people/usePeople.ts';
import { WhoDecides } from './who/WhoDecides.tsx';

/** Who decides, in a sentence whose parts are chosen. What no sentence says stays as JSON. */
export default function PolicyField(field: FieldProps) {
  const policy = readPolicy(field.value);
  if (policy) return <Said field={field} policy={policy} />;
  return (
    <>
      <JsonField {...field} />
      <p className={classes.note}>It says more than a sentence can, so it is shown as written.</p>
    </>
  );
}

function Said({ field, policy }: { field: FieldProps; policy: Policy }) {
  const { schema, root, value, onChange, path } = field;
  const { readOnly } = useForm();
  const error = useFieldError(path);
  const people = usePeople();
  const deadline = schema['x-beside']?.[0];
  const late = useLate(deadline);
  const [open, setOpen] = useState<Slot | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const put = (name: keyof Policy, next: Json | undefined) => onChange(withPart(value, name, next));
  const pieces = sentence(
    policy,
    people.name,
    late && { after_ms: late.holds, to: late.targetName },
  );
  const offers = readOnly ? [] : unsaid(pieces);
  /** Take what is typed in the part that is open. */
  const leave = () => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  };
  const close = () => {
    const back = open;
    leave();
    setOpen(null);
    // the part may stand elsewhere once it is said
    requestAnimationFrame(() =>
      box.current?.querySelector<HTMLElement>(`[data-slot="${back}"]`)?.focus(),
    );
  };
  const pathOf = (slot: Slot) =>
    slot === 'late' ? path.replace(/[^.]*$/, deadline ?? '') : `${path}.${properties[slot]}`;
  return (
    <div ref={box} role="group" aria-label={field.label} className={classes.policy}>
      <FieldLabel label={field.label} help={schema.description} />
      <Sentence
        pieces={pieces}
        offers={offers}
        open={open}
        controls={id}
        pathOf={pathOf}
        onOpen={(slot) => {
          if (slot === open) return close();
          leave();
          if (slot === 'reason' && policy.require_reason === 'never')
            put('require_reason', 'reject'); // who asks for one means it
          setOpen(slot);
          // who asks for a reason means one for a no; the panel has the other choices
          if (slot === 'reason' && offers.some(([offered]) => offered === slot))
            put('require_reason', 'reject');
        }}
      />
      {open ? (
        <SlotPanel key={open} id={id} title={titles[open]} onClose={close}>
          <Slots
            slot={open}
            policy={policy}
            stored={isRecord(value) ? (value as JsonObject) : {}}
            put={put}
            late={late}
            path={path}
            readOnly={readOnly}
          />
        </SlotPanel>
      ) : null}
      {error ? <Input.Error size="xs">{error}</Input.Error> : null}
      {readOnly ? null : <WhoDecides policy={value} told={policy} />}
      <SchemaForm
        schema={schema}
        root={root}
        value={isRecord(value) ? (value as JsonObject) : undefined}
        onChange={onChange}
        path={path}
        only={(name) => !policyNames.includes(name)}
      />
    </div>
  );
}
