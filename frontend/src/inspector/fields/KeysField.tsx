import { Combobox, Pill, PillsInput, useCombobox } from '@mantine/core';
import { useRef, useState } from 'react';
import { useEditor } from '../../store/editor.ts';
import { useForm } from '../form/context.ts';
import type { FieldProps } from '../form/field.ts';
import type { NameInfo } from '../../graph/schema/names.ts';
import classes from '../inspector.module.css';
import { useInputProps } from './Frame.tsx';
import { Nameless } from './values/Nameless.tsx';
import { ReadsUse } from './values/ReadsUse.tsx';
import { isReading, WithKeys } from './values/WithKeys.tsx';

const lanes = [
  { key: '*', hint: 'everything in memory' },
  { key: 'input', hint: 'what the run was started with' },
  { key: 'previous', hint: 'output of the node before' },
  { key: 'metadata', hint: 'what wires pass on beside the values' },
  { key: 'context', hint: 'tenant, user, session' },
];

function who(writers: readonly string[], readers: readonly string[]): string {
  const parts = [
    writers.length ? `written by ${writers.join(', ')}` : 'nobody writes it',
    readers.length ? `read by ${readers.join(', ')}` : '',
  ];
  return parts.filter(Boolean).join(' · ');
}

/** The Start fields that a field of keys may name, with what they are. */
const startFields = ({ schema }: FieldProps, names: readonly NameInfo[]) =>
  names
    .filter(({ grant }) => schema['x-start'] && grant?.startsWith('input.'))
    .map(({ grant = '', detail }) => ({
      key: grant,
      hint: ['given at the start', detail].filter(Boolean).join(' · '),
    }));

/** What a field of keys stands for as long as nobody names any. */
function unsaid({ schema, value }: FieldProps): string {
  const all = Array.isArray(schema.default) && schema.default.includes('*');
  return all && value === undefined ? 'Everything in memory' : 'Nothing';
}

/** Keys of memory: pick among those that can exist here, with who writes and who reads each, or type a new one. */
export function KeysField(field: FieldProps) {
  const { keys, nodes, names } = useForm();
  const input = useInputProps(field);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const [search, setSearch] = useState('');
  const box = useRef<HTMLInputElement>(null);
  const chosen = Array.isArray(field.value) ? field.value.map(String) : [];
  const readable = isReading(field);
  const offered = [
    ...keys.map((info) => ({ key: info.key, hint: who(info.writers, info.readers) })),
    ...startFields(field, names),
    ...(readable && !field.schema['x-start']
      ? [
          ...names.flatMap(({ grant }) =>
            grant?.startsWith('input.') ? [{ key: grant, hint: 'asked for at the start' }] : [],
          ),
          ...lanes,
          ...nodes.map((node) => ({
            key: `outputs.${node.value}`,
            hint: `output of ${node.label}`,
          })),
        ]
      : lanes.slice(0, 1)),
  ].filter(
    (option) =>
      !chosen.includes(option.key) &&
      option.key.toLowerCase().includes(search.trim().toLowerCase()),
  );
  const most = field.schema.maxItems ?? Infinity;
  const add = (key: string) => {
    const fresh = key === '+' ? search.trim() : key;
    if (fresh && !chosen.includes(fresh) && chosen.length < most)
      field.onChange([...chosen, fresh]);
    setSearch('');
    combobox.closeDropdown();
  };
  /** Take what is typed as it is: Enter without a choice, a comma, Tab and leaving the field do. */
  const take = (typed: string) => {
    const fresh = typed.split(/[,;\s]+/).filter((key) => key !== '' && !chosen.includes(key));
    if (fresh.length > 0) field.onChange([...new Set([...chosen, ...fresh])].slice(0, most));
    setSearch('');
    combobox.closeDropdown();
  };
  const remove = (key: string) => field.onChange(chosen.filter((entry) => entry !== key));
  const typed = search.trim() !== '' && !offered.some((option) => option.key === search.trim());
  const put = (key: string) => chosen.includes(key) || field.onChange([...chosen, key]);
  /** A name is all that is missing where everything is shown. */
  const named = (key: string) => chosen.includes('*') || unsaid(field) !== 'Nothing' || put(key);
  return (
    <WithKeys field={field} onKey={put}>
      <Combobox store={combobox} onOptionSubmit={add}>
        <Combobox.DropdownTarget>
          <PillsInput {...input} aria-label={undefined} onClick={() => combobox.openDropdown()}>
            <Pill.Group>
              {chosen.map((key) => (
                <Pill
                  key={key}
                  size="sm"
                  className="gw-mono"
                  withRemoveButton={!input.disabled}
                  onRemove={() => remove(key)}
                >
                  {key}
                </Pill>
              ))}
              <Combobox.EventsTarget>
                <PillsInput.Field
                  ref={box}
                  value={search}
                  disabled={input.disabled}
                  aria-label={field.label}
                  placeholder={chosen.length === 0 ? unsaid(field) : ''}
                  onFocus={() => combobox.openDropdown()}
                  onBlur={() => take(search)}
                  onChange={(event) => {
                    const typed = event.currentTarget.value;
                    if (/[,;]/.test(typed)) return take(typed);
                    setSearch(typed);
                    combobox.openDropdown();
                    combobox.resetSelectedOption();
                  }}
                  onKeyDown={(event) => {
                    const last = chosen.at(-1);
                    if (event.key === 'Backspace' && search === '' && last) remove(last);
                    const picked =
                      combobox.dropdownOpened && combobox.getSelectedOptionIndex() >= 0;
                    if (event.key === 'Enter' && !picked && search.trim()) {
                      event.preventDefault();
                      take(search);
                    }
                  }}
                />
              </Combobox.EventsTarget>
            </Pill.Group>
          </PillsInput>
        </Combobox.DropdownTarget>
        <Combobox.Dropdown>
          <Combobox.Options mah={240} style={{ overflowY: 'auto' }}>
            {offered.map((option) => (
              <Combobox.Option key={option.key} value={option.key}>
                <span className={classes.option}>
                  <span className="gw-mono">{option.key}</span>
                  <span className={`${classes.hint} gw-truncate`}>{option.hint}</span>
                </span>
              </Combobox.Option>
            ))}
            {typed ? (
              <Combobox.Option value="+">
                Add <span className="gw-mono">{search.trim()}</span>
              </Combobox.Option>
            ) : null}
            {offered.length === 0 && !typed ? <Combobox.Empty>Type a key</Combobox.Empty> : null}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      {field.schema['x-start'] && field.schema['x-grants'] ? (
        <Nameless onKey={named} onward={() => box.current?.focus()} />
      ) : null}
      {field.path === 'read_keys' ? (
        <ReadsUse
          keys={chosen}
          onChange={(next, label) => {
            field.onChange(next);
            useEditor.getState().commit(label);
          }}
        />
      ) : null}
    </WithKeys>
  );
}
