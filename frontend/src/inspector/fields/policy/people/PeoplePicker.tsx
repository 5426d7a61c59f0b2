import { Button, Combobox, Pill, PillsInput, useCombobox } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { readEntries, type Refusal } from '../../../../graph/policy/entries.ts';
import inspector from '../../../inspector.module.css';
import classes from '../policy.module.css';
import { usePeople } from './usePeople.ts';

interface PickerProps {
  label: string;
  /** Said where nobody is chosen. */
  placeholder: string;
  value: readonly string[];
  onChange: (entries: string[]) => void;
  readOnly: boolean;
}

/** So many are offered at once; typing finds the others. */
const SHOWN = 5;

/** People, groups and roles: found by typing, taken by Enter or a click. Who is not there is told, not taken. */
export function PeoplePicker({ label, placeholder, value, onChange, readOnly }: PickerProps) {
  const people = usePeople();
  const combobox = useCombobox({ opened: true });
  // the field names its list only once it is drawn anew
  const [, setEntered] = useState(false);
  const [search, setSearch] = useState('');
  const [refused, setRefused] = useState<Refusal | null>(null);
  const word = search.trim().toLowerCase();
  const fitting = people.entries.filter(
    ({ entry, label: name }) =>
      !value.includes(entry) && `${name} ${entry}`.toLowerCase().includes(word),
  );
  const offered = fitting.slice(0, SHOWN);
  const put = (fresh: readonly string[], left: string, told: Refusal | null) => {
    const next = [...new Set([...value, ...fresh])];
    if (next.length > value.length) onChange(next);
    setSearch(left);
    setRefused(told);
    combobox.resetSelectedOption();
  };
  const add = (entry: string) => put([entry], '', null);
  /** Take what is typed, up to the first name that nobody has. */
  const take = (typed: string, end: string) => {
    const { fresh, left, refusal } = readEntries(typed, people.entries);
    put(fresh, left || end, refusal);
  };
  const type = (typed: string) => {
    const comma = typed.startsWith('=') ? -1 : typed.search(/[,;][^,;]*$/);
    if (comma >= 0) return take(typed.slice(0, comma), typed.slice(comma + 1));
    setSearch(typed);
    setRefused(null);
    combobox.resetSelectedOption();
  };
  const key = (event: KeyboardEvent) => {
    const last = value.at(-1);
    if (event.key === 'Backspace' && search === '' && last !== undefined)
      onChange(value.filter((entry) => entry !== last));
    if (event.key !== 'Enter' || combobox.getSelectedOptionIndex() >= 0) return;
    event.preventDefault();
    const [first] = offered;
    if (word !== '' && first && !word.startsWith('=')) add(first.entry);
    else take(search, '');
  };
  return (
    <div>
      <Combobox store={combobox} onOptionSubmit={add}>
        <PillsInput size="xs" disabled={readOnly} error={refused !== null}>
          <Pill.Group>
            {value.map((entry) => (
              <Pill
                key={entry}
                size="sm"
                className={people.oddity(entry) ? classes.stranger : undefined}
                withRemoveButton={!readOnly}
                removeButtonProps={{
                  'aria-label': `Remove ${people.name(entry)}`,
                  tabIndex: 0,
                  'aria-hidden': false,
                }}
                onRemove={() => onChange(value.filter((other) => other !== entry))}
              >
                {people.name(entry)}
                {people.oddity(entry) ? ` (${people.oddity(entry)})` : ''}
              </Pill>
            ))}
            <Combobox.EventsTarget withExpandedAttribute>
              <PillsInput.Field
                aria-label={label}
                aria-invalid={refused !== null}
                disabled={readOnly}
                value={search}
                placeholder={value.length === 0 ? placeholder : 'Add'}
                onFocus={() => setEntered(true)}
                onBlur={() => take(search, '')}
                onChange={(event) => type(event.currentTarget.value.slice(0, 300))}
                onKeyDown={key}
              />
            </Combobox.EventsTarget>
          </Pill.Group>
        </PillsInput>
        {readOnly || offered.length === 0 ? null : (
          <Combobox.Options className={classes.options} aria-label={label}>
            {offered.map((option) => (
              <Combobox.Option key={option.entry} value={option.entry}>
                <span className={inspector.option}>
                  <span>{option.label}</span>
                  <span className={`${inspector.hint} gw-truncate`}>{option.hint}</span>
                </span>
              </Combobox.Option>
            ))}
          </Combobox.Options>
        )}
      </Combobox>
      {fitting.length > SHOWN ? (
        <p className={classes.note}>{fitting.length - SHOWN} more: type to find them.</p>
      ) : null}
      {refused ? (
        <div role="alert" className={classes.wrong}>
          {refused.wrong}{' '}
          {refused.keep ? (
            <Button size="compact-xs" variant="default" onClick={() => add(refused.keep ?? '')}>
              Keep it all the same
            </Button>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}
