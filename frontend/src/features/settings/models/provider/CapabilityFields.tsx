import { ActionIcon, Checkbox, Select } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { Capabilities } from './provider.ts';
import classes from '../models.module.css';

const UNSAID: Capabilities = { tools: true, schema: true, images: false };

/** What single models cannot do: it is not asked of them. */
export function CapabilityFields({
  models,
  said,
  onChange,
}: {
  models: readonly string[];
  said: Readonly<Record<string, Capabilities>>;
  onChange: (said: Record<string, Capabilities>) => void;
}) {
  const without = (name: string) =>
    Object.fromEntries(Object.entries(said).filter(([each]) => each !== name));
  const unsaid = models.filter((name) => !(name in said));
  return (
    <fieldset className={classes.group}>
      <legend>What models can do</legend>
      {Object.entries(said).map(([name, can]) => (
        <div key={name} className={classes.able}>
          <span className="gw-mono">{name}</span>
          <Checkbox
            label="Tools"
            aria-label={`${name} calls tools`}
            checked={can.tools}
            onChange={(event) =>
              onChange({ ...said, [name]: { ...can, tools: event.currentTarget.checked } })
            }
          />
          <Checkbox
            label="Forms"
            aria-label={`${name} keeps to the form of an answer`}
            checked={can.schema}
            onChange={(event) =>
              onChange({ ...said, [name]: { ...can, schema: event.currentTarget.checked } })
            }
          />
          <ActionIcon aria-label={`Say nothing of ${name}`} onClick={() => onChange(without(name))}>
            <IconX size={14} />
          </ActionIcon>
        </div>
      ))}
      <Select
        aria-label="Say of a model what it can do"
        description="Of a model that calls no tools none are asked; one that keeps to no form is told it in words"
        placeholder={unsaid.length > 0 ? 'Choose a model' : 'No other model is known'}
        disabled={unsaid.length === 0}
        searchable
        limit={50}
        data={unsaid}
        value={null}
        onChange={(name) => {
          if (name !== null) onChange({ ...said, [name]: UNSAID });
        }}
      />
    </fieldset>
  );
}
