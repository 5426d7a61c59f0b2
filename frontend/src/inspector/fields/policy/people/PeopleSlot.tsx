import { ActionIcon, Button } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { SchemaField } from '../../../form/SchemaForm.tsx';
import { PeoplePicker } from './PeoplePicker.tsx';
import classes from '../policy.module.css';

interface PeopleProps {
  label: string;
  placeholder: string;
  entries: readonly string[];
  path: string;
  onChange: (entries: string[]) => void;
  readOnly: boolean;
  /** People by name alone: no expression is asked for. */
  named?: boolean;
}

const isExpression = (entry: string) => entry.startsWith('=');
const code = { type: 'string', 'x-widget': 'expression' };

/** Whom a policy names: chips to pick, and expressions that name people in a run. */
export function PeopleSlot({
  label,
  placeholder,
  entries,
  path,
  onChange,
  readOnly,
  named = false,
}: PeopleProps) {
  const [adding, setAdding] = useState(false);
  const places = entries.flatMap((entry, place) => (isExpression(entry) ? [place] : []));
  const rows = adding ? [...places, entries.length] : places;
  const put = (place: number, text: string) => {
    const next = [...entries];
    if (text.trim() === '') next.splice(place, 1);
    else next[place] = `=${text}`;
    // the row that one types in stays, whether it is an entry already or no longer
    setAdding(text.trim() === '');
    onChange(next);
  };
  return (
    <>
      <PeoplePicker
        label={label}
        placeholder={placeholder}
        value={entries}
        onChange={onChange}
        readOnly={readOnly}
      />
      {rows.map((place, nth) => (
        <div key={nth} className={classes.line}>
          <SchemaField
            schema={{
              ...code,
              description:
                'Over memory, such as memory.owner: `user:…`, `group:…`, `role:…`, or a list of them.',
            }}
            root={{}}
            value={(entries[place] ?? '').slice(1)}
            label={rows.length > 1 ? `Who, by expression ${nth + 1}` : 'Who, by expression'}
            path={`${path}.${place}`}
            required
            onChange={(next) => put(place, typeof next === 'string' ? next : '')}
          />
          <ActionIcon
            size="sm"
            aria-label={`Remove expression ${nth + 1}`}
            disabled={readOnly}
            onClick={() => {
              setAdding(false);
              if (place < entries.length) onChange(entries.filter((_, at) => at !== place));
            }}
          >
            <IconX size={14} />
          </ActionIcon>
        </div>
      ))}
      {readOnly || adding || named ? null : (
        <div>
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<IconPlus size={13} />}
            onClick={() => setAdding(true)}
          >
            By an expression
          </Button>
        </div>
      )}
    </>
  );
}
